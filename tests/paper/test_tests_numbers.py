"""What the notebook of the tests computes, by other routes."""

import math

import numpy as np
import pytest
from mpmath import mp
from scipy import stats

from explorer.core.mechanisms import (
    Gaussian,
    Laplace,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.paper import fitted_tests, noisy_tests, shrunk_tests, tested, tilted
from explorer.paper._simulation import level_band
from explorer.paper.ten_cells import HALFWAY, LINEAR, STEEPER, probabilities_of

FALSE_ALARM = 1e-6


def study_of(**axes):
    """Columns of a study with one cell for each combination, in random order, and made-up powers."""
    grid = np.meshgrid(*axes.values(), indexing="ij")
    order = np.random.default_rng(24).permutation(grid[0].size)
    study = {name: column.ravel()[order] for name, column in zip(axes, grid, strict=True)}
    study["power"] = order / len(order)
    study["standard_error"] = np.full(len(order), 0.01)
    study["level"] = np.full(len(order), 0.05)
    study["replicates"] = np.full(len(order), 1000)
    return study, study_power(grid[0].shape)


def study_power(shape):
    return np.arange(math.prod(shape)).reshape(shape) / math.prod(shape)


@pytest.mark.parametrize(("replicates", "cells"), [(1_000, 1), (20_000, 96)])
def test_the_band_of_a_right_level_is_that_of_the_beta_binomial_law(replicates, cells):
    draws = 10 * replicates
    k = draws // 20
    low, high = (round(end * replicates) for end in level_band(0.05, replicates, cells))
    with mp.workdps(30):  # scipy's own tail, 1 less a sum, is 10% off here

        def beta(a, b):
            return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)

        def probability(x):
            ways = -beta(x + 1, replicates - x + 1) - mp.log(replicates + 1)
            law = beta(x + k, replicates - x + draws + 1 - k) - beta(k, draws + 1 - k)
            return mp.exp(ways + law)

        tail = FALSE_ALARM / 2 / cells
        below = sum(probability(x) for x in range(max(0, low - 500), low))
        above = sum(probability(x) for x in range(high + 1, min(replicates, high + 500) + 1))
        assert below < tail < below + probability(low)
        assert above < tail < above + probability(high)


def test_the_sizes_are_the_cells_where_the_hypothesis_is_true():
    names = ["Laplace", "Gaussian"]
    study, power = study_of(mechanism=names, mu=[0.5, 1.0], null_strength=[0.0, 0.3], strength=[0.0, 0.3, 0.4])  # fmt: skip
    sizes = level_and_power.sizes(study)
    true = power[:, :, [0, 1], [0, 1]]
    assert sizes.name == (Gaussian.short, Laplace.short)
    assert sizes.cells == 8
    assert list(sizes.least) == [true[1].min(), true[0].min()]
    assert list(sizes.most) == [true[1].max(), true[0].max()]
    assert (sizes.low, sizes.high) == level_band(0.05, 1000, 8)
    figure = sizes.figure()
    assert sorted(figure.data[1]["y"]) == sorted(true[0].ravel())
    assert [trace["marker"]["color"] for trace in figure.data[:2]] == [Gaussian.colour, Laplace.colour]  # fmt: skip
    assert [trace["y"] for trace in figure.data[2:]] == [[sizes.low] * 2, [sizes.high] * 2]


def test_powers_are_those_of_one_pair_of_laws():
    names = ["RankDeficientGaussian", "Laplace", "Gaussian"]
    study, power = study_of(mechanism=names, mu=[1.0, 0.25], null_strength=[0.0, 0.3], strength=[0.0, 0.3, 0.4])  # fmt: skip
    found = level_and_power.powers(study, null=0.3, strength=0.4)
    assert found.mechanisms == (Gaussian, RankDeficientGaussian, Laplace)
    assert list(found.mu) == [0.25, 1.0]
    assert found.power == pytest.approx(power[:, :, 1, 2][[2, 0, 1]][:, ::-1])
    assert found.of(Laplace) == pytest.approx(power[1, ::-1, 1, 2])
    gain = (power[1, ::-1, 1, 2] - power[2, ::-1, 1, 2]) / math.hypot(0.01, 0.01)
    assert found.gain(Laplace, over=Gaussian) == pytest.approx(gain)
    assert found.columns()["μ = 1"] == [f"{value:.3f}" for value in found.power[:, 1]]
    trace = found.figure().data[2]
    assert (trace["name"], trace["line"]["dash"]) == (Laplace.short, Laplace.dash)
    assert trace["y"] == pytest.approx(found.of(Laplace))


def test_fitted_laws_are_told_by_statistic_and_mechanism():
    names = ["Laplace", "RankDeficientGaussian"]
    study, power = study_of(mechanism=names, mu=[0.5, 0.1], n=[400, 100], test=["independence", "homogeneity"], statistic=["ridge", "pearson"], strength=[0.0, 0.3])  # fmt: skip
    found = estimated_null.fitted(study, "homogeneity", 0.3)
    assert list(zip(found.n, found.mu, strict=True)) == [(100, 0.1), (100, 0.5), (400, 0.1), (400, 0.5)]  # fmt: skip
    of_laplace = power[0, :, :, 1, 0, 1]  # by μ and n
    expected = [of_laplace[1, 1], of_laplace[0, 1], of_laplace[1, 0], of_laplace[0, 0]]
    assert found.of("ridge", Laplace) == pytest.approx(expected)
    assert found.of("pearson")[found.mechanisms.index(Laplace)] == pytest.approx(
        np.array(expected) + 2 / power.size
    )
    difference = (found.of("ridge", Laplace) - found.of("ridge", RankDeficientGaussian)) / 0.01
    gain = found.gain("ridge", Laplace, over=RankDeficientGaussian)
    assert gain == pytest.approx(difference / math.sqrt(2))
    assert found.columns()[f"ridge: {Laplace.short}"] == [f"{value:.3f}" for value in expected]


def test_the_laws_are_those_of_the_reference_cases():
    assert probabilities_of(LINEAR) == pytest.approx(np.arange(1, 11) / 55, rel=1e-14)
    assert probabilities_of(HALFWAY) == pytest.approx((np.arange(1, 11) / 55 + 0.1) / 2, rel=1e-14)
    assert 0 < probabilities_of(STEEPER)[0] < 1 / 55


def test_critical_values_with_noise():
    laws = null_distribution.null_laws(draws=2_000)
    # Uniform law: (1 + σ²p/n) χ² of 9 degrees, σ² = 2/μ².
    uniform = [(1 + 2 / mu**2 * 10 / 500) * stats.chi2.isf(0.05, 9) for mu in (0.1, 0.25, 0.5, 1)]
    assert laws.with_noise[:4] == pytest.approx(uniform, rel=1e-8)
    assert laws.without == pytest.approx(np.full(8, stats.chi2.isf(0.05, 9)), rel=1e-8)
    # Linear law: normal tables of that covariance, drawn.
    rng = np.random.default_rng(25)
    theta = 500 * np.arange(1, 11) / 55
    draws = 400_000
    tables = (rng.standard_normal((draws, 10)) * np.sqrt(theta))  # fmt: skip
    tables -= theta * tables.sum(axis=1, keepdims=True) / 500
    noise = rng.normal(0, math.sqrt(200), (draws, 10))
    noise -= noise.mean(axis=1, keepdims=True)
    above = (np.square(tables + noise) / theta).sum(axis=1) > laws.with_noise[4]
    margin = stats.norm.isf(FALSE_ALARM / 2) * math.sqrt(0.05 * 0.95 / draws)
    assert above.mean() == pytest.approx(0.05, rel=0, abs=margin)


# Simulated once by another program with 10⁵ releases and as many null draws, three decimals: the
# linear law against 5% of the records gone from the last cell to the first, n = 500, μ = 0.1.
REFERENCE = {
    RankDeficientGaussian: (0.418, None, 0.299),
    RankDeficientJamesSteinZero: (0.551, None, 0.434),
    RankDeficientJamesStein: (0.288, None, None),
    Laplace: (0.121, None, None),
}


def test_the_power_by_statistic_is_that_of_another_program():
    found = null_distribution.by_statistic(mu=0.1, replicates=6_000)
    assert found.mechanisms == tuple(REFERENCE)
    for kind, error in zip(found.mechanisms, found.error, strict=True):
        for power, other in zip(found.powers(kind), REFERENCE[kind], strict=True):
            if other is not None:
                # 10⁵ null draws move its critical value half as much again as its releases.
                both = math.hypot(error, 2 * math.sqrt(other * (1 - other) / 1e5))
                limit = stats.norm.isf(FALSE_ALARM / 2 / 6) * both + 0.0005
                assert abs(power - other) < limit, kind


def test_decisions_have_the_power_of_another_program():
    # As above: uniform law, five cells up by 3%, five down.
    found = uniform_null.decisions(mu=0.1, draws=40_000)
    reference = {"M_r": 0.509, "M_G": 0.500, "M_JS": 0.493, "M_rJS0": 0.510}
    for name, other in reference.items():
        power = found.power[found.name.index(name)]
        # Critical values of 40,000 draws: their part of the error is as large as that of the share.
        error = math.hypot(2 * math.sqrt(0.25 / 40_000), 2 * math.sqrt(0.25 / 1e5))
        limit = stats.norm.isf(FALSE_ALARM / 2 / len(reference)) * error + 0.0005
        assert abs(power - other) < limit, name
    # The part of sum 0 is the same in M_r and M_G; the noise in the total is M_G's alone.
    assert found.unlike_of("M_G, projected") == 0
    assert found.unlike_of("M_G") > 0.03


def test_a_statistic_that_falls_is_not_monotone():
    assert uniform_null._ascends(np.array([0.0, 0.0, 1.0, 2.0]))
    assert not uniform_null._ascends(np.array([0.0, 1.0, 0.999, 2.0]))


def test_the_tilt_has_the_powers_of_the_theory_without_shrinkage():
    # M_r of normal tables: Pearson's statistic is nearly Σλχ²₁(δ), here drawn.
    found = uneven_null.tilt(draws=40_000)
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
    assert found.unshrunk[1] == pytest.approx(power, rel=0, abs=margin)
    assert found.identity < 1e-12


def test_the_statistic_of_the_uniform_table_is_a_harmonic_number():
    # n(Σ(1/10)²/π - 1) with 1/π = 55/i: n(0.55 H₁₀ - 1), H₁₀ = 7381/2520.
    axes = {"mechanism": ["RankDeficientGaussian", "RankDeficientJamesSteinZero"], "mu": [0.5, 1.0]}
    laws = {"null_strength": [0.0, HALFWAY, LINEAR], "strength": [0.0, HALFWAY, LINEAR]}
    many, few = (study_of(**axes, **laws, n=[n])[0] for n in (500, 30))
    rule = uneven_null.uniform_table(many, few, draws=2_000)
    per_record = 0.55 * 7381 / 2520 - 1
    assert rule.statistic[[0, -1]] == pytest.approx([500 * per_record, 30 * per_record], rel=1e-12)
    assert len(rule.name) == 6
    # Noise adds to the classical critical value; 30 records leave a statistic below 100 at μ = 0.5.
    assert (rule.critical > stats.chi2.isf(0.05, 9)).all()
    assert (rule.critical < [30, 30, 30, 30, 100, 50]).all()
    assert rule.gain == pytest.approx((rule.shrunk - rule.unshrunk) / math.hypot(0.01, 0.01))


def test_directions_are_told_with_their_cosines():
    found = uniform_null.directions(mu=0.25, replicates=200)
    place = found.name.index("along the trend")
    split, trend = np.repeat([1, -1], 5) / math.sqrt(10), np.arange(-4.5, 5) / math.sqrt(82.5)
    assert found.trend_cosine[place] == pytest.approx(1)
    assert found.split_cosine[place] == pytest.approx((split @ trend) ** 2)
    helmert = np.zeros(10)
    for j in range(1, 10):
        helmert[:j] += 1 / math.sqrt(j * (j + 1))
        helmert[j] -= j / math.sqrt(j * (j + 1))
    place = found.name.index("Helmert")
    assert found.trend_cosine[place] == pytest.approx((helmert @ trend) ** 2 / 9)


def test_the_summary_is_the_powers_less_that_of_the_unshrunk():
    names = ["Gaussian", "RankDeficientGaussian", "RankDeficientJamesSteinZero", "RankDeficientJamesStein", "Laplace"]  # fmt: skip
    study, power = study_of(mechanism=names, mu=[0.1, 0.5], null_strength=[0.0, LINEAR], strength=[0.0, HALFWAY, LINEAR])  # fmt: skip
    summary = level_and_power.summary(study, mu=0.5)
    assert summary.name == ("uniform; halfway", "uniform; linear", "linear; uniform", "linear; halfway")  # fmt: skip
    at = power[:, 1]
    rows = [at[:, 0, 1], at[:, 0, 2], at[:, 1, 0], at[:, 1, 1]]
    assert summary.unshrunk == pytest.approx([row[1] for row in rows])
    assert summary.to_uniform == pytest.approx([row[2] - row[1] for row in rows])
    assert summary.laplace == pytest.approx([row[4] - row[1] for row in rows])
    assert summary.error == pytest.approx(np.full(4, 0.01 * math.sqrt(2)))
