"""The distribution of a weighted sum of χ² variables, and that of a release, both tails."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy import stats

from explorer.core import chisq
from explorer.core.chisq import _contour_integral, _release_transform, weighted_chi2
from explorer.core.mechanisms import Gaussian, RankDeficientGaussian
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Table

quick = settings(max_examples=60, deadline=None)
TAILS = np.array([1e-300, 1e-100, 1e-30, 1e-12, 1e-3, 0.05, 0.3, 0.5])


@pytest.mark.parametrize("k", [1, 2, 3, 10, 99, 1000])
@pytest.mark.parametrize("weight", [1.0, 1e-8, 3e40])
def test_equal_weights_are_a_chi_squared_distribution(k, weight):
    upper, lower = stats.chi2.isf(TAILS, k), stats.chi2.ppf(TAILS, k)
    lower = lower[lower > 1e-120]
    weights = np.full(k, weight)
    np.testing.assert_allclose(
        weighted_chi2.sf(weight * upper, weights), stats.chi2.sf(upper, k), rtol=2e-11, atol=0
    )
    np.testing.assert_allclose(
        weighted_chi2.cdf(weight * lower, weights), stats.chi2.cdf(lower, k), rtol=2e-11, atol=0
    )


@pytest.mark.parametrize("k", [1, 2, 5, 40])
@pytest.mark.parametrize("delta", [0.1, 7.0, 900.0])
def test_equal_weights_with_means_are_a_noncentral_chi_squared_distribution(k, delta):
    # scipy's noncentral tails are good to about 1e-12 where they are not small.
    reference = stats.ncx2(k, delta)
    x = reference.mean() + reference.std() * np.array([-3, -2, -1, -0.2, 0, 0.2, 1, 2, 4])
    x = x[x > 0.01]
    weights, deltas = np.full(k, 2.0), np.zeros(k)
    deltas[-1] = delta
    np.testing.assert_allclose(
        weighted_chi2.sf(2 * x, weights, deltas), reference.sf(x), rtol=1e-10
    )
    np.testing.assert_allclose(
        weighted_chi2.cdf(2 * x, weights, deltas), reference.cdf(x), rtol=1e-10
    )


# Ruben's mixture of chi-squared distributions, scaled by the least weight; its coefficients are positive and
# what is left of their sum, 1 - Σ c = 1e-51, bounds the rest:
#
#     from mpmath import mp, mpf, exp, sqrt, fsum, gammainc
#     mp.dps = 50
#     def ruben(x, weights, deltas, terms=900):
#         x, w, d = mpf(x), [mpf(v) for v in weights], [mpf(v) for v in deltas]
#         b, n = min(w), len(w)
#         g = [None] + [fsum((1 - b/l)**m for l in w)
#                       + m*b*fsum(e/l*(1 - b/l)**(m - 1) for l, e in zip(w, d))
#                       for m in range(1, terms)]
#         c = [exp(-fsum(d)/2)]
#         for l in w: c[0] *= sqrt(b/l)
#         for k in range(1, terms): c.append(fsum(g[k - r]*c[r] for r in range(k))/(2*k))
#         tail = lambda k: gammainc(mpf(n)/2 + k, x/b/2, regularized=True)  # (a, 0, z) for the cdf
#         return fsum(c[k]*tail(k) for k in range(terms))
CENTRAL = (["1", "0.3", "0.3", "0.3"], ["0", "0", "0", "0"])
MIXED = (["2", "2", "0.5"], ["0", "0", "4"])
FAR = (["1", "0.9", "0.7", "0.4", "0.25"], ["9", "0", "2.5", "1", "30"])


@pytest.mark.parametrize(
    ("case", "x", "tail", "expected"),
    [
        (CENTRAL, 3, weighted_chi2.sf, 0.17774237950449734449),
        (CENTRAL, 30, weighted_chi2.sf, 7.5342364986720862571e-8),
        (CENTRAL, 140, weighted_chi2.sf, 4.5661639385862299157e-32),
        (CENTRAL, 0.5, weighted_chi2.cdf, 0.12250615187451605334),
        (CENTRAL, 1e-3, weighted_chi2.cdf, 7.6002881794503481627e-7),
        (CENTRAL, 1e-12, weighted_chi2.cdf, 7.6072577431203338117e-25),
        (MIXED, 8, weighted_chi2.sf, 0.28935086710628814934),
        (MIXED, 40, weighted_chi2.sf, 1.0210669054182672685e-4),
        (MIXED, 200, weighted_chi2.sf, 4.3378539695741153197e-22),
        (MIXED, 2, weighted_chi2.cdf, 0.11552609006381032197),
        (MIXED, 0.01, weighted_chi2.cdf, 2.5578570933239627143e-5),
        (MIXED, 1e-8, weighted_chi2.cdf, 2.5451585823451980612e-14),
        (FAR, 18, weighted_chi2.sf, 0.67419535484452218909),
        (FAR, 90, weighted_chi2.sf, 9.7684412364707842117e-9),
        (FAR, 6, weighted_chi2.cdf, 1.2095796303792110736e-3),
        (FAR, 0.1, weighted_chi2.cdf, 8.7287220815297947583e-13),
    ],
)
def test_tails_match_rubens_series(case, x, tail, expected):
    weights, deltas = (np.array(values, dtype=float) for values in case)
    assert tail(x, weights, deltas) == pytest.approx(expected, rel=1e-11, abs=0)


def exponentials(x, weights):
    """Both tails of Σ λ χ²₂ with different λ, a sum of exponential variables, at 200 digits."""
    with mp.workdps(200):
        upper = mpf(0)
        for i, a in enumerate(weights):
            share = mpf(1)
            for j, b in enumerate(weights):
                if i != j:
                    share *= mpf(a) / (mpf(a) - mpf(b))
            upper += share * mp.exp(-mpf(x) / (2 * mpf(a)))
        return float(1 - upper), float(upper)


@quick
@given(
    st.lists(st.floats(-6, 0).map(lambda e: 10.0**e), min_size=1, max_size=6, unique=True),
    st.floats(-5, 2.5).map(lambda e: 10.0**e),
)
def test_pairs_of_weights_are_sums_of_exponentials(weights, ratio):
    assume(min(np.diff(np.sort(weights)), default=1) > 1e-9)
    x = ratio * 2 * sum(weights)
    below, above = exponentials(x, weights)
    doubled = np.repeat(weights, 2)
    if above > 1e-300:
        assert weighted_chi2.sf(x, doubled) == pytest.approx(above, rel=1e-10, abs=0)
    if below > 1e-300:
        assert weighted_chi2.cdf(x, doubled) == pytest.approx(below, rel=1e-10, abs=0)


@pytest.mark.parametrize("weights", [[1.0], [1.0, 0.2, 0.2], [1.0] * 30, [5.0, 1e-6]])
@pytest.mark.parametrize("delta", [0.0, 3.0])
def test_the_critical_value_inverts_the_tail(weights, delta):
    levels = np.array([1e-200, 1e-30, 1e-6, 0.05, 0.5, 0.95, 0.999])
    x = weighted_chi2.isf(levels, weights, delta)
    np.testing.assert_allclose(weighted_chi2.sf(x, weights, delta), levels, rtol=1e-10)
    assert (np.diff(x) < 0).all()


def test_ends_and_scales():
    assert weighted_chi2.sf([0, np.inf], [2.0, 1.0]).tolist() == [1, 0]
    assert weighted_chi2.cdf([0, np.inf], [2.0, 1.0]).tolist() == [0, 1]
    assert weighted_chi2.isf([0, 1], [2.0, 1.0]).tolist() == [np.inf, 0]
    assert weighted_chi2.sf(3, [2.0, 0.0, 1.0], [1.0, 9.0, 0.0]) == weighted_chi2.sf(
        3, [2.0, 1.0], [1.0, 0.0]
    )
    assert weighted_chi2.sf([], [1.0]).shape == (0,)
    assert weighted_chi2.sf(np.ones((2, 3)), [1.0]).shape == (2, 3)
    assert weighted_chi2.sf(1e6, [1.0]) == 0.0
    assert weighted_chi2.cdf(1e-140, [1.0]) == 0.0


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((-1, [1.0]), "x"),
        ((np.nan, [1.0]), "x"),
        ((1, [0.0]), "weights"),
        ((1, []), "weights"),
        ((1, [-1.0, 2.0]), "weights"),
        ((1, [[1.0]]), "weights"),
        ((1, [1.0, np.inf]), "weights"),
        ((1, [1.0], -1), "noncentrality"),
        ((1, [1.0], [1.0, 2.0]), "noncentrality"),
    ],
)
def test_what_is_no_distribution_is_refused(arguments, name):
    for function in (weighted_chi2.sf, weighted_chi2.cdf):
        with pytest.raises(ParameterError) as refused:
            function(*arguments)
        assert refused.value.name == name
    with pytest.raises(ParameterError):
        weighted_chi2.isf(1.5, [1.0])


def dense(null, n, pi, variance, name, *, centred):
    """Weights and noncentralities of the statistic of a release, by eigenvalues."""
    p = len(null)
    centring = np.eye(p) - 1 / p
    covariance = n * (np.diag(pi) - np.outer(pi, pi)) + variance * (
        centring if centred else np.eye(p)
    )
    if name == "projected" and variance > 0:
        covariance = centring @ covariance @ centring
        inverse = np.linalg.inv(n * (np.diag(null) - np.outer(null, null)) + variance * np.eye(p))
    else:
        inverse = np.diag(1 / (n * null + variance * (name == "ridge")))
    values, axes = np.linalg.eigh(covariance)
    keep = values > 1e-9 * values.max()
    root = axes[:, keep] * np.sqrt(values[keep])
    weights, turn = np.linalg.eigh(root.T @ inverse @ root)
    means = turn.T @ np.linalg.lstsq(root, n * (pi - null), rcond=None)[0]
    return weights, means**2


def of_mechanism(mechanism, null, n, distributions, statistic):
    """Distributions of releases of tables with these cell probabilities, (m, p)."""
    variance = 0.0 if mechanism is None else mechanism.variance
    centred = mechanism is not None and mechanism.is_rank_deficient
    return _release_transform.release_transform(
        null, n, distributions, statistic, variance, centred=centred
    )


@pytest.mark.parametrize("name", [statistic.name for statistic in chisq.STATISTICS])
@pytest.mark.parametrize("mechanism_class", [Gaussian, RankDeficientGaussian, None])
def test_the_distribution_of_a_release_is_that_of_its_eigenvalues(mechanism_class, name):
    rng = np.random.default_rng(7)
    statistic = chisq.statistics.find(name)
    for p, n, mu in ((2, 40, 0.5), (5, 300, 0.3), (9, 1000, 2.0)):
        null = rng.dirichlet(np.full(p, 2.0))
        distributions = np.array([null, 0.8 * null + 0.2 * rng.dirichlet(np.ones(p))])
        mechanism = None if mechanism_class is None else mechanism_class(Table((p,)), mu)
        variance = 0.0 if mechanism is None else mechanism.variance
        for pi in distributions:
            weights, deltas = dense(
                null, n, pi, variance, name, centred=mechanism_class is RankDeficientGaussian
            )
            x = (weights * (1 + deltas)).sum() * np.array([0.1, 0.5, 0.9, 1.1, 2, 5])
            release = of_mechanism(mechanism, null, n, np.tile(pi, (6, 1)), statistic)
            below, above, _ = _contour_integral.tails(release, x)
            np.testing.assert_allclose(above, weighted_chi2.sf(x, weights, deltas), rtol=1e-9)
            np.testing.assert_allclose(below, weighted_chi2.cdf(x, weights, deltas), rtol=1e-9)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 6),
    st.integers(1, 10**5),
    st.floats(-2, 0.3).map(lambda e: 10.0**e),
    st.sampled_from([statistic.name for statistic in chisq.STATISTICS]),
)
def test_far_tails_of_uneven_tables_are_those_of_their_eigenvalues(seed, p, n, mu, name):
    centred = seed % 3 == 0
    rng = np.random.default_rng(seed)
    null = np.maximum(rng.dirichlet(np.full(p, 0.5)), 1e-4)
    null /= null.sum()
    pi = null if seed % 2 else rng.dirichlet(np.ones(p))
    variance = 2 / mu**2
    weights, deltas = dense(null, n, pi, variance, name, centred=centred)
    mean = (weights * (1 + deltas)).sum()
    spread = math.sqrt((2 * weights**2 * (1 + 2 * deltas)).sum())
    x = mean + spread * np.array([-1, 0.5, 3, 6, 12])
    x = x[x > 1e-3 * mean]
    release = _release_transform.release_transform(
        null,
        float(n),
        np.tile(pi, (len(x), 1)),
        chisq.statistics.find(name),
        variance,
        centred=centred,
    )
    below, above, _ = _contour_integral.tails(release, x)
    np.testing.assert_allclose(above, weighted_chi2.sf(x, weights, deltas), rtol=1e-7)
    np.testing.assert_allclose(below, weighted_chi2.cdf(x, weights, deltas), rtol=1e-7)


@pytest.mark.parametrize("name", [statistic.name for statistic in chisq.STATISTICS])
@pytest.mark.parametrize("mechanism_class", [Gaussian, RankDeficientGaussian])
def test_the_transform_is_analytic_up_to_its_bound(mechanism_class, name):
    rng = np.random.default_rng(12)
    for p, mu in ((3, 0.2), (6, 1.0), (6, 20.0)):
        null = rng.dirichlet(np.ones(p))
        if name != "pearson":
            null = null * (np.arange(p) > 0)
            null /= null.sum()
        mechanism = mechanism_class(Table((p,)), mu)
        for pi in (null, rng.dirichlet(np.ones(p)), np.eye(p)[0], np.eye(p)[1]):
            centred = mechanism_class is RankDeficientGaussian
            largest = dense(null, 200, pi, mechanism.variance, name, centred=centred)[0].max()
            statistic = chisq.statistics.find(name)
            release = of_mechanism(mechanism, null, 200, pi[np.newaxis, :], statistic)
            end = 0.5 / largest
            assert release.bound[0] >= end * (1 - 1e-9)
            assert release.is_analytic(np.array([end * (1 - 1e-6)]))
            assert not release.is_analytic(np.array([end * (1 + 1e-6)]))


def test_a_cell_of_probability_zero_holds_noise_only():
    # σ² alone in the denominator: its part of the null distribution is χ²₁ itself.
    null = np.array([0.5, 0.5, 0.0])
    mechanism = Gaussian(Table((3,)), 0.5)
    weights, deltas = dense(null, 100, null, mechanism.variance, "ridge", centred=False)
    assert np.abs(weights - 1).min() < 1e-12
    ridge = chisq.statistics.find("ridge")
    release = of_mechanism(mechanism, null, 100, null[np.newaxis, :], ridge)
    tail = _contour_integral.tails(release, np.array([6.0]))[1][0]
    assert tail == pytest.approx(float(weighted_chi2.sf(6.0, weights, deltas)), rel=1e-9)


def test_the_distribution_agrees_with_simulation():
    # 10⁶ draws; false alarm 1e-6 for the largest of six deviations: 5.1 standard errors.
    rng = np.random.default_rng(3)
    weights, deltas = np.array([3.0, 1.0, 0.1]), np.array([0.5, 0.0, 8.0])
    draws = (rng.standard_normal((1_000_000, 3)) + np.sqrt(deltas)) ** 2 @ weights
    x = np.array([0.5, 2.0, 5.0, 10.0, 20.0, 40.0])
    share = (draws[:, np.newaxis] > x).mean(axis=0)
    tail = weighted_chi2.sf(x, weights, deltas)
    assert (np.abs(share - tail) < 5.1 * np.sqrt(tail * (1 - tail) / 1e6) + 1e-9).all()
