"""Costs and releases of the mechanisms against values from other routes."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.mechanisms import (
    Gaussian,
    JamesSteinMean,
    JamesSteinZero,
    Laplace,
    ProjectedLaplace,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.core.parameter import ParameterError
from explorer.core.population import probabilities
from explorer.core.sensitivity import Table

quick = settings(max_examples=40, deadline=None)

# Costs by the Poisson series of E[1/χ'²] with mpmath at 30 digits, and the positive part by
# the textbook series; JS0, JS, rJS0, JS+, rJS with the Helmert basis.
SHRUNK_COSTS = [
    ((10, 20, 30, 40), 1, [7.9946666666666666667, 7.9919676080968590832, 5.9919676080968590832, 7.9919676080968590832, 6]),
    ((3, 1, 0, 2, 4), 0.3, [59.435907681935504327, 71.311845680864601055, 49.089623458642378832, 60.847522923177810681, 69.71455014447796]),
    ((50, *[10] * 5), 0.1, [1015.0953789334713505, 980.34691124920109713, 780.34691124920109713, 960.67918585726885891, 713.8350101185631]),
    ([5] * 10, 0.5, [66.384844615556511264, 24, 16, 18.19391051471037837, 24]),
    ((*range(1, 10), 55), 0.2, [455.78602972824117987, 452.34448524234794878, 402.34448524234794878, 452.34444874196254871, 405.3964772687692]),
]  # fmt: skip


@pytest.mark.parametrize(("theta", "mu", "costs"), SHRUNK_COSTS)
def test_shrunk_costs_match_the_series(theta, mu, costs):
    statistic = Table((len(theta),))
    mechanisms = [
        JamesSteinZero(statistic, mu),
        JamesSteinMean(statistic, mu),
        RankDeficientJamesSteinZero(statistic, mu),
        JamesSteinMean(statistic, mu, positive_part=True),
        RankDeficientJamesStein(statistic, mu),
    ]
    assert [float(m.l2_cost(theta)) for m in mechanisms] == pytest.approx(costs, rel=1e-14)


def test_first_screen_costs():
    # σ² = 8, d = 15, τ = 12.5: 8 {15 - 13² E} with E = 0.0407750052064191307 (mpmath, 40
    # digits, quadrature of the integral); positive part 8 R₊, R₊ = 8.01486096290420405.
    theta = 200 * probabilities((4, 4), "spike", 0.2)
    statistic = Table((4, 4))
    plain = RankDeficientJamesSteinZero(statistic, 0.5).l2_cost(theta)
    assert plain == pytest.approx(8 * (15 - 169 * 0.0407750052064191307), rel=1e-13)
    positive = RankDeficientJamesSteinZero(statistic, 0.5, positive_part=True).l2_cost(theta)
    assert positive == pytest.approx(8 * 8.01486096290420405, rel=1e-13)


def compositions(n, p):
    """All tables of n records in p cells with their multinomial coefficients."""
    for bars in itertools.combinations(range(n + p - 1), p - 1):
        counts = np.diff([-1, *bars, n + p - 1]) - 1
        yield counts, math.factorial(n) // math.prod(math.factorial(c) for c in counts.tolist())


# Averages over the enumerated multinomial of the costs given the table.
@pytest.mark.parametrize(
    ("n", "pi", "mu", "costs"),
    [
        (6, [0.25] * 4, 0.5, {
            Gaussian: 32, RankDeficientGaussian: 24, JamesSteinZero: 21.1337453171003287,
            JamesSteinMean: 25.2756037710756164, RankDeficientJamesSteinZero: 17.2756037710756164,
            (JamesSteinMean, True): 22.6227294803787224,
            (RankDeficientJamesSteinZero, True): 14.6227294803787224,
        }),
        (6, [0.4, 0.3, 0.2, 0.1], 0.5, {
            JamesSteinZero: 21.5318822390755239, JamesSteinMean: 25.632865692693745,
            RankDeficientJamesSteinZero: 17.632865692693745,
            (JamesSteinMean, True): 23.1330359800740793,
        }),
        (8, [0.2] * 5, 1, {
            Gaussian: 10, RankDeficientGaussian: 8, JamesSteinZero: 8.30680807421497976,
            JamesSteinMean: 7.80316309931935058, RankDeficientJamesStein: 6.90112095375146407,
            RankDeficientJamesSteinZero: 5.80316309931935058,
            (RankDeficientJamesSteinZero, True): 5.31198364110251382,
        }),
        (8, [0.4, 0.3, 0.1, 0.1, 0.1], 1, {
            JamesSteinZero: 8.55407620684212377, JamesSteinMean: 8.37882752136426374,
            RankDeficientJamesStein: 6.84741738155881988,
            RankDeficientJamesSteinZero: 6.37882752136426374,
        }),
    ],
)  # fmt: skip
def test_costs_averaged_over_all_tables(n, pi, mu, costs):
    counts, coefficients = zip(*compositions(n, len(pi)), strict=True)
    weights = coefficients * np.prod(np.power(pi, counts), axis=1)
    assert weights.sum() == pytest.approx(1, rel=1e-13)
    for key, cost in costs.items():
        mechanism_class, options = (
            (key[0], {"positive_part": True}) if isinstance(key, tuple) else (key, {})
        )
        mechanism = mechanism_class(Table((len(pi),)), mu, **options)
        assert weights @ mechanism.l2_cost(counts) == pytest.approx(cost, rel=1e-13)


# The least scale by the tangency of the two trade-offs at slope -e^t, t = 2a - 2y, b = 1/a:
#
#     from mpmath import mp, mpf, exp, ncdf, findroot
#     mp.dps = 40
#     findroot(lambda a, y: (exp(-2*a+y)*(1+y)/4 - ncdf(-(2*a-2*y)/mu - mu/2),
#                            exp(-y)*(3+y)/4 - ncdf((2*a-2*y)/mu - mu/2)), start)
LAPLACE_SCALES = [
    (0.05, 31.221516878960676197),
    (0.1, 15.4890975075261247),
    (0.5, 2.9161130614456960006),
    (1, 1.3589053609720678771),
    (2, 0.59899958392998070241),
    (4, 0.24251335764834397865),
    (6, 0.13528184195366190961),
]


@pytest.mark.parametrize(("mu", "b"), LAPLACE_SCALES)
@pytest.mark.parametrize("k", [1, 3])
def test_laplace_costs_follow_from_the_tight_scale(mu, b, k):
    statistic, theta = Table((3, 3), "replace", k), np.zeros(9)
    assert Laplace(statistic, mu).scale == pytest.approx(k * b, rel=1e-10)
    assert Laplace(statistic, mu).l2_cost(theta) == pytest.approx(18 * (k * b) ** 2, rel=1e-10)
    projected = ProjectedLaplace(statistic, mu).l2_cost(theta)
    assert projected == pytest.approx(16 * (k * b) ** 2, rel=1e-10)


def test_one_cell_laplace_scale():
    # b = -1 / (2 log{2Φ(-μ/2)}); mpmath: 1/0.965529162067346599.
    scale = Laplace(Table((3, 3), "add-remove"), 1.0).scale
    assert scale == pytest.approx(1 / 0.965529162067346599, rel=1e-12)


@pytest.mark.parametrize(
    ("laplace", "gaussian", "p", "mu"),
    [
        (Laplace, Gaussian, 9, 3.687060656280793593633389),
        (ProjectedLaplace, RankDeficientGaussian, 9, 3.687060656280793593633389),
        (Laplace, RankDeficientGaussian, 4, 5.23988915750),
        (Laplace, RankDeficientGaussian, 20, 3.95049170278),
    ],
)
def test_laplace_and_gaussian_cost_the_same_at_the_crossing(laplace, gaussian, p, mu):
    theta = np.zeros(p)
    costs = [
        mechanism_class(Table((p,)), mu).l2_cost(theta) for mechanism_class in (laplace, gaussian)
    ]
    assert costs[0] == pytest.approx(costs[1], rel=1e-9)


def test_gaussian_costs_and_deviations():
    square, theta = Table((3, 3)), np.zeros(9)
    assert Gaussian(square, 0.1).l2_cost(theta) == pytest.approx(1800, rel=1e-14)
    assert RankDeficientGaussian(square, 0.1).l2_cost(theta) == pytest.approx(1600, rel=1e-14)
    assert RankDeficientGaussian(square, 1).cell_deviation == pytest.approx(4 / 3, rel=1e-14)
    assert Gaussian(Table((3, 3), "add-remove"), 0.5).l2_cost(theta) == pytest.approx(36)
    assert Gaussian(Table((3, 3), "replace", 5), 1).scale == pytest.approx(5 * math.sqrt(2))


# Normal quantile 1.959963984540054 times σ, σ√(8/9) and 1; -b log(0.05) for Laplace.
@pytest.mark.parametrize(
    ("mechanism", "half"),
    [
        (Gaussian(Table((3, 3)), 1), 2.771807648699356),
        (RankDeficientGaussian(Table((3, 3)), 1), 2.6132853127200720),
        (Gaussian(Table((3, 3), "add-remove"), 1), 1.959963984540054),
        (Laplace(Table((3, 3)), 1), 1.3589053609720678771 * math.log(20)),
        (ProjectedLaplace(Table((3, 3)), 1), None),
        (ProjectedLaplace(Table((3, 3), "add-remove"), 1), math.log(20) / 0.965529162067346599),
        (JamesSteinMean(Table((3, 3)), 1), None),
        (JamesSteinMean(Table((3,)), 1), 2.771807648699356),
    ],
)
def test_half_widths(mechanism, half):
    actual = mechanism.half_width(0.95)
    assert actual is half is None or actual == pytest.approx(half, rel=1e-10)


def published(release, basis, sigma, towards_mean):
    """The shrinkage as the paper writes it, with the basis as a matrix."""
    x = basis.T @ release
    target = np.full_like(x, x.mean() if towards_mean else 0.0)
    factor = 1 - (x.size - 2 - towards_mean) * sigma**2 / ((x - target) @ (x - target))
    return release - basis @ x + basis @ (target + factor * (x - target))


@quick
@given(st.integers(5, 40), st.floats(0.05, 5), st.integers(0, 2**32 - 1))
def test_releases_are_shrunk_as_published(p, mu, seed):
    statistic = Table((p,))
    rng = np.random.default_rng(seed)
    release = rng.normal(20, 10, size=p)
    own = statistic.basis()
    turned = own @ np.linalg.qr(rng.normal(size=(p - 1, p - 1)))[0]
    direction = turned.sum(axis=1)
    for mechanism, basis, towards_mean in (
        (JamesSteinZero(statistic, mu), np.eye(p), False),
        (JamesSteinMean(statistic, mu), np.eye(p), True),
        (RankDeficientJamesSteinZero(statistic, mu), turned, False),
        (RankDeficientJamesStein(statistic, mu), own, True),
        (RankDeficientJamesStein(statistic, mu, direction=direction), turned, True),
    ):
        expected = published(release, basis, mechanism.scale, towards_mean)
        assert mechanism.shrink(release) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_positive_part_stops_at_the_target():
    statistic = Table((2, 3))
    near = np.array([5.0, 5, 5, 5, 5, 6])
    shrunk = RankDeficientJamesSteinZero(statistic, 0.1, positive_part=True).shrink(near)
    assert shrunk == pytest.approx([31 / 6] * 6, rel=1e-14)
    overshot = RankDeficientJamesSteinZero(statistic, 0.1).shrink(near)
    assert overshot[5] < 31 / 6


@pytest.mark.parametrize("positive_part", [False, True])
def test_a_release_at_the_target_stays_there(positive_part):
    for mechanism_class in (JamesSteinZero, RankDeficientJamesSteinZero):
        mechanism = mechanism_class(Table((2, 3)), 1.0, positive_part=positive_part)
        assert mechanism.shrink(np.zeros(6)).tolist() == [0] * 6
        assert np.isfinite(mechanism.shrink(1e-160 * np.arange(6))).all()


# Dimension less unshrunk dimension of at most 2.
@pytest.mark.parametrize(
    ("mechanism_class", "parent", "p"),
    [
        (JamesSteinZero, Gaussian, 2),
        (JamesSteinMean, Gaussian, 2),
        (JamesSteinMean, Gaussian, 3),
        (RankDeficientJamesSteinZero, RankDeficientGaussian, 3),
        (RankDeficientJamesStein, RankDeficientGaussian, 2),
        (RankDeficientJamesStein, RankDeficientGaussian, 4),
    ],
)
@pytest.mark.parametrize("positive_part", [False, True])
def test_too_few_dimensions_leave_the_parent(mechanism_class, parent, p, positive_part):
    statistic, theta = Table((p,)), np.arange(1.0, p + 1)
    mechanism = mechanism_class(statistic, 0.5, positive_part=positive_part)
    unshrunk = parent(statistic, 0.5)
    assert mechanism.l2_cost(theta) == pytest.approx(unshrunk.l2_cost(theta), rel=1e-15)
    assert mechanism.shrink(theta).tolist() == theta.tolist()
    assert mechanism.half_width(0.9) == unshrunk.half_width(0.9)


@quick
@given(st.integers(2, 20), st.integers(0, 2**32 - 1), st.booleans())
def test_add_remove_makes_rank_deficient_mechanisms_full(p, seed, positive_part):
    statistic = Table((p,), "add-remove")
    theta = np.random.default_rng(seed).normal(10, 5, size=(3, p))
    options = {"positive_part": positive_part}
    for reduced, full in (
        (RankDeficientGaussian(statistic, 0.3), Gaussian(statistic, 0.3)),
        (ProjectedLaplace(statistic, 0.3), Laplace(statistic, 0.3)),
        (
            RankDeficientJamesSteinZero(statistic, 0.3, **options),
            JamesSteinZero(statistic, 0.3, **options),
        ),
        (
            RankDeficientJamesStein(statistic, 0.3, **options),
            JamesSteinMean(statistic, 0.3, **options),
        ),
    ):
        assert reduced.l2_cost(theta) == pytest.approx(full.l2_cost(theta), rel=1e-13)
        draws = [m.simulate(theta, np.random.default_rng(seed)) for m in (reduced, full)]
        np.testing.assert_allclose(*draws, rtol=1e-10, atol=1e-10)


def test_a_direction_is_left_alone():
    theta = 20 + np.arange(9.0)
    trend = np.arange(9.0) - 4
    mechanism = RankDeficientJamesStein(Table((3, 3)), 0.5, direction=trend)
    # Along the direction nothing is lost: shrinkage sees τ = 0, cost σ²(1 + 2).
    assert mechanism.l2_cost(theta) == pytest.approx(8 * 3, rel=1e-12)
    assert mechanism.shrink(theta + np.eye(9)[0]) @ trend == pytest.approx(60 - 4, rel=1e-12)
    assert mechanism == RankDeficientJamesStein(Table((3, 3)), 0.5, direction=tuple(trend))
    assert hash(mechanism) == hash(
        RankDeficientJamesStein(Table((3, 3)), 0.5, direction=list(trend))
    )


@pytest.mark.parametrize("mu", [1e-50, 1.0, 1e50])
def test_nothing_is_shrunk_to_nothing(mu):
    for mechanism_class in (JamesSteinZero, JamesSteinMean, RankDeficientJamesStein):
        assert mechanism_class(Table((3, 3)), mu).shrink(np.zeros(9)).tolist() == [0] * 9


@pytest.mark.parametrize(
    "direction",
    [
        *(np.zeros(4), np.ones(4), np.full(4, 1e-12), [1, -1, 0, 1e-6]),
        *([1, -1], [[1, -1, 0, 0]], [1, -1, np.nan, 0]),
    ],
)
def test_refused_directions_are_named(direction):
    with pytest.raises(ParameterError) as caught:
        RankDeficientJamesStein(Table((2, 2)), 1.0, direction=direction)
    assert caught.value.name == "direction"
