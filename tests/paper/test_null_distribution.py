"""The noise in the null distribution."""

import math

import numpy as np
import pytest
from scipy import stats

from explorer.core.mechanisms import (
    Laplace,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.paper import (
    null_distribution,
)

FALSE_ALARM = 1e-6


def test_critical_values_with_noise_are_those_of_normal_tables():
    values = null_distribution.critical_values(samples=2_000)
    # Uniform: (1 + σ²p/n) χ² of 9 degrees, σ² = 2/μ².
    uniform = [(1 + 2 / mu**2 * 10 / 500) * stats.chi2.isf(0.05, 9) for mu in (0.1, 0.25, 0.5, 1)]
    assert values.with_noise[:4] == pytest.approx(uniform, rel=1e-8)
    assert values.without == pytest.approx(np.full(8, stats.chi2.isf(0.05, 9)), rel=1e-8)
    # Linear: samples of normal tables with that covariance.
    rng = np.random.default_rng(25)
    theta = 500 * np.arange(1, 11) / 55
    samples = 400_000
    tables = (rng.standard_normal((samples, 10)) * np.sqrt(theta))  # fmt: skip
    tables -= theta * tables.sum(axis=1, keepdims=True) / 500
    noise = rng.normal(0, math.sqrt(200), (samples, 10))
    noise -= noise.mean(axis=1, keepdims=True)
    above = (np.square(tables + noise) / theta).sum(axis=1) > values.with_noise[4]
    margin = stats.norm.isf(FALSE_ALARM / 2) * math.sqrt(0.05 * 0.95 / samples)
    assert above.mean() == pytest.approx(0.05, rel=0, abs=margin)


# Simulated once by another program with 10⁵ releases and as many samples of the null, three decimals: the
# linear distribution against 5% of the records moved from the last cell to the first, n = 500, μ = 0.1.
REFERENCE = {
    RankDeficientGaussian: (0.418, None, 0.299),
    RankDeficientJamesSteinZero: (0.551, None, 0.434),
    RankDeficientJamesStein: (0.288, None, None),
    Laplace: (0.121, None, None),
}


def test_the_power_by_statistic_is_that_of_another_program():
    result = null_distribution.by_statistic(mu=0.1, replicates=6_000)
    assert result.mechanisms == tuple(REFERENCE)
    for mechanism_class, error in zip(result.mechanisms, result.error, strict=True):
        for power, other in zip(
            result.powers(mechanism_class), REFERENCE[mechanism_class], strict=True
        ):
            if other is not None:
                # The critical value of 10⁵ samples adds as much to the error as the releases.
                both = math.hypot(error, 2 * math.sqrt(other * (1 - other) / 1e5))
                limit = stats.norm.isf(FALSE_ALARM / 2 / 6) * both + 0.0005
                assert abs(power - other) < limit, mechanism_class
