"""The band from samples: exact in its parts, and holding as a whole in simulation.

Every test that simulates fails by chance with a probability below 1e-6.
"""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from explorer.core import tradeoff
from explorer.core.parameter import ParameterError
from explorer.core.tradeoff.order_statistics import ENDS, KNOTS, OrderBounds, coverage, order_bounds

quick = settings(max_examples=40, deadline=None)
FALSE_ALARM = 1e-6


def allowed(count, probability):
    """Interval that a binomial count leaves with probability below `FALSE_ALARM`."""
    return stats.binom.ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2], count, probability)


@pytest.mark.parametrize("confidence", [0.01, 0.5, 0.9, 0.95, 1 - 1e-6])
def test_one_and_two_order_statistics_by_area(confidence):
    one = order_bounds(1, confidence)
    assert one.upper[0] - one.lower[0] == pytest.approx(confidence, rel=0.01)
    two = order_bounds(2, confidence)
    (low1, low2), (high1, high2) = two.lower, two.upper
    # Twice the area of low1 < x < high1, max(x, low2) < y < high2.
    below, above = min(low2, high1) - low1, high1 - min(low2, high1)
    missed = 1 - 2 * (below * (high2 - low2) + above * (high2 - high1 + above / 2))
    assert low1 <= low2
    assert high1 <= high2
    assert 1 - coverage(2, two) == pytest.approx(missed, rel=1e-8)
    assert 0.99 * (1 - confidence) - 1e-15 <= missed <= 1 - confidence


@pytest.mark.parametrize(("size", "confidence"), [(3, 0.8), (20, 0.9), (20, 0.3), (300, 0.95)])
def test_all_order_statistics_keep_their_bounds_as_often_as_stated(size, confidence):
    bounds = order_bounds(size, confidence)
    rng = np.random.default_rng(11)
    count = 40_000 if size < 100 else 8_000
    sample = np.sort(rng.random((count, size)), axis=1)
    covered = ((sample >= bounds.lower) & (sample <= bounds.upper)).all(axis=1).sum()
    low, high = allowed(count, coverage(size, bounds))
    assert low <= covered <= high
    assert confidence <= coverage(size, bounds) <= confidence + 0.01 * (1 - confidence)


def test_every_bound_has_the_same_local_level():
    bounds = order_bounds(50, 0.9)
    beta = stats.beta(bounds.numbers, 51 - bounds.numbers)
    level = beta.cdf(bounds.lower)
    np.testing.assert_allclose(level, level[0], rtol=1e-9)
    np.testing.assert_allclose(beta.sf(bounds.upper), level[0], rtol=1e-9)
    np.testing.assert_allclose(bounds.lower, 1 - bounds.upper[::-1], rtol=1e-9)


def test_a_large_sample_is_bounded_at_some_order_statistics():
    size = 3 * KNOTS
    bounds = order_bounds(size, 0.9)
    numbers = bounds.numbers
    assert numbers[:ENDS].tolist() == list(range(1, ENDS + 1))
    assert numbers[-1] == size
    assert len(numbers) <= KNOTS + 2 * ENDS
    gaps = np.diff(numbers) / np.sqrt(numbers[1:] * (1 - (numbers[1:] - 1) / size))
    assert gaps[ENDS - 1 : 1 - ENDS].max() < 0.23  # standard deviations
    assert 0.9 <= coverage(size, bounds) <= 0.901
    # Within the fluctuation of the whole empirical distribution function.
    assert (bounds.upper - bounds.lower).max() < 4 / math.sqrt(size)


@pytest.mark.parametrize(
    ("size", "number", "lower", "upper"),
    [
        (1, 1, 0.25, 0.5),
        (9, 3, 0.1, 0.4),
        (1000, 500, 0.47, 0.49),
        (1000, 500, 0.6, 0.7),
        (1000, 1, 0.0, 0.002),
        (100_000, 70_000, 0.699, 0.7005),
    ],
)
def test_coverage_of_one_order_statistic_is_that_of_its_beta_distribution(
    size, number, lower, upper
):
    bounds = OrderBounds(np.array([number]), np.array([lower]), np.array([upper]))
    beta = stats.beta(number, size + 1 - number)
    exact = beta.cdf(upper) - beta.cdf(lower) if upper < 0.6 else beta.sf(lower) - beta.sf(upper)
    assert coverage(size, bounds) == pytest.approx(exact, rel=1e-8, abs=1e-14)


def test_bounds_are_memoised_and_read_only():
    for part in order_bounds(5, 0.9):
        with pytest.raises(ValueError, match="read-only"):
            part[0] = 0


@pytest.mark.parametrize(("size", "count"), [(KNOTS - 1, KNOTS - 1), (KNOTS, KNOTS)])
def test_no_order_statistic_is_left_out_of_a_small_sample(size, count):
    assert order_bounds(size, 0.9).numbers.tolist() == list(range(1, count + 1))


def test_extreme_confidence_falls_back_on_the_union_bound():
    bounds = order_bounds(30, 1 - 1e-12)
    assert stats.beta(1, 30).cdf(bounds.lower[0]) == pytest.approx(1e-12 / 60, rel=1e-3)


GEOMETRIC = np.arange(1, 80)
MODELS = {
    "normal": (
        lambda rng, n: rng.normal(size=n),
        lambda rng, n: rng.normal(1, size=n),
        partial(tradeoff.gaussian, mu=1),
    ),
    "geometric": (  # ties
        lambda rng, n: rng.geometric(0.5, size=n),
        lambda rng, n: rng.geometric(0.3, size=n),
        tradeoff.discrete_curve(
            stats.geom.pmf(GEOMETRIC, 0.5) + (GEOMETRIC == 79) * stats.geom.sf(79, 0.5),
            stats.geom.pmf(GEOMETRIC, 0.3) + (GEOMETRIC == 79) * stats.geom.sf(79, 0.3),
        ),
    ),
    "equal": (
        lambda rng, n: rng.integers(0, 2, size=n),
        lambda rng, n: rng.integers(0, 2, size=n),
        lambda alpha: 1 - alpha,
    ),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("m", "n", "confidence"), [(1, 1, 0.5), (5, 40, 0.9), (60, 30, 0.2)])
def test_the_band_holds_everywhere_at_once(model, m, n, confidence):
    draw_p, draw_q, truth = MODELS[model]
    rng = np.random.default_rng(7)
    count, missed = 200, 0
    for _ in range(count):
        band = tradeoff.empirical(draw_p(rng, m), draw_q(rng, n), confidence)
        alpha = np.unique(
            np.concatenate([np.linspace(0, 1, 41), band.upper.alpha, band.lower.alpha])
        )
        beta = truth(alpha)
        missed += np.any(beta > band.upper(alpha) + 1e-9) or np.any(beta < band.lower(alpha) - 1e-9)
    assert missed <= allowed(count, 1 - confidence)[1]


def test_bounds_of_one_sample_are_what_the_band_is_made_of():
    # All of Q above all of P: the corners are the bounds themselves.
    band = tradeoff.empirical(np.arange(60), np.arange(60, 100), 0.9)
    p, q = order_bounds(60, 0.95), order_bounds(40, 0.95)
    corner = 1 - p.lower[59], q.upper[0]
    assert band.upper(corner[0]) == pytest.approx(corner[1], rel=1e-12)
    assert band.lower(0) == 0
    assert band.estimate([0, 1]).tolist() == [0, 0]
    # Half of Q above all of P.
    band, q = tradeoff.empirical([1, 2, 3], [0, 5], 0.9), order_bounds(2, 0.95)
    assert band.estimate([0, 0.5, 1]).tolist() == [0.5, 0.25, 0]
    assert band.lower(0) == pytest.approx(q.lower[0], rel=1e-12)


def test_equal_samples_show_nothing():
    scores = np.arange(500) % 7
    band = tradeoff.empirical(scores, scores)
    assert tradeoff.gdp_parameter(band.upper) == 0
    assert tradeoff.gdp_parameter(band.estimate) == 0
    assert band.upper([0, 0.3, 1]) == pytest.approx([1, 0.7, 0])


def test_null_data_show_nothing_and_clear_data_nearly_all():
    rng = np.random.default_rng(3)
    p = rng.normal(size=(2, 4000))
    null = tradeoff.empirical(*p, 1 - FALSE_ALARM)
    assert tradeoff.gdp_parameter(null.upper) == 0
    shown = tradeoff.empirical(p[0], p[1] + 2, 1 - FALSE_ALARM)
    assert 1.7 < tradeoff.gdp_parameter(shown.upper) < 2


def test_a_wrong_scale_is_detected():
    # Claimed: μ = 1. Added: half of the noise.
    rng = np.random.default_rng(4)
    band = tradeoff.empirical(rng.normal(size=3000), rng.normal(2, size=3000), 1 - FALSE_ALARM)
    claimed = tradeoff.gaussian(band.upper.alpha, 1)
    assert np.any(band.upper.beta < claimed)


samples = st.lists(st.one_of(st.integers(-3, 3), st.floats(-1, 1)), min_size=1, max_size=30)


@quick
@given(samples, samples, st.floats(0.05, 0.999))
def test_estimate_and_band_are_ordered_trade_off_functions(p, q, confidence):
    band = tradeoff.empirical(p, q, confidence)
    alpha = np.linspace(0, 1, 33)
    for curve in (band.lower, band.estimate, band.upper):
        assert tradeoff.violation(curve.alpha, curve.beta) is None
    assert np.all(band.lower(alpha) <= band.estimate(alpha) + 1e-12)
    assert np.all(band.estimate(alpha) <= band.upper(alpha) + 1e-12)
    # The estimate is the least error of any threshold.
    for threshold in [*p, *q]:
        level, beta = np.mean(np.array(p) > threshold), np.mean(np.array(q) <= threshold)
        assert band.estimate(level) <= beta + 1e-12


@quick
@given(samples, samples)
def test_only_the_order_of_the_scores_counts(p, q):
    band = tradeoff.empirical(p, q)
    scores = sorted({*p, *q})
    ranks = {score: rank for rank, score in enumerate(scores)}
    other = tradeoff.empirical([ranks[s] for s in p][::-1], [ranks[s] for s in q])
    assert other.upper.beta.tolist() == band.upper.beta.tolist()
    # Swapping the distributions and turning the score round is the mirror image.
    mirror = tradeoff.empirical([-s for s in q], [-s for s in p])
    inner = band.upper.beta > 0
    np.testing.assert_allclose(
        mirror.upper(band.upper.beta[inner]), band.upper.alpha[inner], atol=1e-9
    )


def test_more_confidence_is_a_wider_band():
    rng = np.random.default_rng(2)
    p, q = rng.normal(size=200), rng.normal(1.5, size=200)
    bounds = [
        tradeoff.gdp_parameter(tradeoff.empirical(p, q, confidence).upper)
        for confidence in (0.5, 0.9, 0.95, 0.999, 1 - 1e-8, 1 - 1e-12)
    ]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[3] > 0.5


def test_infinite_scores_are_scores():
    band = tradeoff.empirical([-math.inf, 0, 0], [math.inf, math.inf, 0])
    assert band.estimate(0) == pytest.approx(1 / 3)


@pytest.mark.parametrize("bad", [[], [math.nan], [[1.0]], 1.0, ["1"], None])
def test_what_is_no_sample_is_refused(bad):
    with pytest.raises(ParameterError, match="under P"):
        tradeoff.empirical(bad, [1.0])
    with pytest.raises(ParameterError, match="under Q"):
        tradeoff.empirical([1.0], bad)


@pytest.mark.parametrize("bad", [0, 1, -0.1, math.nan, "0.9", [0.9]])
def test_confidence_out_of_the_domain_is_refused(bad):
    with pytest.raises(ParameterError, match="confidence"):
        tradeoff.empirical([1.0], [1.0], bad)
