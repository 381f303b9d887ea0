"""A uniform null hypothesis."""

import math

import numpy as np
import pytest
from scipy import stats

from explorer.paper import (
    uniform_null,
)

FALSE_ALARM = 1e-6


def test_decisions_have_the_power_of_another_program():
    # As above: uniform null hypothesis, five cells up by 3%, five down.
    result = uniform_null.decisions(mu=0.1, samples=40_000)
    reference = {"M_r": 0.509, "M_G": 0.500, "M_JS": 0.493, "M_rJS0": 0.510}
    for name, other in reference.items():
        power = result.power[result.name.index(name)]
        # Critical values of 40,000 samples: their part of the error is as large as that of the share.
        error = math.hypot(2 * math.sqrt(0.25 / 40_000), 2 * math.sqrt(0.25 / 1e5))
        limit = stats.norm.isf(FALSE_ALARM / 2 / len(reference)) * error + 0.0005
        assert abs(power - other) < limit, name
    # The part of sum 0 is the same in M_r and M_G; the noise in the total is M_G's alone.
    assert result.differs_of("M_G, projected") == 0
    assert result.differs_of("M_G") > 0.03


def test_a_statistic_that_falls_is_not_monotone():
    assert uniform_null._ascends(np.array([0.0, 0.0, 1.0, 2.0]))
    assert not uniform_null._ascends(np.array([0.0, 1.0, 0.999, 2.0]))


def test_directions_come_with_their_cosines():
    result = uniform_null.directions(mu=0.25, replicates=200)
    place = result.name.index("along the trend")
    split, trend = np.repeat([1, -1], 5) / math.sqrt(10), np.arange(-4.5, 5) / math.sqrt(82.5)
    assert result.trend_cosine[place] == pytest.approx(1)
    assert result.split_cosine[place] == pytest.approx((split @ trend) ** 2)
    helmert = np.zeros(10)
    for j in range(1, 10):
        helmert[:j] += 1 / math.sqrt(j * (j + 1))
        helmert[j] -= j / math.sqrt(j * (j + 1))
    place = result.name.index("Helmert")
    assert result.trend_cosine[place] == pytest.approx((helmert @ trend) ** 2 / 9)
