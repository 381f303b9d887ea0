"""The optimal normal noise: values, certificate, limits."""

import math
import tracemalloc
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.mechanisms import (
    MECHANISMS,
    AdditiveGaussian,
    OptimalGaussian,
    RankDeficientGaussian,
    _optimal_design,
    optimal,
)
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import (
    BoundedMean,
    CumulativeCounts,
    FixedMargins,
    Groups,
    Marginals,
    SimplexMean,
    Table,
)

quick = settings(max_examples=20, deadline=None)


@dataclass(frozen=True)
class Listed:
    """A statistic that has only differences; they span its space."""

    rows: tuple[tuple[float, ...], ...]

    @property
    def p(self):
        return len(self.rows[0])

    @property
    def rank(self):
        return self.p

    @property
    def l2(self):
        return float(np.linalg.norm(self.rows, axis=1).max())

    def project(self, x):
        return np.asarray(x)

    def basis(self):
        return np.eye(self.p)

    def differences(self):
        return np.array(self.rows)


def listed(statistic):
    """The same statistic in coordinates of its span, its symmetries forgotten."""
    return Listed(tuple(map(tuple, (statistic.differences() @ statistic.basis()).tolist())))


def cost(statistic, mu=1.0):
    return float(OptimalGaussian(statistic, mu).l2_cost(np.zeros(statistic.p)))


# Optimal and isotropic cost times μ².
@pytest.mark.parametrize(
    ("statistic", "optimal", "isotropic"),
    [
        (Table((5,)), 8, 8),
        (Marginals((2, 3), [(0,), (1,)]), 11.656854249484, 12),
        (Marginals((2, 2, 2), [(0, 1), (0, 2), (1, 2)]), 3 * (2 + math.sqrt(2)) ** 2, 36),
        (Marginals((2, 3, 4), [(0, 1), (1, 2)]), 53.515990782, 56),
        (Marginals((3, 3), [(0, 1), (0,), (1,)]), 39.084944665, 48),
        (CumulativeCounts(5), 7.609158126823, 16),
    ],
)
def test_costs_are_the_reference_values(statistic, optimal, isotropic):
    assert cost(statistic) == pytest.approx(optimal, rel=1e-9)
    assert cost(statistic, 0.1) == pytest.approx(100 * optimal, rel=1e-9)
    parent = RankDeficientGaussian(statistic, 1.0)
    assert parent.l2_cost(np.zeros(statistic.p)) == pytest.approx(isotropic, rel=1e-12)


# The multiplicative update with mpmath at 40 digits, until both bounds agree to 28 digits:
#
#     A = sum(w v v'); R = A^(-1/2) by eigsy; T = tr A^(1/2); w <- w v'Rv / T
#
# For p = 3 by hand: the least 2a with a/(a² - b²) <= 1 and 2/(a + b) <= 1 is a = 4/3.
@pytest.mark.parametrize(
    ("statistic", "optimal"),
    [
        (CumulativeCounts(2), 1),
        (CumulativeCounts(3), 8 / 3),
        (CumulativeCounts(4), 4.9494897427831780982),
        (CumulativeCounts(4, "add-remove"), 6.8741440965414031571),
        (CumulativeCounts(5, "add-remove"), 9.3633154171020335333),
        (CumulativeCounts(4, "replace", 10), 494.94897427831780982),
        # One orbit: a single maximum, k² (Σ d √g)² with g = Σ 1/cells and d for each effect.
        (Marginals((2, 2), [(0,), (1,)], "add-remove"), (1 + 2 * math.sqrt(0.5)) ** 2),
        (Marginals((2, 3), [(0,), (1,)], "add-remove", 2), 4 * (math.sqrt(5 / 6) + math.sqrt(1 / 2) + 2 * math.sqrt(1 / 3)) ** 2),
        (Marginals((4, 5), [(0, 1), (1,)], "add-remove"), ((1 + 4) * math.sqrt(1 / 20 + 1 / 5) + (3 + 12) * math.sqrt(1 / 20)) ** 2),
    ],
)  # fmt: skip
def test_costs_match_many_digits(statistic, optimal):
    assert cost(statistic) == pytest.approx(optimal, rel=1e-11)


ISOTROPIC = [
    Table((3, 4)),
    Table((7,), "replace", 3),
    Table((3, 3), "add-remove"),
    Groups(3, 4),
    FixedMargins((3, 4)),
    BoundedMean(4, 10),
    SimplexMean(5, 10),
    Marginals((3, 4), [(0, 1)]),
    Marginals((5, 2), [(0,)], "add-remove"),
]


@pytest.mark.parametrize("statistic", ISOTROPIC, ids=str)
def test_one_part_gets_isotropic_noise(statistic):
    optimal, parent = OptimalGaussian(statistic, 0.3), RankDeficientGaussian(statistic, 0.3)
    theta = np.zeros(statistic.p)
    assert optimal.l2_cost(theta) == pytest.approx(parent.l2_cost(theta), rel=1e-11)
    assert optimal.scale == pytest.approx(parent.scale, rel=1e-11)
    projection = parent.variance * statistic.project(np.eye(statistic.p))
    np.testing.assert_allclose(optimal.covariance, projection, atol=1e-10 * parent.variance)


def test_it_is_not_in_the_menu_where_it_would_double_a_line():
    assert OptimalGaussian not in MECHANISMS
    for p in (2, 2500):
        optimal, parent = OptimalGaussian(Table((p,)), 0.5), RankDeficientGaussian(Table((p,)), 0.5)
        theta = np.zeros(p)
        assert optimal.l2_cost(theta) == pytest.approx(parent.l2_cost(theta), rel=1e-15)
        assert optimal.half_width(0.9) == pytest.approx(parent.half_width(0.9), rel=1e-15)


OTHERS = [
    CumulativeCounts(9),
    CumulativeCounts(16),
    CumulativeCounts(12, "add-remove"),
    Marginals((2, 3, 4), [(0, 1), (1, 2)]),
    Marginals((3, 2, 3), [(0,), (1, 2), (0, 1)], "add-remove"),
    Marginals((2, 2, 2, 2), [(0, 1), (1, 2), (2, 3), (3,)]),
    Marginals((7, 2), [(0,), (1,), (0, 1)]),
    Marginals((20, 30, 40), [(0, 1), (1, 2), (0, 2)]),
    Marginals((2, 3, 4, 5, 6, 7, 2, 3), [(k, k + 1) for k in range(7)]),
]


@pytest.mark.parametrize("statistic", [*OTHERS, *ISOTROPIC], ids=str)
def test_certificate_holds(statistic):
    optimal = OptimalGaussian(statistic, 0.5)
    assert -1e-13 < optimal.duality_gap < 1e-9
    gap = float(optimal.l2_cost(np.zeros(statistic.p))) / optimal.lower_bound - 1
    assert gap == pytest.approx(optimal.duality_gap, abs=1e-14)
    if statistic.p <= 60:
        assert AdditiveGaussian(statistic, optimal.covariance).mu == pytest.approx(0.5, rel=1e-10)
        trace = np.trace(optimal.covariance)
        assert trace == pytest.approx(optimal.l2_cost(np.zeros(statistic.p)), rel=1e-12)


@pytest.mark.parametrize(
    "statistic",
    [*(s for s in OTHERS if s.p <= 30 and isinstance(s, Marginals)), *ISOTROPIC[:5]],
    ids=str,
)
def test_symmetric_parts_give_what_the_list_of_differences_gives(statistic):
    assert cost(listed(statistic)) == pytest.approx(cost(statistic), rel=1e-10)


@pytest.mark.parametrize("seed", [134, 172, 195, 411, 732, 1180])
@pytest.mark.parametrize("dimension", [2, 5])
def test_lopsided_differences_are_no_obstacle(seed, dimension):
    # Seeds for which plainer steps stalled, or eigenvalues for singular values lost the digits:
    # standard deviations differ by factors of up to 10⁶.
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(2 * dimension + 3, dimension)) * rng.exponential(size=dimension)
    design = _optimal_design.best_vectors(vectors)
    assert -1e-13 < _optimal_design.gap(design) < 1e-10


@quick
@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_no_covariance_beats_the_bound(dimension, seed):
    # Any differences, any covariance scaled until it just protects them.
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(2 * dimension + 3, dimension)) * rng.uniform(0.1, 1, size=dimension)
    optimal = OptimalGaussian(Listed(tuple(map(tuple, vectors.tolist()))), 1.0)
    assert -1e-10 < optimal.duality_gap < 1e-9
    for spread in (1.0, 0.1, 1e-3):
        root = np.linalg.cholesky(optimal.covariance)
        root = root @ (np.eye(dimension) + spread * rng.normal(size=(dimension, dimension)))
        worst = (np.linalg.solve(root, vectors.T) ** 2).sum(axis=0).max()
        assert (root**2).sum() * worst >= optimal.lower_bound * (1 - 1e-12)


def test_zeros_repetitions_and_negatives_change_nothing():
    # Orthogonal vectors need their own lengths as standard deviations, no more.
    rows = ((1, 0, 0), (0, 2, 0), (0, 0, 5), (0, 0, 0), (-1, 0, 0), (0, 0, 5), (0.5, 0, 0))
    assert cost(Listed(rows)) == pytest.approx(30, rel=1e-11)
    covariance = OptimalGaussian(Listed(rows), 1.0).covariance
    np.testing.assert_allclose(covariance, np.diag([1, 4, 25]), atol=1e-8)


def test_differences_that_are_grouped_by_chance_are_weighed_one_by_one(monkeypatch):
    vectors = CumulativeCounts(4).differences()[:, :3]
    expected = _optimal_design.best_vectors(vectors)
    assert len(expected.weights) < len(vectors)
    monkeypatch.setattr(_optimal_design, "ALIKE", 0.9999)
    design = _optimal_design.best_vectors(vectors)
    assert len(design.weights) == len(vectors)
    assert design.trace * design.largest == pytest.approx(4.9494897427831780982, rel=1e-11)


def test_cumulating_a_noisy_table_costs_more():
    for p in (5, 12):
        statistic = CumulativeCounts(p)
        cumulate = np.tri(p)
        noise = RankDeficientGaussian(Table((p,)), 1.0)
        covariance = noise.variance * cumulate @ Table((p,)).project(np.eye(p)) @ cumulate.T
        assert np.trace(covariance) > cost(statistic) * 1.05
        assert AdditiveGaussian(statistic, covariance).mu == pytest.approx(1, rel=1e-10)


def test_a_million_cells_need_a_few_vectors_only():
    statistic = Marginals((1000, 1000), [(0, 1), (1,)])
    tracemalloc.start()
    optimal = OptimalGaussian(statistic, 1.0)
    draw = optimal.simulate(np.zeros(statistic.p), np.random.default_rng(1))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6
    # A weighted sum of 10⁶ squared normal variables, the weights of 1000 of them up to 300 times
    # the others'.
    assert (draw**2).sum() == pytest.approx(cost(statistic), rel=0.1)
    assert cost(statistic) < 0.54 * statistic.rank * statistic.l2**2


@pytest.mark.parametrize("mu", [1e-50, 1e50])
def test_extreme_budgets_stay_finite(mu):
    for statistic in (CumulativeCounts(4), Marginals((2, 2), [(0,), (1,)], "replace", 10**9)):
        optimal = OptimalGaussian(statistic, mu)
        theta = np.zeros(statistic.p)
        for value in (optimal.scale, optimal.lower_bound, optimal.l2_cost(theta)):
            assert 0 < value < math.inf
        assert np.isfinite(optimal.simulate(theta, np.random.default_rng(1))).all()


@pytest.mark.parametrize(
    ("statistic", "rule"),
    [
        (CumulativeCounts(66), "64 dimensions"),
        (Marginals((2,) * 12, [(k,) for k in range(12)]), "11 variables"),
        (Listed(tuple((math.cos(k), math.sin(k)) for k in range(2049))), "2048 extreme"),
        (Listed(((1.0, 1.0), (2.0, 2.0))), "span"),
        (Listed(((0.0, 0.0),)), "span"),
    ],
    ids=["rank", "variables", "differences", "flat", "zero"],
)
def test_too_large_or_flat_statistics_are_refused(statistic, rule):
    with pytest.raises(ParameterError) as caught:
        _ = OptimalGaussian(statistic, 1.0).scale
    assert rule in caught.value.rule


def test_refused_budgets_and_large_covariances_are_named():
    with pytest.raises(ParameterError) as caught:
        OptimalGaussian(Table((3,)), 0)
    assert caught.value.name == "mu"
    with pytest.raises(ParameterError, match="listed"):
        _ = OptimalGaussian(Table((5000,)), 1.0).covariance


def test_factors_give_the_derivatives_of_the_energies():
    # Central differences of the energies in each weight, good to about 1e-8.
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(7, 3))
    lengths, ranks = rng.uniform(0.5, 2, size=(4, 3)), np.array([1.0, 2.0, 5.0])
    for make, count in (
        (lambda weights: _optimal_design.PartsDesign(weights, lengths, ranks), 4),
        (lambda weights: _optimal_design.VectorsDesign(weights, vectors, np.arange(7)), 7),
        (lambda weights: _optimal_design.VectorsDesign(weights, vectors, np.array([0, 2, 3])), 3),
    ):
        weights = rng.uniform(0.5, 2, size=count)
        rows = make(weights).factor
        for u, step in enumerate(1e-5 * np.eye(count)):
            change = make(weights + step).energies - make(weights - step).energies
            np.testing.assert_allclose(-rows @ rows[u], change / 2e-5, rtol=1e-6, atol=1e-8)


def test_sizes_are_refused_from_the_first_too_many(monkeypatch):
    statistic = CumulativeCounts(5)  # ten differences up to sign, four dimensions
    for name, count in (("MOST_DIFFERENCES", 10), ("MOST_DIMENSIONS", 4)):
        for most in (count, count - 1):
            optimal._least.cache_clear()
            monkeypatch.setattr(optimal, name, most)
            if most == count:
                assert OptimalGaussian(statistic, 1.0).l2_cost(np.zeros(5)) > 0
                continue
            with pytest.raises(ParameterError, match=rf"at most {most} .*\(it has {count}\)"):
                OptimalGaussian(statistic, 1.0).l2_cost(np.zeros(5))
        monkeypatch.undo()
