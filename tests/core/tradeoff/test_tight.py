"""The tight μ of a curve, against closed forms and many digits."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import erfc, findroot, mp, mpf, sqrt
from scipy import stats
from scipy.special import ndtri_exp

from explorer.core import tradeoff
from explorer.core.parameter import ParameterError

INF = math.inf
quick = settings(max_examples=60, deadline=None)


def quantile(probability):
    """Φ⁻¹ of an mpmath number up to 1/2, by root finding on log Φ."""
    start = mpf(float(ndtri_exp(float(mp.log(probability)))))
    return findroot(lambda z: mp.log(erfc(-z / sqrt(2)) / 2) - mp.log(probability), start)


def mu_through(error, gap):
    """-Φ⁻¹(error) - Φ⁻¹(1 - error - gap), error up to 1/2."""
    power, other = error + gap, 1 - error - gap
    return -quantile(error) + (quantile(power) if power < other else -quantile(other))


def attained(mu):
    return pytest.approx(mu, rel=1e-12, abs=0)


def test_audit_points():
    points = tradeoff.PiecewiseLinear([0.05, 0.10, 0.25, 0.50], [0.93, 0.87, 0.72, 0.43])
    assert tradeoff.gdp_parameter(points) == pytest.approx(0.17637416, abs=5e-9)
    assert tradeoff.gdp_parameter(tradeoff.PiecewiseLinear([0.5], [0.43])) == attained(
        0.17637416478086138  # mpmath: -sqrt(2) * erfinv(2 * mpf("0.43") - 1)
    )


def test_points_that_say_nothing_are_ignored():
    for alpha, beta in [([], []), ([0, 1], [1, 0]), ([0.25, 0.6], [0.75, 0.5]), ([0.5], [1])]:
        assert tradeoff.gdp_parameter(tradeoff.PiecewiseLinear(alpha, beta)) == 0


def test_certain_detection_has_no_gdp_parameter():
    for alpha, beta in [([0], [0.999]), ([0.999], [0]), ([0], [0]), ([0, 0, 1], [1, 0.9, 0])]:
        assert tradeoff.gdp_parameter(tradeoff.PiecewiseLinear(alpha, beta)) == INF
    assert tradeoff.gdp_parameter(tradeoff.discrete_curve([0.5, 0.5, 0], [0.5, 0.4, 0.1])) == INF


# mp.dps = 30; e = exp(mpf(epsilon)); mu = -2 * sqrt(2) * erfinv(2 / (1 + e) - 1)
@pytest.mark.parametrize(
    ("epsilon", "mu"),
    [
        (0.1, 0.125309012211607581),
        (0.5, 0.623892592098508192),
        (1, 1.23203538534490097),
        (2, 2.35796148564724971),
        (5, 4.94667844559565859),
    ],
)
def test_randomised_response_is_the_worst_of_pure_privacy(epsilon, mu):
    assert tradeoff.gdp_parameter(partial(tradeoff.approximate, epsilon=epsilon)) == attained(mu)
    much, little = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    curve = tradeoff.discrete_curve([little, much], [much, little])
    assert tradeoff.gdp_parameter(curve) == attained(mu)
    same = partial(tradeoff.discrete, p=[little, much], q=[much, little])
    assert tradeoff.gdp_parameter(same) == tradeoff.gdp_parameter(curve)


@pytest.mark.parametrize("delta", [1e-300, 1e-6, 1])
def test_a_positive_delta_promises_no_mu(delta):
    promised = partial(tradeoff.approximate, epsilon=1, delta=delta)
    assert tradeoff.gdp_parameter(promised) == INF


# One shift: mu = -2 * sqrt(2) * erfinv(exp(-mpf(a) / 2) - 1) at 30 digits. Two: the largest value over
# the curved piece of the trade-off function, by bounded maximisation at 30 digits.
@pytest.mark.parametrize(
    ("shifts", "mu"),
    [
        ([0.5], 0.561764323211019),
        ([1], 1.03006399762443388),
        ([2, 0], 1.80090519327558068),
        ([8], 4.71834908232452),
        ([4, 4], 3.91288359696690786),
        ([1, 1], 1.30511210207268171),
        ([0.1, 0.1], 0.153607393272906447),
        ([], 0),
        ([0], 0),
        ([1, INF], INF),
    ],
)
def test_laplace(shifts, mu):
    parameter = tradeoff.gdp_parameter(partial(tradeoff.laplace, shifts=shifts))
    assert parameter == pytest.approx(mu, rel=1e-11, abs=0)


def test_laplace_with_three_shifts():
    # The least scale for three equal differences at μ = 1, from the polynomials of the loss distribution.
    shifts = np.full(3, 1 / 1.667221367381)
    assert tradeoff.gdp_parameter(partial(tradeoff.laplace, shifts=shifts)) == pytest.approx(
        1, rel=1e-11
    )


@pytest.mark.parametrize("mu", [0, 1e-300, 0.5, 10, 100, INF])
def test_gaussian(mu):
    assert tradeoff.gdp_parameter(partial(tradeoff.gaussian, mu=mu)) == mu


def discrete_gaussian(s):
    """Probabilities of a discrete normal variable and of the same plus one, on common outcomes."""
    outcome = np.arange(-int(10 * s), int(10 * s) + 2)
    p = np.exp(-(outcome**2) / (2 * s * s))
    return p / p.sum(), p[::-1] / p.sum()


# D is the difference of two such variables; P(D = 0) and P(D = 1) by summation at 30 digits, then
# one count: -2 ndtri((1 - p0) / 2); a table: -ndtri(q) - ndtri(q - P(D = 1)), q = (1 - P(D = 0)) / 2.
@pytest.mark.parametrize(
    ("s", "count", "table"),
    [
        (1, 1.04576011951597, 1.44492591835514),
        (1.5, None, 0.951706722589148),
        (2, 0.505325436469279, 0.710829700960743),
        (3, None, 0.472501028341855),
        (4, 0.2506546262627, 0.35401500392119),
    ],
)
def test_discrete_normal_noise_is_less_private_than_its_name(s, count, table):
    p, q = discrete_gaussian(s)
    if count:
        assert tradeoff.gdp_parameter(tradeoff.discrete_curve(p, q)) == pytest.approx(
            count, rel=5e-14
        )
    # One person leaves a cell and enters another: all pairs of outcomes.
    pairs = [np.outer(a, b).ravel() for a, b in ((p, q), (q, p))]
    assert tradeoff.gdp_parameter(tradeoff.discrete_curve(*pairs)) == pytest.approx(
        table, rel=5e-14
    )
    assert table > math.sqrt(2) / s


@settings(max_examples=30, deadline=None)
@given(
    st.floats(-280, -0.31).map(lambda x: 10**x),
    st.one_of(st.floats(-50, -0.01).map(lambda x: 10**x), st.floats(0.9, 1 - 1e-9)),
    st.booleans(),
)
@example(0.3, 1e-50, False)
@example(1e-132, 1e-40, False)
@example(2.3e-132, 1.6e-122, True)  # Newton's method alone diverges here
@example(0.49, 1e-2, True)
def test_any_point_matches_many_digits(error, share, swapped):
    gap = share * (1 - error)
    with mp.workdps(90 if gap > 1e-30 * error else 180):
        other = 1 - mpf(error) - mpf(gap)
        expected = float(mu_through(mpf(error), mpf(gap)))
    errors = [float(other), error] if swapped else [error, float(other)]
    point = tradeoff.PiecewiseLinear(*([value] for value in errors), [gap])
    assert tradeoff.gdp_parameter(point) == attained(expected)


@pytest.mark.parametrize("error", [0.3, 0.5, 1e-100])
def test_a_tiny_advantage_is_worth_itself_over_the_density(error):
    point = tradeoff.PiecewiseLinear([error], [1 - error], [1e-200])
    expected = 1e-200 / stats.norm.pdf(stats.norm.ppf(error))
    assert tradeoff.gdp_parameter(point) == attained(expected)


@quick
@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.floats(0, 1), st.floats(0, 1))
def test_a_straight_piece_decides_at_its_ends(alpha, beta, share, length):
    # Also a piece that is no part of a convex function.
    other = alpha + (1 - alpha) * length, beta * (1 - length)
    point = alpha + share * (other[0] - alpha), beta + share * (other[1] - beta)
    ends, inner = (
        tradeoff.gdp_parameter(tradeoff.PiecewiseLinear(*zip(*points, strict=True)))
        for points in ([(alpha, beta), other], [point])
    )
    assert inner <= ends + 1e-12


CURVES = [
    (partial(tradeoff.gaussian, mu=10), 10),  # where a grid of α answers 9.909
    (partial(tradeoff.gaussian, mu=1e-3), 1e-3),
    (partial(tradeoff.laplace, shifts=[1.5]), 1.43726769472945),
    (partial(tradeoff.laplace, shifts=[1, 1]), 1.30511210207268171),
    (partial(tradeoff.laplace, shifts=[1, 0.5, 0.2]), None),
    (partial(tradeoff.approximate, epsilon=2), 2.35796148564724971),
    (tradeoff.discrete_curve([0.3, 0.3, 0.4], [0.2, 0.3, 0.5]), None),
    (tradeoff.discrete_curve([0.5, 0.5], [0.5, 0.5]), 0),
]


@pytest.mark.parametrize(("f", "mu"), CURVES)
def test_bounds_hold_within_the_tolerance(f, mu):
    mu = tradeoff.gdp_parameter(f) if mu is None else mu
    lower, upper = tradeoff.gdp_parameter_bounds(f)
    assert lower <= mu * (1 + 1e-13)
    assert mu <= upper
    assert upper - lower <= 1e-6
    rough = tradeoff.gdp_parameter_bounds(f, tolerance=0.1)
    assert rough.lower <= lower
    assert rough.upper >= upper - 1e-9


def test_bounds_evaluate_f_hardly_beyond_the_range():
    seen = []

    def f(alpha):
        seen.append(alpha)
        return tradeoff.laplace(alpha, [0.7, 0.4])

    tradeoff.gdp_parameter_bounds(f, smallest=1e-3, tolerance=1e-3)
    alpha = np.concatenate(seen)
    assert alpha.min() > 5e-4
    assert alpha.max() < 1 - 5e-4
    assert alpha.size < 1000
    # A kink between the places of the first grid.
    kinked = tradeoff.PiecewiseLinear([0.0123456], [0.31])
    exact = tradeoff.gdp_parameter(kinked)
    bounds = tradeoff.gdp_parameter_bounds(kinked, tolerance=1e-9)
    assert bounds == pytest.approx((exact, exact), abs=1e-9)


@pytest.mark.parametrize(
    "place", [0, 0.02, 0.5, 0.98, 1.5, 64.3, 126.5, 127.02, 127.5, 127.98, 128]
)
@pytest.mark.parametrize("share", [0.03, 0.5, 0.97])
def test_bounds_hold_wherever_the_kink_is(place, share):
    # In units of the first places, which are even in the normal quantile.
    end = stats.norm.ppf(0.01)
    alpha = stats.norm.cdf(end * (1 - place / 64))
    f = tradeoff.PiecewiseLinear([alpha], [share * (1 - alpha)])
    exact = tradeoff.gdp_parameter(f)
    calls = []
    for tolerance in (10, 1e-9):
        bounds = tradeoff.gdp_parameter_bounds(
            lambda places: calls.append(places) or f(places), smallest=0.01, tolerance=tolerance
        )
        assert bounds.lower <= exact * (1 + 1e-13)
        assert exact <= bounds.upper * (1 + 1e-13)
        if tolerance == 10:
            assert len(calls) == 1
    assert bounds == pytest.approx((exact, exact), abs=2e-9)


def test_bounds_include_both_ends_of_the_range():
    # The least error leaves the most to see: (1 - δ)(1 - α) at the first place, its inverse at the last.
    exact = -stats.norm.ppf(1e-3) - stats.norm.ppf(0.95 * (1 - 1e-3))
    bounds = tradeoff.gdp_parameter_bounds(lambda alpha: 0.95 * (1 - alpha), smallest=1e-3)
    assert bounds == pytest.approx((exact, exact), rel=1e-5)
    assert bounds.lower <= exact * (1 + 1e-13)
    assert exact <= bounds.upper


def test_bounds_where_an_error_vanishes():
    disjoint = partial(tradeoff.approximate, epsilon=1, delta=0.01)
    assert tradeoff.gdp_parameter_bounds(disjoint) == (INF, INF)


def test_what_is_no_tradeoff_function_is_refused():
    for f, reason in [
        (lambda alpha: 1 - alpha**2, "at most 1 - α"),
        (lambda alpha: 0.3 - 0.3 * alpha**2, "convex"),
        (lambda alpha: alpha * 0, None),
        (lambda alpha: alpha[:3], "shape"),
        (lambda alpha: alpha * np.nan, "lie in"),
    ]:
        if reason is None:
            assert tradeoff.gdp_parameter_bounds(f) == (INF, INF)
        else:
            with pytest.raises(ParameterError, match=reason):
                tradeoff.gdp_parameter_bounds(f)
    for f in (
        partial(tradeoff.gaussian, 0.1, mu=1),
        lambda alpha: 1 - alpha,
        partial(np.add, 1),
        0.5,
        None,
    ):
        with pytest.raises(ParameterError, match="break points"):
            tradeoff.gdp_parameter(f)
    with pytest.raises(ParameterError, match="GDP parameter"):
        tradeoff.gdp_parameter(partial(tradeoff.gaussian, mu=-1))
    for bad in (0, 0.5, -1, math.nan):
        with pytest.raises(ParameterError, match="least type I error"):
            tradeoff.gdp_parameter_bounds(CURVES[0][0], smallest=bad)
