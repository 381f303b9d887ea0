"""The statistics against matrices, and the estimates under a composite null hypothesis."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from explorer.core.chisq import STATISTICS, _estimates, statistics
from explorer.core.parameter import ParameterError

quick = settings(max_examples=60, deadline=None)
seeds = st.integers(0, 2**32 - 1)


@quick
@given(seeds, st.integers(2, 8), st.floats(0.1, 1e4))
def test_statistics_are_quadratic_forms(seed, p, variance):
    rng = np.random.default_rng(seed)
    n, pi = 250.0, rng.dirichlet(np.ones(p))
    theta = n * pi
    release = rng.normal(theta, 20, size=(3, 1, p))
    y = release[:, 0] - theta
    centring = np.eye(p) - 1 / p
    covariance = n * (np.diag(pi) - np.outer(pi, pi)) + variance * centring
    inverses = {
        "pearson": np.diag(1 / theta),
        "ridge": np.diag(1 / (theta + variance)),
        "projected": np.linalg.pinv(covariance, rcond=1e-13, hermitian=True),
    }
    for statistic in STATISTICS:
        expected = np.einsum("ki,ij,kj->k", y, inverses[statistic.name], y)
        value = statistic.evaluate(release, theta[np.newaxis, :], variance)
        np.testing.assert_allclose(value, expected, rtol=1e-8)


def test_without_noise_all_statistics_are_pearsons():
    # The known example of two by three counts: Σ(O - E)²/E by hand.
    observed, expected = np.array([[10.0, 20.0, 30.0]]), np.array([[20.0, 20.0, 20.0]])
    for statistic in STATISTICS:
        assert float(statistic.evaluate(observed, expected, 0.0)) == pytest.approx(10.0, rel=1e-14)


def test_groups_add_up():
    rng = np.random.default_rng(2)
    release, theta = rng.normal(50, 9, size=(4, 3, 5)), rng.uniform(20, 60, size=(3, 5))
    for statistic in STATISTICS:
        whole = statistic.evaluate(release, theta, 30.0)
        parts = [statistic.evaluate(release[:, [g]], theta[[g]], 30.0) for g in range(3)]
        np.testing.assert_allclose(whole, np.sum(parts, axis=0), rtol=1e-12)


def test_statistics_have_names():
    assert [statistics.find(s.name) for s in STATISTICS] == list(STATISTICS)
    assert len({s.name for s in STATISTICS}) == len(STATISTICS)
    with pytest.raises(ParameterError, match="must be one of ridge, pearson, projected"):
        statistics.find("neyman")


@quick
@given(seeds, st.integers(1, 7), st.floats(0.01, 100))
def test_the_simplex_projection_is_the_nearest_point(seed, k, spread):
    # x - y is normal to the simplex at y: equal where y > 0, and no larger elsewhere.
    x = np.random.default_rng(seed).normal(0.3, spread, size=k)
    y = _estimates.simplex(x)
    assert y.sum() == pytest.approx(1, rel=1e-12)
    assert (y >= 0).all()
    away = x - y
    level = away[y > 0].mean()
    np.testing.assert_allclose(away[y > 0], level, atol=1e-12 * (1 + spread))
    assert (away[y == 0] <= level + 1e-12 * (1 + spread)).all()


def test_the_simplex_projection_agrees_with_a_minimiser():
    x = np.array([0.9, -0.4, 0.35, 0.3])
    optimum = optimize.minimize(
        lambda y: ((y - x) ** 2).sum(),
        np.full(4, 0.25),
        bounds=[(0, 1)] * 4,
        constraints={"type": "eq", "fun": lambda y: y.sum() - 1},
        tol=1e-14,
    )
    np.testing.assert_allclose(_estimates.simplex(x), optimum.x, atol=1e-6)
    np.testing.assert_allclose(_estimates.simplex(np.stack([x, x])), [optimum.x] * 2, atol=1e-6)


def test_estimates_have_a_floor_of_half_a_record():
    release = np.array([[60.0, 30.0, -20.0], [70.0, 50.0, 10.0]])
    expected = _estimates.homogeneous(release, np.array([80.0, 120.0]))
    # Pooled (130, 80, -10)/200 less 0.025 each: (0.625, 0.375, 0), the last raised to 0.5/200.
    common = np.array([0.625, 0.375, 0.0025]) / 1.0025
    np.testing.assert_allclose(expected, np.outer([80, 120], common), rtol=1e-12)


def test_independence_multiplies_the_margins():
    table = np.array([[30.0, 10.0, 20.0], [15.0, 5.0, 20.0]])
    expected = _estimates.independent(table, 100.0)
    np.testing.assert_allclose(expected, np.outer([60, 40], [45, 15, 40]) / 100, rtol=1e-12)
    noisy = table + np.array([[0.0, -30.0, 0.0], [0.0, -5.0, 0.0]])
    expected = _estimates.independent(noisy, 100.0)
    assert (expected > 0).all()
    assert expected.sum() == pytest.approx(100, rel=1e-12)
