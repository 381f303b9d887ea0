"""Sets of marginal tables of one table."""

import itertools
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core._typing import Array
from explorer.core.quantities import MARGINS, RECORDS_PER_PERSON
from explorer.core.sensitivity._effects import Effects, Variables
from explorer.core.sensitivity._margins import check_margins, indicators
from explorer.core.sensitivity.base import (
    Neighbours,
    check_cells,
    check_list,
    check_neighbours,
    check_shape,
)

MOST_EFFECTS = 2**12
MOST_DIFFERING = 11


@dataclass(frozen=True)
class Marginals:
    """Counts of some marginal tables of one table, each in C order, one after the other.

    Attributes
    ----------
    shape : tuple of int
        Numbers of levels of the whole table's variables.
    margins : tuple of tuple of int
        The variables of each marginal table, counted from 0 stored in increasing order. The
        empty margin ``()`` is the total.
    neighbours : {"replace", "add-remove"}
        As for `Table`.
    records_per_person : int
        Most records that one person has, k. It multiplies every difference.

    Raises
    ------
    ParameterError
        If a field lies outside its domain, no margin can change, or the margins have more
        than 4096 subsets of variables.

    Notes
    -----
    Δ₁ and Δ₂ are attained where two records differ in every variable: for one record each,
    Δ₁ = Δ₂² = 2 times the number of margins.
    """

    shape: tuple[int, ...]
    margins: tuple[Variables, ...]
    neighbours: str = Neighbours.REPLACE
    records_per_person: int = 1

    def __post_init__(self) -> None:
        """Check the fields and bring them to plain Python types."""
        object.__setattr__(self, "shape", check_shape(self.shape))
        object.__setattr__(self, "margins", check_margins(self.margins, len(self.shape)))
        object.__setattr__(self, "neighbours", check_neighbours(self.neighbours))
        records = int(RECORDS_PER_PERSON.check_scalar(self.records_per_person))
        object.__setattr__(self, "records_per_person", records)
        most = max(sum(self.shape[k] > 1 for k in margin) for margin in self.margins)
        if 2**most > MOST_EFFECTS or len(self.effects) > MOST_EFFECTS:
            raise MARGINS.refuse(
                self.margins, f"must have at most {MOST_EFFECTS} subsets of variables"
            )
        if not self.effects:
            raise MARGINS.refuse(self.margins, "must have a margin that one person can change")

    @property
    def effects(self) -> tuple[Variables, ...]:
        """Sets of variables whose effects one person can change, small ones first."""
        return self._effects.sets

    @property
    def p(self) -> int:
        """Number of cells of all the margins."""
        return sum(self._effects.sizes)

    @property
    def rank(self) -> int:
        """Dimension of the span: degrees of freedom of the effects."""
        return sum(self._effects.ranks)

    @property
    def l1(self) -> float:
        """Δ₁ in records: k for each margin and sign."""
        return float(self.extreme_difference.sum())

    @property
    def l2(self) -> float:
        """Δ₂ in records."""
        return self.records_per_person * math.sqrt(len(self.extreme_difference))

    @property
    def extreme_difference(self) -> Array:
        """Nonzero magnitudes k of the difference worst for independent noise, in records.

        Two for each margin that can change for "replace", one for each margin for
        "add-remove". All k records alike are the worst, as for `Table`.
        """
        count = len(self.margins)
        if self.neighbours == Neighbours.REPLACE:
            count = 2 * sum(size > 1 for size in self._effects.sizes)
        return np.full(count, float(self.records_per_person))

    @property
    def part_ranks(self) -> Array:
        """Degrees of freedom of the `effects`."""
        return np.array(self._effects.ranks, dtype=np.float64)

    @property
    def part_lengths(self) -> Array:
        r"""Squared lengths of the effects of the extreme differences, of shape (orbits, effects).

        For "replace" an orbit is a set D of variables in which two records differ. With g as in
        the notes on effects, a length is :math:`2 g_B \{\prod_{k \in B} (I_k - 1) -
        \prod_{k \in B} (I_k [k \notin D] - 1)\}`.

        Raises
        ------
        ParameterError
            If more than 11 variables can differ.
        """
        scale = self.records_per_person * self.records_per_person * self._effects.weights
        if self.neighbours == Neighbours.ADD_REMOVE:
            return (scale * self.part_ranks)[np.newaxis]
        variables = np.flatnonzero(self._neighbourhoods.any(axis=0))
        if len(variables) > MOST_DIFFERING:
            raise MARGINS.refuse(
                self.margins, f"must have at most {MOST_DIFFERING} variables to list what differs"
            )
        cube = np.array(list(itertools.product([False, True], repeat=len(variables))))
        differing = np.zeros((len(cube), len(self.shape)), dtype=bool)
        differing[:, variables] = cube
        differing = differing[self._is_extreme(differing)]
        factors = np.where(differing, -1.0, np.array(self.shape) - 1.0)
        products = np.array([factors[:, effect].prod(axis=1) for effect in self.effects]).T
        return 2 * scale * (self.part_ranks - products)

    def project(self, x: ArrayLike) -> Array:
        """Project margins on the span of the sensitivity space.

        Parameters
        ----------
        x : array_like of shape (..., p)
            Marginal tables, one after the other.

        Returns
        -------
        ndarray of shape (..., p)
            The nearest margins that belong to one table, of total 0 for "replace".

        Raises
        ------
        ParameterError
            If the last axis does not have p numbers within ±1e100.
        """
        return self._effects.project(check_cells("x", "x", x, self.p))

    def weigh(self, x: ArrayLike, weights: ArrayLike) -> Array:
        """Return the sum of the effects of margins times `weights` (effects,), as `project`."""
        cells = check_cells("x", "x", x, self.p)
        return self._effects.weigh(cells, np.asarray(weights))

    def basis(self) -> Array:
        """Return an orthonormal basis of the span, of shape (p, rank), effect by effect.

        The columns of an effect are the margins of the Kronecker products of the Helmert bases
        of its variables. Raises as `Table.basis`.
        """
        check_list(self.rank, self.p)
        return self._effects.basis()

    def basis_sum(self) -> Array:
        """Return the sum of the columns of `basis`, of shape (p,), without forming it."""
        return self._effects.basis_sum()

    def differences(self) -> Array:
        """Return the extreme points of the sensitivity space.

        Returns
        -------
        ndarray of shape (m, p)
            k times the differences of two records' margins for "replace", but for those that
            are means of others; ±k times a record's margins for "add-remove".

        Raises
        ------
        ParameterError
            If they, or the pairs of records to choose from, are more than 2²⁴ numbers.
        """
        covered = {k for margin in self.margins for k in margin}
        levels = [n if k in covered else 1 for k, n in enumerate(self.shape)]
        cells = math.prod(levels)
        check_list(2 * cells, self.p)
        records = np.indices(levels).reshape(len(levels), -1).T
        margins = zip(self.margins, self._effects.levels, strict=True)
        ones = [indicators(records[:, margin], shape) for margin, shape in margins]
        rows = self.records_per_person * np.concatenate(ones, axis=1)
        if self.neighbours == Neighbours.ADD_REMOVE:
            return np.concatenate([rows, -rows])
        check_list(cells * cells, len(levels))
        first, second = np.nonzero(self._is_extreme(records[:, np.newaxis] != records))
        check_list(len(first), self.p)
        return rows[first] - rows[second]

    @cached_property
    def _effects(self) -> Effects:
        return Effects(self.shape, self.margins, self.neighbours == Neighbours.REPLACE)

    @cached_property
    def _neighbourhoods(self) -> NDArray[np.bool_]:
        """Which variables share a margin: a matrix, false for variables that cannot change."""
        together = np.zeros((len(self.shape), len(self.shape)), dtype=bool)
        for margin in self.margins:
            moving = [k for k in margin if self.shape[k] > 1]
            together[np.ix_(moving, moving)] = True
        return together

    def _is_extreme(self, differing: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell whether the difference of two records is no mean of others, by where they differ.

        Let a variable on which they agree share no margin with those on which they differ. The
        first record with another level there less the second, and the first less the second with
        that level, have it as their mean. Without such a variable the first record alone has
        the largest, and the second alone the least, number of margins that agree with the
        first less margins that agree with the second.
        """
        moving = self._neighbourhoods.any(axis=0)
        affected = differing @ self._neighbourhoods
        return np.all(affected[..., moving], axis=-1)
