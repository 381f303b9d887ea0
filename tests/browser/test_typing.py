"""Every number box: what is typed is kept digit by digit, what is refused is explained."""

import re

import pytest

WRONG = ["abc", "", "-3", "1e99", "nan", "∞"]
# from mpmath import e, findroot, mp, mpf, ncdf
# mp.dps = 40
# excess = lambda m: ncdf(m/2 - 1/m) - e * ncdf(-m/2 - 1/m) - mpf("1e-6")
# findroot(excess, (0.24, 0.25), solver="anderson")
MU_OF_EPSILON_1 = 0.23670438066343571
LINKED = {"mu": {"ε at δ"}, "epsilon": {"Privacy parameter μ"}, "delta": {"ε at δ"}}


def refuse(app, name, text, key="Enter"):
    """Type what is refused and return the message."""
    app.enter(name, text, key)
    app.message(name).wait_for()
    return app.message(name).inner_text()


def is_whole(app, name):
    message = refuse(app, name, "abc")
    app.enter(name, app.first[f"text {app.label(name)}"])
    app.message(name).wait_for(state="detached")
    return "whole number" in message


def test_every_box_keeps_what_is_typed_and_changes_nothing_else(app):
    boxes = app.look("rows()")
    assert len(boxes) >= 9
    for place, name in enumerate(boxes):
        text = "7" if is_whole(app, name) else "0.2773"
        before = app.controls()
        app.enter(name, text, ["Enter", "Tab"][place % 2])
        app.wait_for_rest()
        after = app.controls()
        assert app.box(name).input_value() == text, name
        changed = {key for key in after if after[key] != before.get(key)}
        changed = {key.removeprefix("text ") for key in changed if not key.startswith("slider")}
        changed -= LINKED.get(name, set())
        assert changed == {app.label(name)}, name
        field = "mu" if name == "epsilon" else name.replace("-", "_")
        assert field in app.query()
        if name != "epsilon":
            assert app.query()[field] == text


def test_epsilon_sets_mu_and_stands_as_typed(app):
    app.enter("epsilon", "1")
    app.wait("look.box_of('mu').value === '0.236704'")
    app.wait_for_rest()
    assert float(app.query()["mu"]) == pytest.approx(MU_OF_EPSILON_1, rel=1e-10)
    assert app.box("epsilon").input_value() == "1"


@pytest.mark.parametrize("text", WRONG)
def test_every_box_says_what_is_wrong_and_keeps_the_screen(app, text):
    numbers, places = (
        app.look("numbers()"),
        app.look("all('.gdp-row, .gdp-section, .gdp-plot').map(look.box)"),
    )
    drawn = app.look("drawn()")
    for place, name in enumerate(app.look("rows()")):
        message = refuse(app, name, text, ["Enter", "Tab"][place % 2])
        words = [
            word for word in re.findall(r"\w+", app.label(name)) if word not in {"at", "False"}
        ]
        assert any(word in message for word in words), (name, message)
        assert re.search(r"between|above|at least", message), message
        assert (f"“{text}”" if text else "nothing was entered") in message
        assert app.first[f"text {app.label(name)}"] in message, message
        assert app.box(name).input_value() == text
        assert app.row(name).locator("[role=alert]").bounding_box()["x"] >= 0
    assert app.page.locator(".gdp-row [role=alert]").count() == 1
    assert app.look("all('.gdp-row, .gdp-section, .gdp-plot').map(look.box)") == places
    assert app.look("numbers()") == numbers
    assert app.look("drawn()") == drawn
    for name in app.look("rows()"):
        app.enter(name, app.first[f"text {app.label(name)}"])
        app.message(name).wait_for(state="detached")
    app.wait_for_rest()
    assert app.controls() == app.first


def test_a_message_is_wholly_on_the_page(app):
    for name in app.look("rows()"):
        refuse(app, name, "abc")
        hidden = app.page.evaluate(
            """(name) => {
              const alert = document.querySelector(`.gdp-row.gdp-${name} [role=alert]`);
              const { left, top, right, bottom } = alert.getBoundingClientRect();
              const inset = [[left, top], [right, top], [left, bottom], [right, bottom]];
              const [x, y] = [(left + right) / 2, (top + bottom) / 2];
              alert.style.pointerEvents = "auto";
              const seen = inset.every(([x, y]) => {
                const at = document.elementFromPoint(x + (x < (left + right) / 2 ? 2 : -2), y + (y < (top + bottom) / 2 ? 2 : -2));
                return alert.contains(at);
              });
              return seen ? "" : name;
            }""",
            name,
        )
        assert hidden == "", "covered or cut off"
        app.enter(name, app.first[f"text {app.label(name)}"])


COVERED = """() => {
  const alert = document.querySelector(".gdp-row [role=alert]");
  const { left, right, top, bottom } = alert.getBoundingClientRect(), row = alert.closest(".gdp-row");
  const scrolls = getComputedStyle(alert.parentElement).position === "static"; // then the side cuts it off
  const side = alert.closest(".gdp-side").getBoundingClientRect();
  const box = { left, right, top, bottom: scrolls ? Math.min(bottom, side.bottom) : bottom };
  const others = look.reached().filter((node) => !row.contains(node));
  return others.filter((node) => {
    const at = node.getBoundingClientRect(), view = (node.closest(".gdp-side, .gdp-stage") ?? document.body).getBoundingClientRect();
    const [top, bottom] = [Math.max(at.top, view.top), Math.min(at.bottom, view.bottom)];
    return top < bottom && at.left < box.right && box.left < at.right && top < box.bottom && box.top < bottom;
  }).map(look.label);
}"""


@pytest.mark.parametrize("width", [1280, 1000, 390])
def test_a_message_covers_no_control(app, width):
    app.page.set_viewport_size({"width": width, "height": 800})
    app.wait_for_rest()
    for name in app.look("rows()"):
        refuse(app, name, "abc")
        assert app.page.evaluate(COVERED) == [], name
        app.page.keyboard.press("Escape")
        app.message(name).wait_for(state="detached")


@pytest.mark.parametrize("key", ["Escape", "Tab"])
def test_a_refused_text_gives_way_to_the_value(app, key):
    app.enter("mu", "0.7")
    app.wait_for_rest()
    for name, text in [("mu", "0.7"), ("n", "200")]:
        refuse(app, name, "abc")
        refuse(app, name, "-1")
        app.box(name).press(key)
        app.message(name).wait_for(state="detached")
        assert app.box(name).input_value() == text
    app.wait_for_rest()
    assert app.query()["mu"] == "0.7"


def test_reset_clears_what_was_refused(app):
    refuse(app, "mu", "abc")
    app.button("Reset").click()
    app.message("mu").wait_for(state="detached")
    assert app.box("mu").input_value() == "0.5"


def test_what_clashes_is_explained_and_reversed(app):
    app.enter("strength", "3.8")
    app.wait_for_rest()
    message = refuse(app, "rows", "2")
    assert "this needs 3.8" in message
    assert app.query()["rows"] == "4"
