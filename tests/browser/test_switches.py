"""Lists, check boxes and switches: each changes what it should and no other control."""

import re

import pytest


def changed(app):
    """Return the controls that differ from the first screen; handles follow their boxes."""
    now = app.controls()
    keys = {key for key in {*now, *app.first} if now.get(key) != app.first.get(key)}
    return {key for key in keys if not key.startswith("slider")}


@pytest.fixture
def pick(app):
    """`pick(list, option)` chooses and returns what else differs from the first screen."""

    def choose(name, option):
        app.choice(name).select_option(option)
        app.wait_for_rest()
        return changed(app) - {f"select-one {name}"}

    return choose


def options(app, name):
    return [
        text.replace("\u00a0", " ") for text in app.choice(name).locator("option").all_inner_texts()
    ]


def test_every_pattern_has_its_table(app, pick):
    tables = {}
    for option in options(app, "Pattern"):
        assert pick("Pattern", option) == set()
        tables[option] = app.look("texts('table', '.heatmap-label')")[:16]
    assert len({",".join(table) for table in tables.values()}) == len(tables) == 4


def test_neighbours_change_sensitivity_rank_and_words(app, pick):
    assert {"15 of 16", "2.00", "1.41"} <= set(app.look("numbers()"))
    sentence = app.look("sentence('densities')")
    (other,) = [o for o in options(app, "Neighbours") if o != app.first["select-one Neighbours"]]
    # The mechanisms are called by what they do now; nothing else changes.
    renamed = ("checkbox ", "select-one Mechanism of the simulated table")
    assert all(name.startswith(renamed) for name in pick("Neighbours", other))
    numbers = app.look("numbers()")
    assert "16 of 16" in numbers
    assert numbers.count("1.00") == 2
    assert app.look("sentence('densities')") != sentence


def test_every_mechanism_has_its_draw(app, pick):
    draws = set()
    mechanisms = options(app, "Mechanism of the simulated table")
    for option in mechanisms:
        assert pick("Mechanism of the simulated table", option) == set()
        draws.add(",".join(app.look("texts('table', '.heatmap-label')")[16:]))
    assert len(draws) == len(mechanisms) == app.page.locator(".gdp-mechanism").count()


def test_draw_again_draws_another_table_and_nothing_else(app):
    before = app.look("texts('table', '.heatmap-label')")
    app.button("simulate again").click()
    app.wait_for_rest()
    after = app.look("texts('table', '.heatmap-label')")
    assert after[:16] == before[:16]
    assert after[16:] != before[16:]
    assert changed(app) == set()
    assert app.query()["seed"] == "1"


@pytest.mark.parametrize(
    ("switch", "word"),
    [
        ("μ", "privacy parameter, μ"),
        ("cells", "number of cells, p"),
        ("n", "records in the table, n"),
    ],
)
def test_the_cost_is_drawn_against_each_axis(app, switch, word):
    pressed = ["switch signal", f"switch {switch}"]
    before = app.look("picture('cost')")
    app.button(switch).click()
    app.wait("look.picture('cost') !== arg", before)
    app.wait_for_rest()
    assert changed(app) == set(pressed)
    assert word in " ".join(app.look("texts('cost', '.g-xtitle')"))
    assert app.look("curves('cost').length") >= app.page.locator(".gdp-mechanism").count() + 1
    app.button("signal").click()
    app.wait_for_rest()
    assert app.look("picture('cost')") == before


@pytest.mark.parametrize(
    ("switch", "name"), [("ratio", "cost"), ("log", "cost"), ("log α", "tradeoff")]
)
def test_a_switch_redraws_its_plot_and_no_other(app, switch, name):
    before = {plot: app.look("picture(arg)", plot) for plot in app.look("plots()")}
    app.button(switch).click()
    app.wait_for_rest()
    after = {plot: app.look("picture(arg)", plot) for plot in app.look("plots()")}
    assert {plot for plot in after if after[plot] != before[plot]} == {name}
    assert changed(app) == {f"switch {switch}"}
    app.button(switch).click()
    app.wait_for_rest()
    assert {plot: app.look("picture(arg)", plot) for plot in app.look("plots()")} == before


def test_ratios_are_shares_of_the_gaussian_cost(app):
    app.button("ratio").click()
    app.wait("look.texts('cost').includes('Gaussian 100%')")


def test_an_unticked_mechanism_leaves_the_plots(app):
    for tick in app.page.locator(".gdp-mechanism input").all():
        name = tick.get_attribute("title")
        curves = app.look("curves('cost').length")
        tick.uncheck()
        app.wait("look.curves('cost').length === arg", curves - 1)
        app.wait_for_rest()
        labels = app.look("texts('cost', '.textpoint')")
        assert not any(text.rsplit(" ", 1)[0] == name for text in labels), (name, labels)
    assert app.look("curves('cost').length") == 1
    assert "tick one" in app.look("sentence('cost')")
    assert changed(app) == {
        key for key in app.first if key.startswith("checkbox") and "positive" not in key
    }
    assert app.look("curves('tradeoff').length") == 4  # the Laplace curve is gone as well
    for tick in app.page.locator(".gdp-mechanism input").all():
        tick.check()
    app.wait("look.curves('cost').length === arg", app.page.locator(".gdp-mechanism").count() + 1)
    app.wait_for_rest()
    assert changed(app) == set()


def test_the_positive_part_changes_the_costs_of_shrinkage_only(app):
    def costs():
        rows = app.page.locator(".gdp-group-mechanisms dl > div").all()
        return {row.locator("dt").inner_text(): row.locator("dd").inner_text() for row in rows}

    before = costs()
    app.page.get_by_label("positive part").uncheck()
    app.wait_for_rest()
    after = costs()
    shrunk = {name for name in after if re.search("James|JS|uniform", name)}
    assert {name for name in after if after[name] != before[name]} <= shrunk
    assert after != before
    assert changed(app) == {"checkbox positive part of James–Stein"}


@pytest.mark.parametrize(
    ("relation", "mu"),
    [("one record changes", "3.687060656"), ("a person joins or leaves", "3.360777379")],
)
def test_the_place_where_laplace_starts_to_win_is_marked(app, pick, relation, mu):
    pick("Neighbours", relation)
    app.button("μ").click()
    app.wait_for_rest()
    assert f"Laplace wins ≥ {mu}" in app.look("texts('cost')")
    rules = app.look("curves('cost').length") - app.page.locator(".gdp-mechanism").count()
    assert rules == 2


def test_averages_follow_when_the_handle_is_let_go(app):
    def says(start):
        app.wait("look.sentence('cost').startsWith(arg)", start)

    given = app.look("numbers()")
    app.button("average").click()
    says("On average over tables")
    averaged = app.look("numbers()")
    assert averaged != given
    lines = app.look("curves('cost').length")
    x, y = app.grab(app.handle("mu"))
    app.page.mouse.move(x + 20, y)
    says("Computing averages over all tables")
    app.wait("look.curves('cost').length < arg", lines)  # those not known yet are not drawn
    app.page.mouse.up()
    says("On average over tables")
    app.wait("look.curves('cost').length === arg", lines)
    assert app.look("numbers()") != averaged
    app.button("average").click()
    says("Total kept")
