"""The points that can be pulled on the plots themselves."""

import math

import pytest


def pull(app, name, start, stop):
    """Pull on a plot between two shares of its width, in one go, and return where it ended."""
    plot = app.page.locator(f".gdp-{name} .gdp-plot")
    _, y = app.grab(plot, start, 0.4)
    at = plot.bounding_box()
    end = at["x"] + stop * at["width"]
    app.page.mouse.move(end, y, steps=5)
    app.page.mouse.up()
    app.wait_for_rest()
    return app.page.evaluate(
        """([name, end]) => {
          const plot = look.plot(name), axis = plot._fullLayout.xaxis;
          return axis.p2d(end - plot.getBoundingClientRect().left - axis._offset);
        }""",
        [name, end],
    )


def tail(x):
    return math.erfc(x / math.sqrt(2)) / 2


def test_the_threshold_is_pulled(app):
    before = app.look("picture('tradeoff')")
    x = pull(app, "densities", 0.7, 0.5)
    alpha = float(app.box("alpha").input_value())
    assert alpha == pytest.approx(tail(x), rel=0.006)
    assert app.look("picture('tradeoff')") != before
    app.button("Undo").click()
    app.wait("look.box_of('alpha').value === '0.05'")


@pytest.mark.parametrize("logarithmic", [False, True])
def test_the_attack_is_pulled(app, logarithmic):
    if logarithmic:
        app.button("log α").click()
        app.wait_for_rest()
    before = app.look("picture('densities')")
    x = pull(app, "tradeoff", 0.2, 0.4)
    alpha = float(app.box("alpha").input_value())
    assert alpha == pytest.approx(10**x if logarithmic else x, rel=0.006)
    assert app.look("picture('densities')") != before
    app.button("Undo").click()
    app.wait("look.box_of('alpha').value === '0.05'")


def test_a_pull_beyond_an_axis_stays_in_the_range(app):
    pull(app, "tradeoff", 0.3, 1.5)
    assert app.box("alpha").input_value() == "0.999"
    pull(app, "tradeoff", 0.3, -0.5)
    assert float(app.box("alpha").input_value()) == 1e-6
    assert app.page.get_by_role("alert").filter(has_text="must").count() == 0


@pytest.mark.parametrize(("switch", "row"), [("signal", "strength"), ("μ", "mu"), ("n", "n")])
def test_the_point_of_the_costs_is_pulled(app, switch, row):
    app.button(switch).click()
    app.wait_for_rest()
    x = pull(app, "cost", 0.3, 0.35)
    assert float(app.box(row).input_value()) == pytest.approx(10**x, rel=0.01)


def test_cells_and_tables_are_not_pulled(app):
    app.button("cells").click()
    app.wait_for_rest()
    before = app.controls()
    pull(app, "cost", 0.3, 0.4)
    pull(app, "table", 0.3, 0.4)
    assert app.controls() == before
