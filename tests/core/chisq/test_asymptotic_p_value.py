"""Asymptotic p-values against simulated ones and against closed forms."""

import math

import numpy as np
import pytest
from scipy import stats

from explorer.core import chisq
from explorer.core.chisq import _asymptotic_p_value, _hypotheses, _problem
from explorer.core.mechanisms import (
    Gaussian,
    Laplace,
    RankDeficientGaussian,
    RankDeficientJamesSteinZero,
)
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Groups, Table

LINEAR = np.arange(1, 11) / 55
RESPONSE = np.array([0.4, 0.3, 0.2, 0.1])
PRODUCT = np.outer([0.5, 0.3, 0.2], RESPONSE)
SIZES = [2000, 3000, 1500]
NAMES = [statistic.name for statistic in chisq.STATISTICS]
every_name = pytest.mark.parametrize("name", NAMES)
every_mechanism_class = pytest.mark.parametrize(
    "mechanism_class", [Gaussian, RankDeficientGaussian]
)


def both(test, *arguments, **options):
    simulated = test(*arguments, replicates=20_000, **options)
    asymptotic = test(*arguments, method="asymptotic", **options)
    assert (asymptotic.method, asymptotic.standard_error, asymptotic.null.size) == (
        "asymptotic",
        0.0,
        0,
    )
    assert asymptotic.statistic == simulated.statistic
    return asymptotic.p_value, simulated.p_value, simulated.standard_error


# 18 comparisons: 5.5 standard errors for a false alarm of 1e-6, and 0.005 for finite tables.
@every_mechanism_class
@every_name
def test_goodness_of_fit_agrees_with_monte_carlo(mechanism_class, name):
    rng = np.random.default_rng(6)
    mechanism = mechanism_class(Table((10,)), 0.4)
    release = mechanism.simulate(rng.multinomial(2000, LINEAR), rng)
    asymptotic, simulated, error = both(
        chisq.goodness_of_fit, release, LINEAR, 2000, mechanism, rng, statistic=name
    )
    assert abs(asymptotic - simulated) < 5.5 * error + 0.005


@every_mechanism_class
@every_name
def test_homogeneity_agrees_with_the_bootstrap(mechanism_class, name):
    rng = np.random.default_rng(7)
    mechanism = mechanism_class(Groups(3, 4), 0.3)
    tables = np.concatenate([rng.multinomial(size, RESPONSE) for size in SIZES])
    release = mechanism.simulate(tables, rng)
    asymptotic, simulated, error = both(
        chisq.homogeneity, release, SIZES, mechanism, rng, statistic=name
    )
    assert abs(asymptotic - simulated) < 5.5 * error + 0.005


@every_mechanism_class
@every_name
def test_independence_agrees_with_the_bootstrap(mechanism_class, name):
    rng = np.random.default_rng(8)
    mechanism = mechanism_class(Table((3, 4)), 0.3)
    release = mechanism.simulate(rng.multinomial(5000, PRODUCT.ravel()), rng)
    asymptotic, simulated, error = both(
        chisq.independence, release, 5000, mechanism, rng, statistic=name
    )
    assert abs(asymptotic - simulated) < 5.5 * error + 0.005


def test_laplace_noise_is_replaced_by_normal_noise_of_its_variance():
    rng = np.random.default_rng(9)
    mechanism = Laplace(Table((10,)), 0.4)
    release = mechanism.simulate(rng.multinomial(2000, LINEAR), rng)
    asymptotic = chisq.goodness_of_fit(release, LINEAR, 2000, mechanism, rng, method="asymptotic")
    same = Gaussian(Table((10,)), math.sqrt(2 / mechanism.variance))
    other = chisq.goodness_of_fit(release, LINEAR, 2000, same, rng, method="asymptotic")
    assert asymptotic.p_value == pytest.approx(other.p_value, rel=1e-12)


def weights(mechanism, hypothesis, expected, name):
    statistic = chisq.statistics.find(name)
    problem = _problem.Problem(mechanism, hypothesis, statistic)
    return _asymptotic_p_value.weights(problem, expected)


def test_the_projected_statistic_has_weights_of_one():
    # The matrix of the statistic is the inverse of the covariance in the p - 1 dimensions of the span.
    table = RankDeficientGaussian(Table((3, 4)), 0.3)
    simple = _hypotheses.simple(500.0, PRODUCT.ravel())
    computed = weights(table, simple, 500 * PRODUCT.reshape(1, -1), "projected")
    np.testing.assert_allclose(computed, np.ones(11), rtol=1e-9)


def test_without_much_noise_the_degrees_are_those_of_the_textbook():
    # μ = 1e4: (3 - 1)(4 - 1) weights of 1 and others that vanish with the noise.
    independent = _hypotheses.independent(500.0, (3, 4))
    table = RankDeficientGaussian(Table((3, 4)), 1e4)
    computed = weights(table, independent, 500 * PRODUCT.reshape(1, -1), "ridge")
    np.testing.assert_allclose(computed[-6:], 1, rtol=1e-6)
    assert (computed[:-6] < 1e-6).all()
    sizes = np.array([200.0, 300.0, 150.0])
    groups = RankDeficientGaussian(Groups(3, 4), 1e4)
    expected = sizes[:, np.newaxis] * RESPONSE
    computed = weights(groups, _hypotheses.homogeneous(sizes), expected, "ridge")
    np.testing.assert_allclose(computed[-6:], 1, rtol=1e-6)
    assert (computed[:-6] < 1e-6).all()


def test_far_tails_of_the_uniform_table():
    # M_r and Pearson's statistic: (1 + σ²p/n) χ² of p - 1 degrees, at p-values of 1e-30 and less.
    mechanism = RankDeficientGaussian(Table((4,)), 0.5)
    for far in (30.0, 60.0, 90.0):
        release = np.array([25.25 + far, 25, 24.75, 25 - far])
        test = chisq.goodness_of_fit(
            release,
            np.full(4, 0.25),
            100,
            mechanism,
            np.random.default_rng(0),
            statistic="pearson",
            method="asymptotic",
        )
        expected = stats.chi2.sf(test.statistic / (1 + 8 * 4 / 100), 3)
        assert test.p_value == pytest.approx(expected, rel=1e-9, abs=0)


def test_an_uneven_table_of_two_cells_far_out():
    # One normal variable: the first cell, of variance nπ(1 - π) + σ²/2.
    mechanism = RankDeficientGaussian(Table((2,)), 0.5)
    test = chisq.goodness_of_fit(
        [75.5, 24.5],
        [0.1, 0.9],
        100,
        mechanism,
        np.random.default_rng(0),
        method="asymptotic",
    )
    expected = 2 * stats.norm.sf(65.5 / math.sqrt(9 + 4))
    assert expected < 1e-70
    assert test.p_value == pytest.approx(expected, rel=1e-9, abs=0)


def test_what_has_no_asymptotic_p_value():
    rng = np.random.default_rng(0)
    shrunk = RankDeficientJamesSteinZero(Table((10,)), 0.5, positive_part=True)
    release = shrunk.simulate(100 * LINEAR, rng)
    with pytest.raises(ParameterError, match="must not shrink"):
        chisq.goodness_of_fit(release, LINEAR, 100, shrunk, rng, method="asymptotic")
    # Two dimensions are not shrunk.
    small = RankDeficientJamesSteinZero(Table((3,)), 0.5, positive_part=True)
    release = small.simulate([20.0, 30.0, 50.0], rng)
    asymptotic = chisq.goodness_of_fit(
        release, [0.2, 0.3, 0.5], 100, small, rng, method="asymptotic"
    )
    assert 0 < asymptotic.p_value < 1
    large = Gaussian(Table((1025,)), 1.0)
    release = large.simulate(np.full(1025, 2.0), rng)
    with pytest.raises(ParameterError, match="at most 1024 cells"):
        chisq.goodness_of_fit(
            release, np.full(1025, 1 / 1025), 2050, large, rng, method="asymptotic"
        )
    groups = Gaussian(Groups(2, 2), 1.0)
    with pytest.raises(ParameterError, match="must be bootstrap or asymptotic"):
        chisq.homogeneity([9.5, 1.5, 2.5, 3.5], [11, 6], groups, rng, method="monte-carlo")
