"""What a statistic must tell, and the checks and vectors that the statistics share."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.parameter import Argument
from explorer.core.quantities import SHAPE

NEIGHBOURS = Argument("neighbours", "S ~ S′", "neighbouring data sets")
DIFFERENCES = Argument("differences", "S", "sensitivity space")
LARGEST_CELL = 1e100  # squares of cells stay finite
LARGEST_LIST = 2**24  # numbers in a list of differences or in a basis


class Neighbours(StrEnum):
    """What two neighbouring data sets differ in."""

    REPLACE = "replace"
    """The records of one person change; the number of records n is public."""

    ADD_REMOVE = "add-remove"
    """One person joins or leaves; n is not public."""

    def __repr__(self) -> str:
        """Return the plain text, so that the repr of a statistic reads back."""
        return repr(self.value)


class Statistic(Protocol):
    """What noise can be calibrated to: a vector of `p` numbers and what one person changes."""

    def __hash__(self) -> int:
        """Statistics are values."""

    @property
    def p(self) -> int:
        """Number of coordinates."""

    @property
    def rank(self) -> int:
        """Dimension of the span of the sensitivity space."""

    @property
    def l1(self) -> float:
        """Largest ℓ₁ norm of a difference, Δ₁."""

    @property
    def l2(self) -> float:
        """Largest ℓ₂ norm of a difference, Δ₂."""

    @property
    def extreme_difference(self) -> NDArray[np.float64]:
        """Magnitudes, of shape (m,), of the difference worst for independent noise."""

    def project(self, x: ArrayLike) -> NDArray[np.float64]:
        """Project arrays of shape (..., p) on the span."""

    def basis(self) -> NDArray[np.float64]:
        """Orthonormal basis of the span, of shape (p, rank)."""

    def basis_sum(self) -> NDArray[np.float64]:
        """Sum of the columns of `basis`, of shape (p,), in O(p) time and memory."""

    def differences(self) -> NDArray[np.float64]:
        """Extreme points of the sensitivity space, of shape (m, p)."""


@runtime_checkable
class Symmetric(Statistic, Protocol):
    """A statistic whose symmetries split the span into orthogonal parts, no two alike.

    A covariance that the symmetries leave alone is then a weighted sum of the projections on
    the parts.
    """

    @property
    def part_ranks(self) -> NDArray[np.float64]:
        """Dimensions of the parts, of shape (m,)."""

    @property
    def part_lengths(self) -> NDArray[np.float64]:
        """Squared lengths, of shape (orbits, m), of the parts of the extreme differences.

        One row serves all differences that the symmetries carry into each other.
        """

    def weigh(self, x: ArrayLike, weights: ArrayLike) -> NDArray[np.float64]:
        """Project (..., p) on each part and add these, times `weights` of shape (m,)."""


class Isotropic:
    """What statistics share whose symmetries leave the span in one part.

    Of all covariances only multiples of the projection have the symmetries.
    """

    __slots__ = ()

    @property
    def part_ranks(self: Statistic) -> NDArray[np.float64]:
        """Dimension of the span, of shape (1,)."""
        return np.array([float(self.rank)])

    @property
    def part_lengths(self: Statistic) -> NDArray[np.float64]:
        """Δ₂², of shape (1, 1)."""
        return np.array([[self.l2 * self.l2]])

    def weigh(self: Statistic, x: ArrayLike, weights: ArrayLike) -> NDArray[np.float64]:
        """Project (..., p) on the span, times the only entry of `weights`."""
        return self.project(x) * np.asarray(weights)[0]


def check_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the shape of a table as a tuple of ints, or raise.

    Parameters
    ----------
    shape : sequence of int
        Numbers of levels, each at least 1, with at least 2 cells in all. A histogram has
        one entry.

    Returns
    -------
    tuple of int
        The same numbers.

    Raises
    ------
    ParameterError
        If an entry is not a whole number of at least 1, or there are fewer than 2 cells.
    """
    levels = tuple(shape) if isinstance(shape, (Sequence, np.ndarray)) else (0,)
    whole = all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in levels)
    if not whole or any(n < 1 for n in levels):
        rule = "must be whole numbers of at least 1, one for each variable"
    elif math.prod(levels) < 2:
        rule = "must make at least 2 cells"
    else:
        return tuple(int(n) for n in levels)
    raise SHAPE.refuse(shape, rule)


def check_cells(name: str, symbol: str, values: ArrayLike, p: int) -> NDArray[np.float64]:
    """Return tables as float64, or raise.

    Parameters
    ----------
    name, symbol : str
        Name of the argument and the field's symbol, for the message.
    values : array_like of shape (..., p)
        Numbers within ±1e100, a table's cells on the last axis in C order.
    p : int
        Number of cells.

    Returns
    -------
    ndarray of shape (..., p)
        The same numbers as float64.

    Raises
    ------
    ParameterError
        If the last axis has another length, or an entry is no such number.
    """
    table = Argument(name, symbol, "table")
    raw: NDArray[Any] = np.asarray(values)
    if raw.ndim == 0 or raw.shape[-1] != p:
        rule = f"must have {p} cells on the last axis"
        raise table.refuse(f"array of shape {raw.shape}", rule)
    if raw.dtype.kind not in "fiub":
        raise table.refuse(raw.dtype.name, "must hold numbers")
    cells = raw.astype(np.float64)
    inside = np.abs(cells) <= LARGEST_CELL  # NaN compares false
    if not inside.all():
        rule = f"must hold numbers within ±{LARGEST_CELL:g}"
        raise table.refuse(float(cells[~inside][0]), rule)
    return cells


def check_neighbours(neighbours: object) -> Neighbours:
    """Return the neighbour relation, or raise `ParameterError`."""
    if isinstance(neighbours, str) and neighbours in set(Neighbours):
        return Neighbours(neighbours)
    rule = f"must be one of {', '.join(Neighbours)}"
    raise NEIGHBOURS.refuse(neighbours, rule)


def check_list(rows: int, p: int) -> None:
    """Raise `ParameterError` if a list of vectors would not fit in memory."""
    if rows * p > LARGEST_LIST:
        rule = f"must have at most {LARGEST_LIST} numbers to be listed"
        raise DIFFERENCES.refuse((rows, p), rule)


def helmert(levels: int) -> NDArray[np.float64]:
    """Return the Helmert basis of the centred vectors, of shape (levels, levels - 1).

    Column j = 1, 2, ... is (1, ..., 1, -j, 0, ..., 0) / √(j(j + 1)).
    """
    j = np.arange(1.0, levels)
    columns = np.triu(np.ones((levels, levels - 1)))
    columns[np.arange(1, levels), np.arange(levels - 1)] = -j
    return columns / np.sqrt(j * (j + 1))


def helmert_sum(levels: int) -> NDArray[np.float64]:
    """Return the sum of the columns of `helmert`, of shape (levels,), without forming it."""
    j = np.arange(1.0, levels)
    weights = 1 / np.sqrt(j * (j + 1))
    above = np.cumsum(weights[::-1])[::-1]  # columns that have a 1 in row 0, 1, ...
    total = np.concatenate([above, [0.0]])
    total[1:] -= j * weights
    return total


def kron(*factors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Kronecker product of matrices or of vectors."""
    product = np.ones((1,) * factors[0].ndim) if factors else np.ones((1, 1))
    for factor in factors:
        product = np.kron(product, factor).astype(np.float64)
    return product


def pairs(p: int) -> NDArray[np.float64]:
    """Return all eᵢ - eⱼ in p coordinates, of shape (p(p - 1), p)."""
    check_list(p * (p - 1), p)
    units = np.eye(p)
    i, j = np.nonzero(~np.eye(p, dtype=bool))
    return units[i] - units[j]
