"""Tests whose null distribution is estimated."""

import math

import numpy as np
import pytest

from explorer.core.mechanisms import (
    Laplace,
    RankDeficientGaussian,
)
from explorer.paper import (
    estimated_null,
)
from explorer.paper._mechanisms import symbol


def test_rejections_are_collected_by_statistic_and_mechanism(study_of):
    names = ["Laplace", "RankDeficientGaussian"]
    study, power = study_of(mechanism=names, mu=[0.5, 0.1], n=[400, 100], test=["independence", "homogeneity"], statistic=["ridge", "pearson"], strength=[0.0, 0.3])  # fmt: skip
    result = estimated_null.rejections(study, "homogeneity", 0.3)
    assert list(zip(result.n, result.mu, strict=True)) == [(100, 0.1), (100, 0.5), (400, 0.1), (400, 0.5)]  # fmt: skip
    of_laplace = power[0, :, :, 1, 0, 1]  # by μ and n
    expected = [of_laplace[1, 1], of_laplace[0, 1], of_laplace[1, 0], of_laplace[0, 0]]
    assert result.of("ridge", Laplace) == pytest.approx(expected)
    assert result.of("pearson")[result.mechanisms.index(Laplace)] == pytest.approx(
        np.array(expected) + 2 / power.size
    )
    difference = (result.of("ridge", Laplace) - result.of("ridge", RankDeficientGaussian)) / 0.01
    gain = result.gain("ridge", Laplace, over=RankDeficientGaussian)
    assert gain == pytest.approx(difference / math.sqrt(2))
    assert result.columns()[f"ridge: {symbol(Laplace)}"] == [f"{value:.3f}" for value in expected]
