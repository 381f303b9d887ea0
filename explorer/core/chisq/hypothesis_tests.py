"""Chi-squared tests of a released table: post-processing, so the release's μ covers them.

They take n or the sizes of the groups as public. Where neighbours add or remove a person, n is
private itself and its use is not covered.

The noise is part of the null distribution: the mechanism itself releases tables that are simulated
under the null hypothesis, and the p-value is the rank of the release's statistic among theirs. The
true table is never used.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core._random import Randomness, generator
from explorer.core.chisq import _checks
from explorer.core.chisq._asymptotic_p_value import asymptotic_p_value
from explorer.core.chisq._power import proportion_error, reached
from explorer.core.chisq._problem import (
    Problem,
    goodness_of_fit_problem,
    homogeneity_problem,
    independence_problem,
)
from explorer.core.mechanisms import Mechanism

Array = NDArray[np.float64]

MONTE_CARLO, BOOTSTRAP, ASYMPTOTIC = "monte-carlo", "bootstrap", "asymptotic"


@dataclass(frozen=True, slots=True, eq=False)
class ChiSquaredTest:
    """The result of a test of a release.

    Attributes
    ----------
    statistic : float
        Value of the statistic.
    p_value : float
        Probability of such a value or a larger one under the null hypothesis.
    standard_error : float
        Monte Carlo error of `p_value`, see `proportion_error`; 0 without simulation.
    null : ndarray of shape (replicates,)
        Simulated statistics under the null hypothesis; empty without simulation.
    expected : ndarray of shape (p,)
        Expected table under the null hypothesis, in C order: the given one, or the fit.
    name, method : str
        The statistic's name; "monte-carlo", "bootstrap" or "asymptotic".
    """

    statistic: float
    p_value: float
    standard_error: float
    null: Array
    expected: Array
    name: str
    method: str


def goodness_of_fit(
    release: ArrayLike,
    null: ArrayLike,
    n: int,
    mechanism: Mechanism,
    rng: Randomness,
    *,
    statistic: str = "ridge",
    replicates: int = 9_999,
    method: str = MONTE_CARLO,
) -> ChiSquaredTest:
    """Test whether a released table comes from given cell probabilities.

    Parameters
    ----------
    release : array_like of shape (p,) or of the table
        One release of the mechanism.
    null : array_like of shape (p,) or of the table
        Cell probabilities π₀ of sum 1.
    n : int
        Number of records, from 1 to 1e9; public.
    mechanism : Mechanism
        What released the table, its statistic a `Table`.
    rng : numpy.random.Generator, int or None
        Source of randomness, as in `numpy.random.default_rng`.
    statistic : {"ridge", "pearson", "projected"}
        See `statistics`.
    replicates : int
        Number B of simulated releases, from 1 to 1e7.
    method : {"monte-carlo", "asymptotic"}
        Simulated releases, or the distribution of the statistic for many records (see Notes).

    Returns
    -------
    ChiSquaredTest
        By simulation p = (1 + #{T* ≥ T})/(B + 1), which is at most α with probability at most α
        under the null hypothesis, whatever n, the mechanism and the statistic are.

    Raises
    ------
    ParameterError
        If an argument lies outside its domain; if `release` misses a total that the mechanism keeps; if
        `null` has a zero cell and the statistic is "pearson", which divides by it.

    Notes
    -----
    The table is taken for a sample of n independent records. A cell that the null hypothesis gives
    the probability 0 holds noise only. "ridge" weighs it with the noise variance; records in it
    make the statistic large.

    A release of whole numbers is one with discrete noise or a rounded one. It is ranked among simulated
    releases that are rounded to whole numbers too, which keeps the level for both: exactly for
    a rounded release, and for discrete normal noise with a variance that is 1/12 too large.

    The asymptotic method takes the multinomial table for normal. With normal noise the statistic is then
    Σ λ χ²₁ (see `weighted_chi2`), whose tail has a relative error below 1e-9. Laplace noise is replaced by
    normal noise of its variance, an approximation that more records do not mend unless they
    outgrow the noise. Releases that are shrunk have no such distribution and raise `ParameterError`, as
    do more than 1024 cells.
    """
    problem = goodness_of_fit_problem(mechanism, null, n, statistic)
    return _test(problem, release, rng, replicates, _check_method(method, MONTE_CARLO))


def homogeneity(
    release: ArrayLike,
    sizes: ArrayLike,
    mechanism: Mechanism,
    rng: Randomness,
    *,
    statistic: str = "ridge",
    replicates: int = 9_999,
    method: str = BOOTSTRAP,
) -> ChiSquaredTest:
    """Test whether groups of public sizes have the same probabilities.

    The common probabilities are the pooled release over the total, projected on the simplex, with at
    least half a record in every cell. Releases of groups with these are simulated and refitted: a
    parametric bootstrap, whose level is α for many records.

    Parameters
    ----------
    release : array_like of shape (p,) or (groups, categories)
        One release of the mechanism.
    sizes : array_like of shape (groups,)
        Numbers of records, each from 1 to 1e9; public.
    mechanism : Mechanism
        What released the table, its statistic `Groups` of at least two groups.
    rng, statistic, replicates
        As in `goodness_of_fit`.
    method : {"bootstrap", "asymptotic"}
        Simulated releases, or the distribution of the statistic for many records.

    Returns
    -------
    ChiSquaredTest
        With p = (1 + #{T* ≥ T})/(B + 1).

    Raises
    ------
    ParameterError
        As `goodness_of_fit`; a group without records is outside the domain. A zero margin is none:
        the fit gives every category half a record.

    Notes
    -----
    Shrinkage is undone before the test. Shrinking moves every group towards the uniform distribution,
    and groups of different sizes by different shares, so that groups that were alike are so no more;
    a test of the shrunk table itself rejects them for that. The noisy table follows from the shrunk one
    but at the centre of the shrinkage, where p is 1; without the positive part two noisy tables do, and
    the test takes the one with the smaller statistic. `null` and `expected` belong to the
    noisy table. The test therefore has the level, and about the power, of the mechanism without shrinkage.

    With noise that is large against the expected cells, "pearson" is conservative: the fit is
    floored, and the few small denominators make both T and T* erratic. The asymptotic method takes
    the fit for linear in the release, as it is while no estimate reaches its floor; else it can be
    far off.
    """
    problem = homogeneity_problem(mechanism, sizes, statistic)
    return _test(problem, release, rng, replicates, _check_method(method, BOOTSTRAP))


def independence(
    release: ArrayLike,
    n: int,
    mechanism: Mechanism,
    rng: Randomness,
    *,
    statistic: str = "ridge",
    replicates: int = 9_999,
    method: str = BOOTSTRAP,
) -> ChiSquaredTest:
    """Test whether rows and columns of a two-way table are independent.

    Both margins of the release over n are projected on their simplexes, with at least about half a record
    in every entry, and multiplied. Releases of tables with these probabilities are simulated and
    refitted: a parametric bootstrap, whose level is α for many records.

    Parameters
    ----------
    release : array_like of shape (p,) or (rows, columns)
        One release of the mechanism.
    n : int
        Number of records, from 1 to 1e9; public.
    mechanism : Mechanism
        What released the table, its statistic a `Table` of at least two rows and two columns.
    rng, statistic, replicates
        As in `goodness_of_fit`.
    method : {"bootstrap", "asymptotic"}
        Simulated releases, or the distribution of the statistic for many records.

    Returns
    -------
    ChiSquaredTest
        With p = (1 + #{T* ≥ T})/(B + 1).

    Raises
    ------
    ParameterError
        As `goodness_of_fit`. A zero margin is none: the fit gives every level half a record.

    Notes
    -----
    As in `homogeneity`: the shrinkage of a release is undone first, because a product of uneven margins
    that is shrunk towards the uniform table is no product any more.
    """
    problem = independence_problem(mechanism, n, statistic)
    return _test(problem, release, rng, replicates, _check_method(method, BOOTSTRAP))


def _test(
    problem: Problem, release: ArrayLike, rng: Randomness, replicates: int, method: str
) -> ChiSquaredTest:
    rows = _checks.check_release(release, problem.hypothesis.sizes, problem.mechanism)
    count = int(_checks.REPLICATES.check_scalar(replicates))
    source = generator(rng)
    problem = problem.of_release(rows)
    statistic, expected = problem.evaluate(rows)
    value = float(statistic)
    if method == ASYMPTOTIC:
        null, error = np.zeros(0), 0.0
        p_value = asymptotic_p_value(problem, expected, value)
    else:
        null = problem.sample_null(expected, source, count)
        p_value = (1 + int(reached(null, statistic))) / (count + 1)
        error = float(proportion_error(p_value, count + 1))
    name = problem.statistic.name
    return ChiSquaredTest(value, p_value, error, null, expected.ravel(), name, method)


def _check_method(method: str, simulation: str) -> str:
    if method not in {simulation, ASYMPTOTIC}:
        raise _checks.METHOD.refuse(method, f"must be {simulation} or {ASYMPTOTIC}")
    return method
