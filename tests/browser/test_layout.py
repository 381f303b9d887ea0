"""Nothing is cut off, overlapping or out of reach, wide and narrow."""

import pytest

# Text that is wider than its box, and text of a plot that leaves the plot.
CUT = """() => {
  const words = (node) => [...node.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim());
  const boxes = look.all(".gdp-app *").filter((node) => !node.closest("svg, select") && words(node) && look.seen(node));
  const wide = boxes.filter((node) => node.clientWidth > 1 && node.scrollWidth > node.clientWidth + 1);
  const left = look.all(".gdp-plot text").filter((text) => {
    const at = text.getBoundingClientRect(), plot = text.closest(".gdp-plot").getBoundingClientRect();
    const over = [plot.left - at.left, at.right - plot.right, plot.top - at.top, at.bottom - plot.bottom];
    return at.width > 0 && text.textContent.trim() && Math.max(...over) > 1;
  });
  return [...wide, ...left].map((node) => node.textContent);
}"""
# Pairs of texts that lie on one another: within each plot, and of the mechanisms and their costs.
OVERLAPS = """() => {
  const groups = [
    ...look.all(".gdp-plot").map((plot) => look.all("text", plot)),
    look.all(".gdp-group-mechanisms .widget-checkbox label span, .gdp-group-mechanisms dd"),
    look.all(".gdp-head h2, .gdp-head select, .gdp-head button"),
    look.all(".gdp-readouts dd, .gdp-readouts dt"),
  ];
  const extent = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return (node.matches("text, select, button") ? node : range).getBoundingClientRect();
  };
  return groups.flatMap((group) => {
    const seen = group.filter((node) => node.textContent.trim() && look.seen(node)).map((node) => [node, extent(node)]);
    return seen.flatMap(([one, a], i) => seen.slice(i + 1).flatMap(([two, b]) => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      return across > 1 && down > 5 ? [`${one.textContent} | ${two.textContent}`] : [];
    }));
  });
}"""
SCROLLS = """() => [document.documentElement, document.querySelector(".gdp-app")].flatMap((node) =>
  [node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight]).map((over) => over > 1)"""


def test_wide_it_all_fits_on_one_screen(app):
    assert app.page.evaluate(SCROLLS) == [False] * 4
    side = app.page.locator(".gdp-side").evaluate("node => node.scrollHeight - node.clientHeight")
    assert side <= 1
    assert app.page.evaluate(CUT) == []
    assert app.page.evaluate(OVERLAPS) == []


@pytest.mark.parametrize("mu", ["0.01", "1", "10"])
def test_nothing_is_cut_off_or_overlaps_at_any_budget(app, mu):
    app.enter("mu", mu)
    app.wait_for_rest()
    assert app.page.evaluate(CUT) == []
    assert app.page.evaluate(OVERLAPS) == []


@pytest.mark.parametrize("size", [(1, 2), (12, 12), (50, 50)])
def test_nothing_is_cut_off_or_overlaps_at_any_size(app, size):
    for name, text in zip(("columns", "rows"), reversed(size), strict=True):
        app.enter(name, str(text))
        app.wait_for_rest()
    assert app.page.evaluate(SCROLLS) == [False] * 4
    assert app.page.evaluate(CUT) == []
    assert app.page.evaluate(OVERLAPS) == []


def test_choices_are_read_in_full(app):
    for name in ("Neighbours", "Pattern"):
        short = app.choice(name).evaluate(
            """(list) => {
              const style = getComputedStyle(list), pen = document.createElement("canvas").getContext("2d");
              pen.font = `${style.fontSize} ${style.fontFamily}`;
              const room = list.clientWidth - 20; // the arrow
              return [...list.options].map((option) => option.text).filter((text) => pen.measureText(text).width > room);
            }"""
        )
        assert short == [], name


def test_narrow_nothing_scrolls_sideways_and_the_plot_in_question_is_in_view(app):
    app.page.set_viewport_size({"width": 390, "height": 844})
    app.wait_for_rest()
    across, _, app_across, _ = app.page.evaluate(SCROLLS)
    assert not across
    assert not app_across
    for box in app.page.locator(".gdp-header, .gdp-side, .gdp-stage").all():
        over = box.evaluate(
            "node => getComputedStyle(node).overflowX === 'hidden' ? 0 : node.scrollWidth - node.clientWidth"
        )
        assert over <= 1, box.get_attribute("class")
    for group in app.page.locator("[class*=gdp-for-]").all():
        name = group.evaluate("node => look.named(node, 'gdp-for-')")
        group.locator("input").first.focus()
        app.wait(
            "((at) => at.top >= 0 && at.bottom <= innerHeight)(look.plot(arg).getBoundingClientRect())",
            name,
        )
        app.wait("look.drawn()[arg] > 0", name)
        control = group.locator("input").first.bounding_box()
        assert 0 <= control["y"] <= 844 - control["height"]


def test_narrow_nothing_is_cut_off_or_overlaps(app):
    app.page.set_viewport_size({"width": 390, "height": 844})
    app.wait_for_rest()
    for name in app.look("plots()"):
        app.page.locator(f".gdp-{name} .gdp-plot").scroll_into_view_if_needed()
        app.wait(
            "look.plot(arg).querySelector('svg').clientWidth === look.plot(arg).clientWidth", name
        )
    assert app.page.evaluate(CUT) == []
    assert app.page.evaluate(OVERLAPS) == []


@pytest.mark.parametrize("width", [901, 950, 1024, 1100, 1180, 1240, 1279])
def test_nothing_is_cut_off_or_overlaps_at_medium_widths(app, width):
    app.page.set_viewport_size({"width": width, "height": 800})
    app.wait_for_rest()
    for name in app.look("plots()"):
        app.page.locator(f".gdp-{name} .gdp-plot").scroll_into_view_if_needed()
        app.wait(
            "look.plot(arg).querySelector('svg').clientWidth === look.plot(arg).clientWidth", name
        )
    assert app.page.evaluate(SCROLLS) == [False] * 4
    assert app.page.evaluate(CUT) == []
    assert app.page.evaluate(OVERLAPS) == []
    outside = "look.reached().filter((node) => node.getBoundingClientRect().right > innerWidth).map(look.label)"
    assert app.page.evaluate(outside) == []


def test_the_layout_follows_the_width_of_the_app_and_not_of_the_window(app):
    def columns():
        return app.page.locator(".gdp-app").evaluate(
            "node => getComputedStyle(node).gridTemplateColumns.split(' ').length"
        )

    assert columns() == 2
    app.page.evaluate("document.querySelector('.gdp-app').parentElement.style.width = '700px'")
    assert columns() == 1
    app.page.evaluate("document.querySelector('.gdp-app').parentElement.style.width = ''")
    assert columns() == 2


def test_a_plot_that_had_no_room_is_drawn_when_it_has(app):
    plot = app.page.locator(".gdp-densities .gdp-plot")
    app.page.evaluate(
        "look.section('densities').parentElement.style.gridTemplateRows = '90px 1fr auto'"
    )
    app.enter("mu", "2")
    app.wait_for_rest()
    before = app.look("picture('densities')")
    app.page.evaluate("look.section('densities').parentElement.style.gridTemplateRows = ''")
    app.wait("look.picture('densities') !== arg", before)
    assert plot.locator("svg").first.bounding_box()["height"] > 100
