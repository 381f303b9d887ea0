"""Numbers that are labels: years, codes and row numbers."""

from itertools import pairwise

from explorer.tables.error import TableError

FIRST_YEAR, LAST_YEAR = 1500, 2199
_YEAR_STEP = 25  # years farther apart may be counts
_SEQUENCE = 3  # numbers in steps of one from which they may be row numbers


def _values(cells: list[str]) -> list[int] | None:
    values = [
        int(cell) if cell.isascii() and cell.isdigit() and len(cell) < 10 else None
        for cell in cells
    ]
    whole = [value for value in values if value is not None]
    return whole if len(whole) == len(values) else None


def step(cells: list[str]) -> int | None:
    """Return the one step between successive whole numbers, or None."""
    values = _values(cells)
    if not values or len(values) < 2:
        return None
    steps = {after - before for before, after in pairwise(values)}
    return steps.pop() if len(steps) == 1 else None


def rising(cells: list[str]) -> bool:
    """Return whether the cells are whole numbers, each larger than the one before."""
    values = _values(cells)
    return values is not None and all(a < b for a, b in pairwise(values))


def _are_codes(cells: list[str]) -> bool:
    """Return whether numbers are written like codes: of one length, with a zero before."""
    lengths = {len(cell) for cell in cells}
    digits = all(cell.isdecimal() for cell in cells)
    return digits and len(lengths) == 1 and lengths != {1} and any(c[0] == "0" for c in cells)


def are_years(cells: list[str]) -> bool:
    """Return whether all cells may be years."""
    values = _values(cells)
    return values is not None and all(FIRST_YEAR <= value <= LAST_YEAR for value in values)


def are_labels(cells: list[str], others: list[str], problem: TableError) -> bool:
    """Return whether numbers beside `others` are labels; ask where they may be either."""
    if _are_codes(cells) or [cell.rstrip(".)") for cell in cells if cell[-1] in ".)"] == [
        str(number) for number in range(1, len(cells) + 1)
    ]:
        return True
    if not are_years(cells) or len(cells) < 2:
        if len(cells) >= _SEQUENCE and cells[0] in {"0", "1"} and step(cells) == 1:
            raise problem
        return False
    between = step(cells)
    years_elsewhere = any(are_years([cell]) for cell in others if cell)
    if between and abs(between) <= _YEAR_STEP and not years_elsewhere:
        return True
    if between or rising(cells) or rising(cells[::-1]):
        raise problem
    return False
