"""The normal noise of least cost that is μ-GDP for a statistic."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from explorer.core._random import Randomness, generator
from explorer.core._typing import Array
from explorer.core.mechanisms._optimal_design import best_parts, best_vectors, bound
from explorer.core.mechanisms.gaussian import RankDeficientGaussian
from explorer.core.quantities import STATISTIC
from explorer.core.sensitivity import Statistic, Symmetric
from explorer.core.sensitivity.base import check_list

MOST_DIMENSIONS = 64
MOST_DIFFERENCES = 2048


@dataclass(frozen=True)
class OptimalGaussian(RankDeficientGaussian):
    r"""Normal noise of the least cost that any normal noise of fixed covariance can have.

    Where the symmetries of the statistic leave its span in one part it is
    `RankDeficientGaussian`: for tables, groups, fixed margins and means. So it is not among
    `MECHANISMS`, where its line would cover another. It is cheaper for several
    margins and for cumulative counts.

    Attributes
    ----------
    statistic : Statistic
        One that is `Symmetric`, of any size, or one of rank up to 64 with up to 2048 extreme
        differences, not counting their negatives.

    Raises
    ------
    ParameterError
        If a field lies outside its domain, or the statistic is too large.

    Notes
    -----
    Noise of covariance Σ is μ-GDP if and only if every difference v lies in the range of Σ and
    :math:`v^\top \Sigma^{+} v \le \mu^2`. With :math:`A = \sum_v w_v v v^\top` for weights of sum 1,

    .. math:: \min \operatorname{tr}\Sigma = \max_w (\operatorname{tr} A^{1/2})^2 / \mu^2,

    and the best Σ is a multiple of :math:`A^{1/2}` for the best w. Both sides are computed:
    `l2_cost` is that of noise which is μ-GDP to rounding, `lower_bound` that of any, and
    `duality_gap` below 1e-9 says that no other Σ costs 1e-9 less. The derivation is our own.

    Symmetric statistics take milliseconds, with many variables a second or two, once for all μ.
    Others take seconds at rank 60.
    """

    key = "optimal-gaussian"

    def __post_init__(self) -> None:
        """Check μ, and that the statistic is small or symmetric enough."""
        RankDeficientGaussian.__post_init__(self)
        if not isinstance(self.statistic, Symmetric):
            _check_size(self.statistic, "dimensions", self.statistic.rank, MOST_DIMENSIONS)

    @property
    def scale(self) -> float:
        """Root mean square, over the dimensions of the span, of the standard deviations."""
        return math.sqrt(_least(self.statistic).cost / self.statistic.rank) / self.mu

    @property
    def lower_bound(self) -> float:
        """What any μ-GDP additive normal noise costs at least, in squared units."""
        return _least(self.statistic).bound / self.mu / self.mu

    @property
    def duality_gap(self) -> float:
        """Cost over `lower_bound`, less 1; may be as little below 0 as rounding makes it."""
        noise = _least(self.statistic)
        return noise.cost / noise.bound - 1

    @property
    def covariance(self) -> Array:
        """Covariance Σ of shape (p, p), for p up to 4096."""
        p = self.statistic.p
        check_list(p, p)
        return _least(self.statistic).multiply(np.eye(p), 1.0) / self.mu / self.mu

    def noise(self, rng: Randomness, shape: tuple[int, ...]) -> Array:
        """Draw the noise, as `Mechanism.noise`."""
        normal = generator(rng).standard_normal(shape)
        return _least(self.statistic).multiply(normal, 0.5) / self.mu


@dataclass(frozen=True, eq=False)
class _LeastNoise:
    """The solution for μ = 1.

    Attributes
    ----------
    cost, bound : float
        Trace of Σ, and the least that any other can have.
    multiply : callable
        Multiplies rows (..., p) by a power of Σ.
    """

    cost: float
    bound: float
    multiply: Callable[[Array, float], Array]


@lru_cache(maxsize=32)
def _least(statistic: Statistic) -> _LeastNoise:
    if isinstance(statistic, Symmetric):
        return _least_by_parts(statistic)
    vectors = up_to_sign(statistic.differences())
    _check_size(statistic, "extreme differences", len(vectors), MOST_DIFFERENCES)
    basis = statistic.basis()
    coordinates = vectors @ basis
    if np.linalg.matrix_rank(coordinates) < statistic.rank:
        rule = "must have differences that span the columns of its basis"
        raise STATISTIC.refuse(statistic, rule)
    design = best_vectors(coordinates)
    variances, axes = design.largest * design.roots, basis @ design.axes

    def multiply(x: Array, power: float) -> Array:
        return (x @ axes * variances**power) @ axes.T

    return _LeastNoise(design.largest * design.trace, bound(design), multiply)


def _least_by_parts(statistic: Symmetric) -> _LeastNoise:
    design = best_parts(statistic.part_lengths, statistic.part_ranks)
    variances = design.largest * design.roots

    def multiply(x: Array, power: float) -> Array:
        return statistic.weigh(x, variances**power)

    return _LeastNoise(design.largest * design.trace, bound(design), multiply)


def up_to_sign(vectors: Array) -> Array:
    """Return vectors (m, p) without zeros, repetitions and negatives of others."""
    first = np.argmax(vectors != 0, axis=1)
    signs = np.sign(vectors[np.arange(len(vectors)), first])
    return np.unique((vectors.T * signs).T[signs != 0], axis=0)


def _check_size(statistic: Statistic, what: str, count: int, most: int) -> None:
    if count > most:
        rule = f"must be symmetric, or have at most {most} {what} (it has {count})"
        raise STATISTIC.refuse(statistic, rule)
