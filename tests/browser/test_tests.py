"""The plots of the tests: they take the place of the costs, follow a drag, and are simulated."""

import re


def test_tests_take_the_place_of_the_costs(app):
    costs = app.look("plots()")
    app.button("tests").click()
    app.wait("look.seen(look.section('power'))")
    app.wait("look.drawn().power && look.drawn().p_value")
    app.wait_for_rest()
    assert app.look("plots()") == [*costs[:2], "power", "p_value"]
    assert app.query()["view"] == "tests"
    for name in ("power", "p_value"):
        box = app.look("box(look.section(arg))", name)
        assert box[1] + box[3] <= 800
    app.wait("look.captions('power').length === 2 && !look.captions('power').join().includes('…')")
    cut = "look.all('.gdp-captions > span').filter((n) => n.scrollWidth > n.clientWidth + 1).length"
    assert app.page.evaluate(cut) == 0
    app.button("costs").click()
    app.wait("look.seen(look.section('cost'))")
    app.wait_for_rest()
    assert app.look("plots()") == costs


def test_power_follows_a_drag_of_mu(app):
    app.button("tests").click()
    app.wait("look.drawn().power")
    app.wait_for_rest()
    before = app.look("sentence('power')")
    picture = app.look("picture('power')")
    x, y = app.grab(app.handle("mu"))
    app.page.mouse.move(x - 30, y)
    app.wait("look.sentence('power') !== arg", before)
    app.wait("look.picture('power') !== arg", picture)
    app.page.mouse.up()
    app.wait_for_rest()
    weaker = app.look("sentence('power')")

    def found(text):
        count, of = re.search(r"for (\S+) of (\S+) noisy", text).groups()
        return float(count) / float(of.replace("\u202f", ""))

    assert found(weaker) < found(before)


def test_the_simulation_shows_its_progress_and_draws_its_points(app):
    app.button("tests").click()
    app.wait("look.drawn().power")
    for tick in app.page.locator(".gdp-mechanism input").all()[2:]:
        tick.uncheck()
    app.wait_for_rest()
    assert app.page.locator(".gdp-power .errorbar").count() == 0
    app.button("simulate").click()
    app.page.locator(".gdp-simulation .progress").wait_for(state="visible")
    app.page.locator(".gdp-simulation .progress").wait_for(state="hidden")
    app.wait("document.querySelectorAll('.gdp-power .errorbar').length === 18")
    app.button("simulate").click()
    app.button("cancel").click()
    app.button("simulate").wait_for()
    app.wait_for_rest()


def test_another_statistic_and_another_draw_change_what_one_test_says(app):
    app.button("tests").click()
    app.wait("look.drawn().p_value")
    app.wait_for_rest()
    before = app.look("sentence('p_value')")
    app.choice("Statistic of the test").select_option("Pearson")
    app.wait_for_rest()
    assert app.query()["test_statistic"] == "pearson"
    app.page.locator(".gdp-p_value").get_by_role("button", name="simulate again").click()
    app.wait("look.sentence('p_value') !== arg", before)
    assert re.search(r"p = 0\.\d{3} ± 0\.\d{3}", app.look("sentence('p_value')"))
