"""Chi-squared tests of a released table: post-processing, so the release's μ covers them.

They take n or the sizes of the groups as public. Where neighbours add or remove a person, n is
private itself and its use is not covered.

The noise is part of the null law: releases are simulated under the null hypothesis by the
mechanism itself, noise, projection and shrinkage included, and the released table's statistic is
ranked among theirs. The true table is never used.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.chisq import _checks, _hypotheses, statistics
from explorer.core.chisq._hypotheses import Setting
from explorer.core.chisq._null_weights import limit_p_value
from explorer.core.chisq._power import TIE
from explorer.core.mechanisms import Mechanism
from explorer.core.parameter import ParameterError

Array = NDArray[np.float64]

EXACT, BOOTSTRAP, ASYMPTOTIC = "monte-carlo", "bootstrap", "asymptotic"


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """What a test of a release says.

    Attributes
    ----------
    statistic : float
        Value of the statistic.
    p_value : float
        Probability of such a value or a larger one under the null hypothesis.
    standard_error : float
        Monte Carlo error of `p_value`, √(p(1 - p)/(B + 1)) for B draws; 0 for a law.
    null : ndarray of shape (replicates,)
        Draws of the statistic under the null hypothesis, in order; empty for a law.
    expected : ndarray of shape (p,)
        Expected table under the null hypothesis, in C order: given, or fitted to the release.
    name, method : str
        The statistic's name; "monte-carlo", "bootstrap" or "asymptotic".
    """

    __test__ = False  # no class of tests, whatever its name says

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
    rng: np.random.Generator,
    *,
    statistic: str = "ridge",
    replicates: int = 9_999,
    method: str = "monte-carlo",
) -> Test:
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
    rng : numpy.random.Generator
        Source of randomness.
    statistic : {"ridge", "pearson", "projected"}
        See `statistics`.
    replicates : int
        Number B of simulated releases, from 1 to 1e7.
    method : {"monte-carlo", "asymptotic"}
        Simulated releases, or the law of the statistic for many records (see Notes).

    Returns
    -------
    Test
        By simulation p = (1 + #{T* ≥ T})/(B + 1), which is at most α with probability at most α
        under the null hypothesis, whatever n, the mechanism and the statistic are.

    Raises
    ------
    ParameterError
        If an argument lies outside its domain; if `release` holds whole numbers with the exact
        total, as no noisy table does; if it misses a total that the mechanism keeps; if `null` has
        a zero cell and the statistic is "pearson", which divides by it.

    Notes
    -----
    The table is taken for a sample of n independent records. A cell that the null hypothesis gives
    the probability 0 holds noise only. "ridge" weighs it with the noise variance; records in it
    make the statistic large.

    The asymptotic method takes the multinomial table for normal. With normal noise the statistic is then
    Σ λ χ²₁ (see `law`), whose tail has a relative error below 1e-9. Laplace noise is replaced by
    normal noise of its variance, an approximation that more records do not mend unless they
    outgrow the noise. Releases that are shrunk have no such law and raise `ParameterError`, as do
    more than 1024 cells.
    """
    chosen = statistics.find(statistic)
    table = _checks.check_table(mechanism)
    records = _checks.RECORDS.check_scalar(n)
    probabilities = _checks.check_null(null, table.p, chosen)
    hypothesis = _hypotheses.simple(records, probabilities)
    rows = _checks.check_release(release, table.shape, hypothesis.sizes, mechanism)
    return _test(
        Setting(mechanism, hypothesis, chosen), rows, rng, replicates, _check_method(method, EXACT)
    )


def homogeneity(
    release: ArrayLike,
    sizes: ArrayLike,
    mechanism: Mechanism,
    rng: np.random.Generator,
    *,
    statistic: str = "ridge",
    replicates: int = 9_999,
    method: str = "bootstrap",
) -> Test:
    """Test whether groups of public sizes have one law.

    The common law is the pooled release over the total, projected on the simplex, with at least half
    a record in every cell. Releases of groups with that law are simulated and refitted: a
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
        Simulated releases, or the law of the statistic for many records.

    Returns
    -------
    Test
        With p = (1 + #{T* ≥ T})/(B + 1).

    Raises
    ------
    ParameterError
        As `goodness_of_fit`; a group without records is outside the domain. A zero margin is none:
        the fit gives every category half a record.

    Notes
    -----
    With noise that is large against the expected cells, "pearson" is conservative: the fit is
    floored, and the few small denominators make both T and T* erratic. The asymptotic method takes
    the fit for linear in the release, as it is while no estimate reaches its floor; else it can be
    far off.
    """
    chosen = statistics.find(statistic)
    groups, counts = _checks.check_groups(mechanism, sizes)
    shape = (groups.groups, groups.categories)
    rows = _checks.check_release(release, shape, counts, mechanism)
    hypothesis = _hypotheses.homogeneous(counts)
    return _test(
        Setting(mechanism, hypothesis, chosen),
        rows,
        rng,
        replicates,
        _check_method(method, BOOTSTRAP),
    )


def independence(
    release: ArrayLike,
    n: int,
    mechanism: Mechanism,
    rng: np.random.Generator,
    *,
    statistic: str = "ridge",
    replicates: int = 9_999,
    method: str = "bootstrap",
) -> Test:
    """Test whether rows and columns of a two-way table are independent.

    Both margins of the release over n are projected on their simplexes, with at least about half a record
    in every entry, and multiplied. Releases of tables with that law are simulated and refitted:
    a parametric bootstrap, whose level is α for many records.

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
        Simulated releases, or the law of the statistic for many records.

    Returns
    -------
    Test
        With p = (1 + #{T* ≥ T})/(B + 1).

    Raises
    ------
    ParameterError
        As `goodness_of_fit`. A zero margin is none: the fit gives every level half a record.

    Notes
    -----
    As in `homogeneity`.
    """
    chosen = statistics.find(statistic)
    table = _checks.check_table(mechanism, dimensions=2)
    records = _checks.RECORDS.check_scalar(n)
    hypothesis = _hypotheses.independent(records, _pair(table.shape))
    rows = _checks.check_release(release, table.shape, hypothesis.sizes, mechanism)
    return _test(
        Setting(mechanism, hypothesis, chosen),
        rows,
        rng,
        replicates,
        _check_method(method, BOOTSTRAP),
    )


def _test(
    setting: Setting, rows: Array, rng: np.random.Generator, replicates: int, method: str
) -> Test:
    count = int(_checks.REPLICATES.check_scalar(replicates))
    expected = setting.hypothesis.fit(rows)
    value = float(setting.evaluate(rows, expected))
    if method == ASYMPTOTIC:
        null, error = np.zeros(0), 0.0
        p_value = limit_p_value(setting, expected, value)
    else:
        null = setting.null_draws(expected, rng, count)
        p_value = (1 + int((null >= value - TIE * (1 + value)).sum())) / (count + 1)
        error = math.sqrt(p_value * (1 - p_value) / (count + 1))
    return Test(value, p_value, error, null, expected.ravel(), setting.statistic.name, method)


def _pair(shape: Sequence[int]) -> tuple[int, int]:
    rows, columns = shape
    return rows, columns


def _check_method(method: str, simulation: str) -> str:
    if method not in {simulation, ASYMPTOTIC}:
        rule = f"must be {simulation} or {ASYMPTOTIC}"
        raise ParameterError("method", "p", "method of the p-value", rule, method)
    return method
