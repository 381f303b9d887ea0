"""The paper, reproduced: every claim ends in an assertion, and what is shown is right."""

import ast
from pathlib import Path

import nbformat
import pytest

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "paper.ipynb"
STATEMENTS = [
    "Pure privacy", "Approximate privacy", "difficulty of a test", "trade-off functions", "(ε, δ)", "G of μ",
    "one pair (ε, δ)", "Δ₂/σ-GDP", "ε-DP for no ε", "sensitivity of a mean", "Lemma 1", "Theorem 2", "rank-deficient",
    "Theorem 3", "too small a space", "best normal noise", "as private as", "Proposition 4", "Theorem 5", "every table",
    "table is random", "one direction", "What M_rJS costs", "The basis", "chosen from the table",
    "least Laplace", "calibrate Laplace", "low privacy",
]  # fmt: skip


def claims_of(book):
    """The heading of each claim and the cells up to the next heading."""
    claims = []
    for cell in book.cells:
        heads = [line for line in cell.source.splitlines() if line.startswith("### ")]
        if cell.cell_type == "markdown" and heads:
            claims.append((heads, []))
        if claims:
            claims[-1][1].append(cell)
    return claims


@pytest.fixture(scope="module")
def claims():
    return claims_of(nbformat.read(NOTEBOOK, as_version=4))


def test_the_statements_come_in_the_order_of_the_paper(claims):
    heads = [head for heads, _ in claims for head in heads]
    assert len(heads) == len(claims) == len(STATEMENTS)
    for head, statement in zip(heads, STATEMENTS, strict=True):
        assert statement in head


def test_every_claim_ends_in_an_assertion(claims):
    for heads, cells in claims:
        assert cells[-1].cell_type == "code", heads
        statements = ast.parse(cells[-1].source).body
        assert isinstance(statements[-1], ast.Assert), heads


def test_every_assertion_looks_at_a_result_of_its_own_claim(claims):
    for heads, cells in claims:
        trees = [ast.parse(cell.source) for cell in cells if cell.cell_type == "code"]
        own = {
            target.id
            for tree in trees
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
        }
        for node in trees[-1].body:
            if isinstance(node, ast.Assert):
                named = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
                assert named & (own | {"Table", "chosen_direction"}), heads


def test_every_claim_shows_numbers(run):
    for heads, cells in claims_of(run(NOTEBOOK.name)):
        shown = [out.data for cell in cells if cell.cell_type == "code" for out in cell.outputs]
        assert any("<table>" in data.get("text/html", "") for data in shown), heads
        figures = [cell for cell in cells if cell.source.endswith("figure()")]
        plots = [data for data in shown if "application/vnd.plotly.v1+json" in data]
        assert len(plots) == len(figures)


def test_what_does_not_hold_as_broadly_is_said(claims):
    told = [heads[0] for heads, cells in claims if "**As it is.**" in cells[0].source]
    assert len(told) >= 8
    for words in ("every table", "basis", "chosen from the table", "low privacy", "best normal"):
        assert any(words in head for head in told)
