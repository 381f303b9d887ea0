"""Studies of power against the library and an independent program."""

import math
import re

import numpy as np
import pytest
from scipy.stats import norm

from explorer.core import chisq
from explorer.core.mechanisms import RankDeficientGaussian
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Groups, Table
from explorer.study.cells import compute
from explorer.study.spec import parse

TEXT = """
name = "Power"
seed = 1
replicates = 4000
kind = "power"

[grid]
mechanism = ["RankDeficientGaussian"]
mu = [0.5]
shape = [[10]]
pattern = ["split"]
n = [500]
strength = [0.3]
statistic = ["pearson"]
"""
FALSE_ALARM = 1e-6


def changed(**keys):
    text = TEXT
    for key, value in keys.items():
        line = f"{key} = {value}"
        text, found = re.subn(rf"^{key} = .*$", line, text, flags=re.MULTILINE)
        text = text if found else f"{text}{line}\n"
    return text


def found(**keys):
    study = parse(changed(**keys))
    return [(cell, compute(study.task(cell)).results) for cell in study.cells()]


# Simulated once by another program with 10⁵ releases and as many null draws, three decimals:
# uniform null hypothesis, ±0.03 in ten cells, n = 500, level 0.05, Pearson's statistic.
REFERENCE = {
    ("Laplace", 0.1): 0.127,
    ("Gaussian", 0.1): 0.500,
    ("RankDeficientGaussian", 0.1): 0.509,
    ("Laplace", 0.25): 0.787,
    ("Gaussian", 0.25): 0.979,
    ("RankDeficientGaussian", 0.25): 0.979,
}


def test_the_power_is_that_of_another_program():
    rows = found(mechanism='["Laplace", "Gaussian", "RankDeficientGaussian"]', mu=[0.1, 0.25])
    limit = norm.isf(FALSE_ALARM / 2 / len(rows))
    assert len(rows) == len(REFERENCE)
    for cell, results in rows:
        other = REFERENCE[cell.mechanism.__name__, cell.mu]
        # 10⁵ null draws move its critical value half as much again as 10⁵ releases its share.
        error = math.hypot(results["standard_error"], 2 * math.sqrt(other * (1 - other) / 1e5))
        assert abs(results["power"] - other) < limit * error + 0.0005, cell


@pytest.mark.parametrize("test", ["goodness-of-fit", "homogeneity", "independence"])
def test_the_power_is_that_of_the_library(test):
    shape, n, w = (2, 3), 40, 0.4
    study = parse(
        changed(
            test=f'["{test}"]', shape=[list(shape)], n=[n], strength=[w], replicates=200,
            bootstraps=[99], statistic='["pearson"]', level=[0.1], pattern='["trend"]',
            null_strength=[0.6],
        )
    )  # fmt: skip
    [cell] = study.cells()
    task = study.task(cell)
    results = compute(task).results
    rng = task.generator()
    law = 1 / 6 + w / math.sqrt(6) * np.arange(-2.5, 3) / math.sqrt(17.5)
    null = 1 / 6 + 0.6 / math.sqrt(6) * np.array([1, 1, 1, -1, -1, -1]) / math.sqrt(6)
    noisy = RankDeficientGaussian(Groups(*shape) if test == "homogeneity" else Table(shape), 0.5)
    if test == "goodness-of-fit":
        power = chisq.power(noisy, null, n, law, 0.1, rng, replicates=200, statistic="pearson")
    elif test == "independence":
        power = chisq.power_of_independence(
            noisy,
            n,
            law.reshape(shape),
            0.1,
            rng,
            replicates=200,
            bootstraps=99,
            statistic="pearson",
        )
    else:
        laws = law.reshape(shape) / law.reshape(shape).sum(axis=1)[:, np.newaxis]
        power = chisq.power_of_homogeneity(
            noisy, [20, 20], laws, 0.1, rng, replicates=200, bootstraps=99, statistic="pearson"
        )
    assert results["power"] == power.power[0]
    assert results["standard_error"] == pytest.approx(power.error[0], rel=1e-12, abs=0)


@pytest.mark.parametrize("test", ["goodness-of-fit", "homogeneity", "independence"])
def test_the_power_is_the_level_where_the_hypothesis_holds(test):
    [(_, results)] = found(
        test=f'["{test}"]', shape=[[2, 2]], strength=[0], level=[0.2], replicates=400,
        bootstraps=[19], statistic='["ridge"]',
    )  # fmt: skip
    limit = norm.isf(FALSE_ALARM / 2 / 3)
    assert abs(results["power"] - 0.2) < limit * results["standard_error"] + 0.02
    assert 0 < results["standard_error"] < 0.04


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"test": '["Fisher"]'}, "must be one of goodness-of-fit, homogeneity, independence"),
        ({"statistic": '["G"]'}, "must be one of ridge, pearson, projected"),
        ({"level": [0]}, "α (level of the test) must lie in (0, 1), got level=0"),
        ({"n": [0]}, "n (number of records) must be a whole number in [1, 1e+09]"),
        ({"replicates": 10_000_001}, "must be a whole number in [2, 10000000]"),
        ({"replicates": 9, "level": [0.01]}, "must be at least 1/α - 1 = 99 for a test of level"),
        ({"null_strength": [9]}, "w (signal strength, Cohen's w) must be at most 1"),
        ({"null_strength": [1]}, "must give no cell the probability 0 for the statistic pearson"),
        ({"test": '["independence"]'}, "must have at least two rows and two columns for indep"),
        ({"test": '["homogeneity"]', "shape": [[3, 2]]}, "must be a multiple of the 3 rows, "),
        (
            {"test": '["homogeneity"]', "shape": [[2, 2]], "pattern": '["spike"]', "strength": [1.7320508075688772]},
            "must leave no row of the table empty for homogeneity",
        ),
        (
            {"test": '["homogeneity"]', "shape": [[2, 5]], "neighbours": '["add-remove"]'},
            "must be replace for homogeneity, whose groups have public sizes, got neighbours='add-",
        ),
        (
            {"test": '["homogeneity"]', "shape": [[2, 5]], "records_per_person": [3]},
            "must be 1 for homogeneity, got records_per_person=3",
        ),
        (
            {"test": '["independence"]', "shape": [[2, 2]], "bootstraps": [9]},
            "must be at least 1/α - 1 = 19 for a test of level 0.05",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_words(keys, sentence):
    with pytest.raises(ParameterError, match=re.escape(sentence)):
        parse(changed(**keys))


def test_what_neighbours_differ_in_enters_the_release_and_the_key():
    study = parse(
        changed(neighbours='["add-remove", "replace"]', records_per_person=[3, 1], replicates=200)
    )
    cells = list(study.cells())
    assert len({cell.key for cell in cells}) == 4
    [plain] = parse(TEXT).cells()
    assert cells[-1] == plain
    assert cells[-1].key == plain.key  # of cells computed before there was such an axis
    task = study.task(cells[0])
    table = Table((10,), "add-remove", 3)
    null, law = np.full(10, 0.1), np.repeat([0.13, 0.07], 5)
    power = chisq.power(
        RankDeficientGaussian(table, 0.5), null, 500, law, 0.05, task.generator(),
        replicates=200, statistic="pearson",
    )  # fmt: skip
    assert compute(task).results["power"] == power.power[0]
