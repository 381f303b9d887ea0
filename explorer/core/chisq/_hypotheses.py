"""Null hypotheses: what a release is compared with, and how releases are drawn under one.

Tables have shape (..., groups, categories), as the sizes of the groups are public. A test of
independence has one group, the whole table.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.chisq import _estimates
from explorer.core.chisq.statistics import Statistic
from explorer.core.mechanisms import Mechanism

Array = NDArray[np.float64]

CELLS = 1 << 20  # cells drawn at once: 8 MiB


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A null hypothesis about the law of a table.

    Attributes
    ----------
    sizes : ndarray of shape (groups,)
        Public numbers of records.
    fit : callable
        Maps releases of shape (..., groups, categories) to the tables expected under the
        hypothesis, which broadcast with them.
    move : callable
        Maps the expected table and small changes of a release that fits it to the changes of the
        expected table, to first order and away from the borders of the simplex.
    """

    sizes: Array
    fit: Callable[[Array], Array]
    move: Callable[[Array, Array], Array]


def simple(n: float, probabilities: Array) -> Hypothesis:
    """Return the hypothesis of known cell probabilities (p,)."""
    table = n * probabilities[np.newaxis, :]
    return Hypothesis(
        np.array([n]), lambda _release: table, lambda _expected, change: np.zeros_like(change)
    )


def homogeneous(sizes: Array) -> Hypothesis:
    """Return the hypothesis that groups of these sizes have one law."""
    return Hypothesis(
        sizes,
        lambda release: _estimates.homogeneous(release, sizes),
        lambda _expected, change: _estimates.homogeneous_move(change, sizes),
    )


def independent(n: float, shape: tuple[int, int]) -> Hypothesis:
    """Return the hypothesis that rows and columns of a table are independent."""

    def fit(release: Array) -> Array:
        table = _estimates.independent(release.reshape(*release.shape[:-2], *shape), n)
        return table.reshape(release.shape)

    def move(expected: Array, change: Array) -> Array:
        tables = change.reshape(*change.shape[:-2], *shape)
        return _estimates.independent_move(expected.reshape(shape), tables).reshape(change.shape)

    return Hypothesis(np.array([n]), fit, move)


@dataclass(frozen=True, eq=False)
class Setting:
    """What is released, what it is tested for, and by which statistic."""

    mechanism: Mechanism
    hypothesis: Hypothesis
    statistic: Statistic

    def draw(self, probabilities: Array, rng: np.random.Generator, count: int) -> Array:
        """Draw releases of multinomial tables.

        Parameters
        ----------
        probabilities : ndarray of shape (..., groups, categories)
            Laws of the groups.
        rng : numpy.random.Generator
            Source of randomness.
        count : int
            Number of tables of each law.

        Returns
        -------
        ndarray of shape (count, ..., groups, categories)
            Releases.
        """
        records = self.hypothesis.sizes.astype(np.int64)
        shape = (count, *probabilities.shape[:-1])
        tables = rng.multinomial(records, probabilities, size=shape)
        flat = tables.reshape(*tables.shape[:-2], -1)
        return self.mechanism.simulate(flat, rng).reshape(tables.shape)

    def evaluate(self, release: Array, expected: Array | None = None) -> Array:
        """Return statistics of shape (...) of releases of shape (..., groups, categories)."""
        if expected is None:
            expected = self.hypothesis.fit(release)
        return self.statistic.evaluate(release, expected, self.mechanism.variance)

    def null_draws(self, expected: Array, rng: np.random.Generator, count: int) -> Array:
        """Draw statistics of releases under the null hypothesis.

        Parameters
        ----------
        expected : ndarray of shape (groups, categories)
            Expected table: the null hypothesis itself, or its fit to a release.
        rng : numpy.random.Generator
            Source of randomness.
        count : int
            Number of draws.

        Returns
        -------
        ndarray of shape (count,)
            The draws, in order.
        """
        probabilities = expected / expected.sum(axis=-1, keepdims=True)
        parts = blocks(count, math.prod(expected.shape))
        return np.concatenate(
            [self.evaluate(self.draw(probabilities, rng, rows)) for rows in parts]
        )


def blocks(count: int, cells: int) -> Iterator[int]:
    """Yield numbers of sum `count`, so that each times `cells` fits in memory."""
    rows = max(1, CELLS // cells)
    for start in range(0, count, rows):
        yield min(rows, count - start)
