"""The points that can be pulled on the plots themselves."""

import math

import pytest

PLACE = """([name, x]) => {
  const plot = look.plot(name), axis = plot._fullLayout.xaxis;
  const left = plot.getBoundingClientRect().left + axis._offset;
  const marks = plot.data.findLast(({ mode }) => mode === "markers");
  return x === null ? left + axis.d2p(marks.x[0]) : axis.p2d(x - left);
}"""


def marked(app, name):
    """Return where the marked point of a plot stands across the page."""
    return app.page.evaluate(PLACE, [name, None])


def pull(app, name, stop, start=None):
    """Pull the marked point to a share of the plot's width; return where the hand ended, in data."""
    plot = app.page.locator(f".gdp-{name} .gdp-plot")
    at = plot.bounding_box()
    begin = marked(app, name) if start is None else at["x"] + start * at["width"]
    _, y = app.grab(plot, (begin - at["x"]) / at["width"], 0.4)
    end = at["x"] + stop * at["width"]
    app.page.mouse.move(end, y, steps=5)
    app.page.mouse.up()
    app.wait_for_rest()
    return app.page.evaluate(PLACE, [name, end])


def tail(x):
    return math.erfc(x / math.sqrt(2)) / 2


def test_the_threshold_is_pulled(app):
    before = app.look("picture('tradeoff')")
    x = pull(app, "densities", 0.5)
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
    x = pull(app, "tradeoff", 0.4)
    alpha = float(app.box("alpha").input_value())
    assert alpha == pytest.approx(10**x if logarithmic else x, rel=0.006)
    assert app.look("picture('densities')") != before
    app.button("Undo").click()
    app.wait("look.box_of('alpha').value === '0.05'")


def test_a_pull_beyond_an_axis_stays_in_the_range(app):
    pull(app, "tradeoff", 1.5)
    assert app.box("alpha").input_value() == "0.999"
    pull(app, "tradeoff", -0.5)
    assert float(app.box("alpha").input_value()) == 1e-6
    assert app.page.get_by_role("alert").filter(has_text="must").count() == 0


@pytest.mark.parametrize(("switch", "row"), [("signal", "strength"), ("μ", "mu"), ("n", "n")])
def test_the_point_of_the_costs_is_pulled(app, switch, row):
    app.button(switch).click()
    app.wait_for_rest()
    x = pull(app, "cost", 0.35)
    assert float(app.box(row).input_value()) == pytest.approx(10**x, rel=0.01)


def test_cells_and_tables_are_not_pulled(app):
    app.button("cells").click()
    app.wait_for_rest()
    before = app.controls()
    pull(app, "cost", 0.4)
    pull(app, "table", 0.4, start=0.3)
    assert app.controls() == before


@pytest.mark.parametrize(("name", "start"), [("densities", 0.3), ("tradeoff", 0.6), ("cost", 0.7)])
def test_only_the_marked_point_is_pulled(app, name, start):
    before = app.controls()
    pull(app, name, 0.9, start)
    assert app.controls() == before


def test_a_press_beside_the_point_does_not_move_it(app):
    plot = app.page.locator(".gdp-densities .gdp-plot")
    at = plot.bounding_box()
    place = marked(app, "densities")
    _, y = app.grab(plot, (place + 15 - at["x"]) / at["width"], 0.4)
    app.page.mouse.up()
    app.wait_for_rest()
    assert app.box("alpha").input_value() == "0.05"
    app.grab(plot, (place + 15 - at["x"]) / at["width"], 0.4)
    app.page.mouse.move(place - 35, y, steps=5)
    app.page.mouse.up()
    app.wait_for_rest()
    assert marked(app, "densities") == pytest.approx(place - 50, abs=1)


@pytest.mark.parametrize("beside", [0, 80])
def test_a_swipe_scrolls_past_a_plot_and_changes_nothing(app, beside):
    app.page.set_viewport_size({"width": 390, "height": 844})
    app.wait_for_rest()
    before, stage = app.controls(), app.page.locator(".gdp-stage")
    at = app.page.locator(".gdp-densities .gdp-plot").bounding_box()
    touch(app, marked(app, "densities") - beside, at["y"] + 150, 12, -140)
    app.wait_for_rest()
    assert app.controls() == before
    assert stage.evaluate("node => node.scrollTop") > 60
    stage.evaluate("node => node.scrollTo(0, 0)")


def test_a_finger_pulls_the_marked_point_sideways(app):
    app.page.set_viewport_size({"width": 390, "height": 844})
    app.wait_for_rest()
    at = app.page.locator(".gdp-densities .gdp-plot").bounding_box()
    place = marked(app, "densities")
    touch(app, place, at["y"] + 150, -60, 4)
    app.wait_for_rest()
    assert marked(app, "densities") == pytest.approx(place - 60, abs=2)


def touch(app, x, y, across, down):
    """Move a finger over the page in ten steps."""
    session = app.context.new_cdp_session(app.page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for i in range(11):
        point = {"x": x + across * i / 10, "y": y + down * i / 10}
        event = "touchMove" if i else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": [point]})
        app.page.evaluate("new Promise(requestAnimationFrame)")
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    session.detach()
