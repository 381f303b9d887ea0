"""TableError: why a typed table is refused, in fields that make a sentence in any language."""

from typing import Literal

Kind = Literal[
    "empty",
    "text",
    "negative",
    "fraction",
    "ragged",
    "one-cell",
    "zero-total",
    "too-large",
    "too-many-cells",
    "totals",
    "not-finite",
]

MAX_VALUE = 20
"""Most characters of a refused cell that are shown again."""

_SENTENCES: dict[str, str] = {
    "empty": "There is no table yet: type or paste the counts, one row a line.",
    "text": (
        "{place} holds “{value}”, which is not a plain whole number: write the count out in digits."
    ),
    "negative": "{place} holds {value}: a count cannot be negative.",
    "fraction": (
        "{place} holds {value}: a count is a whole number; take out the decimals or the "
        "thousands separator."
    ),
    "ragged": (
        "Row {row} has {got} cells and the first row has {expected}: give every row as many; "
        "write 0 for a cell with nobody in it."
    ),
    "one-cell": "A table needs at least two cells: type more counts.",
    "zero-total": "All counts are 0: at least one must be positive.",
    "too-large": "{place} holds {value}: a count can be at most {expected}.",
    "too-many-cells": "The table has more than {expected} cells: merge rows or columns.",
    "totals": (
        "The last {line} is labelled “{value}” and looks like totals: remove it, or rename it "
        "if it is a category."
    ),
    "not-finite": "{place} holds {value}: a count is a finite number; write 0 if it is 0.",
}
_NO_CELL = "{place} is empty: write 0 if nobody is in it."


class TableError(ValueError):
    """A typed or pasted text that is not a table of counts.

    Attributes
    ----------
    kind : str
        What is wrong, one of `Kind`. A cell with nothing in it is "text" with an empty `value`.
    row, column : int or None
        The place in the text, from 1: lines that are not blank and their cells, labels
        included. "ragged" has a row only, "totals" the row or the column that is meant.
    value : str
        The cell's text, shortened to `MAX_VALUE` characters; "" where no cell is meant.
    expected, got : int or None
        Cells of the first row and of this one ("ragged"); most cells allowed and cells counted
        up to the refusal ("too-many-cells"); most and found ("too-large": most only; "one-cell":
        least and found).
    """

    def __init__(
        self,
        kind: Kind,
        *,
        row: int | None = None,
        column: int | None = None,
        value: str = "",
        expected: int | None = None,
        got: int | None = None,
    ) -> None:
        self.kind = kind
        self.row = row
        self.column = column
        self.value = one_line(value, MAX_VALUE)
        self.expected = expected
        self.got = got
        sentence = _NO_CELL if kind == "text" and not self.value else _SENTENCES[kind]
        super().__init__(
            sentence.format(
                place=f"Row {row}, column {column}",
                line="row" if column is None else "column",
                row=row,
                value=self.value,
                expected=expected,
                got=got,
            )
        )


def one_line(text: str, most: int) -> str:
    """Return a text on one line, printable, cut to `most` characters.

    Parameters
    ----------
    text : str
        Any text; only its first ``4 * most`` characters are looked at.
    most : int
        Most characters of the result; the last one is "…" if something was cut.

    Returns
    -------
    str
        The words of the text with single blanks between, without invisible characters.
    """
    visible = "".join(c for c in text[: 4 * most] if c.isprintable() or c.isspace())
    line = " ".join(visible.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
