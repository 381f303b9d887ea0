"""From text to cells: where a cell ends, and which count it holds."""

import re
from itertools import islice

from explorer.tables.counts import MAX_CELLS, MAX_COUNT
from explorer.tables.error import Kind, TableError

_SEPARATORS = ("\t", ";", ",")
_QUOTED = r'"(?P<quoted>(?:[^"]|"")*+)"'
_SPLITTERS = {
    separator: re.compile(
        rf" *{_QUOTED} *(?:{separator}|$)|(?P<plain>[^{separator}]*)(?:{separator}|$)"
    )
    for separator in _SEPARATORS
} | {" ": re.compile(rf"{_QUOTED}(?= |$)|(?P<plain>[^ ]+)")}

# Labels included, a table of MAX_CELLS cells has at most this many: one row, or one column.
_MAX_WITH_LABELS = 2 * MAX_CELLS + 2

_GROUPED = r"\d{{1,3}}(?P<mark>[{marks}])\d{{3}}(?:(?P=mark)\d{{3}})*"
_NUMBER = r"(?P<minus>[-\u2010-\u2015\u2212\ufe63\uff0d])?\+?(?P<whole>{grouped}|\d+)?(?P<decimals>[.,]\d*)?"
_MARKS = "'’\u00a0\u2007\u2009\u202f"
_NUMBERS = {
    marks: re.compile(_NUMBER.format(grouped=_GROUPED.format(marks=marks)))
    for marks in (_MARKS, _MARKS + ",")
}
_NOT_FINITE = re.compile(r"[-+\u2212]?(?:nan|inf|infinity|∞)", re.IGNORECASE)
_NOT_A_WORD = re.compile(
    r"[-+\u2212]?(?:0x[0-9a-f]+|[\d.,]+e[-+\u2212]?\d+|[\d\s.,'’_()]+)", re.IGNORECASE
)


def grid(text: str) -> tuple[list[list[str]], bool]:
    """Cut a text into lines and cells.

    Tabs separate cells if there is any tab, else semicolons, else commas, else blanks.
    Non-breaking and thin blanks never separate. A cell in double quotes may contain the
    separator. Blank lines and empty cells at the end of a line are left out.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    cells : list of list of str
        Text of every cell without blanks around it, line by line.
    comma_groups : bool
        Whether a comma inside a cell can be a thousands separator: not where semicolons
        separate, because there it is the decimal comma.

    Raises
    ------
    TableError
        "too-many-cells", after no more cells than a table may have.
    """
    separator = next((mark for mark in _SEPARATORS if mark in text), " ")
    cells: list[list[str]] = []
    left = _MAX_WITH_LABELS
    for line in filter(None, text.removeprefix("\ufeff").splitlines()):
        if not line.strip(f"{separator} \u00a0"):
            continue
        row = _split(line, separator, left + 1)
        left -= len(row)
        if left < 0:
            got = _MAX_WITH_LABELS - left
            raise TableError("too-many-cells", expected=MAX_CELLS, got=got)
        if row:
            cells.append(row)
    return cells, separator != ";"


def _split(line: str, separator: str, most: int) -> list[str]:
    row: list[str] = []
    filled = 0
    for match in islice(_SPLITTERS[separator].finditer(line), most + 1):
        quoted = match["quoted"]
        cell = (match["plain"] if quoted is None else quoted.replace('""', '"')).strip()
        if separator == " " and quoted is None and not cell:
            continue  # a non-breaking blank between two blanks
        row.append(cell)
        if cell or quoted is not None:
            filled = len(row)
    # One more than `most` may be the empty match at the end of the line.
    return row if len(row) > most else row[:filled]


def count(cell: str, *, comma_groups: bool) -> int | Kind:
    """Read one cell.

    A count is written in decimal digits of any script, with an optional plus sign, thousands
    separators (apostrophe, non-breaking or thin blank, and comma if `comma_groups`) and one or
    two decimal zeros: "12.0" is 12, but "1.000" is refused because it may mean a thousand.

    Parameters
    ----------
    cell : str
        Text of the cell without blanks around it.
    comma_groups : bool
        Whether "1,234" is one thousand two hundred and thirty-four.

    Returns
    -------
    int or str
        The count, in [0, `MAX_COUNT`], or the kind of `TableError` that says why it is none.
    """
    if _NOT_FINITE.fullmatch(cell):
        return "not-finite"
    match = _NUMBERS[_MARKS + "," if comma_groups else _MARKS].fullmatch(cell)
    if match is None or not (match["whole"] or match["decimals"] or "").strip(".,"):
        return "text"
    digits = "".join(filter(str.isdecimal, match["whole"] or "0")).lstrip("0") or "0"
    decimals = (match["decimals"] or "")[1:]
    # Python refuses to convert thousands of digits, so their number is looked at first.
    whole = int(digits) if len(digits) <= len(str(MAX_COUNT)) else MAX_COUNT + 1
    if match["minus"] and (whole or decimals.strip("0")):
        return "negative"
    if match["decimals"] and decimals not in {"0", "00"}:
        return "fraction"
    return whole if whole <= MAX_COUNT else "too-large"


def is_word(cell: str, *, comma_groups: bool) -> bool:
    """Return whether a cell can only be a label: neither empty nor written like a number."""
    kind = count(cell, comma_groups=comma_groups)
    return kind == "text" and bool(cell) and not _NOT_A_WORD.fullmatch(cell)
