"""The statistics: what is summed over the cells of a released table.

Each compares a release M with the table θ that is expected under the null hypothesis, group by
group: arrays have shape (..., groups, categories) and the probabilities of a group sum to 1.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.parameter import Argument

Array = NDArray[np.float64]

NAME = Argument("statistic", "T", "test statistic")


@dataclass(frozen=True)
class ChiSquaredStatistic:
    """A distance between a release and the table expected under the null hypothesis.

    Attributes
    ----------
    name : str
        As in the arguments `statistic`.
    zero_cells : bool
        Whether the null hypothesis may give a cell the probability 0.
    evaluate : callable
        Maps release and expected table, which broadcast, of shape (..., groups, categories), and
        the noise variance σ² to statistics of shape (...).
    """

    name: str
    zero_cells: bool
    evaluate: Callable[[Array, Array, float], Array]


def pearson(release: Array, expected: Array, variance: float) -> Array:
    """Return Σ(M - θ)²/θ, which leaves the noise out."""
    del variance
    return _sum(release, expected, expected)


def ridge(release: Array, expected: Array, variance: float) -> Array:
    """Return Σ(M - θ)²/(θ + σ²): nearly the variance of each cell below the line."""
    return _sum(release, expected, expected + variance)


def projected(release: Array, expected: Array, variance: float) -> Array:
    """Return (PY)ᵀ(n(diag π - ππᵀ) + σ²I)⁻¹ PY for Y = M - θ, P the centring of a group.

    The covariance of the release of a table with public total on the span, inverted; it has the
    null distribution χ² of Σ(categories - 1) degrees where that release is normal. By Sherman and Morrison
    with D = diag(θ + σ²): D⁻¹ plus a multiple of D⁻¹ππᵀD⁻¹, in O(p) time. Without noise it is
    Pearson's.
    """
    if variance == 0:
        return pearson(release, expected, variance)
    centred = release - expected
    centred = centred - centred.mean(axis=-1, keepdims=True)
    inverse = 1 / (expected + variance)
    along = (centred * (expected * inverse)).sum(axis=-1)
    rest = (variance * expected * inverse).sum(axis=-1)  # n(1 - Σ nπ²/(nπ + σ²)), no difference
    alone = (centred * centred * inverse).sum(axis=-1)
    total: Array = (alone + along * along / rest).sum(axis=-1)
    return total


def _sum(release: Array, expected: Array, denominator: Array) -> Array:
    deviation = release - expected
    total: Array = (deviation * deviation / denominator).sum(axis=(-2, -1))
    return total


STATISTICS: tuple[ChiSquaredStatistic, ...] = (
    ChiSquaredStatistic("ridge", zero_cells=True, evaluate=ridge),
    ChiSquaredStatistic("pearson", zero_cells=False, evaluate=pearson),
    ChiSquaredStatistic(
        "projected",
        zero_cells=True,
        evaluate=projected,
    ),
)


def find(name: str) -> ChiSquaredStatistic:
    """Return the statistic of that name, or raise `ParameterError`."""
    for statistic in STATISTICS:
        if statistic.name == name:
            return statistic
    names = ", ".join(statistic.name for statistic in STATISTICS)
    raise NAME.refuse(name, f"must be one of {names}")
