"""Counts: a two-way contingency table of whole numbers with its labels."""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from explorer.core.parameter import ParameterError
from explorer.tables.error import one_line

MAX_CELLS = 2500
"""Most cells of a table: the page draws every cell and sends it at every drag."""

MAX_COUNT = 10**9
"""Largest count of a cell: totals of `MAX_CELLS` such counts are exact in float64."""

MAX_LABEL = 40
"""Most characters of a label: it has to fit beside a row or above a column."""


@dataclass(frozen=True)
class Counts:
    """A two-way contingency table; a histogram is a table of one row.

    Attributes
    ----------
    rows : tuple of tuple of int
        The counts, in records; r rows of c cells. Any sequence of sequences of whole numbers
        is taken and stored so.
    row_labels, column_labels : tuple of str
        One printable text of at most `MAX_LABEL` characters for each row and column, or none
        at all; texts that are all empty become none.

    Raises
    ------
    ParameterError
        If a count is not a whole number in [0, `MAX_COUNT`], the rows differ in length, there
        are fewer than 2 or more than `MAX_CELLS` cells, the total is 0, or the labels do not
        fit.
    """

    rows: tuple[tuple[int, ...], ...]
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check, and store as tuples of int and of str."""
        object.__setattr__(self, "rows", _checked_rows(self.rows))
        for name, length in zip(("row_labels", "column_labels"), self.shape, strict=True):
            object.__setattr__(self, name, _checked_labels(name, getattr(self, name), length))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns (r, c)."""
        return len(self.rows), len(self.rows[0])

    @property
    def n(self) -> int:
        """Total, in records."""
        return sum(map(sum, self.rows))

    @property
    def p(self) -> int:
        """Number of cells."""
        return len(self.rows) * len(self.rows[0])

    @cached_property
    def array(self) -> NDArray[np.float64]:
        """The counts in C order, in records: a read-only array of shape (p,)."""
        array = np.array(self.rows, dtype=np.float64).ravel()
        array.flags.writeable = False
        return array


def _error(rule: str, value: object) -> ParameterError:
    return ParameterError("rows", "θ", "table of counts", rule, value)


def _checked_rows(rows: Sequence[Sequence[object]]) -> tuple[tuple[int, ...], ...]:
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise _error("must have as many cells in every row", tuple(sorted(widths)))
    cells = len(rows) * max(widths, default=0)
    if not 2 <= cells <= MAX_CELLS:
        raise _error(f"must have 2 to {MAX_CELLS} cells", cells)
    checked = tuple(tuple(_checked_count(value) for value in row) for row in rows)
    if not any(map(any, checked)):
        raise _error("must have a positive total", 0)
    return checked


def _checked_count(value: object) -> int:
    rule = f"must hold whole numbers in [0, {MAX_COUNT}]"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, SupportsIndex):
        raise _error(rule, value)
    try:
        count = operator.index(value)
    except TypeError:
        raise _error(rule, value) from None
    if not 0 <= count <= MAX_COUNT:
        raise _error(rule, value)
    return count


def _checked_labels(name: str, labels: Sequence[str], length: int) -> tuple[str, ...]:
    if isinstance(labels, str) or not all(isinstance(label, str) for label in labels):
        raise ParameterError(name, "labels", "texts", "must be a tuple of texts", labels)
    if not any(labels):
        return ()
    if len(labels) != length:
        rule = f"must be none or {length}"
        raise ParameterError(name, "labels", "texts", rule, len(labels))
    for label in labels:
        if label != one_line(label, MAX_LABEL):
            rule = f"must be printable words, at most {MAX_LABEL} characters, one blank between"
            raise ParameterError(name, "labels", "texts", rule, label)
    return tuple(labels)
