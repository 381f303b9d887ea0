"""What a test may be asked, and the errors that say why not."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core import average_cost, quantities
from explorer.core.chisq.statistics import Statistic
from explorer.core.mechanisms import JamesStein, Mechanism
from explorer.core.parameter import Parameter, ParameterError
from explorer.core.sensitivity import Groups, Table, check_cells

Array = NDArray[np.float64]

RECORDS = quantities.RECORDS.within(1, 1e9)
SIZES = Parameter("sizes", "nᵢ", "size of a group", 1, 1e9, whole=True)
REPLICATES = Parameter("replicates", "B", "number of simulated releases", 1, 1e7, whole=True)
LEVEL = quantities.ALPHA.named("level", "level of the test").within(
    0, 1, low_open=True, high_open=True
)
TOTAL_TOLERANCE = 0.01  # of a cell: tables printed with two decimals pass


def check_table(mechanism: Mechanism, dimensions: int | None = None) -> Table:
    """Return the table that a mechanism releases, or raise if it is none of such dimensions."""
    table = mechanism.statistic
    if not isinstance(table, Table):
        rule = "must release a Table"
    elif dimensions is not None and (len(table.shape) != dimensions or min(table.shape) < 2):
        rule = "must release a Table of at least two rows and two columns"
    else:
        return table
    raise ParameterError("mechanism", "M", "mechanism", rule, table)


def check_groups(mechanism: Mechanism, sizes: ArrayLike) -> tuple[Groups, Array]:
    """Return the groups that a mechanism releases and their sizes, of shape (groups,), or raise."""
    groups = mechanism.statistic
    if not isinstance(groups, Groups):
        rule = "must release Groups"
        raise ParameterError("mechanism", "M", "mechanism", rule, groups)
    if groups.groups < 2:
        rule = "must release at least two groups"
        raise ParameterError("mechanism", "M", "mechanism", rule, groups)
    counts = SIZES.check(sizes)
    if counts.shape != (groups.groups,):
        rule = f"must be {groups.groups} numbers, one for each group"
        raise ParameterError("sizes", "nᵢ", "size of a group", rule, sizes)
    return groups, counts


def check_probabilities(name: str, values: ArrayLike, p: int, symbol: str = "π") -> Array:
    """Return cell probabilities of shape (..., p) with sum 1, or raise."""
    cells = check_cells(name, symbol, values, p)
    total = cells.sum(axis=-1, keepdims=True)
    if (cells < 0).any() or (np.abs(total - 1) > average_cost.SUM_TOLERANCE).any():
        rule = "must be nonnegative with sum 1"
        raise ParameterError(name, symbol, "cell probabilities", rule, values)
    normalised: Array = cells / total
    return normalised


def check_null(null: ArrayLike, p: int, statistic: Statistic, *, noise: bool = True) -> Array:
    """Return the null probabilities of shape (p,), or raise.

    Without `noise` every statistic is Pearson's and takes no cell of probability 0.
    """
    probabilities = check_probabilities("null", np.ravel(null), p, "π₀")
    if (probabilities == 0).any() and not (noise and statistic.zero_cells):
        name = statistic.name if noise else "pearson"
        rule = f"must be positive for the statistic {name}: merge cells, or use ridge with noise"
        raise ParameterError("null", "π₀", "cell probabilities", rule, null)
    return probabilities


def check_alternatives(alternatives: ArrayLike, p: int) -> Array:
    """Return probabilities of shape (m, p), or raise."""
    laws = check_probabilities("alternatives", alternatives, p)
    if laws.ndim > 2:
        rule = "must be a list of tables, each of p cells"
        raise ParameterError("alternatives", "π", "cell probabilities", rule, laws.shape)
    return laws.reshape(-1, p)


def check_laws(alternatives: ArrayLike, shape: Sequence[int], *, by_group: bool) -> Array:
    """Return probabilities of shape (m, groups, categories), or raise.

    Parameters
    ----------
    alternatives : array_like of shape (m, rows, columns) or (rows, columns)
        Tables.
    shape : sequence of int
        Numbers of rows and columns.
    by_group : bool
        Whether the rows are groups with laws of their own, or parts of one.
    """
    tables = np.asarray(alternatives)
    rows, columns = shape
    if tables.ndim not in (2, 3) or tables.shape[-2:] != (rows, columns):
        rule = f"must be tables of {rows} rows and {columns} columns"
        raise ParameterError("alternatives", "π", "cell probabilities", rule, tables.shape)
    if by_group:
        laws = check_probabilities("alternatives", tables, columns)
        return laws.reshape(-1, rows, columns)
    flat = tables.reshape(*tables.shape[:-2], 1, rows * columns)
    return check_probabilities("alternatives", flat, rows * columns).reshape(-1, 1, rows * columns)


def check_release(
    release: ArrayLike, shape: Sequence[int], sizes: Array, mechanism: Mechanism
) -> Array:
    """Return a released table as (groups, categories), or raise if it cannot be one.

    Parameters
    ----------
    release : array_like
        The p cells, flat or in the shape of the table.
    shape : sequence of int
        Of the table.
    sizes : ndarray of shape (groups,)
        Public totals of the groups of cells.
    mechanism : Mechanism
        What released it.
    """
    raw = np.asarray(release)
    flat = raw.ravel() if raw.shape == tuple(shape) else raw
    cells = check_cells("release", "M", flat, mechanism.statistic.p)
    if cells.ndim != 1:
        rule = f"must be one table of {mechanism.statistic.p} cells"
        raise _error(rule, f"array of shape {raw.shape}")
    rows = cells.reshape(len(sizes), -1)
    away = np.abs(rows.sum(axis=1) - sizes)
    shrunk_away = isinstance(mechanism, JamesStein) and bool((np.ptp(rows, axis=1) == 0).all())
    if (rows == np.rint(rows)).all() and (away == 0).all() and not shrunk_away:
        rule = (
            "must be a noisy table, but holds whole numbers with the exact total, which the noise "
            "gives with probability 0; give the release as it came, neither the true nor a rounded table"
        )
        raise _error(rule, "whole numbers")
    keeps = mechanism.on_span and mechanism.statistic.rank < mechanism.statistic.p
    if keeps and (away > TOTAL_TOLERANCE * rows.shape[1]).any():
        worst = int(np.argmax(away))
        rule = f"must have the total {sizes[worst]:g}, which the mechanism releases as it is"
        raise _error(rule, float(rows[worst].sum()))
    return rows


def _error(rule: str, value: object) -> ParameterError:
    return ParameterError("release", "M", "released table", rule, value)
