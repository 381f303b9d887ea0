"""Rules for every notebook: prose and calls, no logic, no stored outputs; and it runs."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))
LOGIC = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.For, ast.AsyncFor, ast.While, ast.If, ast.IfExp, ast.Match, ast.Try, ast.With),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr),
)
ROOMS = {"explorer", "numpy"}


@pytest.fixture(params=NOTEBOOKS)
def name(request):
    return request.param


@pytest.fixture
def book(name):
    return nbformat.read(FOLDER / name, as_version=4)


def code_of(book):
    return [cell for cell in book.cells if cell.cell_type == "code"]


def test_there_are_notebooks():
    assert {"explorer.ipynb", "paper.ipynb"} <= set(NOTEBOOKS)


def test_it_is_a_valid_notebook(book):
    nbformat.validate(book)
    assert book.metadata.kernelspec.name == "python3"


def test_no_output_is_stored(book):
    for cell in code_of(book):
        assert cell.outputs == []
        assert cell.execution_count is None
        assert cell.metadata == {}


def test_it_has_no_logic(book):
    for cell in code_of(book):
        logic = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, LOGIC)]
        assert not logic, cell.source


def test_it_imports_the_package_and_numpy_only(book):
    for cell in code_of(book):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module]
            else:
                continue
            assert {module.partition(".")[0] for module in modules} <= ROOMS
            assert not [module for module in modules if re.search(r"\._", module)]


def test_it_names_no_person_and_no_machine(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert not re.search(r"/(home|work|tmp|root|Users)/|TODO|FIXME|XXX", text)


def test_it_runs_from_top_to_bottom(name, run):
    book = run(name)
    assert all(cell.execution_count for cell in code_of(book))
    streams = [
        out.text
        for cell in code_of(book)
        for out in cell.outputs
        if out.output_type == "stream" and out.name == "stderr"
    ]
    assert streams == []
