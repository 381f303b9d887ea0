"""What one person can change: statistics and their sensitivity spaces.

The sensitivity space of a statistic is the set of differences between its values on two
neighbouring data sets. Its largest norms calibrate the noise; its span says in which
directions noise is needed at all.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.parameter import Parameter, ParameterError

NEIGHBOURS = ("replace", "add-remove")
RECORDS = Parameter(
    name="records_per_person",
    symbol="k",
    meaning="records of one person",
    low=1,
    high=1e9,
    whole=True,
    typical=(1, 10),
    default=1,
)
LARGEST_CELL = 1e100  # squares of cells stay finite


class Statistic(Protocol):
    """What noise can be calibrated to: a vector of `p` numbers and what one person changes."""

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
    raise ParameterError("shape", "r × c", "levels of the table", rule, shape)


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
    raw: NDArray[Any] = np.asarray(values)
    if raw.ndim == 0 or raw.shape[-1] != p:
        rule = f"must have {p} cells on the last axis"
        raise ParameterError(name, symbol, "table", rule, f"array of shape {raw.shape}")
    if raw.dtype.kind not in "fiub":
        raise ParameterError(name, symbol, "table", "must hold numbers", raw.dtype.name)
    cells = raw.astype(np.float64)
    inside = np.abs(cells) <= LARGEST_CELL  # NaN compares false
    if not inside.all():
        rule = f"must hold numbers within ±{LARGEST_CELL:g}"
        raise ParameterError(name, symbol, "table", rule, float(cells[~inside][0]))
    return cells


@dataclass(frozen=True, slots=True)
class Table:
    """Counts of a full contingency table or histogram, cells in C order.

    Attributes
    ----------
    shape : tuple of int
        Numbers of levels; a histogram has one entry. At least 2 cells in all.
    neighbours : {"replace", "add-remove"}
        Whether the records of one person are changed, so that the number of records n is
        public, or the person is added or removed.
    records_per_person : int
        Most records that one person has, k. It multiplies every difference.

    Raises
    ------
    ParameterError
        If a field lies outside its domain.

    Notes
    -----
    With one record each, the differences are eᵢ - eⱼ for "replace" and ±eᵢ for
    "add-remove" (Kim, Lee, Kwak and Jung, arXiv 2211.15019, for the former: Δ₂ = √2 and
    rank p - 1).
    """

    shape: tuple[int, ...]
    neighbours: str = "replace"
    records_per_person: int = 1

    def __post_init__(self) -> None:
        """Check the fields and bring them to plain Python types."""
        object.__setattr__(self, "shape", check_shape(self.shape))
        if self.neighbours not in NEIGHBOURS:
            rule = f"must be one of {', '.join(NEIGHBOURS)}"
            raise ParameterError(
                "neighbours", "S ~ S′", "neighbouring data sets", rule, self.neighbours
            )
        records = int(RECORDS.check_scalar(self.records_per_person))
        object.__setattr__(self, "records_per_person", records)

    @property
    def p(self) -> int:
        """Number of cells."""
        return math.prod(self.shape)

    @property
    def rank(self) -> int:
        """Dimension of the span: p - 1 for "replace", p for "add-remove"."""
        return self.p - 1 if self._total_is_public else self.p

    @property
    def l1(self) -> float:
        """Δ₁ in records: 2k for "replace", k for "add-remove"."""
        return float(self.extreme_difference.sum())

    @property
    def l2(self) -> float:
        """Δ₂ in records: k√2 for "replace", k for "add-remove"."""
        return self.records_per_person * (math.sqrt(2) if self._total_is_public else 1.0)

    @property
    def extreme_difference(self) -> NDArray[np.float64]:
        """Nonzero magnitudes of the difference worst for independent noise, in records.

        Shape (2,) with entries k for "replace", shape (1,) for "add-remove". All records
        of a person in one cell are worse than the same number spread over cells, because
        independent Laplace losses of a₁ and a₂ hide more than one of a₁ + a₂.
        """
        return np.full(2 if self._total_is_public else 1, float(self.records_per_person))

    @property
    def _total_is_public(self) -> bool:
        return self.neighbours == "replace"

    def project(self, x: ArrayLike) -> NDArray[np.float64]:
        """Project tables on the span of the sensitivity space.

        Parameters
        ----------
        x : array_like of shape (..., p)
            Tables.

        Returns
        -------
        ndarray of shape (..., p)
            Tables centred at 0 for "replace", the same tables for "add-remove".

        Raises
        ------
        ParameterError
            If the last axis does not have p numbers within ±1e100.
        """
        cells = check_cells("x", "x", x, self.p)
        if self._total_is_public:
            cells -= cells.mean(axis=-1, keepdims=True)
        return cells

    def basis(self) -> NDArray[np.float64]:
        """Return an orthonormal basis of the span as columns.

        Returns
        -------
        ndarray of shape (p, rank)
            For "replace" the Helmert basis, whose column j = 1, ..., p - 1 is
            (1, ..., 1, -j, 0, ..., 0) / √(j(j + 1)); for "add-remove" the identity.
        """
        if not self._total_is_public:
            return np.eye(self.p)
        j = np.arange(1.0, self.p)
        columns = np.triu(np.ones((self.p, self.p - 1)))
        columns[np.arange(1, self.p), np.arange(self.p - 1)] = -j
        scaled: NDArray[np.float64] = columns / np.sqrt(j * (j + 1))
        return scaled

    def basis_sum(self) -> NDArray[np.float64]:
        """Return the sum of the columns of `basis`, of shape (p,), without forming it."""
        if not self._total_is_public:
            return np.ones(self.p)
        j = np.arange(1.0, self.p)
        weights = 1 / np.sqrt(j * (j + 1))
        above = np.cumsum(weights[::-1])[::-1]  # columns that have a 1 in row 0, 1, ...
        ones = np.concatenate([above, [0.0]])
        ones[1:] -= j * weights
        return ones

    def differences(self) -> NDArray[np.float64]:
        """Return the extreme points of the sensitivity space.

        Returns
        -------
        ndarray of shape (m, p)
            k(eᵢ - eⱼ) with m = p(p - 1) for "replace", ±k eᵢ with m = 2p for
            "add-remove". Only sensible for small p.
        """
        units = np.eye(self.p) * self.records_per_person
        if not self._total_is_public:
            return np.concatenate([units, -units])
        i, j = np.nonzero(~np.eye(self.p, dtype=bool))
        return units[i] - units[j]
