"""The finished studies beside the notebooks: declarations and results belong together."""

import math
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from explorer.core.mechanisms import MECHANISMS
from explorer.study.cells import compute
from explorer.study.folder import open_for_reading
from explorer.study.run import run
from explorer.study.spec import parse

FOLDER = Path(__file__).parents[2] / "notebooks" / "studies"
FILES = sorted(FOLDER.glob("*.toml"))
RECOMPUTED = {
    "goodness-of-fit": [10, 185, 383],
    "few-records": [70],
    "fitted-laws": [37, 114],
}

KEYS = {
    "goodness-of-fit": ("c2a0d06807b8d015b6609491f82d76bf", "e5a09f0ca9ac982b5da0ed6385b67ea1"),
    "few-records": ("6c57b8b6df3e598e5006d875872d16ad", "7a0fff5d775073ea65b100ae58ef2302"),
    "fitted-laws": ("bbc9379df40cb1f2e82d4a93f68edb43", "f0aff7f05e20d395f3c25d591fb21768"),
}


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def file(request):
    return request.param


@pytest.fixture
def text(file):
    return file.read_text(encoding="utf-8")


@pytest.fixture
def store(file):
    return open_for_reading(file.with_suffix(""))


def test_each_study_has_results_and_the_other_way_round():
    assert {path.stem for path in FILES} == set(RECOMPUTED)
    assert {path for path in FOLDER.iterdir() if path.is_dir()} == {
        path.with_suffix("") for path in FILES
    }


def test_the_results_are_those_of_the_file(file, text, store):
    assert (file.with_suffix("") / "study.toml").read_text(encoding="utf-8") == text
    study = parse(text)
    identity = store.identity
    assert (identity.kind, identity.seed, identity.replicates) == (
        study.kind.name,
        study.seed,
        study.replicates,
    )
    finished, problems = store.read()
    assert problems == []
    assert set(finished) == {cell.key for cell in study.cells()}
    assert len(finished) == len(study)
    for results in finished.values():
        assert 0 <= results["power"] <= 1
        # A power is a number of rejections over the number of releases.
        rejections = results["power"] * study.replicates
        assert rejections == pytest.approx(round(rejections), rel=0, abs=1e-9)


def test_the_keys_of_finished_cells_never_change(store):
    # Of the first and the last cell, as the studies were computed: before mechanisms had keys and
    # before a power had neighbours.
    cells = list(store.study.cells())
    assert (cells[0].key, cells[-1].key) == KEYS[store.folder.name]


def test_a_finished_study_has_nothing_left_to_run(file, tmp_path):
    copy = shutil.copytree(file.with_suffix(""), tmp_path / "copy")
    store = open_for_reading(copy)
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
        results = compute(store.study.task(cell)).results
        # Another processor's logarithm may differ in the last bit, which moves a release across a
        # critical value now and then; two such releases are allowed.
        margin = 2.01 / store.study.replicates
        assert results["power"] == pytest.approx(finished[cell.key]["power"], rel=0, abs=margin), (
            cell.title
        )


def test_goodness_of_fit_is_studied_for_every_mechanism_and_exactly_enough():
    for name in ("goodness-of-fit", "few-records"):
        store = open_for_reading(FOLDER / name)
        assert store.study.along("mechanism").values == MECHANISMS
        assert store.study.along("mu").values == (0.1, 0.25, 0.5, 1)
        assert store.study.along("null_strength").values[-1] == pytest.approx(
            math.sqrt(3 / 11), rel=1e-15, abs=0
        )
        finished, _ = store.read()
        assert max(results["standard_error"] for results in finished.values()) < 0.005
