"""What normal noise of any covariance protects."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from explorer.core.mechanisms import AdditiveGaussian, Gaussian, RankDeficientGaussian
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import (
    BoundedMean,
    CumulativeCounts,
    FixedMargins,
    Groups,
    Marginals,
    Table,
)

quick = settings(max_examples=40, deadline=None)
SIGMA = [[4, 1, 0, 0], [1, 3, 1, 0], [0, 1, 5, 2], [0, 0, 2, 6]]


def random_covariance(seed, p):
    root = np.random.default_rng(seed).normal(size=(p, p))
    return root @ root.T + 0.1 * np.eye(p)


# mpmath at 40 digits: the root of the largest v' inverse(Σ) v over the enumerated differences.
@pytest.mark.parametrize(
    ("statistic", "mu"),
    [
        (Table((4,)), 0.93286065820871006772),
        (Table((4,), "replace", 5), 4.6643032910435503386),
        (CumulativeCounts(4), 0.76667219823206367056),
        (CumulativeCounts(4, "add-remove"), 0.81259174467345555336),
        (FixedMargins((2, 2)), 1.0859969212558105759),
        (BoundedMean(4, 10), 0.13379373437787969133),
        (Marginals((2, 2), [(0,), (1,)]), 1.3379373437787969133),
    ],
)
def test_exact_parameter_matches_many_digits(statistic, mu):
    mechanism = AdditiveGaussian(statistic, SIGMA)
    assert mechanism.protects
    assert mechanism.unprotected is None
    assert mechanism.mu == pytest.approx(mu, rel=1e-14)
    # The least eigenvalue of Σ is 2.
    assert mechanism.mu_of_sensitivity == pytest.approx(statistic.l2 / math.sqrt(2), rel=1e-13)
    assert mechanism.l2_cost(np.zeros((3, 4))).tolist() == [18, 18, 18]


@quick
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 10))
def test_two_cells_by_hand(seed, factor):
    # v = (1, -1): the variance of the cells' difference is what hides it, along Σ⁻¹v.
    sigma = factor * random_covariance(seed, 2)
    (a, b), (_, c) = sigma
    expected = math.sqrt((a + 2 * b + c) / (a * c - b * b))
    assert AdditiveGaussian(Table((2,)), sigma).mu == pytest.approx(expected, rel=1e-9)


def test_best_attack_on_samples_has_the_stated_tradeoff():
    # The likelihood ratio is monotone in v'Σ⁻¹x; both error rates at once within ε of the
    # truth, ε² = log(4/1e-7)/(2n) (Dvoretzky, Kiefer and Wolfowitz): false alarm 1e-7.
    mechanism = AdditiveGaussian(Table((4,)), SIGMA)
    inverse = np.linalg.inv(SIGMA)
    v = max(Table((4,)).differences(), key=lambda row: row @ inverse @ row)
    noise = mechanism.simulate(np.zeros(4), np.random.default_rng(8), 100_000)
    slack = math.sqrt(math.log(4e7) / (2 * len(noise)))
    for threshold in np.linspace(-1.5, 2.5, 15):
        alpha, power = ((x @ inverse @ v > threshold).mean() for x in (noise, noise + v))
        low, high = mechanism.tradeoff(np.clip([alpha + slack, alpha - slack], 0, 1))
        assert low - slack <= 1 - power <= high + slack


def test_a_release_is_the_table_plus_the_noise():
    theta = np.arange(8.0).reshape(2, 4)
    mechanism = AdditiveGaussian(Table((4,)), SIGMA)
    for size, shape in ((None, (2, 4)), (3, (3, 2, 4))):
        noise = mechanism.noise(np.random.default_rng(4), shape)
        release = mechanism.simulate(theta, np.random.default_rng(4), size)
        assert np.array_equal(release, theta + noise)


def test_samples_have_the_covariance():
    # Entries of a sample covariance have variance (Σ_ij² + Σ_ii Σ_jj)/n; 5.5 of its roots.
    sigma = np.array(SIGMA)
    draws = AdditiveGaussian(Table((4,)), SIGMA).noise(np.random.default_rng(9), (50_000, 4))
    error = np.sqrt((sigma**2 + np.outer(np.diag(sigma), np.diag(sigma))) / len(draws))
    assert (np.abs(draws.T @ draws / len(draws) - sigma) < 5.5 * error).all()


@pytest.mark.parametrize("mu", [0.01, 1.0, 7.0])
def test_named_mechanisms_have_their_own_parameter(mu):
    for statistic in (Table((3, 2)), Groups(2, 3), CumulativeCounts(5), Table((4,), "add-remove")):
        eye = np.eye(statistic.p)
        ordinary, deficient = Gaussian(statistic, mu), RankDeficientGaussian(statistic, mu)
        full = AdditiveGaussian(statistic, ordinary.variance * eye)
        thin = AdditiveGaussian(statistic, deficient.variance * statistic.project(eye))
        for mechanism in (full, thin):
            assert mechanism.mu == pytest.approx(mu, rel=1e-12)
        assert full.mu_of_sensitivity == pytest.approx(mu, rel=1e-12)
        assert (thin.mu_of_sensitivity == math.inf) == (statistic.rank < statistic.p)
        alpha = np.array([0, 1e-9, 0.05, 0.9, 1])
        np.testing.assert_allclose(thin.tradeoff(alpha), deficient.tradeoff(alpha), rtol=1e-9)


@pytest.mark.parametrize(
    ("statistic", "sigma"),
    [
        (Table((4,)), np.kron(np.eye(2), Table((2,)).project(np.eye(2)))),
        (Table((4,)), np.diag([1.0, 1.0, 1.0, 0.0])),
        (Table((4,), "add-remove"), Table((4,)).project(np.eye(4))),
        (Groups(2, 2), FixedMargins((2, 2)).project(np.eye(4))),
        (CumulativeCounts(4), np.diag([1e6, 1.0, 0.0, 1e6])),
        (Marginals((2, 2), [(0,), (1,)]), Table((4,)).basis()[:, :1] @ Table((4,)).basis()[:, :1].T),
        (Table((4,)), np.zeros((4, 4))),
    ],
)  # fmt: skip
def test_noise_that_misses_the_span_protects_nothing(statistic, sigma):
    mechanism = AdditiveGaussian(statistic, sigma)
    assert not mechanism.protects
    assert mechanism.mu == mechanism.mu_of_sensitivity == math.inf
    assert mechanism.tradeoff([1e-300, 0.05, 0.5, 1]).tolist() == [0, 0, 0, 0]
    # The difference named is one, and some combination of the coordinates shows it without noise.
    v = mechanism.unprotected
    assert any(np.array_equal(v, row) for row in statistic.differences())
    combination = v - sigma @ np.linalg.pinv(sigma) @ v
    draws = mechanism.noise(np.random.default_rng(1), (100, statistic.p)) @ combination
    assert np.abs(draws).max() < 1e-9 * (1 + np.abs(sigma).max())
    assert combination @ v > 0.1


@pytest.mark.parametrize("n", [1, 10**3, 10**9])
def test_what_is_outside_does_not_depend_on_the_unit(n):
    assert AdditiveGaussian(BoundedMean(2, n), [[1, 0], [0, 0]]).mu == math.inf
    assert AdditiveGaussian(BoundedMean(2, n), np.eye(2)).mu == pytest.approx(math.sqrt(2) / n)
    many = Table((2,), "replace", n)
    assert AdditiveGaussian(many, [[1, 0], [0, 0]]).mu == math.inf
    assert AdditiveGaussian(many, [[1, -1], [-1, 1]]).mu == pytest.approx(n)


@pytest.mark.parametrize(("part", "mu"), [(1e-5, math.sqrt(2) * 1e5), (1e-7, math.inf)])
def test_nearly_singular_noise_is_not_trusted(part, mu):
    # One direction has that part of the standard deviation of the others.
    v = np.array([1.0, -1.0, 0.0]) / math.sqrt(2)
    sigma = np.eye(3) + (part**2 - 1) * np.outer(v, v)
    assert AdditiveGaussian(Table((3,)), sigma).mu == pytest.approx(mu, rel=1e-5)


@dataclass(frozen=True)
class Single:
    """A statistic with one difference and its negative."""

    row: tuple[float, ...]

    @property
    def p(self):
        return len(self.row)

    @property
    def l2(self):
        return math.hypot(*self.row)

    def differences(self):
        return np.array([self.row, np.negative(self.row)])


@quick
@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_least_eigenvalue_decides_over_all_statistics_of_a_sensitivity(seed, p):
    # Kim, Lee, Kwak and Jung, lemma 1: attained by a difference along the least eigenvector.
    sigma = random_covariance(seed, p)
    values, axes = np.linalg.eigh(sigma)
    worst = AdditiveGaussian(Single(tuple(3 * axes[:, 0])), sigma)
    assert worst.mu == pytest.approx(worst.mu_of_sensitivity, rel=1e-9)
    assert worst.mu == pytest.approx(3 / math.sqrt(values[0]), rel=1e-9)
    other = np.random.default_rng(seed + 1).normal(size=p)
    other *= 3 / np.linalg.norm(other)
    assert AdditiveGaussian(Single(tuple(other)), sigma).mu <= worst.mu * (1 + 1e-9)
    # Hence of all Σ that are μ-GDP for all of them isotropic noise costs least.
    cost = float(worst.l2_cost(np.zeros(p)))
    assert cost >= p * 9 / worst.mu_of_sensitivity**2 * (1 - 1e-12)


def test_mechanisms_are_values():
    mechanism = AdditiveGaussian(Table((4,)), SIGMA)
    assert mechanism == AdditiveGaussian(Table((4,)), np.array(SIGMA, dtype=float))
    assert hash(mechanism) == hash(AdditiveGaussian(Table((4,)), np.array(SIGMA)))
    assert mechanism != AdditiveGaussian(Table((4,)), 2 * np.array(SIGMA))
    alpha = np.array([[0.1], [0.2]])
    expected = ndtr(-ndtri(alpha) - mechanism.mu)
    np.testing.assert_allclose(mechanism.tradeoff(alpha), expected, rtol=1e-12)
    theta = np.arange(8.0).reshape(2, 4)
    assert mechanism.simulate(theta, np.random.default_rng(1)).shape == (2, 4)
    assert mechanism.simulate(theta, np.random.default_rng(1), 3).shape == (3, 2, 4)


@pytest.mark.parametrize(
    ("sigma", "rule"),
    [
        (np.eye(3), "4 × 4"),
        (np.ones(4), "4 × 4"),
        (2.0, "4 × 4"),
        (np.full((4, 4), "a"), "numbers"),
        (np.eye(4) * 1j, "numbers"),
        (np.diag([1, 1, 1, math.nan]), "within"),
        (np.diag([1, 1, 1, math.inf]), "within"),
        (np.eye(4) + np.eye(4, k=1), "symmetric"),
        (np.diag([1, 1, 1, -1.0]), "semidefinite"),
        (np.diag([1, 1, 1, -1e-9]), "semidefinite"),
        (np.diag([1, 1, 1, -1.0]) * 1e-20, "semidefinite"),
        (-np.eye(4), "semidefinite"),
        (1 - np.eye(4), "semidefinite"),
    ],
)
def test_refused_covariances_are_named(sigma, rule):
    with pytest.raises(ParameterError) as caught:
        AdditiveGaussian(Table((4,)), sigma)
    assert caught.value.name == "covariance"
    assert caught.value.symbol == "Σ"
    assert rule in caught.value.rule


def test_the_largest_entries_are_accepted():
    largest = AdditiveGaussian(Table((2,)), [[1e100, 0], [0, 1e100]])
    assert largest.mu == pytest.approx(math.sqrt(2) * 1e-50)


def test_rounding_is_no_reason_to_refuse():
    sigma = RankDeficientGaussian(Table((40,)), 1.0).variance * Table((40,)).project(np.eye(40))
    noisy = sigma + 1e-15 * np.random.default_rng(1).normal(size=sigma.shape)
    assert AdditiveGaussian(Table((40,)), noisy).mu == pytest.approx(1, rel=1e-12)


def test_refused_tables_and_sizes_are_named():
    mechanism = AdditiveGaussian(Table((4,)), SIGMA)
    for call in (
        lambda: mechanism.l2_cost([1, 2, 3]),
        lambda: mechanism.simulate([1, 2, 3, math.nan], np.random.default_rng(1)),
    ):
        with pytest.raises(ParameterError) as caught:
            call()
        assert caught.value.name == "theta"
    with pytest.raises(ParameterError, match="listed"):
        _ = AdditiveGaussian(Table((300,)), np.eye(300)).mu
