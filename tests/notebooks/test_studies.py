"""The finished studies beside the notebooks: declarations and results belong together."""

import math
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from explorer.core.mechanisms import MECHANISMS
from explorer.study.cells import compute
from explorer.study.folder import look
from explorer.study.run import run
from explorer.study.spec import parse

FOLDER = Path(__file__).parents[2] / "notebooks" / "studies"
FILES = sorted(FOLDER.glob("*.toml"))
RECOMPUTED = {
    "goodness-of-fit": [10, 185, 383],
    "few-records": [70],
    "fitted-laws": [37, 114],
}


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def file(request):
    return request.param


@pytest.fixture
def text(file):
    return file.read_text(encoding="utf-8")


@pytest.fixture
def store(file):
    return look(file.with_suffix(""))


def test_each_study_has_results_and_the_other_way_round():
    assert {path.stem for path in FILES} == set(RECOMPUTED)
    assert {path for path in FOLDER.iterdir() if path.is_dir()} == {
        path.with_suffix("") for path in FILES
    }


def test_the_results_are_those_of_the_file(file, text, store):
    assert (file.with_suffix("") / "study.toml").read_text(encoding="utf-8") == text
    study = parse(text)
    assert [store.identity[name] for name in ("kind", "seed", "replicates")] == [
        study.kind.name,
        study.seed,
        study.replicates,
    ]
    finished, problems = store.read()
    assert problems == []
    assert set(finished) == {cell.key for cell in study.cells()}
    assert len(finished) == len(study)
    for results in finished.values():
        assert 0 <= results["power"] <= 1
        # A power is a number of rejections over the number of releases.
        rejections = results["power"] * study.replicates
        assert rejections == pytest.approx(round(rejections), rel=0, abs=1e-9)


def test_a_finished_study_has_nothing_left_to_run(file, tmp_path):
    copy = shutil.copytree(file.with_suffix(""), tmp_path / "copy")
    store = look(copy)
    executed, announced = [], []

    def execute(cells):
        executed.extend(cells)
        yield from ()

    def progress(total, finished):
        announced.append((total, finished))
        return nullcontext()

    assert run(store, execute, progress) == []
    assert executed == []
    assert announced == [(len(store.study), len(store.study))]


def test_some_cells_computed_now_agree(file, store):
    finished, _ = store.read()
    cells = list(store.study.cells())
    for place in RECOMPUTED[file.stem]:
        cell = cells[place]
        results = compute(cell).results
        # Another processor's logarithm may differ in the last bit, which moves a release across a
        # critical value now and then; two such releases are allowed.
        margin = 2.01 / store.study.replicates
        assert results["power"] == pytest.approx(finished[cell.key]["power"], rel=0, abs=margin), (
            cell.words
        )


def test_goodness_of_fit_is_studied_for_every_mechanism_and_exactly_enough():
    for name in ("goodness-of-fit", "few-records"):
        store = look(FOLDER / name)
        grid = dict(store.study.grid)
        assert grid["mechanism"] == tuple(kind.__name__ for kind in MECHANISMS)
        assert grid["mu"] == (0.1, 0.25, 0.5, 1)
        assert grid["null_strength"][-1] == pytest.approx(math.sqrt(3 / 11), rel=1e-15, abs=0)
        finished, _ = store.read()
        assert max(results["standard_error"] for results in finished.values()) < 0.005
