"""Sizes and powers from the columns of a study."""

import math

import numpy as np
import pytest

from explorer.core.mechanisms import (
    Gaussian,
    Laplace,
    RankDeficientGaussian,
    RankDeficientJamesSteinZero,
)
from explorer.paper import (
    level_and_power,
)
from explorer.paper._mechanisms import style, symbol
from explorer.paper._simulation import level_band
from explorer.paper.ten_cells import HALFWAY, LINEAR


def test_the_sizes_are_the_cells_where_the_hypothesis_is_true(study_of):
    names = ["Laplace", "Gaussian"]
    study, power = study_of(mechanism=names, mu=[0.5, 1.0], null_strength=[0.0, 0.3], strength=[0.0, 0.3, 0.4])  # fmt: skip
    sizes = level_and_power.sizes(study)
    true = power[:, :, [0, 1], [0, 1]]
    assert sizes.name == (symbol(Gaussian), symbol(Laplace))
    assert sizes.cells == 8
    assert list(sizes.least) == [true[1].min(), true[0].min()]
    assert list(sizes.most) == [true[1].max(), true[0].max()]
    assert (sizes.low, sizes.high) == level_band(0.05, 1000, 8)
    figure = sizes.figure()
    assert sorted(figure.data[1]["y"]) == sorted(true[0].ravel())
    assert [trace["marker"]["color"] for trace in figure.data[:2]] == [style(Gaussian).colour, style(Laplace).colour]  # fmt: skip
    assert [trace["y"] for trace in figure.data[2:]] == [[sizes.low] * 2, [sizes.high] * 2]


def test_powers_are_those_of_one_null_hypothesis_and_one_alternative(study_of):
    names = ["RankDeficientGaussian", "Laplace", "Gaussian"]
    study, power = study_of(mechanism=names, mu=[1.0, 0.25], null_strength=[0.0, 0.3], strength=[0.0, 0.3, 0.4])  # fmt: skip
    result = level_and_power.powers(study, null=0.3, strength=0.4)
    assert result.mechanisms == (Gaussian, RankDeficientGaussian, Laplace)
    assert list(result.mu) == [0.25, 1.0]
    assert result.power == pytest.approx(power[:, :, 1, 2][[2, 0, 1]][:, ::-1])
    assert result.of(Laplace) == pytest.approx(power[1, ::-1, 1, 2])
    gain = (power[1, ::-1, 1, 2] - power[2, ::-1, 1, 2]) / math.hypot(0.01, 0.01)
    assert result.gain(Laplace, over=Gaussian) == pytest.approx(gain)
    assert result.columns()["μ = 1"] == [f"{value:.3f}" for value in result.power[:, 1]]
    trace = result.figure().data[2]
    assert (trace["name"], trace["line"]["dash"]) == (symbol(Laplace), style(Laplace).dash)
    assert trace["y"] == pytest.approx(result.of(Laplace))


def test_the_summary_is_the_power_minus_that_of_the_unshrunk_release(study_of):
    names = ["Gaussian", "RankDeficientGaussian", "RankDeficientJamesSteinZero", "RankDeficientJamesStein", "Laplace"]  # fmt: skip
    study, power = study_of(mechanism=names, mu=[0.1, 0.5], null_strength=[0.0, LINEAR], strength=[0.0, HALFWAY, LINEAR])  # fmt: skip
    summary = level_and_power.summary(study, mu=0.5)
    assert summary.name == ("uniform; halfway", "uniform; linear", "linear; uniform", "linear; halfway")  # fmt: skip
    at = power[:, 1]
    rows = [at[:, 0, 1], at[:, 0, 2], at[:, 1, 0], at[:, 1, 1]]
    assert summary.unshrunk == pytest.approx([row[1] for row in rows])
    assert summary.difference[RankDeficientJamesSteinZero] == pytest.approx(
        [row[2] - row[1] for row in rows]
    )
    assert summary.difference[Laplace] == pytest.approx([row[4] - row[1] for row in rows])
    assert summary.error == pytest.approx(np.full(4, 0.01 * math.sqrt(2)))
