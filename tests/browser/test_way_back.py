"""Undo, redo, reset, presets, and links that bring a scenario back."""

from dataclasses import replace

import pytest

from explorer.locale import text_for
from explorer.scenario import Scenario, to_query
from explorer.scenario.presets import PRESETS

en = text_for("en")

# No field stands at its default.
ELSEWHERE = Scenario(
    mu=1.2345678,
    delta=3e-5,
    rows=3,
    columns=6,
    n=777,
    neighbours="add-remove",
    records_per_person=2,
    pattern="interaction",
    strength=0.123,
    alpha=0.031,
    positive_part=False,
    hidden=("james-stein-zero", "projected-laplace"),
    sampled="laplace",
    seed=5,
    cost_axis="mu",
    cost_average=True,
    cost_ratio=True,
    cost_log=True,
    tradeoff_log=True,
    view="tests",
    test="independence",
    test_statistic="pearson",
)
HOSTILE = (
    "?mu=abc&delta=nan&rows=-3&n=1e99&alpha=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E"
    "&pattern=%3Cscript%3Ealert(2)%3C/script%3E&columns=5&zzz=1&hidden=__class__&draw=inf"
)


def screen(app):
    return app.controls(), app.look("numbers()"), app.look("pictures()")


def test_every_field_of_the_link_is_tried():
    default = Scenario()
    kept = [
        name
        for name in Scenario.__dataclass_fields__
        if getattr(ELSEWHERE, name) == getattr(default, name)
    ]
    assert kept == ["typed"]


def test_steps_are_undone_and_done_again(app):
    screens = [screen(app)]
    for act in (
        lambda: app.enter("mu", "0.2773"),
        lambda: app.choice("Pattern").select_option("linear trend ▂▃▅▆"),
        lambda: app.button("simulate again").click(),
        lambda: app.page.get_by_label("positive part").uncheck(),
        lambda: app.handle("n").press("PageUp"),
    ):
        act()
        app.wait_for_rest()
        screens.append(screen(app))
    for expected in screens[-2::-1]:
        app.button("Undo").click()
        app.wait_for_rest()
        assert screen(app) == expected
    for expected in screens[1:]:
        app.button("Redo").click()
        app.wait_for_rest()
        assert screen(app) == expected
    assert app.button("Redo").is_disabled()
    app.button("Reset").click()
    app.wait_for_rest()
    assert screen(app)[0] == app.first
    app.button("Undo").click()
    app.wait_for_rest()
    assert screen(app) == screens[-1]


@pytest.mark.parametrize("key", PRESETS)
def test_a_preset_is_its_scenario(app, key):
    app.enter("mu", "0.77")
    app.wait_for_rest()
    app.choice("Preset").select_option(en.presets[key])
    app.wait_for_rest()
    assert app.page.url.partition("?")[2] == to_query(PRESETS[key])
    assert app.controls()["select-one Preset"] == en.no_preset
    app.button("Undo").click()
    app.wait("look.box_of('mu').value === '0.77'")


def test_a_link_brings_every_control_back(visit):
    other = visit("?" + to_query(ELSEWHERE))
    assert other.page.url.partition("?")[2] in ("", to_query(ELSEWHERE))
    assert other.button("Undo").is_disabled()
    for name, text in {
        "mu": "1.2345678",
        "n": "777",
        "delta": "3e-5",
        "records-per-person": "2",
    }.items():
        assert other.box(name).input_value() == text
    assert other.page.get_by_role("alert").filter(has_text="link").count() == 0
    assert "power" in other.look("plots()")
    assert other.choice("Statistic of the test").input_value() == "Pearson"
    other.button("costs").click()
    other.wait("look.seen(look.section('cost'))")
    other.wait("look.sentence('cost').startsWith('On average over tables')")
    mechanisms = other.page.locator(".gdp-mechanism").count() - 2
    other.wait("look.curves('cost').length === arg", mechanisms + 2)

    other.button("n").click()
    other.wait("look.sentence('cost').startsWith('On average over tables')")
    other.wait_for_rest()
    address = other.page.url.partition("?")[2]
    assert address == to_query(replace(ELSEWHERE, cost_axis="n", view="costs"))
    other.open("?" + address)
    assert other.controls()["switch n"] is True
    assert {**other.controls(), "switch n": False, "switch μ": True} == other.first | {
        "switch n": False,
        "switch μ": True,
    }


def test_a_hostile_link_is_answered_in_words_and_the_page_works(visit):
    app = visit(HOSTILE)
    notice = app.page.locator(".gdp-banner").get_by_role("alert")
    notice.wait_for()
    assert "Not everything in the link could be used" in notice.inner_text()
    assert "Privacy parameter μ must be" in notice.inner_text()
    assert app.box("columns").input_value() == "5"
    assert app.box("mu").input_value() == "0.5"
    assert app.page.locator("img[src=x], .gdp-app script").count() == 0
    picture = app.look("picture('densities')")
    app.enter("mu", "2")
    app.wait("look.picture('densities') !== arg", picture)
    app.wait_for_rest()
    assert notice.count() == 0
    assert app.page.url.partition("?")[2] == to_query(Scenario(mu=2, columns=5))


def test_the_link_is_copied(app):
    app.context.grant_permissions(["clipboard-read", "clipboard-write"])
    app.enter("mu", "0.77")
    app.wait_for_rest()
    app.button("Copy link").click()
    status = app.page.get_by_role("status").filter(has_text="copied")
    status.wait_for()
    at = status.bounding_box()
    assert at["y"] + at["height"] < 48  # over the head of the page
    assert app.page.evaluate("navigator.clipboard.readText()") == app.page.url


def test_the_help_opens_and_closes(app):
    app.button("What is this?").click()
    about = app.page.locator(".gdp-about")
    about.wait_for()
    assert "two normal curves" in about.inner_text()
    about.get_by_role("button", name="Close").click()
    about.wait_for(state="hidden")


def test_the_help_closes_by_escape_and_by_a_click_outside(app):
    about = app.page.locator(".gdp-about")
    for close in (
        lambda: app.page.keyboard.press("Escape"),
        lambda: app.page.mouse.click(20, 780),
        app.button("What is this?").click,
    ):
        app.button("What is this?").click()
        about.wait_for()
        about.locator("p").first.click()  # inside
        app.wait_for_rest()
        assert about.is_visible()
        close()
        about.wait_for(state="hidden")
