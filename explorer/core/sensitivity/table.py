"""Full tables of counts."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.quantities import RECORDS_PER_PERSON
from explorer.core.sensitivity.base import (
    Isotropic,
    Neighbours,
    check_cells,
    check_list,
    check_neighbours,
    check_shape,
    helmert,
    helmert_sum,
    pairs,
)


@dataclass(frozen=True, slots=True)
class Table(Isotropic):
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
    neighbours: str = Neighbours.REPLACE
    records_per_person: int = 1

    def __post_init__(self) -> None:
        """Check the fields and bring them to plain Python types."""
        object.__setattr__(self, "shape", check_shape(self.shape))
        object.__setattr__(self, "neighbours", check_neighbours(self.neighbours))
        records = int(RECORDS_PER_PERSON.check_scalar(self.records_per_person))
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
        return self.neighbours == Neighbours.REPLACE

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

        Raises
        ------
        ParameterError
            If it would have more than 2²⁴ entries.
        """
        check_list(self.rank, self.p)
        return helmert(self.p) if self._total_is_public else np.eye(self.p)

    def basis_sum(self) -> NDArray[np.float64]:
        """Return the sum of the columns of `basis`, of shape (p,), without forming it."""
        return helmert_sum(self.p) if self._total_is_public else np.ones(self.p)

    def differences(self) -> NDArray[np.float64]:
        """Return the extreme points of the sensitivity space.

        Returns
        -------
        ndarray of shape (m, p)
            k(eᵢ - eⱼ) with m = p(p - 1) for "replace", ±k eᵢ with m = 2p for
            "add-remove".

        Raises
        ------
        ParameterError
            If that would be more than 2²⁴ numbers.
        """
        if self._total_is_public:
            return self.records_per_person * pairs(self.p)
        check_list(2 * self.p, self.p)
        units = np.eye(self.p) * self.records_per_person
        return np.concatenate([units, -units])
