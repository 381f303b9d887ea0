"""Cumulative counts of an ordered variable, as for an empirical distribution function."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.parameter import Parameter
from explorer.core.quantities import RECORDS_PER_PERSON
from explorer.core.sensitivity.base import (
    Neighbours,
    check_cells,
    check_list,
    check_neighbours,
    pairs,
)

CATEGORIES = Parameter("p", "p", "ordered categories", 2, 1e9, whole=True)


@dataclass(frozen=True, slots=True)
class CumulativeCounts:
    """Numbers of records in the first 1, 2, ..., p categories of an ordered variable.

    Attributes
    ----------
    p : int
        Number of categories, at least 2.
    neighbours : {"replace", "add-remove"}
        As for `Table`. With "replace" the last count, n, is public.
    records_per_person : int
        Most records that one person has, k. It multiplies every difference.

    Raises
    ------
    ParameterError
        If a field lies outside its domain.

    Notes
    -----
    A record that moves from category i up to j changes the counts i, ..., j - 1 by one: the
    differences are the intervals, and only the longest has the norms Δ₁ and Δ₂.
    """

    p: int
    neighbours: str = Neighbours.REPLACE
    records_per_person: int = 1

    def __post_init__(self) -> None:
        """Check the fields and bring them to plain Python types."""
        object.__setattr__(self, "p", int(CATEGORIES.check_scalar(self.p)))
        object.__setattr__(self, "neighbours", check_neighbours(self.neighbours))
        records = int(RECORDS_PER_PERSON.check_scalar(self.records_per_person))
        object.__setattr__(self, "records_per_person", records)

    @property
    def rank(self) -> int:
        """Dimension of the span: p - 1 for "replace", p for "add-remove"."""
        return self.p - 1 if self.neighbours == Neighbours.REPLACE else self.p

    @property
    def l1(self) -> float:
        """Δ₁ in records: k times the rank."""
        return float(self.records_per_person * self.rank)

    @property
    def l2(self) -> float:
        """Δ₂ in records: k√rank."""
        return self.records_per_person * math.sqrt(self.rank)

    @property
    def extreme_difference(self) -> NDArray[np.float64]:
        """Magnitudes k of the longest interval, of shape (rank,), in records.

        No difference is larger in any coordinate.
        """
        return np.full(self.rank, float(self.records_per_person))

    def project(self, x: ArrayLike) -> NDArray[np.float64]:
        """Project cumulative counts on the span of the sensitivity space.

        Parameters
        ----------
        x : array_like of shape (..., p)
            Cumulative counts.

        Returns
        -------
        ndarray of shape (..., p)
            The same with last count 0 for "replace", the same for "add-remove".

        Raises
        ------
        ParameterError
            If the last axis does not have p numbers within ±1e100.
        """
        counts = check_cells("x", "x", x, self.p)
        counts[..., self.rank :] = 0.0
        return counts

    def basis(self) -> NDArray[np.float64]:
        """Return the first unit vectors, of shape (p, rank)."""
        check_list(self.rank, self.p)
        return np.eye(self.p, self.rank)

    def basis_sum(self) -> NDArray[np.float64]:
        """Return the sum of the columns of `basis`, of shape (p,)."""
        ones = np.ones(self.p)
        ones[self.rank :] = 0.0
        return ones

    def differences(self) -> NDArray[np.float64]:
        """Return the extreme points of the sensitivity space.

        Returns
        -------
        ndarray of shape (m, p)
            ±k times the intervals before the last count, m = p(p - 1), for "replace"; those
            up to the last count, m = 2p, for "add-remove".

        Raises
        ------
        ParameterError
            If that would be more than 2²⁴ numbers.
        """
        if self.neighbours == Neighbours.REPLACE:
            return self.records_per_person * np.cumsum(pairs(self.p), axis=1)
        check_list(2 * self.p, self.p)
        steps = self.records_per_person * np.triu(np.ones((self.p, self.p)))
        return np.concatenate([steps, -steps])
