"""Trade-off functions of finite distributions against enumerated rejection regions."""

import math
from itertools import product

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import mp
from scipy import special, stats

from explorer.core import tradeoff
from explorer.core.parameter import ParameterError
from explorer.core.tradeoff.curve import lower_hull

quick = settings(max_examples=60, deadline=None)

weights = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=6).filter(
    lambda pairs: all(sum(side) for side in zip(*pairs, strict=True))
)


def distributions(pairs):
    p, q = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    return p / p.sum(), q / q.sum()


def by_enumeration(alpha, p, q):
    """Least type II error over all rejection regions and all mixtures of two of them."""
    regions = np.array(list(product([0, 1], repeat=len(p))))
    a, b = regions @ p, (1 - regions) @ q
    best = b[a <= alpha].min()
    low, high = a <= alpha, a > alpha
    if high.any():
        share = (alpha - a[low, None]) / (a[high] - a[low, None])
        best = min(best, ((1 - share) * b[low, None] + share * b[high]).min())
    return best


@quick
@given(weights, st.floats(0, 1))
@example([(1, 0), (0, 1)], 0.0)
@example([(3, 2), (2, 3)], 1.0)
@example([(1, 1), (0, 2)], 0.0)
def test_no_rejection_region_is_better_and_one_is_as_good(pairs, alpha):
    p, q = distributions(pairs)
    beta = tradeoff.discrete(alpha, p, q)
    assert beta == pytest.approx(by_enumeration(alpha, p, q), rel=0, abs=1e-14)


@quick
@given(weights)
@example([(1, 0), (2, 1), (3, 2)])  # a type I error rounds, and the curve is steep there
def test_the_curve_is_a_tradeoff_function_and_its_mirror_the_reverse_test(pairs):
    p, q = distributions(pairs)
    curve, reverse = tradeoff.discrete_curve(p, q), tradeoff.discrete_curve(q, p)
    assert tradeoff.violation(curve.alpha, curve.beta) is None
    inner = curve.beta > 0
    np.testing.assert_allclose(reverse(curve.beta[inner]), curve.alpha[inner], atol=1e-14)
    np.testing.assert_allclose(curve(curve.alpha), curve.beta, rtol=1e-13, atol=1e-15)


def test_randomised_response():
    beta = tradeoff.discrete([0, 0.25, 0.5, 0.75, 1], [0.6, 0.4], [0.4, 0.6])
    assert beta == pytest.approx([1, 0.625, 1 / 3, 1 / 6, 0], rel=1e-14, abs=0)


@quick
@given(
    st.floats(1e-6, 30),
    st.one_of(st.floats(-300, 0).map(lambda x: 10**x), st.floats(-12, 0).map(lambda x: 1 - 10**x)),
)
@example(1.0, 1 - 1e-12)
@example(30.0, 1e-14)
def test_both_tails_keep_their_digits(epsilon, alpha):
    # Several outcomes, the likelihood ratios exp(±ε): the curve that pure ε-privacy promises.
    much, little = 1 / (1 + math.exp(-epsilon)), math.exp(-epsilon) / (1 + math.exp(-epsilon))
    shares = np.array([0.1, 0.2, 0.7])
    p, q = np.append(little * shares, much * shares), np.append(much * shares, little * shares)
    # p and q are rounded: the kink may move by some 1e-16.
    beta, expected = tradeoff.discrete(alpha, p, q), tradeoff.approximate(alpha, epsilon)
    kink = abs(alpha / little - 1) < 1e-14
    assert beta == pytest.approx(expected, rel=1e-12 if not kink else 1e-2, abs=0)


def test_a_break_point_next_to_one_keeps_its_distance_from_one():
    # The sums of p round by more than the last probability.
    p, q = [0.1, 0.2, 0.3, 0.4 - 2**-50, 2**-50], [0.4, 0.3, 0.2, 0.1, 0]
    expected = 0.1 * (2**-49 - 2**-50) / (0.4 - 2**-50)
    assert tradeoff.discrete(1 - 2**-49, p, q) == pytest.approx(expected, rel=1e-14, abs=0)
    assert tradeoff.discrete(1 - 2**-51, p, q) == 0


def test_binomials_match_their_distribution_functions():
    # The likelihood ratio increases with the count, so upper tails are the best regions.
    count = np.arange(201)
    p, q = stats.binom.pmf(count, 200, 0.3), stats.binom.pmf(count, 200, 0.5)
    curve = tradeoff.discrete_curve(p, q)
    np.testing.assert_allclose(curve.alpha[1:], stats.binom.sf(count - 1, 200, 0.3)[::-1], 1e-11)
    np.testing.assert_allclose(curve.beta[:-1], stats.binom.cdf(count, 200, 0.5)[::-1], 1e-11)
    gain = stats.binom.sf(count - 1, 200, 0.5) - stats.binom.sf(count - 1, 200, 0.3)
    np.testing.assert_allclose(curve.advantage[1:], gain[::-1], rtol=1e-9, atol=1e-13)


def test_the_profile_is_that_of_an_independent_library():
    p, q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.05, 0.2, 0.35, 0.4])
    # δ(ε) is how far the curve dips below 1 - e^ε α.
    for lower, upper in ((p, q), (q, p)):
        curve = tradeoff.discrete_curve(lower, upper)
        pld = privacy_loss_distribution.from_two_probability_mass_functions(
            dict(enumerate(np.log(lower))),
            dict(enumerate(np.log(upper))),
            value_discretization_interval=1e-5,
        )
        for epsilon in (0.0, 0.3, 0.9, 2.0):
            delta = (1 - curve.beta - math.exp(epsilon) * curve.alpha).max()
            assert delta == pytest.approx(pld.get_delta_for_epsilon(epsilon), abs=3e-5)


def test_order_splitting_and_impossible_outcomes_change_nothing():
    rng = np.random.default_rng(5)
    p, q = rng.dirichlet(np.ones(20)), rng.dirichlet(np.ones(20))
    alpha = np.linspace(0, 1, 77)
    beta = tradeoff.discrete(alpha, p, q)
    order = rng.permutation(20)
    np.testing.assert_allclose(tradeoff.discrete(alpha, p[order], q[order]), beta, rtol=1e-13)
    halves = tradeoff.discrete(alpha, np.repeat(p / 2, 2), np.repeat(q / 2, 2))
    np.testing.assert_allclose(halves, beta, rtol=1e-13)
    padded = tradeoff.discrete(alpha, np.append(p, [0, 0]), np.append(q, [0, 0]))
    np.testing.assert_allclose(padded, beta, rtol=1e-13)


def test_distributions_that_are_equal_disjoint_or_certain():
    alpha = [0, 0.25, 1]
    assert tradeoff.discrete(alpha, [0.5, 0.5], [0.5, 0.5]).tolist() == [1, 0.75, 0]
    assert tradeoff.discrete(alpha, [1], [1]).tolist() == [1, 0.75, 0]
    assert tradeoff.discrete(alpha, [1, 0], [0, 1]).tolist() == [0, 0, 0]
    # A quarter of Q is impossible under P, half of P under Q.
    assert tradeoff.discrete(alpha, [0, 0.5, 0.5], [0.25, 0, 0.75]).tolist() == [0.75, 0.375, 0]


def test_sums_may_be_rounded_but_not_wrong():
    p, q = np.array([0.5, 0.5]), np.array([0.25, 0.75])
    rescaled = tradeoff.discrete(0.3, p * (1 + 9e-10), q * (1 - 9e-10))
    assert rescaled == pytest.approx(tradeoff.discrete(0.3, p, q), rel=1e-14, abs=0)
    for factor in (1 + 2e-9, 1 - 2e-9, 0):
        with pytest.raises(ParameterError, match=r"P \(.*\) must be nonnegative with sum 1"):
            tradeoff.discrete(0.3, p * factor, q)
        with pytest.raises(ParameterError, match=r"Q \(.*\) must be nonnegative with sum 1"):
            tradeoff.discrete(0.3, p, q * factor)


@pytest.mark.parametrize(
    "bad",
    [[-0.1, 1.1], [np.nan, 1], [np.inf, 1], [[0.5, 0.5]], [], 1.0, [0.2, 0.3, 0.5], ["1", "0"]],
)
def test_distributions_out_of_the_domain_are_refused(bad):
    with pytest.raises(ParameterError, match=r"P|Q"):
        tradeoff.discrete(0.3, bad, [0.5, 0.5])
    with pytest.raises(ParameterError, match="Q"):
        tradeoff.discrete(0.3, [0.5, 0.5], bad)
    with pytest.raises(ParameterError, match="type I error"):
        tradeoff.discrete(1.5, [0.5, 0.5], [0.5, 0.5])


def test_scalars_give_scalars_and_arrays_keep_their_shape():
    curve = tradeoff.discrete_curve([0.6, 0.4], [0.4, 0.6])
    assert type(curve(0.3)) is np.float64
    assert type(tradeoff.discrete(0.3, [0.6, 0.4], [0.4, 0.6])) is np.float64
    assert curve(np.full((2, 3), 0.3)).shape == (2, 3)
    assert curve(np.empty((0, 2))).shape == (0, 2)


def test_points_get_the_ends_that_any_attacker_has():
    curve = tradeoff.PiecewiseLinear([0.2, 0.6], [0.5, 0.1])
    assert curve.alpha.tolist() == [0, 0.2, 0.6, 1]
    assert curve.beta.tolist() == [1, 0.5, 0.1, 0]
    assert curve([0, 0.1, 0.2, 0.4, 0.8, 1]) == pytest.approx([1, 0.75, 0.5, 0.3, 0.05, 0])
    whole = tradeoff.PiecewiseLinear([0, 1], [0.5, 0])
    assert whole.alpha.tolist() == [0, 1]
    assert tradeoff.PiecewiseLinear([], [])(0.25) == 0.75
    step = tradeoff.PiecewiseLinear([0, 0, 0.5, 0.5, 1], [1, 0.8, 0.6, 0.2, 0])
    assert step([0, 0.25, 0.5, 0.75]) == pytest.approx([0.8, 0.7, 0.2, 0.1])


def test_a_last_point_above_zero_stays():
    curve = tradeoff.PiecewiseLinear([0, 0.5, 1], [0.875, 0.5, 0.25])
    np.full((5, 8), np.pi).sum(axis=0)  # memory that numpy may hand out again
    assert curve(np.ones((5, 8))).tolist() == [[0.25] * 8] * 5
    assert curve(1.0) == 0.25


def test_sums_that_round_above_one_are_taken_for_one():
    rng = np.random.default_rng(8)
    above = 0
    for _ in range(50):
        p, q = rng.dirichlet(np.ones(20)), rng.dirichlet(np.ones(20))
        order = np.argsort(q / p)[::-1]
        above += np.cumsum(p[order])[-1] > 1
        # The last outcome is never reached by a sum that has rounded to more.
        p, q = np.append(p[order], 1e-300), np.append(q[order], 0)
        for curve in (tradeoff.discrete_curve(p, q), tradeoff.discrete_curve(q, p)):
            assert tradeoff.violation(curve.alpha, curve.beta) is None
    assert above > 0


def test_the_hull_leaves_out_points_on_its_edges():
    alpha, beta = np.array([0, 0.25, 0.5, 0.75, 1]), np.array([1, 0.75, 0.5, 0.5, 0])
    assert lower_hull(alpha, beta).tolist() == [0, 4]
    assert lower_hull(alpha, beta - [0, 0, 0.25, 0, 0]).tolist() == [0, 2, 4]
    assert lower_hull(np.empty(0), np.empty(0)).dtype == np.intp


def test_points_cannot_be_changed_or_out_of_order():
    curve = tradeoff.PiecewiseLinear([0.2], [0.5])
    with pytest.raises(ValueError, match="read-only"):
        curve.alpha[0] = 1
    for alpha, beta, advantage in [
        ([0.5, 0.2], [0.1, 0.4], None),
        ([0.2], [0.1, 0.4], None),
        ([[0.2]], [[0.1]], None),
        ([0.2], [1.1], None),
        ([-0.2], [0.1], None),
        ([0.2], [0.1], [0.6]),
        ([0.2], [0.1], [np.nan]),
    ]:
        with pytest.raises(ParameterError):
            tradeoff.PiecewiseLinear(alpha, beta, advantage)


def exact_parameter(p, q):
    """Return μ of the best tests by sums and a root of 50 digits."""
    with mp.workdps(50):
        p, q = ([mp.mpf(x) for x in probabilities] for probabilities in (p, q))
        p, q = ([x / sum(part) for x in part] for part in (p, q))
        order = sorted(range(len(p)), key=lambda i: -q[i] / p[i])
        best = mp.mpf(0)
        for m in range(1, len(p)):
            alpha, beta = (
                sum(part[i] for i in some) for part, some in ((p, order[:m]), (q, order[m:]))
            )
            if alpha + beta < 1:
                z_alpha, z_beta = (
                    mp.findroot(
                        lambda z, error=error: mp.log(mp.ncdf(z) / error),
                        float(special.ndtri(float(error))),
                    )
                    for error in (alpha, beta)
                )
                best = max(best, -z_alpha - z_beta)
        return float(best)


@pytest.mark.parametrize(
    ("p", "q"),
    [
        ([0.7, 0.3], [0.7, 1 - 0.7]),
        ([0.1, 0.2, 0.7], [0.1, 0.2, 1 - 0.3]),
        ([1 - 1e-9, 1e-9], [1 - 2e-9, 2e-9]),
        ([0.25, 0.75 - 1e-10, 1e-10], [0.25, 0.75 - 1e-11, 1e-11]),
    ],
)
def test_nearly_equal_distributions_and_rare_outcomes_have_the_exact_parameter(p, q):
    # The rare outcome stands last and first, and the two distributions in either order.
    expected = exact_parameter(p, q)
    for first, second in ((p, q), (q, p), (p[::-1], q[::-1]), (q[::-1], p[::-1])):
        computed = tradeoff.gdp_parameter(tradeoff.discrete_curve(first, second))
        assert computed == pytest.approx(expected, rel=1e-12, abs=0)


def test_single_precision_passes_and_a_refusal_says_how_far_off_the_sum_is():
    rng = np.random.default_rng(5)
    p, q = (rng.dirichlet(np.ones(7)).astype(np.float32) for _ in range(2))
    assert abs(p.astype(np.float64).sum() - 1) > 1e-9
    computed = tradeoff.discrete([0.3], p, q)
    double = [part.astype(np.float64) / part.astype(np.float64).sum() for part in (p, q)]
    assert computed == pytest.approx(tradeoff.discrete([0.3], *double), rel=1e-14)
    with pytest.raises(ParameterError, match=r"the sum is 0\.001 above 1"):
        tradeoff.discrete([0.3], np.float32([0.501, 0.5]), np.float32([0.5, 0.5]))
