"""Notebooks as they are on disk, and after they ran."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

FOLDER = Path(__file__).parents[2] / "notebooks"
STRICT = "import warnings\n\nwarnings.simplefilter('error')"
LENIENT = "warnings.simplefilter('default')"  # the kernel's own end is not our matter


@pytest.fixture(scope="session")
def run():
    """Run a notebook in a fresh kernel that takes warnings for errors; each name once."""
    finished = {}

    def run_once(name):
        if name not in finished:
            book = nbformat.read(FOLDER / name, as_version=4)
            book.cells = [new_code_cell(STRICT), *book.cells, new_code_cell(LENIENT)]
            NotebookClient(book, timeout=120, resources={"metadata": {"path": FOLDER}}).execute()
            finished[name] = book
        return finished[name]

    return run_once
