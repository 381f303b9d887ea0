"""The copies of the notebooks in docs have their text, their tables and their figures."""

import re

import pytest
from render_notebooks import BEGIN, COPIES, END, NAMES, NOTEBOOKS, headings, read, sources, text

MOST_BYTES = 1_000_000


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def copy(name):
    return (COPIES / f"{name}.md").read_text(encoding="utf-8")


def test_every_notebook_of_claims_has_a_copy():
    assert {path.stem for path in NOTEBOOKS.glob("*.ipynb")} == {*NAMES, "explorer"}


def test_a_copy_has_the_text_of_its_notebook(name, copy):
    assert sources(copy) == text(name, read(name)), "run `make notebooks`"


def test_a_copy_has_a_table_with_the_headings_of_every_table_of_a_run(name, copy, run):
    outputs = [
        out
        for cell in run(f"{name}.ipynb").cells
        for out in cell.get("outputs", [])
        if "data" in out
    ]
    tables = [headings(out.data) for out in outputs if headings(out.data)]
    results = re.findall(f"{BEGIN}(.*?){END}", copy, re.DOTALL)
    first_lines = [re.search(r"^\| (.*) \|$", result, re.MULTILINE) for result in results]
    assert [line[1].split(" | ") for line in first_lines if line] == tables, "run `make notebooks`"
    assert len(tables) >= 14


def test_the_figures_of_a_copy_are_there_and_no_others(copy, name):
    figures = re.findall(r"^!\[.+\]\((.+\.png)\)$", copy, re.MULTILINE)
    assert len(figures) >= 4
    assert {path.name for path in COPIES.glob(f"{name}-*.png")} == set(figures)


def test_copies_are_small():
    for path in COPIES.iterdir():
        assert path.stat().st_size < MOST_BYTES, path.name
