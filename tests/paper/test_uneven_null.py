"""An uneven null hypothesis."""

import math

import numpy as np
import pytest
from scipy import stats

from explorer.paper import (
    uneven_null,
)
from explorer.paper.ten_cells import HALFWAY, LINEAR, probabilities_of

FALSE_ALARM = 1e-6


def test_the_tilt_has_the_powers_of_the_theory_without_shrinkage():
    # M_r of normal tables: Pearson's statistic is nearly Σλχ²₁(δ), here drawn.
    result = uneven_null.tilt(samples=40_000)
    rng = np.random.default_rng(26)
    null, moved = 500 * probabilities_of(LINEAR), 500 * probabilities_of(HALFWAY)
    noise = rng.normal(0, math.sqrt(200), (2, 40_000, 10))
    noise -= noise.mean(axis=2, keepdims=True)
    values = [
        (np.square(rng.multinomial(500, theta / 500, 40_000) + shift - null) / null).sum(axis=1)
        for theta, shift in zip((null, moved), noise, strict=True)
    ]
    power = (values[1] > np.quantile(values[0], 0.95)).mean()
    margin = stats.norm.isf(FALSE_ALARM / 2) * math.sqrt(2) * 2 * math.sqrt(0.25 / 40_000)
    assert result.unshrunk[1] == pytest.approx(power, rel=0, abs=margin)
    assert result.identity < 1e-12


def test_the_statistic_of_the_uniform_table_is_a_harmonic_number(study_of):
    # n(Σ(1/10)²/π - 1) with 1/π = 55/i: n(0.55 H₁₀ - 1), H₁₀ = 7381/2520.
    axes = {"mechanism": ["RankDeficientGaussian", "RankDeficientJamesSteinZero"], "mu": [0.5, 1.0]}
    distributions = {"null_strength": [0.0, HALFWAY, LINEAR], "strength": [0.0, HALFWAY, LINEAR]}
    many, few = (study_of(**axes, **distributions, n=[n])[0] for n in (500, 30))
    rule = uneven_null.uniform_table(many, few, samples=2_000)
    per_record = 0.55 * 7381 / 2520 - 1
    assert rule.statistic[[0, -1]] == pytest.approx([500 * per_record, 30 * per_record], rel=1e-12)
    assert len(rule.name) == 6
    # Noise adds to the classical critical value; 30 records leave a statistic below 100 at μ = 0.5.
    assert (rule.critical > stats.chi2.isf(0.05, 9)).all()
    assert (rule.critical < [30, 30, 30, 30, 100, 50]).all()
    assert rule.gain == pytest.approx((rule.shrunk - rule.unshrunk) / math.hypot(0.01, 0.01))
