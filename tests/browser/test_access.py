"""By keyboard and screen reader: every control is reached, seen and named."""

from importlib.resources import files

import pytest

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = """{
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  rules: { "target-size": { enabled: true } },
}"""
FOCUS = """() => {
  const node = document.activeElement, style = getComputedStyle(node);
  const index = look.reached().indexOf(node);
  return { index, outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 };
}"""
ROLES = {"slider", "textbox", "combobox", "checkbox", "button"}


@pytest.fixture
def tree(app):
    """The nodes that a screen reader is told of: role, name and properties."""

    def read():
        session = app.context.new_cdp_session(app.page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        session.detach()
        return [
            (
                node["role"]["value"],
                node.get("name", {}).get("value", ""),
                {item["name"]: item["value"].get("value") for item in node.get("properties", [])},
            )
            for node in nodes
            if not node["ignored"]
        ]

    return read


def test_tab_reaches_every_control_in_order_and_shows_where_it_is(app):
    app.page.locator("h1").click()
    app.enter("mu", "0.6")  # so that there is something to undo
    app.wait_for_rest()
    app.page.evaluate("document.activeElement.blur()")
    app.page.locator("h1").click()
    count = app.look("reached().length")
    passed = []
    for _ in range(count):
        app.page.keyboard.press("Tab")
        passed.append(app.page.evaluate(FOCUS))
    start = [step["index"] for step in passed]
    assert start == list(range(count))
    assert all(step["outline"] for step in passed)


def test_every_control_has_a_role_and_a_name(app, tree):
    nodes = [(role, name) for role, name, _ in tree() if role in ROLES]
    assert all(name.strip() for _, name in nodes), nodes
    roles = [role for role, _ in nodes]
    assert roles.count("slider") == len(app.look("rows(true)"))
    assert roles.count("textbox") == len(app.look("rows()"))
    assert roles.count("combobox") == app.page.locator(".gdp-app select:visible").count()
    assert roles.count("checkbox") == app.page.locator(".gdp-app input[type=checkbox]").count()
    assert len(set(nodes)) == len(nodes), "two controls with one role have one name"
    assert any(len(name) > 1 for role, name in nodes if role == "button" and "undo" in name.lower())


def test_figures_are_images_with_a_name(app, tree):
    names = [name for role, name, _ in tree() if role in {"img", "image"} and name]
    assert names == [app.look("sentence(arg)", plot) for plot in app.look("plots()")]


def test_a_slider_reads_out_its_value_and_no_notch(app):
    for name in app.look("rows(true)"):
        handle = app.handle(name)
        assert handle.get_attribute("aria-valuetext") == app.box(name).input_value()
        handle.press("ArrowRight")
        app.wait_for_rest()
        assert app.box(name).input_value() != app.first[f"text {app.label(name)}"]
        assert handle.get_attribute("aria-valuetext") == app.box(name).input_value()


def test_a_switch_says_whether_it_is_down(app, tree):
    def down():
        return {
            name
            for role, name, more in tree()
            if role == "button" and more.get("pressed") == "true"
        }

    assert down() == {"costs", "signal"}
    app.button("log").click()
    app.button("n").click()
    app.wait_for_rest()
    assert down() == {"costs", "n", "log"}


def test_every_cost_is_read_out_with_its_mechanism(app):
    names = app.page.locator(".gdp-group-mechanisms dt").all_inner_texts()
    ticks = [tick.get_attribute("title") for tick in app.page.locator(".gdp-mechanism input").all()]
    assert len(names) == len(ticks)
    hidden = app.page.locator(".gdp-group-mechanisms dt").first.evaluate(
        "node => getComputedStyle(node).display"
    )
    assert hidden != "none"


def test_a_refusal_is_announced_once_where_it_stands(app, tree):
    app.enter("mu", "abc")
    app.message("mu").wait_for()
    assert [name for role, name, _ in tree() if role == "alert"] != []
    assert app.page.get_by_role("alert").filter(has_text="must be").count() == 1


def test_all_is_done_without_a_mouse(app):
    app.page.locator("h1").click()
    app.choice("Pattern").focus()
    app.page.keyboard.press("ArrowDown")
    app.wait_for_rest()
    assert app.query()["pattern"] == "split"
    app.page.get_by_label("positive part").focus()
    app.page.keyboard.press("Space")
    app.wait_for_rest()
    app.button("log α").focus()
    app.page.keyboard.press("Enter")
    app.wait_for_rest()
    app.button("μ").focus()
    app.page.keyboard.press("Space")
    app.wait_for_rest()
    query = app.query()
    assert (query["positive_part"], query["tradeoff_log"], query["cost_axis"]) == ("0", "1", "mu")


SMALL = """() => look.all("input[type=checkbox]").filter(look.seen).map((node) => node.getBoundingClientRect())
  .filter(({ width, height }) => width < 24 || height < 24).length"""


def test_check_boxes_are_large_enough_for_a_finger(app):
    assert app.page.locator(".gdp-app input[type=checkbox]").count() > 0
    assert app.page.evaluate(SMALL) == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_has_one_first_heading(app, tree, width):
    app.page.set_viewport_size({"width": width, "height": 844})
    app.wait_for_rest()
    first = [name for role, name, more in tree() if role == "heading" and more["level"] == 1]
    assert first == ["GDP Explorer"]


def test_a_change_is_spoken_when_it_is_done(app):
    spoken = app.page.locator("[aria-live=polite].gdp-spoken")
    app.enter("mu", "0.6")
    app.wait_for_rest()
    said = spoken.inner_text()
    assert said == app.look("sentence('densities')")
    x, y = app.grab(app.handle("mu"))
    app.page.mouse.move(x + 20, y, steps=4)
    app.wait("look.sentence('densities') !== arg", said)
    assert spoken.inner_text() == said  # not while the handle is held
    app.page.mouse.up()
    app.wait_for_rest()
    app.wait(
        "document.querySelector('.gdp-spoken').textContent === look.sentence('densities') && look.sentence('densities') !== arg",
        said,
    )
    app.enter("strength", "0.4")
    app.wait_for_rest()
    assert spoken.inner_text() == app.look("sentence('cost')")


def test_sliders_and_check_boxes_stay_visible_in_forced_colours(app):
    app.page.emulate_media(forced_colors="active")
    try:
        colours = app.page.evaluate("""() => {
          const colour = (selector, part) => getComputedStyle(document.querySelector(selector), part).backgroundColor;
          return [colour(".gdp-mu .noUi-target"), colour(".gdp-mu .noUi-origin", "::before"),
                  colour(".gdp-mechanism input", "::before"), colour(".gdp-app")];
        }""")
    finally:
        app.page.emulate_media(forced_colors="none")
    *parts, paper = colours
    assert paper not in parts
    assert len(set(parts)) >= 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_no_fault(app, scheme, width):
    app.page.set_viewport_size({"width": width, "height": 844})
    app.page.emulate_media(color_scheme=scheme)
    app.wait("document.documentElement.dataset.theme === arg", scheme)
    app.wait_for_rest()
    app.page.evaluate(AXE)
    found = app.page.evaluate(f"axe.run({RULES})")
    assert [fault["id"] for fault in found["violations"]] == []
    assert len(found["passes"]) > 20
