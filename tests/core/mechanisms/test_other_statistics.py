"""Every mechanism keeps its promises for every statistic."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from explorer.core import laplace
from explorer.core.mechanisms import (
    MECHANISMS,
    Gaussian,
    JamesStein,
    JamesSteinMean,
    Laplace,
    OptimalGaussian,
    ProjectedLaplace,
    RankDeficientJamesStein,
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

STATISTICS = [
    Table((3, 3)),
    Groups(3, 4),
    Groups(1, 2),
    FixedMargins((3, 4)),
    FixedMargins((2, 2)),
    BoundedMean(1, 20),
    BoundedMean(6, 20),
    SimplexMean(6, 20),
    CumulativeCounts(2),
    CumulativeCounts(7),
    CumulativeCounts(6, "add-remove", 2),
    Marginals((2, 3), [(0,), (1,)]),
    Marginals((2, 3, 2), [(0, 1), (1, 2)], "replace", 3),
    Marginals((3, 3), [(0, 1), (0,), ()], "add-remove"),
]
MECHANISM_CLASSES = (*MECHANISMS, OptimalGaussian)
every_statistic = pytest.mark.parametrize("statistic", STATISTICS, ids=str)
every_mechanism_class = pytest.mark.parametrize("mechanism_class", MECHANISM_CLASSES)
every_normal_mechanism_class = pytest.mark.parametrize(
    "mechanism_class", [k for k in MECHANISM_CLASSES if issubclass(k, Gaussian)]
)


class UnitVectors(np.random.Generator):
    """A generator whose normal random vectors are the unit vectors."""

    def standard_normal(self, shape):
        return np.eye(*shape)


UNIT_VECTORS = UnitVectors(np.random.PCG64(0))


@every_statistic
@every_normal_mechanism_class
def test_normal_noise_is_just_large_enough(mechanism_class, statistic):
    mechanism = mechanism_class(statistic, 0.7)
    response = mechanism.noise(UNIT_VECTORS, (statistic.p, statistic.p))
    covariance = response.T @ response
    inverse = np.linalg.pinv(covariance, rcond=1e-10)
    differences = statistic.differences()
    seen = differences @ inverse @ covariance
    np.testing.assert_allclose(seen, differences, atol=1e-10 * statistic.l2)
    m = math.sqrt(np.einsum("vi,ij,vj->v", differences, inverse, differences).max())
    assert m == pytest.approx(0.7, rel=1e-9)
    assert np.trace(covariance) == pytest.approx(mechanism.variance * mechanism.dimension)
    assert np.trace(covariance) / statistic.p == pytest.approx(mechanism.cell_deviation**2)


@every_statistic
@every_mechanism_class
def test_guarantee_is_mu_and_no_more(mechanism_class, statistic):
    alpha = ndtr(np.linspace(-6, 6, 4001))
    excess = mechanism_class(statistic, 0.7).tradeoff(alpha) - ndtr(-ndtri(alpha) - 0.7)
    assert excess.min() == pytest.approx(0, abs=1e-6)
    assert excess.min() > -1e-12


@every_statistic
def test_laplace_scale_protects_every_difference(statistic):
    class Difference:
        def __init__(self, magnitudes):
            self.extreme_difference = np.array(magnitudes)

    scale = Laplace(statistic, 0.7).scale
    rows = np.round(np.sort(np.abs(statistic.differences())), 12)
    shapes = {tuple(row[row > 0]) for row in rows}
    worst = max(float(laplace.mu(scale, Difference(row))) for row in shapes)
    assert worst == pytest.approx(0.7, rel=1e-9)


@every_statistic
@every_mechanism_class
def test_cost_is_the_mean_squared_error_of_the_samples(mechanism_class, statistic):
    # 5.5 standard errors, a false alarm of 4e-8, under 6e-6 for the 126 of them. Positive part:
    # without it the error has no variance where few dimensions are shrunk.
    options = {"positive_part": True} if issubclass(mechanism_class, JamesStein) else {}
    mechanism = mechanism_class(statistic, 0.7, **options)
    theta = np.arange(float(statistic.p)) * statistic.l2
    draws = mechanism.simulate(theta, np.random.default_rng(21), 10_000)
    losses = ((draws - theta) ** 2).sum(axis=-1)
    error = losses.std() / math.sqrt(len(losses))
    assert abs(losses.mean() - mechanism.l2_cost(theta)) < 5.5 * error


@every_statistic
@pytest.mark.parametrize("mechanism_class", [k for k in MECHANISM_CLASSES if k.on_span])
def test_samples_leave_public_combinations_unchanged(mechanism_class, statistic):
    theta = np.random.default_rng(4).normal(size=statistic.p) * statistic.l2
    errors = mechanism_class(statistic, 0.7).simulate(theta, np.random.default_rng(5), 50) - theta
    basis = statistic.basis()
    outside = errors - errors @ basis @ basis.T
    assert np.abs(outside).max() < 1e-12 * np.abs(errors).max()


def has_half_width(mechanism_class, statistic):
    """Whether the noise of all cells has one known distribution, whatever the table."""
    dimension = statistic.rank if mechanism_class.on_span else statistic.p
    if issubclass(mechanism_class, Laplace):
        return dimension == statistic.p  # projected noise is a sum of Laplace variables
    to_mean = mechanism_class in {JamesSteinMean, RankDeficientJamesStein}
    if issubclass(mechanism_class, JamesStein) and dimension - to_mean > 2:
        return False
    # Their cells have different variances on the span.
    return not (mechanism_class.on_span and isinstance(statistic, CumulativeCounts | Marginals))


PAIRS = list(itertools.product(MECHANISM_CLASSES, STATISTICS))


@pytest.mark.parametrize(
    ("mechanism_class", "statistic"), [pair for pair in PAIRS if not has_half_width(*pair)]
)
def test_unequal_or_shrunk_noise_has_no_half_width(mechanism_class, statistic):
    assert mechanism_class(statistic, 0.7).half_width(0.9) is None


@pytest.mark.parametrize(
    ("mechanism_class", "statistic"), [pair for pair in PAIRS if has_half_width(*pair)]
)
def test_half_width_covers_the_noise_of_every_cell(mechanism_class, statistic):
    # 5.5 standard errors in up to 15 cells each.
    mechanism = mechanism_class(statistic, 0.7)
    half = mechanism.half_width(0.9)
    noise = mechanism.noise(np.random.default_rng(6), (20_000, statistic.p))
    outside = (np.abs(noise) > half).mean(axis=0)
    assert (np.abs(outside - 0.1) < 5.5 * math.sqrt(0.1 * 0.9 / len(noise))).all()


def test_shrinking_two_dimensions_is_the_unshrunk_parent():
    for statistic in (Groups(1, 3), FixedMargins((2, 2)), CumulativeCounts(3)):
        theta = np.zeros(statistic.p)
        for mechanism_class in [k for k in MECHANISMS if issubclass(k, JamesStein) and k.on_span]:
            parent = mechanism_class(statistic, 1.0).variance * statistic.rank
            assert mechanism_class(statistic, 1.0).l2_cost(theta) == pytest.approx(
                parent, rel=1e-14
            )


# The least scale for v with m entries ±1.
@pytest.mark.parametrize(
    ("statistic", "mu", "scale"),
    [
        (FixedMargins((3, 4)), 0.5, 4.009075660043),
        (Marginals((2, 3), [(0,), (1,)]), 2, 0.8740347941408),
        (Marginals((2, 2, 2), [(0, 1), (0, 2), (1, 2)]), 1, 2.340520825545),
        (Marginals((2, 2, 2), [(0,), (1,), (2,)], "add-remove"), 0.1, 18.55413324272),
        (CumulativeCounts(5), 1, 1.907879671135),
        (CumulativeCounts(4, "replace", 10), 1, 16.67221367381),
        (BoundedMean(6, 10), 0.5, 0.4870540794019),
        (SimplexMean(6, 10), 1, 0.13589053609720678771),
        (Groups(2, 3), 1, 1.3589053609720678771),
    ],
)
def test_laplace_scales_of_the_statistics(statistic, mu, scale):
    assert Laplace(statistic, mu).scale == pytest.approx(scale, rel=1e-11)
    cost = ProjectedLaplace(statistic, mu).l2_cost(np.zeros(statistic.p))
    assert cost == pytest.approx(2 * scale**2 * statistic.rank, rel=1e-11)


def test_too_many_coordinates_for_laplace_noise_are_refused():
    with pytest.raises(ParameterError, match="pieces"):
        _ = Laplace(BoundedMean(1000, 5), 1.0).scale
