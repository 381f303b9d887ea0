"""Argument checks of the tests."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core import quantities
from explorer.core._probabilities import check_probabilities
from explorer.core.chisq.statistics import ChiSquaredStatistic
from explorer.core.mechanisms import Mechanism
from explorer.core.parameter import Argument, Parameter
from explorer.core.sensitivity import Groups, Table, check_cells

Array = NDArray[np.float64]

RECORDS = quantities.RECORDS.within(1, 1e9)
SIZES = Parameter("sizes", "nᵢ", "size of a group", 1, 1e9, whole=True)
REPLICATES = Parameter("replicates", "B", "number of simulated releases", 1, 1e7, whole=True)
LEVEL = quantities.ALPHA.named("level", "level of the test").within(
    0, 1, low_open=True, high_open=True
)
MECHANISM = quantities.MECHANISM
RELEASE = Argument("release", "M", "released table")
NULL = Argument("null", "π₀", "cell probabilities")
ALTERNATIVES = Argument("alternatives", "π", "cell probabilities")
METHOD = Argument("method", "p", "method of the p-value")
ROUNDING = 0.01  # of a cell: tables printed with two decimals pass


def check_table(mechanism: Mechanism, dimensions: int | None = None) -> Table:
    """Return the table that a mechanism releases, or raise if it is none of such dimensions."""
    table = mechanism.statistic
    if not isinstance(table, Table):
        rule = "must release a Table"
    elif dimensions is not None and (len(table.shape) != dimensions or min(table.shape) < 2):
        rule = "must release a Table of at least two rows and two columns"
    else:
        return table
    raise MECHANISM.refuse(table, rule)


def check_groups(mechanism: Mechanism, sizes: ArrayLike) -> Array:
    """Return the sizes, of shape (groups,), of the groups that a mechanism releases, or raise."""
    groups = mechanism.statistic
    if not isinstance(groups, Groups):
        raise MECHANISM.refuse(groups, "must release Groups")
    if groups.groups < 2:
        raise MECHANISM.refuse(groups, "must release at least two groups")
    counts = SIZES.check(sizes)
    if counts.shape != (groups.groups,):
        raise SIZES.refuse(sizes, f"must be {groups.groups} numbers, one for each group")
    return counts


def check_null(
    null: ArrayLike, p: int, statistic: ChiSquaredStatistic, *, noise: bool = True
) -> Array:
    """Return the null probabilities of shape (p,), or raise.

    Without `noise` every statistic is Pearson's and takes no cell of probability 0.
    """
    probabilities = check_probabilities(NULL, np.ravel(null), p)
    if (probabilities == 0).any() and not (noise and statistic.zero_cells):
        name = statistic.name if noise else "pearson"
        rule = f"must be positive for the statistic {name}: merge cells, or use ridge with noise"
        raise NULL.refuse(null, rule)
    return probabilities


def check_alternatives(alternatives: ArrayLike, p: int) -> Array:
    """Return probabilities of shape (m, p), or raise."""
    tables = check_probabilities(ALTERNATIVES, alternatives, p)
    if tables.ndim > 2:
        raise ALTERNATIVES.refuse(tables.shape, "must be a list of tables, each of p cells")
    return tables.reshape(-1, p)


def check_two_way(alternatives: ArrayLike, shape: Sequence[int], *, by_group: bool) -> Array:
    """Return probabilities of shape (m, groups, categories), or raise.

    Parameters
    ----------
    alternatives : array_like of shape (m, rows, columns) or (rows, columns)
        Tables.
    shape : sequence of int
        Numbers of rows and columns.
    by_group : bool
        Whether the rows are groups with probabilities of their own, or parts of one.
    """
    tables: Array = np.asarray(alternatives)
    rows, columns = shape
    if tables.ndim not in (2, 3) or tables.shape[-2:] != (rows, columns):
        rule = f"must be tables of {rows} rows and {columns} columns"
        raise ALTERNATIVES.refuse(tables.shape, rule)
    if by_group:
        return check_probabilities(ALTERNATIVES, tables, columns).reshape(-1, rows, columns)
    flat = tables.reshape(*tables.shape[:-2], 1, rows * columns)
    return check_probabilities(ALTERNATIVES, flat, rows * columns).reshape(-1, 1, rows * columns)


def check_release(release: ArrayLike, sizes: Array, mechanism: Mechanism) -> Array:
    """Return a released table as (groups, categories), or raise if it cannot be one.

    Parameters
    ----------
    release : array_like
        The p cells, flat or in the shape of the table.
    sizes : ndarray of shape (groups,)
        Public totals of the groups of cells.
    mechanism : Mechanism
        What released it.
    """
    raw, statistic = np.asarray(release), mechanism.statistic
    shape = (
        statistic.shape if isinstance(statistic, Table) else (len(sizes), statistic.p // len(sizes))
    )
    cells = check_cells("release", "M", raw.ravel() if raw.shape == shape else raw, statistic.p)
    if cells.ndim != 1:
        raise RELEASE.refuse(
            f"array of shape {raw.shape}", f"must be one table of {statistic.p} cells"
        )
    rows = cells.reshape(len(sizes), -1)
    away = np.abs(rows.sum(axis=1) - sizes)
    rounding = 0.5 if (rows == np.rint(rows)).all() else ROUNDING
    if mechanism.is_rank_deficient and (away > rounding * rows.shape[1]).any():
        worst = int(np.argmax(away))
        rule = (
            f"must have the total {sizes[worst]:g}, which the mechanism releases as it is "
            f"(but for rounding, of at most {rounding:g} in a cell)"
        )
        raise RELEASE.refuse(float(rows[worst].sum()), rule)
    return rows
