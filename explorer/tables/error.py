"""TableError: why a text is not read as a table, as facts; `explorer.locale` has the sentences."""

from enum import StrEnum

MAX_VALUE = 20
"""Most characters of a refused cell that are shown again."""


class Form(StrEnum):
    """How a text parts its cells."""

    TABS = "tabs"
    SEMICOLONS = "semicolons"
    COMMAS = "commas"
    BLANKS = "blanks"
    PIPES = "pipes"
    BRACKETS = "brackets"
    LATEX = "latex"
    HTML = "html"


class Problem(StrEnum):
    """What is wrong with a text; the comment says which facts a `TableError` has."""

    EMPTY = "empty"
    NO_COUNTS = "no-counts"  # labels only
    CODE = "code"  # a program, or an object with names
    TEXT = "text"  # row, column, value
    MISSING = "missing"  # row, column: a cell with nothing in it
    SUPPRESSED = "suppressed"  # row, column, value: "<5", "-", "NA"
    NEGATIVE = "negative"  # row, column, value
    FRACTION = "fraction"  # row, column, value: decimals, "½", "1/2"
    PROPORTIONS = "proportions"  # row, column, value: every number is at most 1
    PERCENTAGE = "percentage"  # row, column, value
    SEPARATOR = "separator"  # row, column, value: "1.000"; `as_decimal`, `as_thousands`
    SCIENTIFIC = "scientific"  # row, column, value: "1.23E+05" is rounded
    NOT_FINITE = "not-finite"  # row, column, value
    TOO_LARGE = "too-large"  # row, column, value, expected
    RAGGED = "ragged"  # row, expected, got
    ONE_CELL = "one-cell"  # expected, got
    ZERO_TOTAL = "zero-total"
    TOO_MANY_CELLS = "too-many-cells"  # expected, got
    TOTALS = "totals"  # row or column, value: looks like totals, or is named so
    LABELS = "labels"  # row or column: numbers that may be labels
    COMMA = "comma"  # value: "1,234" may be one count or two
    LONG = "long"  # one line for each pair of categories, or a table of three columns
    REPEATED_PAIR = "repeated-pair"  # row, value
    MISSING_PAIR = "missing-pair"  # value
    THREE_WAY = "three-way"  # expected, got: columns of categories


class TableError(ValueError):
    """A typed or pasted text that is not a table of counts.

    Attributes
    ----------
    problem : Problem
        What is wrong.
    form : Form or None
        How the text was taken to part its cells, where that is known.
    row, column : int or None
        The place in the text, from 1: lines that are not blank and their cells, labels
        included.
    value : str
        The cell's text, shortened to `MAX_VALUE` characters; "" where no cell is meant.
    expected, got : int or None
        Cells of most rows and of this one; most or least cells, or columns, and those found.
    as_decimal, as_thousands : float
        The two readings of an ambiguous separator.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        form: Form | None = None,
        row: int | None = None,
        column: int | None = None,
        value: str = "",
        expected: int | None = None,
        got: int | None = None,
        as_decimal: float = 0.0,
        as_thousands: float = 0.0,
    ) -> None:
        self.problem, self.form = problem, form
        self.row, self.column = row, column
        self.value = one_line(value, MAX_VALUE)
        self.expected, self.got = expected, got
        self.as_decimal, self.as_thousands = as_decimal, as_thousands
        super().__init__(problem.value)


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
