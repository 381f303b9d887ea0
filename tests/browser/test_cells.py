"""Numbers in the cells of the table stand apart at every size of the page, or are left out."""

import pytest

SIZES = [(1280, 720), (1024, 768), (390, 844)]
QUERIES = [
    "",
    "?columns=7&sampled=laplace",
    "?columns=8&rows=8",
    "?columns=10&rows=10&n=20",
    "?n=1000000000",
]
GAPS = """() => {
    const labels = [...document.querySelectorAll(".gdp-section.gdp-table .heatmap-label text")];
    const boxes = labels.map((label) => label.getBoundingClientRect());
    const rows = Map.groupBy(boxes, (box) => Math.round(box.top));
    return [...rows.values()].flatMap((row) => {
        row.sort((one, other) => one.left - other.left);
        return row.slice(1).map((box, i) => box.left - row[i].right);
    });
}"""


@pytest.mark.parametrize("query", QUERIES)
def test_numbers_in_cells_stand_apart(app, query):
    app.open(query)
    for width, height in SIZES:
        app.page.set_viewport_size({"width": width, "height": height})
        app.wait_for_rest()
        gaps = app.page.evaluate(GAPS)
        assert min(gaps, default=9) > 2, (width, height)


def test_numbers_are_shown_where_they_fit(app):
    assert len(app.page.evaluate(GAPS)) == 4 * 7  # both tables stand in the same rows
    app.open("?columns=8&rows=8")
    assert app.page.evaluate(GAPS) == []
    app.page.set_viewport_size({"width": 2400, "height": 1200})
    app.page.wait_for_function(f"({GAPS})().length === 8 * 15")
