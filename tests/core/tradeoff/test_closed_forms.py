"""Closed forms of trade-off functions against mpmath, and their dualities."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from many_digits import DIGITS, quantile
from mpmath import mp, mpf, ncdf
from scipy import stats

from explorer.core import gdp, tradeoff
from explorer.core.parameter import ParameterError

INF = math.inf

quick = settings(max_examples=40, deadline=None)

levels = st.one_of(
    st.floats(0, 1),
    st.floats(-300, 0).map(lambda exponent: 10**exponent),
    st.floats(-12, 0).map(lambda exponent: 1 - 10**exponent),
)


# mp.dps = 60
# z = findroot(lambda z: (ncdf(z) - mpf(alpha)) / mpf(alpha), ndtri(alpha))
# beta = ncdf(-z - mu)
@pytest.mark.parametrize(
    ("alpha", "mu", "beta"),
    [
        (0.05, 1, 0.74048897715855592),
        (0.01, 1, 0.90763775192630606),
        (0.5, 1, 0.15865525393145705),
        (0.1, 2, 0.23624041589411686),
        (0.05, 0.5, 0.8738651018065697),
        (0.01, 2, 0.627919414564505684),
        (0.9, 0.1, 0.083554717190602434),
        (0.05, 0, 0.95),
        (1e-10, 10, 1.37030648929658e-4),
        (1e-17, 10, 0.066007050276263535),  # 1 - alpha rounds to one
    ],
)
def test_gaussian(alpha, mu, beta):
    assert tradeoff.gaussian(alpha, mu) == pytest.approx(beta, rel=1e-12, abs=0)


def test_gaussian_near_one_is_as_exact_as_its_input():
    # The float is 1 - 9.99999971718e-12 when 1 - 1e-11 is meant.
    assert tradeoff.gaussian(1 - 1e-11, 1) == pytest.approx(6.4899543738e-15, rel=1e-6, abs=0)


@quick
@given(levels, st.floats(0, 60))
@example(1e-300, 60.0)
@example(1 - 1e-12, 30.0)
def test_gaussian_matches_many_digits(alpha, mu):
    assume(1e-300 <= alpha <= 1 - 1e-12)
    with mp.workdps(DIGITS):
        exact = float(ncdf(-quantile(mpf(alpha)) - mpf(mu)))
    assert tradeoff.gaussian(alpha, mu) == pytest.approx(exact, rel=1e-12, abs=1e-300)


def test_gaussian_at_its_ends():
    alpha = [0, 1, 0, 0.5, 1, 0, 1]
    mu = [1, 1, INF, INF, INF, 0, 0]
    assert tradeoff.gaussian(alpha, mu).tolist() == [1, 0, 1, 0, 0, 1, 0]
    for mu, fixed in [
        (0.5, 0.40129367431707628),
        (1, 0.3085375387259869),
        (10, 2.8665157187919391e-7),
    ]:
        assert tradeoff.gaussian(fixed, mu) == pytest.approx(fixed, rel=1e-13, abs=0)


@quick
@given(st.floats(0, 30))
def test_gaussian_is_a_decreasing_convex_involution(mu):
    alpha = np.linspace(0, 1, 201)
    beta = tradeoff.gaussian(alpha, mu)
    assert np.all(np.diff(beta) <= 0)
    assert np.all(np.diff(beta, 2) >= -1e-13)
    assert np.all(beta <= 1 - alpha + 1e-15)
    low = np.geomspace(1e-9, 0.3, 50)
    back = tradeoff.gaussian(tradeoff.gaussian(low, min(mu, 3)), min(mu, 3))
    np.testing.assert_allclose(back, low, rtol=1e-6)


@quick
@given(st.floats(0.01, 10), st.floats(0, 8))
def test_gaussian_is_the_envelope_of_its_profile(mu, epsilon):
    # Duality: 1 - δ(ε) - e^ε α supports G_μ from below and touches it.
    delta = gdp.delta(epsilon, mu)
    contact = stats.norm.cdf(-epsilon / mu - mu / 2)
    beta = tradeoff.gaussian(contact, mu)
    assert beta == pytest.approx(1 - delta - math.exp(epsilon) * contact, abs=1e-12)
    alpha = np.linspace(0, 1, 101)
    promised = tradeoff.approximate(alpha, epsilon, delta)
    assert np.all(tradeoff.gaussian(alpha, mu) >= promised - 1e-12)


def test_approximate():
    alpha = [0, 0.1, 0.2, 0.5, 0.95, 1]
    # By hand: e^log(2) = 2, δ = 0.1.
    expected = [0.9, 0.7, 0.5, 0.2, 0, 0]
    assert tradeoff.approximate(alpha, math.log(2), 0.1) == pytest.approx(expected, abs=1e-15)
    # Randomised response that tells the truth with probability 0.6.
    rr = tradeoff.approximate([0, 0.25, 0.5, 0.75, 1], math.log(1.5))
    assert rr == pytest.approx([1, 0.625, 1 / 3, 1 / 6, 0], rel=1e-14, abs=0)
    assert tradeoff.approximate(0.95, 0, 0.1) == 0


def test_approximate_does_not_overflow():
    assert tradeoff.approximate([0, 1e-310, 0.5, 1], 800, 0.25).tolist() == [0.75, 0, 0, 0]
    assert tradeoff.approximate([0, 0.5, 1], INF, 0.25).tolist() == [0.75, 0, 0]
    # exp(712) overflows; exp(712) * 1e-320 does not.
    with mp.workdps(30):
        expected = float(1 - mp.exp(712) * mpf(1e-320))
    assert tradeoff.approximate(1e-320, 712) == pytest.approx(expected, rel=1e-12, abs=0)
    assert 0.9 < expected < 1


@quick
@given(levels, st.floats(0, 800), st.floats(0, 1))
def test_approximate_stays_in_its_range(alpha, epsilon, delta):
    beta = tradeoff.approximate(alpha, epsilon, delta)
    assert 0 <= beta <= max(1 - delta - alpha * (1 - 1e-15), 0) + 1e-15


def test_approximate_keeps_small_complements():
    assert tradeoff.approximate(1 - 2**-50, 2, 2**-60) == pytest.approx(
        math.exp(-2) * (2**-50 - 2**-60), rel=1e-14, abs=0
    )


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan, "0.5", None])
def test_input_out_of_the_domain_is_refused(bad):
    with pytest.raises(ParameterError, match="type I error"):
        tradeoff.gaussian(bad, 1)
    with pytest.raises(ParameterError, match="type I error"):
        tradeoff.approximate(bad, 1)
    with pytest.raises(ParameterError, match="type I error"):
        tradeoff.laplace(bad, [1, 1])
    with pytest.raises(ParameterError, match="δ"):
        tradeoff.approximate(0.5, 1, bad)


@pytest.mark.parametrize("bad", [-0.1, math.nan, "0.5", None])
def test_parameter_out_of_the_domain_is_refused(bad):
    with pytest.raises(ParameterError, match="GDP parameter"):
        tradeoff.gaussian(0.5, bad)
    with pytest.raises(ParameterError, match="ε"):
        tradeoff.approximate(0.5, bad)
    with pytest.raises(ParameterError, match="shifts"):
        tradeoff.laplace(0.5, [1, bad])


def test_scalars_give_scalars_and_arrays_broadcast():
    column, row = np.array([[0.1], [0.5], [1.0]]), np.array([0.3, 2.0])
    for function in (tradeoff.gaussian, tradeoff.approximate):
        assert type(function(0.1, 1)) is np.float64
        assert function(column, row).shape == (3, 2)
        assert function(column, row)[1, 1] == function(0.5, 2.0)
    for shifts in ([], [1], [1, 1], [1, 2, 3], [INF]):
        assert type(tradeoff.laplace(0.1, shifts)) is np.float64
        assert tradeoff.laplace(column * row / 2, shifts).shape == (3, 2)
        assert tradeoff.laplace(np.empty((0, 2)), shifts).shape == (0, 2)
