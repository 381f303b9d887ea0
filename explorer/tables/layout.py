"""From rows of cells to a body and its labels."""

from collections import Counter

from explorer.tables import long_form, sequences
from explorer.tables.error import Form, Problem, TableError
from explorer.tables.forms import (
    QUOTED_EMPTY,
    Grid,
    Line,
    is_number,
    is_suppressed,
    is_word,
)
from explorer.tables.parts import Layout, LeftOut


def _countlike(cell: str) -> bool:
    return is_number(cell) or is_suppressed(cell)


def _may_be_label(cell: str) -> bool:
    """Return whether a cell is a word, "NA" among them, or quotes with nothing between."""
    return is_word(cell) or cell == QUOTED_EMPTY or (is_suppressed(cell) and cell.isalpha())


def _wordy(line: Line) -> bool:
    numbers = sum(map(_countlike, line.cells))
    return sum(map(is_word, line.cells)) > numbers and is_word(next(filter(None, line.cells)))


def find(grid: Grid, *, literal: bool) -> Layout:
    """Find the labels and leave out what is around the table.

    Parameters
    ----------
    grid : Grid
        At least one line.
    literal : bool
        Whether numbers in the first line and column are counts unless the first cell is empty.

    Raises
    ------
    TableError
        If the lines differ in length, or numbers may be labels.
    """
    lines, form = list(grid.lines), grid.form
    left_out: list[LeftOut] = [LeftOut.PERCENTAGES] if grid.percentages else []
    if not any(_countlike(cell) for line in lines for cell in line.cells):
        raise TableError(Problem.NO_COUNTS, form=form)
    width = _usual_width(lines)
    named = _leave_out_surroundings(lines, width, left_out)
    _join_headers(lines, width)
    if not lines[0].cells[0] and not any(line.cells[0] for line in lines):
        for line in lines:
            del line.cells[0]
        dropped = 1
    else:
        dropped = 0
    for line in lines:  # a column that is empty for all
        while len(line.cells) > 1 and not line.cells[-1]:
            line.cells.pop()
    if form is Form.BLANKS:
        _leave_out_r_labels(lines)
    cornerless = _add_corner(lines)
    _check_rectangular(lines, form)
    if _leave_out_row_numbers(lines, cornerless=cornerless):
        left_out.append(LeftOut.ROW_NUMBERS)
        dropped += 1
        cornerless = False
    factors = named and is_word(lines[0].cells[0]) and _numbers_below(lines)
    header = len(lines) > 1 and (factors or _has_header(lines, literal=literal))
    labelled = cornerless or factors or (header and not lines[0].cells[0])
    columns = _label_columns(lines[header:], labelled=labelled, literal=literal)
    if not literal and not (header and not lines[0].cells[0]):
        long_form.ask(lines, header=header, columns=columns)
    first = lines[0].cells
    rows = lines[header:]
    layout = Layout(
        [line.cells[columns:] for line in rows],
        _row_labels(rows, columns) if columns else [],
        first[columns:] if header else [],
        [line.number for line in rows],
        columns + dropped,
        left_out,
    )
    if not literal:
        long_form.pivot(layout, [line.cells[:columns] for line in rows], columns)
    return layout


def _usual_width(lines: list[Line]) -> int:
    widths = Counter(len(line.cells) for line in lines if any(map(_countlike, line.cells)))
    return widths.most_common(1)[0][0]


def _leave_out_surroundings(lines: list[Line], width: int, left_out: list[LeftOut]) -> bool:
    """Remove titles, notes, and lines that name a factor; return whether one named the columns."""
    named = False
    while len(lines) > 1 and width > 1:
        first, second = lines[0], lines[1]
        alone = sum(map(bool, first.cells)) == 1 and len(first.cells) != width
        stray = len(first.cells) not in {width, width - 1} and len(lines) > 2
        words = not any(map(_countlike, (*first.cells, *second.cells)))
        fits = len(first.cells) == width - 1 or (len(first.cells) == width and words)
        above_header = fits and bool(first.cells[0]) and _is_header(second, width)
        if not _wordy(first) or not (alone or stray or above_header):
            break
        if alone and width == 2 and first.cells[0] and not _is_header(second, width):
            break  # a header of one column beside row labels
        if sum(map(bool, first.cells)) > 1 and not first.cells[0]:
            break  # a header of two lines
        named = alone and len(first.cells[-1].split()) == 1 and len(lines) > 2
        del lines[0]
        if LeftOut.TITLE not in left_out:
            left_out.append(LeftOut.TITLE)
    if len(lines) > 2 and width > 1:
        first, second = lines[0], lines[1]
        name_of_rows = len(second.cells) == 1 and is_word(second.cells[0])
        if name_of_rows and _wordy(first) and len(first.cells) in {width, width - 1}:
            del lines[1]
    while len(lines) > 1 and width > 1 and _is_note(lines[-1], width):
        lines.pop()
        if LeftOut.NOTE not in left_out:
            left_out.append(LeftOut.NOTE)
    return named


def _is_header(line: Line, width: int) -> bool:
    words = sum(map(is_word, line.cells))
    return len(line.cells) in {width, width - 1} and words >= len(line.cells) - 1


def _is_note(line: Line, width: int) -> bool:
    filled = [cell for cell in line.cells if cell]
    if not is_word(filled[0]):
        return False
    if len(line.cells) != width:
        return not any(map(_countlike, filled)) or (_wordy(line) and len(line.cells) > 2)
    return _wordy(line) and ":" in filled[0]


def _join_headers(lines: list[Line], width: int) -> None:
    """Join a header of two lines, where the upper one spans columns of the lower."""
    if len(lines) < 3:
        return
    upper, lower = lines[0].cells, lines[1].cells
    if any(map(_countlike, upper)) or any(map(_countlike, lower)) or len(lower) != width:
        return
    if upper[0] or ("" not in upper[1:] and len(upper) == width):
        return
    spanning, joined = "", lower[:1]
    for place in range(1, width):
        spanning = (upper[place] if place < len(upper) else "") or spanning
        joined.append(f"{spanning} {lower[place]}".strip())
    lines[1].cells[:] = joined
    del lines[0]


def _leave_out_r_labels(lines: list[Line]) -> None:
    """Remove the places that R prints beside a matrix, "[1,]" and "[,1]"."""
    if all(cell.startswith("[,") for cell in lines[0].cells):
        del lines[0]
    if all(line.cells[0].startswith("[") and line.cells[0].endswith(",]") for line in lines[1:]):
        for line in lines:
            if line.cells[0].endswith(",]"):
                del line.cells[0]


def _add_corner(lines: list[Line]) -> bool:
    """Put an empty first cell before a header that is one cell short, as R writes it."""
    if len(lines) < 2 or {len(line.cells) for line in lines[1:]} != {len(lines[0].cells) + 1}:
        return False
    first, column = lines[0].cells, [line.cells[0] for line in lines[1:]]
    words_above = all(map(_may_be_label, first)) and any(map(is_word, first))
    words_left = all(map(_may_be_label, column))
    numbered = sequences.step(column) == 1 and column[0] in {"0", "1"}
    rising = len(column) > 1 and sequences.rising(column) and sequences.rising(first)
    if (
        (words_left and (words_above or sequences.rising(first)))
        or (words_above and numbered)
        or rising
    ):
        first.insert(0, "")
        return True
    return False


def _check_rectangular(lines: list[Line], form: Form) -> None:
    expected = Counter(len(line.cells) for line in lines).most_common(1)[0][0]
    for line in lines:
        if len(line.cells) != expected:
            raise TableError(
                Problem.RAGGED, form=form, row=line.number, expected=expected, got=len(line.cells)
            )


def _leave_out_row_numbers(lines: list[Line], *, cornerless: bool) -> bool:
    """Remove row numbers beside a column of words, as R and pandas print them."""
    body = lines[1:] if not lines[0].cells[0] else lines
    if len(lines[0].cells) < 3 or len(body) < 2 or not (cornerless or body is not lines):
        return False
    numbers = [line.cells[0] for line in body]
    if numbers[0] not in {"0", "1"} or sequences.step(numbers) != 1:
        return False
    if not all(is_word(line.cells[1]) for line in body):
        return False
    for line in lines:
        del line.cells[0]
    return True


def _numbers_below(lines: list[Line]) -> bool:
    """Return whether R's names of two factors stand above numbers that are labels."""
    rest = [cell for cell in lines[0].cells[1:] if not is_word(cell)]
    return (
        bool(rest)
        and sequences.rising(rest)
        and all(is_number(line.cells[0]) for line in lines[1:])
    )


def _has_header(lines: list[Line], *, literal: bool) -> bool:  # noqa: PLR0911 - one for each case
    first = lines[0].cells
    if len(first) == 1:
        return is_word(first[0]) or first[0] == QUOTED_EMPTY
    if not first[0] or first[0] == QUOTED_EMPTY:
        return True
    rest = first[1:]
    if is_word(first[0]) and all(is_word(c) or not c or c == QUOTED_EMPTY for c in rest):
        return True
    if literal or len(lines) < 2:
        return False
    numbers = [cell for cell in rest if is_number(cell)]
    if not all(is_number(cell) or is_word(cell) for cell in rest) or not numbers:
        return False
    problem = TableError(Problem.LABELS, row=lines[0].number)
    others = [cell for line in lines[1:] for cell in line.cells[1:]]
    if is_word(first[0]):
        return sequences.are_labels(numbers, others, problem)
    if is_number(first[0]) and len(numbers) == len(rest) and sequences.are_years(first):
        others += [line.cells[0] for line in lines[1:]]
        return sequences.are_labels(first, others, problem)
    return False


def _label_columns(rows: list[Line], *, labelled: bool, literal: bool) -> int:
    width = len(rows[0].cells)
    columns = 0
    while columns < width - 1 and _is_label_column([line.cells[columns] for line in rows]):
        columns += 1
    if columns or width == 1:
        return columns
    return int(labelled or _numbers_are_labels(rows, literal=literal))


def _is_label_column(cells: list[str]) -> bool:
    words = [is_word(cell) for cell in cells]
    return any(words) and all(
        word
        or not cell
        or cell == QUOTED_EMPTY
        or (is_suppressed(cell) and len(words) > 1 and cell.isalpha())
        for word, cell in zip(words, cells, strict=True)
    )


def _numbers_are_labels(rows: list[Line], *, literal: bool) -> bool:
    column = [line.cells[0] for line in rows]
    if all(cell == QUOTED_EMPTY for cell in column):
        return True
    if literal or len(rows) < 2 or not all(map(is_number, column)):
        return False
    others = [cell for line in rows for cell in line.cells[1:]]
    return sequences.are_labels(column, others, TableError(Problem.LABELS, column=1))


def _row_labels(rows: list[Line], columns: int) -> list[str]:
    """Return one label for each row; a label left out is that of the row above."""
    if columns == 1:
        return [line.cells[0] for line in rows]
    above = [""] * columns
    labels = []
    for line in rows:
        above = [cell or before for cell, before in zip(line.cells[:columns], above, strict=True)]
        labels.append(" ".join(above).strip())
    return labels
