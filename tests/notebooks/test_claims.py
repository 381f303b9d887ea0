"""Notebooks of claims: each claim shows numbers and ends in an assertion about them."""

import ast
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"


AS_IT_IS = {  # parts of the headings of claims that hold less broadly than they sound
    "paper.ipynb": ("every table", "basis", "chosen from the table", "low privacy", "best normal"),
    "tests.ipynb": (
        "For a uniform null hypothesis",
        "one direction",
        "It loses",
        "itself",
        "null distribution is estimated",
    ),
}


@pytest.fixture(params=AS_IT_IS)
def name(request):
    return request.param


@pytest.fixture
def claims(name, claims_of):
    return claims_of(nbformat.read(FOLDER / name, as_version=4))


def test_each_claim_has_a_heading_of_its_own(claims):
    heads = [head for heads, _ in claims for head in heads]
    assert len(set(heads)) == len(claims) >= 14


def test_every_claim_ends_in_an_assertion(claims):
    for heads, cells in claims:
        assert cells[-1].cell_type == "code", heads
        statements = ast.parse(cells[-1].source).body
        assert isinstance(statements[-1], ast.Assert), heads


def test_every_assertion_uses_a_result_of_its_own_claim(claims):
    for heads, cells in claims:
        trees = [ast.parse(cell.source) for cell in cells if cell.cell_type == "code"]
        own = {
            part.id
            for tree in trees
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            for part in ast.walk(target)
            if isinstance(part, ast.Name)
        }
        for node in trees[-1].body:
            if isinstance(node, ast.Assert):
                named = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
                assert named & (own | {"Table", "data_dependent_direction"}), heads


def test_every_claim_shows_numbers(name, claims_of, run):
    for heads, cells in claims_of(run(name)):
        shown = [out.data for cell in cells if cell.cell_type == "code" for out in cell.outputs]
        assert any("<table>" in data.get("text/html", "") for data in shown), heads
        figures = [cell for cell in cells if cell.source.endswith("figure()")]
        plots = [data for data in shown if "application/vnd.plotly.v1+json" in data]
        assert len(plots) == len(figures)


def test_claims_that_hold_less_broadly_than_they_sound_say_so(name, claims):
    limited = [heads[0] for heads, cells in claims if "**As it is.**" in cells[0].source]
    assert len(limited) >= 7
    for part in AS_IT_IS[name]:
        assert any(part in head for head in limited), part
