"""Every figure draws, is named in words, and goes on responding."""

import re

import pytest

SELDOM = r"undefined|\bNaN\b|\bnull\b|Infinity|\[object"

# What each figure must answer to, one change after another: the row and what is typed there.
CHANGES = {
    "densities": [("mu", "1.5"), ("alpha", "0.2"), ("mu", "2")],
    "tradeoff": [("mu", "1.5"), ("delta", "0.01"), ("alpha", "0.2")],
    "cost": [("mu", "1.5"), ("n", "3000"), ("strength", "0.4")],
    "table": [("n", "3000"), ("mu", "1.5"), ("rows", "3")],
}


def test_every_figure_has_its_changes(app):
    assert set(app.look("plots()")) == set(CHANGES)


def test_every_curve_is_drawn(app):
    curves = {name: app.look("curves(arg).length", name) for name in app.look("plots()")}
    mechanisms = app.page.locator(".gdp-mechanism").count()
    assert curves["densities"] == 3  # two densities and the threshold; the areas are fills
    assert curves["tradeoff"] == 5  # guessing, Gaussian, Laplace, the tangent pair and the rule
    assert curves["cost"] == mechanisms + 1  # and the rule
    assert app.page.locator(".gdp-table .hm image").count() == 2
    assert len(app.look("texts('table', '.heatmap-label')")) == 2 * 4 * 4


def test_every_axis_says_in_words_what_it_shows(app):
    for name in ("densities", "tradeoff", "cost"):
        titles = app.look("texts(arg, '.g-xtitle, .gdp-plot .g-ytitle')", name)
        assert len(titles) == 2
        assert all(re.search(r"[a-z]{4,}", title) for title in titles), titles
    notes = " ".join(app.look("captions('table')"))
    assert "simulated" in notes
    assert "200 records" in notes


def test_every_figure_has_its_sentence(app):
    sentences = [app.look("sentence(arg)", name) for name in app.look("plots()")]
    assert all(re.fullmatch(r"[A-Z].{40,}\.", sentence) for sentence in sentences), sentences
    assert len(set(sentences)) == len(sentences)


def test_no_number_is_missing(app):
    numbers = app.look("numbers()")
    assert len(numbers) == 12 + app.page.locator(".gdp-mechanism").count()
    assert all(re.search(r"\d", number) for number in numbers), numbers
    text = app.page.locator("body").inner_text() + app.look("pictures()")
    assert re.findall(SELDOM, text) == []


@pytest.mark.parametrize("name", CHANGES)
def test_a_figure_goes_on_responding(app, name):
    for row, text in CHANGES[name]:
        drawn, picture = app.look("drawn()[arg]", name), app.look("picture(arg)", name)
        app.enter(row, text)
        app.wait("look.drawn()[arg[0]] > arg[1]", [name, drawn])
        app.wait("look.picture(arg[0]) !== arg[1]", [name, picture])
