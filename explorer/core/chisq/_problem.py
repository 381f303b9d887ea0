"""A test as an object: a mechanism, a null hypothesis and a statistic, checked once.

The tests and the powers are functions of a `Problem`. Three constructors make one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammainc

from explorer.core.chisq import _checks, _hypotheses, statistics
from explorer.core.chisq._hypotheses import Hypothesis
from explorer.core.chisq.statistics import ChiSquaredStatistic
from explorer.core.mechanisms import JamesStein, Mechanism

Array = NDArray[np.float64]

CELLS = 1 << 20  # cells simulated at once: 8 MiB
IMPLAUSIBLE = 1e-4  # probability of a noisy table that a test without the positive part leaves out


@dataclass(frozen=True, eq=False)
class Problem:
    """What is released, the null hypothesis, and the statistic.

    Releases have shape (..., groups, categories), as the sizes of the groups are public.

    A release that was shrunk is tested as it is where the null hypothesis is one table: it is ranked
    among shrunk ones. A hypothesis that is fitted to the release needs the noisy table instead: a
    product of margins that is shrunk to the uniform table is no product of its margins any more,
    and a test of the shrunk table would reject it for that. So the shrinkage is undone first, and the
    test is that of the noisy table, which has no more power to reject than its level allows.
    Where the positive part has left the centre alone the noisy table is lost: the statistic is then 0
    and the p-value 1. Without the positive part two noisy tables have the same release, and the
    test takes the one with the smaller statistic, unless its shrunk part was shorter than noise
    alone ever makes it but with probability 1e-4.

    Attributes
    ----------
    mechanism : Mechanism
        What releases the table.
    hypothesis : Hypothesis
        The null hypothesis.
    statistic : ChiSquaredStatistic
        Of `STATISTICS`.
    whole : bool
        Whether simulated releases are rounded to whole numbers, as the release was.
    """

    mechanism: Mechanism
    hypothesis: Hypothesis
    statistic: ChiSquaredStatistic
    whole: bool = False

    @property
    def undoes_shrinkage(self) -> bool:
        """Whether releases are shrunk, and tested as the noisy tables that they were."""
        mechanism = self.mechanism
        shrinks = isinstance(mechanism, JamesStein) and mechanism.shrunk_dimension > 2
        return shrinks and self.hypothesis.is_fitted

    def of_release(self, release: Array) -> "Problem":
        """Return the problem for a release: rounded if it holds whole numbers only."""
        return replace(self, whole=bool((release == np.rint(release)).all()))

    def sample(
        self, probabilities: Array, rng: np.random.Generator, count: int, *, shrink: bool = True
    ) -> Array:
        """Return simulated releases of multinomial tables.

        Parameters
        ----------
        probabilities : ndarray of shape (..., groups, categories)
            Probabilities of the categories of each group.
        rng : numpy.random.Generator
            Source of randomness.
        count : int
            Number of tables for each of them.
        shrink : bool
            Whether a mechanism that shrinks does so, or releases the noisy table.

        Returns
        -------
        ndarray of shape (count, ..., groups, categories)
            Releases.
        """
        records = self.hypothesis.sizes.astype(np.int64)
        shape = (count, *probabilities.shape[:-1])
        tables = rng.multinomial(records, probabilities, size=shape)
        flat = tables.reshape(*tables.shape[:-2], -1)
        if shrink:
            releases = self.mechanism.simulate(flat, rng)
        else:
            releases = flat + self.mechanism.noise(rng, flat.shape)
        if self.whole:
            np.rint(releases, out=releases)
        return releases.reshape(tables.shape)

    def evaluate(self, releases: Array) -> tuple[Array, Array]:
        """Return statistics of releases, and the tables that are expected under the hypothesis.

        Parameters
        ----------
        releases : ndarray of shape (..., groups, categories)
            As the mechanism releases them.

        Returns
        -------
        statistics : ndarray of shape (...)
        expected : ndarray that broadcasts with `releases`
            Fitted to each release, or one for all.
        """
        mechanism = self.mechanism
        if not (self.undoes_shrinkage and isinstance(mechanism, JamesStein)):
            return self._evaluate_noisy(releases)
        flat = releases.reshape(*releases.shape[:-2], -1)
        noisy = mechanism.unshrink(flat)
        values, expected = self._evaluate_noisy(noisy.reshape(releases.shape))
        if not mechanism.positive_part:
            other = mechanism.unshrink(flat, shorter=True)
            length = mechanism.shrunk_length(other)
            shape = mechanism.shrunk_dimension / 2
            plausible = gammainc(shape, length * length / (2 * mechanism.variance)) > IMPLAUSIBLE
            fewer, fit = self._evaluate_noisy(other.reshape(releases.shape))
            smaller = plausible & (fewer < values)
            values = np.where(smaller, fewer, values)
            expected = np.where(smaller[..., np.newaxis, np.newaxis], fit, expected)
        return np.where(mechanism.is_centre(flat), 0.0, values), expected

    def sample_null(self, expected: Array, rng: np.random.Generator, count: int) -> Array:
        """Return simulated statistics under the null hypothesis.

        Parameters
        ----------
        expected : ndarray of shape (..., groups, categories)
            Expected tables: that of the null hypothesis itself, or its fits to releases.
        rng : numpy.random.Generator
            Source of randomness.
        count : int
            Number of statistics for each table.

        Returns
        -------
        ndarray of shape (count, ...)
            The statistics, in no order.
        """
        probabilities = expected / expected.sum(axis=-1, keepdims=True)
        noisy = self.undoes_shrinkage
        return np.concatenate(
            [
                self._evaluate_noisy(self.sample(probabilities, rng, rows, shrink=not noisy))[0]
                for rows in blocks(count, expected.size)
            ]
        )

    def _evaluate_noisy(self, tables: Array) -> tuple[Array, Array]:
        expected = self.hypothesis.fit(tables)
        return self.statistic.evaluate(tables, expected, self.mechanism.variance), expected


def goodness_of_fit_problem(
    mechanism: Mechanism, null: ArrayLike, n: int, statistic: str
) -> Problem:
    """Return the problem of `goodness_of_fit`, or raise `ParameterError`."""
    chosen = statistics.find(statistic)
    table = _checks.check_table(mechanism)
    records = _checks.RECORDS.check_scalar(n)
    probabilities = _checks.check_null(null, table.p, chosen)
    return Problem(mechanism, _hypotheses.simple(records, probabilities), chosen)


def homogeneity_problem(mechanism: Mechanism, sizes: ArrayLike, statistic: str) -> Problem:
    """Return the problem of `homogeneity`, or raise `ParameterError`."""
    chosen = statistics.find(statistic)
    counts = _checks.check_groups(mechanism, sizes)
    return Problem(mechanism, _hypotheses.homogeneous(counts), chosen)


def independence_problem(mechanism: Mechanism, n: int, statistic: str) -> Problem:
    """Return the problem of `independence`, or raise `ParameterError`."""
    chosen = statistics.find(statistic)
    rows, columns = _checks.check_table(mechanism, dimensions=2).shape
    records = _checks.RECORDS.check_scalar(n)
    return Problem(mechanism, _hypotheses.independent(records, (rows, columns)), chosen)


def blocks(count: int, cells: int) -> Iterator[int]:
    """Yield numbers of sum `count`, so that each times `cells` fits in memory."""
    rows = max(1, CELLS // cells)
    for start in range(0, count, rows):
        yield min(rows, count - start)
