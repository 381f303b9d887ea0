"""Notebooks as they are on disk, and after they ran."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

FOLDER = Path(__file__).parents[2] / "notebooks"
STRICT = "import warnings\n\nwarnings.simplefilter('error')"
LENIENT = "warnings.simplefilter('default')"  # the kernel's own shutdown is not under test


@pytest.fixture(scope="session")
def run():
    """Run a notebook in a fresh kernel that treats warnings as errors; each notebook once."""
    finished = {}

    def run_once(name):
        if name not in finished:
            book = nbformat.read(FOLDER / name, as_version=4)
            book.cells = [new_code_cell(STRICT), *book.cells, new_code_cell(LENIENT)]
            NotebookClient(book, timeout=120, resources={"metadata": {"path": FOLDER}}).execute()
            finished[name] = book
        return finished[name]

    return run_once


@pytest.fixture(scope="session")
def claims_of():
    """Split a notebook into its claims: the heading of each, and its cells up to the next one."""

    def split(book):
        claims = []
        for cell in book.cells:
            heads = [line for line in cell.source.splitlines() if line.startswith("### ")]
            if cell.cell_type == "markdown" and heads:
                claims.append((heads, []))
            if claims:
                claims[-1][1].append(cell)
        return claims

    return split
