"""The five minutes of docs/teaching.md and docs/planning.md show the numbers that the pages print."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def shown(app, query):
    """Open a prepared page of the pages in docs and return its text."""
    app.open(query)
    return (
        app.page.evaluate("document.body.innerText").replace("\u00a0", " ").replace("\u202f", " ")
    )


@pytest.mark.parametrize(
    ("query", "number", "printed"),
    [
        ("?mu=0.5&alpha=0.05", "at most 13 of 100", "At most 13."),
        ("?mu=0.5&alpha=0.2", "at most 37 of 100", "At most 37 of 100 found"),
        ("?mu=2&alpha=0.05", "at most 64 of 100", "64 of 100 at μ = 2"),
        ("?mu=0.1&alpha=0.05", "± 26.8", "± 26.8 at μ = 0.1"),
        ("?strength=0", "with 9.64", "9.64 instead of 120"),
        ("?strength=1", "with 116", "116 at w = 1"),
    ],
)
def test_the_lesson(app, query, number, printed):
    lesson = (DOCS / "teaching.md").read_text(encoding="utf-8")
    assert f"localhost:8866/{query})" in lesson
    assert printed in lesson
    assert number in shown(app, query)


def test_the_line_of_the_lesson_can_be_pulled(app):
    plot = app.page.locator(".gdp-densities .gdp-plot")
    x = app.page.evaluate(
        "(() => { const p = look.plot('densities'), a = p._fullLayout.xaxis;"
        " return [1.645, 0.842].map((v) => a.l2p(v) + a._offset); })()"
    )
    at = plot.bounding_box()
    app.grab(plot, x[0] / at["width"], 0.5)
    app.page.mouse.move(at["x"] + x[1], at["y"] + at["height"] / 2, steps=5)
    app.page.mouse.up()
    app.wait_for_rest()
    assert float(app.box("alpha").input_value()) == pytest.approx(0.2, abs=0.01)


def test_the_plan(app):
    plan = (DOCS / "planning.md").read_text(encoding="utf-8")
    query = "?rows=2&columns=3&n=1000&mu=0.253"
    assert f"localhost:8866/{query})" in plan
    page = re.sub(r"\s+", " ", shown(app, query))
    for number, printed in (
        ("± 10.0", "*rank-deficient ± 10.0*"),
        ("± 11.0", "Gaussian noise without the public total gives ± 11.0"),
        ("at most 8.2 of 100", "at most 8.2 of 100"),
        ("1.07", "ε is 1.07 at δ = 10⁻⁶"),
        ("5.59", "σ = 5.59"),
    ):
        assert number in page
        assert printed in plan
