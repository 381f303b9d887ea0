"""The columns of a finished study for further analysis."""

import re
from contextlib import nullcontext

import numpy as np
import pytest

from explorer.study.cells import compute
from explorer.study.errors import StudyError
from explorer.study.folder import open_for_writing
from explorer.study.results import columns
from explorer.study.run import run
from explorer.study.spec import parse


def inline(tasks):
    for task in tasks:
        yield [(task, compute(task))]


class Untold(nullcontext):
    def advance(self, count):
        pass


@pytest.fixture
def folder(tmp_path, text):
    run(open_for_writing(tmp_path / "study", parse(text)), inline, lambda *_: Untold())
    return tmp_path / "study"


def test_columns_are_the_cells_in_the_order_of_the_grid(folder, study):
    found = columns(str(folder))
    cells = list(study.cells())
    assert list(found["mechanism"]) == [cell.mechanism.key for cell in cells]
    for name in ("mu", "strength", "n"):
        assert list(found[name]) == [getattr(cell, name) for cell in cells]
    assert set(found["shape"]) == {"4 × 4"}
    assert set(found["replicates"]) == {2000}
    costs = [compute(study.task(cell)).results["cost"] for cell in study.cells()]
    np.testing.assert_allclose(found["cost"], costs, rtol=1e-9)


def test_a_study_that_is_not_finished_is_refused(folder, text):
    open_for_writing(folder, parse(text.replace("mu = [0.25, 1]", "mu = [0.25, 1, 2]")))
    sentence = "holds 24 of 36 cells; gdp-explorer study run computes the rest"
    with pytest.raises(StudyError, match=re.escape(sentence)):
        columns(folder)


def test_a_folder_without_a_study_is_refused(tmp_path):
    with pytest.raises(StudyError, match="holds no study"):
        columns(tmp_path)
