"""Every slider, by key and by hand: its box, the read-outs, the plots, one step of undo, the axes."""

import pytest

MOVES = 60


def pressed(app, name, key):
    """Press a key on a slider and return the box's number after it."""
    before = app.box(name).input_value()
    app.handle(name).press(key)
    app.wait("look.box_of(arg[0]).value !== arg[1]", [name, before])
    return float(app.box(name).input_value())


def seen(app):
    return {"numbers": app.look("numbers()"), "pictures": app.look("pictures()")}


def test_every_slider_answers_to_the_keys(app):
    sliders = app.look("rows(true)")
    assert len(sliders) >= 6
    for name in sliders:
        before, start = seen(app), float(app.box(name).input_value())
        one = pressed(app, name, "ArrowRight")
        assert one > start, name
        app.wait("look.numbers().join() !== arg", ",".join(before["numbers"]))
        app.wait("look.pictures() !== arg", before["pictures"])
        assert pressed(app, name, "PageUp") > one, name
        least = pressed(app, name, "Home")
        assert least < start < pressed(app, name, "End"), name
        app.enter(name, app.first[f"text {app.label(name)}"])


def test_a_drag_moves_number_read_outs_and_curves_and_is_one_step_back(app):
    for name in app.look("rows(true)"):
        before, start = seen(app), app.box(name).input_value()
        x, y = app.grab(app.handle(name))
        moves = MOVES if name == "mu" else 6
        for move in range(1, moves + 1):
            app.page.mouse.move(x + 30 * move / moves, y)
        app.wait("look.box_of(arg[0]).value !== arg[1]", [name, start])
        app.wait("look.numbers().join() !== arg", ",".join(before["numbers"]))
        app.wait("look.pictures() !== arg", before["pictures"])
        app.page.mouse.up()
        app.wait_for_rest()
        assert float(app.box(name).input_value()) > float(start), name
        app.button("Undo").click()
        app.wait("look.box_of(arg[0]).value === arg[1]", [name, start])
        app.wait("look.numbers().join() === arg", ",".join(before["numbers"]))
        app.wait("look.pictures() === arg", before["pictures"])


@pytest.mark.parametrize(("name", "axis"), [("densities", "xaxis"), ("cost", "yaxis")])
def test_axes_keep_their_range_while_the_handle_is_held(app, name, axis):
    app.enter("mu", "1.5")
    app.wait_for_rest()
    before = app.look(f"range(arg, '{axis}')", name)
    start = app.box("mu").input_value()
    sign = -1 if name == "densities" else 1  # less room is needed, by less than a third
    x, y = app.grab(app.handle("mu"))
    ranges = []
    for move in range(1, 11):
        app.page.mouse.move(x + sign * move, y)
        ranges.append(app.look(f"range(arg, '{axis}')", name))
    app.wait("look.box_of('mu').value !== arg", start)
    ranges.append(app.look(f"range(arg, '{axis}')", name))
    assert ranges == [before] * len(ranges)
    app.page.mouse.up()
    app.wait("look.range(arg[0], arg[1])[1] < arg[2]", [name, axis, before[1]])


def test_axes_give_way_while_the_handle_is_held_where_a_curve_leaves_them(app):
    low, high = app.look("range('densities', 'xaxis')")
    x, y = app.grab(app.handle("mu"))
    app.page.mouse.move(x + 60, y, steps=20)
    app.wait("look.range('densities', 'xaxis')[1] > arg", high)
    assert app.look("range('densities', 'xaxis')[0]") == low
    app.page.mouse.up()


def test_a_long_drag_ends_where_the_hand_is(app):
    x, y = app.grab(app.handle("mu"))
    app.page.evaluate("globalThis.began = performance.now()")
    moves = 0
    while app.page.evaluate("performance.now() - began") < 3000:
        moves += 1
        app.page.mouse.move(x + 40 * ((moves % 60) - 30) / 30, y)
    app.page.mouse.move(x + 25, y)
    app.page.mouse.up()
    before = app.look("drawn()")
    app.wait_for_rest()
    # One in flight, the last one, and the axes when the hand is off: nothing has piled up.
    assert all(count - before[name] <= 4 for name, count in app.look("drawn()").items())

    notch = float(app.handle("mu").get_attribute("aria-valuenow"))
    value = float(app.box("mu").input_value())
    # 401 notches from 0.01 to 10 in equal ratios, shown to three digits
    assert value == pytest.approx(0.01 * 1000 ** (notch / 400), rel=6e-3)
    handle, track = (
        app.handle("mu").bounding_box(),
        app.row("mu").locator(".noUi-base").bounding_box(),
    )
    middle = handle["x"] + handle["width"] / 2
    assert (middle - track["x"]) / track["width"] == pytest.approx(notch / 400, abs=0.01)
    assert middle == pytest.approx(x + 25, abs=4)
    assert float(app.query()["mu"]) == value
    assert f"G{value:.3g}" in app.look("texts('tradeoff').join(' ')")
