"""Tables typed or pasted by hand: text to `Counts` and back.

The text is read as it is meant, and the `Reading` says what was left out of it; where it can be
meant in two ways it is refused with the question. A first line that holds only ``!`` says that
nothing is a total, and that numbers are counts unless the first cell of the header is empty.
"""

from dataclasses import dataclass

from explorer import numerals
from explorer.tables import forms, layout, totals
from explorer.tables.counts import MAX_CELLS, MAX_COUNT, MAX_LABEL, Counts
from explorer.tables.error import Form, Problem, TableError, one_line
from explorer.tables.parts import Layout, LeftOut

LITERAL = "!"
"""A first line that says: every row and column is a category."""


@dataclass(frozen=True)
class Reading:
    """A table that was read.

    Attributes
    ----------
    counts : Counts
        The table.
    form : Form
        How the text parts its cells.
    left_out : tuple of LeftOut
        What the text holds beyond the table.
    long : bool
        Whether the text has one line for each pair of categories.
    """

    counts: Counts
    form: Form
    left_out: tuple[LeftOut, ...] = ()
    long: bool = False


def parse(text: str) -> Counts:
    """Return the table of a text; see `read`."""
    return read(text).counts


def read(text: str) -> Reading:
    """Read a table of counts from a text.

    Parameters
    ----------
    text : str
        Lines of cells with tabs, semicolons, commas or blanks between, a Markdown, LaTeX or HTML
        table, a print-out of R or pandas, brackets as of JSON and NumPy, or one line for each
        pair of categories. Labels, totals, a title and notes may be around the counts.

    Returns
    -------
    Reading
        Labels are put on one line and cut to `MAX_LABEL` characters.

    Raises
    ------
    TableError
        If the text is not such a table, or can be meant in two ways; no other exception for
        any text.
    """
    first, _, rest = text.lstrip("\ufeff \t\r\n").partition("\n")
    literal = first.strip() == LITERAL
    grid = forms.grid(rest if literal else text)
    if not grid.lines:
        raise TableError(Problem.EMPTY)
    if literal:
        for line in grid.lines:
            line.number += 1
    found = layout.find(grid, literal=literal)
    if len(found.body) * len(found.body[0]) > 2 * MAX_CELLS:
        raise _too_many(found, grid.form)
    rows = _counts(found, grid.form)
    if not literal:
        rows = _without_totals(found, rows)
    size = len(rows) * len(rows[0])
    if size > MAX_CELLS:
        raise _too_many(found, grid.form)
    if size == 1:
        raise TableError(Problem.ONE_CELL, form=grid.form, expected=2, got=1)
    if not any(map(any, rows)):
        raise TableError(Problem.ZERO_TOTAL)
    counts = Counts(
        tuple(map(tuple, rows)), _labels(found.row_labels), _labels(found.column_labels)
    )
    return Reading(counts, grid.form, tuple(found.left_out), found.long)


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
        empty cell and a first column; a missing label is written as two double quotes. A first
        line of `LITERAL` is put above where the table could be read in another way.
    """
    lines = ["\t".join(map(str, row)) for row in counts.rows]
    if counts.row_labels or counts.column_labels:
        labels = counts.row_labels or [""] * len(lines)
        header = counts.column_labels or [""] * len(counts.rows[0])
        body = [f"{_quoted(label)}\t{line}" for label, line in zip(labels, lines, strict=True)]
        lines = ["\t" + "\t".join(map(_quoted, header)), *body]
    text = "\n".join(lines)
    try:
        same = parse(text) == counts
    except TableError:
        same = False
    return text if same else f"{LITERAL}\n{text}"


def _too_many(found: Layout, form: Form) -> TableError:
    got = len(found.body) * len(found.body[0])
    return TableError(Problem.TOO_MANY_CELLS, form=form, expected=MAX_CELLS, got=got)


def _labels(cells: list[str]) -> tuple[str, ...]:
    return tuple(one_line(cell.replace(forms.QUOTED_EMPTY, ""), MAX_LABEL) for cell in cells)


def _quoted(label: str) -> str:
    return label if label and '"' not in label else '"' + label.replace('"', '""') + '"'


def _counts(found: Layout, form: Form) -> list[list[int]]:
    cells = [cell for row in found.body for cell in row]
    mark = numerals.decimal_mark(cells, whole=form is not Form.SEMICOLONS)
    rows = []
    for number, row in zip(found.numbers, found.body, strict=True):
        counts = []
        for place, cell in enumerate(row, start=found.offset + 1):
            value = _count(cell, mark, form)
            if isinstance(value, TableError):
                value.row, value.column, value.form = number, place, form
                value.value = one_line(cell.replace(forms.QUOTED_EMPTY, ""), len(value.value) or 20)
                if value.problem is Problem.FRACTION and _are_proportions(cells):
                    value.problem = Problem.PROPORTIONS
                raise value
            counts.append(value)
        rows.append(counts)
    return rows


def _are_proportions(cells: list[str]) -> bool:
    values = [numerals.read_number(cell, whole=False, decimal_mark=".") for cell in cells]
    commas = [numerals.read_number(cell, whole=False, decimal_mark=",") for cell in cells]
    return any(
        all(not isinstance(value, numerals.Refusal) and 0 <= value <= 1 for value in reading)
        for reading in (values, commas)
    )


def _count(cell: str, mark: str | None, form: Form) -> int | TableError:  # noqa: C901, PLR0911 - one line for each reason
    if not cell or cell == forms.QUOTED_EMPTY:
        return TableError(Problem.MISSING)
    value = numerals.read_number(cell, whole=True, decimal_mark=mark)
    if isinstance(value, float) and form is Form.SEMICOLONS and mark is None:
        # Beside semicolons a comma is as likely a decimal comma.
        either = numerals.read_number(cell, whole=False)
        value = either if isinstance(either, numerals.AmbiguousSeparator) else value
    match value:
        case numerals.NotFinite():
            huge = any(map(str.isdecimal, cell))
            if huge and numerals.plain(cell).startswith("-"):
                return TableError(Problem.NEGATIVE)
            return TableError(Problem.TOO_LARGE if huge else Problem.NOT_FINITE, expected=MAX_COUNT)
        case numerals.AmbiguousSeparator():
            return TableError(
                Problem.SEPARATOR, as_decimal=value.as_decimal, as_thousands=value.as_thousands
            )
        case numerals.Percentage():
            return TableError(Problem.PERCENTAGE)
        case numerals.FractionForm() | numerals.NotWhole():
            return TableError(Problem.NEGATIVE if value.value < 0 else Problem.FRACTION)
        case numerals.Refusal():
            inner = numerals.read_number(cell.strip("()[]"), whole=True)
            if isinstance(inner, numerals.Percentage):
                return TableError(Problem.PERCENTAGE)
            suppressed = forms.is_suppressed(cell)
            return TableError(Problem.SUPPRESSED if suppressed else Problem.TEXT)
    if value < 0:
        return TableError(Problem.NEGATIVE)
    if value > MAX_COUNT:
        return TableError(Problem.TOO_LARGE, expected=MAX_COUNT)
    plain = numerals.plain(cell).lower()
    if "e" in plain and not plain.partition("e")[0].isdigit():
        return TableError(Problem.SCIENTIFIC)
    return int(value)


def _without_totals(found: Layout, rows: list[list[int]]) -> list[list[int]]:
    """Leave out a first or last row and column of totals, or ask."""
    labelled = bool(found.row_labels or found.column_labels)
    across = _total(rows, found.row_labels, labelled=labelled)
    columns = [list(column) for column in zip(*rows, strict=True)]
    down = _total(columns, found.column_labels, labelled=labelled)
    # Totals in both directions that agree on the grand total confirm each other.
    (row_place, row_verdict), (column_place, column_verdict) = across, down
    if row_verdict is column_verdict is totals.Verdict.MAYBE and len(rows) > 2 < len(columns):
        both = totals.both(rows, row_place, column_place)
        row_verdict = column_verdict = totals.Verdict.YES if both else totals.Verdict.MAYBE
    if row_verdict is totals.Verdict.MAYBE:
        name = found.row_labels[row_place] if found.row_labels else ""
        raise TableError(Problem.TOTALS, row=found.numbers[row_place], value=name)
    if column_verdict is totals.Verdict.MAYBE:
        name = found.column_labels[column_place] if found.column_labels else ""
        place = found.offset + 1 + column_place % len(columns)
        raise TableError(Problem.TOTALS, column=place, value=name)
    if row_verdict is totals.Verdict.YES:
        found.left_out.append(LeftOut.TOTAL_ROW)
        del rows[row_place], found.numbers[row_place]
        if found.row_labels:
            del found.row_labels[row_place]
    if column_verdict is totals.Verdict.YES:
        found.left_out.append(LeftOut.TOTAL_COLUMN)
        for row in rows:
            del row[column_place]
        if found.column_labels:
            del found.column_labels[column_place]
    return rows


def _total(
    lines: list[list[int]], labels: list[str], *, labelled: bool
) -> tuple[int, totals.Verdict]:
    """Return the place of the totals, 0 or -1, and the verdict on it."""
    verdicts = {
        place: totals.judge(lines, place, labels[place] if labels else "", labelled=labelled)
        for place in (-1, 0)
    }
    if all(verdict is not totals.Verdict.NO for verdict in verdicts.values()) and len(lines) > 1:
        named = [p for p in verdicts if labels and totals.is_name(labels[p])]
        if len(named) == 1:
            return named[0], verdicts[named[0]]
        return -1, totals.Verdict.MAYBE
    return next(
        ((p, v) for p, v in verdicts.items() if v is not totals.Verdict.NO),
        (-1, totals.Verdict.NO),
    )
