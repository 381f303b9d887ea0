"""Long form: one line for each pair of categories, with its count."""

from explorer.tables.error import Problem, TableError
from explorer.tables.forms import Line
from explorer.tables.parts import Layout


def ask(lines: list[Line], *, header: bool, columns: int) -> None:
    """Ask about three columns of numbers that may be two of codes and one of counts."""
    rows = lines[header:]
    if columns or not header or len(lines[0].cells) != 3 or len(rows) < 4:
        return
    pairs = [(line.cells[0], line.cells[1]) for line in rows]
    if _complete(pairs):
        raise TableError(Problem.LONG)


def _complete(pairs: list[tuple[str, str]]) -> bool:
    first, second = {a for a, _ in pairs}, {b for _, b in pairs}
    distinct = len(set(pairs)) == len(pairs) == len(first) * len(second)
    return distinct and len(first) > 1 and len(second) > 1


def pivot(layout: Layout, labels: list[list[str]], columns: int) -> None:  # noqa: C901 - one for each case
    """Read one line for each pair of categories as a two-way table."""
    width = len(layout.body[0])
    if columns == 1 and width == 2 and len(layout.body) > 3:
        pairs = [(row[0], cells[0]) for row, cells in zip(labels, layout.body, strict=True)]
        if not _complete(pairs):
            return
        layout.body = [cells[1:] for cells in layout.body]
        layout.offset += 1
    elif columns >= 2 and width == 1 and len(layout.body) > 1:
        if columns > 2:
            raise TableError(Problem.THREE_WAY, expected=2, got=columns)
        above, pairs = "", []
        for first, second in labels:
            above = first or above
            pairs.append((above, second))
    else:
        return
    seen: dict[tuple[str, str], str] = {}
    for pair, cells, number in zip(pairs, layout.body, layout.numbers, strict=True):
        if pair in seen:
            raise TableError(Problem.REPEATED_PAIR, row=number, value=" ".join(pair))
        seen[pair] = cells[0]
    rows, across = (
        list(dict.fromkeys(a for a, _ in pairs)),
        list(dict.fromkeys(b for _, b in pairs)),
    )
    for a in rows:
        for b in across:
            if (a, b) not in seen:
                raise TableError(Problem.MISSING_PAIR, value=f"{a} {b}")
    places = dict(zip(pairs, layout.numbers, strict=True))
    layout.body = [[seen[a, b] for b in across] for a in rows]
    layout.numbers = [places[a, across[0]] for a in rows]
    layout.row_labels, layout.column_labels, layout.long = rows, across, True
