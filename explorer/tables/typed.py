"""Tables typed or pasted by hand: text to `Counts` and back.

The layout is recognised, never guessed away: a first line of words is a header, a first
column of words holds row labels, and nothing that may be a count is dropped. Where labels are
numbers, years for instance, the first cell of the first line is left empty, as spreadsheets
and R do; then the first line and the first column are labels whatever they hold.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from explorer.tables import cells
from explorer.tables.counts import MAX_CELLS, MAX_COUNT, MAX_LABEL, Counts
from explorer.tables.error import TableError, one_line

TOTALS = frozenset({"total", "totals", "grand total", "sum", "sums", "all", "subtotal", "σ", "∑"})
"""Labels of a last row or column that are taken for totals, in lower case."""


class _Layout(NamedTuple):
    header: bool
    row_labels: bool


def parse(text: str) -> Counts:
    """Read a table of counts from a text.

    Parameters
    ----------
    text : str
        One row a line. Cells are separated by tabs if the text has any tab, else by semicolons,
        else by commas, else by blanks; so "1,234" is two cells, unless tabs separate or it is
        in double quotes. See `explorer.tables.cells` for how a count may be written.

    Returns
    -------
    Counts
        Labels are put on one line and cut to `MAX_LABEL` characters.

    Raises
    ------
    TableError
        If the text is not such a table; no other exception for any text. A last row or column
        that is labelled as totals is refused and not dropped.
    """
    grid, comma_groups = cells.grid(text)
    if not grid:
        raise TableError("empty")
    is_word = partial(cells.is_word, comma_groups=comma_groups)
    words = [[is_word(cell) for cell in row] for row in grid]
    if _lacks_corner(words):
        grid[0].insert(0, "")
        words[0].insert(0, False)
    _check_rectangular(grid)
    layout = _layout(grid, words)
    body = [row[layout.row_labels :] for row in grid[layout.header :]]
    first_column = [row[0] for row in grid[layout.header :]] if layout.row_labels else []
    first_line = grid[0][layout.row_labels :] if layout.header else []
    row_labels, column_labels = _labels(first_column), _labels(first_line)
    _check_totals(row_labels, column_labels, layout)
    size = len(body) * len(body[0])
    if size > MAX_CELLS:
        raise TableError("too-many-cells", expected=MAX_CELLS, got=size)
    rows = tuple(
        tuple(
            _count(cell, i + layout.header, j + layout.row_labels, comma_groups=comma_groups)
            for j, cell in enumerate(row, start=1)
        )
        for i, row in enumerate(body, start=1)
    )
    if size == 1:
        raise TableError("one-cell", expected=2, got=1)
    if not any(map(any, rows)):
        raise TableError("zero-total")
    return Counts(rows, row_labels, column_labels)


def format_counts(counts: Counts) -> str:
    """Return the text from which `parse` reads the same table.

    Parameters
    ----------
    counts : Counts
        Any table.

    Returns
    -------
    str
        Tab-separated lines, as a spreadsheet takes them. With labels there is a header after an
        empty cell and a first column; a missing label is written as two double quotes. A table
        whose last label says "total" is written as it is, and `parse` refuses it.
    """
    lines = ["\t".join(map(str, row)) for row in counts.rows]
    if not counts.row_labels and not counts.column_labels:
        return "\n".join(lines)
    labels = counts.row_labels or [""] * len(lines)
    header = counts.column_labels or [""] * len(counts.rows[0])
    body = [f"{_quoted(label)}\t{line}" for label, line in zip(labels, lines, strict=True)]
    return "\n".join(["\t" + "\t".join(map(_quoted, header)), *body])


def _lacks_corner(words: Sequence[Sequence[bool]]) -> bool:
    """Return whether the header is one cell short, as R writes it beside row names."""
    return (
        len(words) > 1
        and len(words[1]) == len(words[0]) + 1
        and all(words[0])
        and all(row[0] for row in words[1:])
    )


def _check_rectangular(grid: Sequence[Sequence[str]]) -> None:
    expected = len(grid[0])
    for number, row in enumerate(grid, start=1):
        if len(row) != expected:
            raise TableError("ragged", row=number, expected=expected, got=len(row))


def _layout(grid: Sequence[Sequence[str]], words: Sequence[Sequence[bool]]) -> _Layout:
    """Find the labels: a line or column of words with no number among them."""
    many_rows, many_columns = len(grid) > 1, len(grid[0]) > 1
    if many_rows and many_columns and not grid[0][0]:
        return _Layout(header=True, row_labels=True)
    corner_is_word = words[0][0]
    header = many_rows and corner_is_word and _are_words(grid[0][1:], words[0][1:])
    below = range(1, len(grid)) if header else range(len(grid))
    first_column = [grid[i][0] for i in below], [words[i][0] for i in below]
    return _Layout(header, many_columns and any(first_column[1]) and _are_words(*first_column))


def _are_words(line: Sequence[str], words: Sequence[bool]) -> bool:
    return all(word or not cell for cell, word in zip(line, words, strict=True))


def _labels(line: Sequence[str]) -> tuple[str, ...]:
    return tuple(one_line(cell, MAX_LABEL) for cell in line)


def _check_totals(row_labels: Sequence[str], column_labels: Sequence[str], layout: _Layout) -> None:
    if len(column_labels) > 1 and column_labels[-1].casefold() in TOTALS:
        column = len(column_labels) + layout.row_labels
        raise TableError("totals", column=column, value=column_labels[-1])
    if len(row_labels) > 1 and row_labels[-1].casefold() in TOTALS:
        raise TableError("totals", row=len(row_labels) + layout.header, value=row_labels[-1])


def _count(cell: str, row: int, column: int, *, comma_groups: bool) -> int:
    value = cells.count(cell, comma_groups=comma_groups)
    if isinstance(value, int):
        return value
    expected = MAX_COUNT if value == "too-large" else None
    raise TableError(value, row=row, column=column, value=cell, expected=expected)


def _quoted(label: str) -> str:
    return label if label and '"' not in label else '"' + label.replace('"', '""') + '"'
