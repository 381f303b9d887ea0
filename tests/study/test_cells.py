"""Keys, random numbers and blocks of the cells of a study."""

import dataclasses
import hashlib
import os
import pickle
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from explorer.study.cells import compute
from explorer.study.cost import BLOCK, Moments
from explorer.study.errors import StudyError
from explorer.study.setting import setting
from explorer.study.spec import parse

ROOT = Path(__file__).parents[2]


def test_the_key_is_the_digest_of_the_sorted_parameters(study):
    first = next(iter(study.cells()))
    # Written by hand, not by the encoder: a key that changes loses every finished study.
    said = (
        '{"kind": "cost", "mechanism": "Gaussian", "mu": 0.25, "n": 200, "neighbours": "replace",'
        ' "pattern": "spike", "positive_part": true, "records_per_person": 1, "shape": [4, 4],'
        ' "strength": 0.0}'
    )
    assert first.key == hashlib.sha256(said.encode()).hexdigest()[:32]
    assert len({cell.key for cell in study.cells()}) == len(study)


def test_the_random_numbers_are_those_of_seed_and_key(study):
    cell = next(iter(study.cells()))
    words = np.frombuffer(bytes.fromhex(cell.key), ">u4").tolist()
    other = np.random.default_rng([study.seed, *words])
    task = study.task(cell)
    assert (task.generator().random(5) == other.random(5)).all()
    moved = dataclasses.replace(task, seed=study.seed + 1)
    assert (task.generator().random(5) != moved.generator().random(5)).all()


def test_a_larger_grid_keeps_the_cells(text, study, expected):
    larger = parse(text.replace("strength = [0, 0.1, 0.5]", "strength = [0.2, 0.5, 0.1, -0.0]"))
    keys = [cell.key for cell in larger.cells()]
    assert set(expected) == {cell.key for cell in study.cells()} < set(keys)
    assert keys[2] == list(expected)[1]


def test_a_cell_that_cannot_be_is_named(study):
    cell = next(iter(study.cells()))
    with pytest.raises(StudyError) as told:
        compute(study.task(dataclasses.replace(cell, mu=-1.0)))
    assert str(told.value) == (
        "the cell shape = 4 × 4, pattern = spike, n = 200, neighbours = replace,"
        " records_per_person = 1, positive_part = yes, mechanism = Gaussian, mu = -1, strength = 0"
        " failed: ParameterError: μ (GDP parameter) must lie in [1e-50, 1e+50], got mu=-1.0."
    )
    assert str(pickle.loads(pickle.dumps(told.value))) == str(told.value)  # noqa: S301 - our own


def test_costs_agree_with_the_exact_ones(study, expected):
    # 24 cells: the largest deviation passes the limit once in 10⁶, by Bonferroni's bound.
    limit = norm.isf(1e-6 / 2 / len(study))
    for cell in study.cells():
        found = {name: float.fromhex(value) for name, value in expected[cell.key].items()}
        assert abs(found["cost"] - found["exact"]) < limit * found["standard_error"], cell.title
        assert 0 < found["standard_error"] < 0.1 * found["exact"]


def test_the_setting_says_what_may_change_a_bit(monkeypatch):
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    assert [name for name, _ in setting().versions] == ["gdp-explorer", "numpy", "scipy"]
    assert dict(setting().versions)["numpy"] == np.__version__
    assert setting().threads == ""
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert setting().threads == "3"


ARITHMETIC = "from explorer.study.arithmetic import arithmetic; print(*arithmetic(), sep=chr(10))"


def arithmetic_with(**environment):
    """The probe and the processor features in a process with other environment variables."""
    run = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", ARITHMETIC],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.splitlines()


def test_the_probe_is_the_same_in_every_process_and_for_any_number_of_threads():
    for threads in ("1", "4"):
        assert arithmetic_with(OPENBLAS_NUM_THREADS=threads) == [*setting().arithmetic]


@pytest.mark.skipif(
    not np.show_config(mode="dicts")["SIMD Extensions"].get("found"),
    reason="the processor has no more than NumPy's baseline",
)
def test_the_probe_notices_other_routines_of_numpy():
    groups = np.show_config(mode="dicts")["SIMD Extensions"]
    probe, processor = arithmetic_with(NPY_DISABLE_CPU_FEATURES=",".join(groups["found"]))
    assert probe != setting().arithmetic.probe
    assert processor == " ".join(groups["baseline"])


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="names of x86 only")
def test_the_probe_notices_other_routines_of_linear_algebra():
    cores = ("Nehalem", "Sandybridge", "Haswell")
    assert len({arithmetic_with(OPENBLAS_CORETYPE=core)[0] for core in cores}) == 3


def test_blocks_are_put_together():
    draws = np.random.default_rng(3).gamma(0.3, 1e6, 10_001) + 1e9
    moments = Moments()
    for block in np.split(draws, [1, 5, 4000, 4003]):
        moments.add(block)
    assert moments.count == len(draws)
    assert moments.mean == pytest.approx(draws.mean(), rel=1e-15, abs=0)
    error = draws.std(ddof=1) / len(draws) ** 0.5
    assert moments.standard_error == pytest.approx(error, rel=1e-10, abs=0)


def test_a_large_table_is_drawn_in_blocks(text):
    large = text.replace("[[4, 4]]", "[[50, 50]]").replace("2000", str(BLOCK // 2500 + 3))
    study = parse(large)
    found = compute(study.task(next(study.cells()))).results
    assert found["cost"] == pytest.approx(found["exact"], rel=0.02, abs=0)  # 107 draws of 2500
    assert found["standard_error"] > 0
