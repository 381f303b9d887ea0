"""Rows and columns of totals: recognised by their sums, in any language and without a name."""

import re
from collections.abc import Sequence
from enum import Enum, auto
from math import prod

NAMES = frozenset(
    "total totals grand·total sum sums all subtotal margin margins overall σ ∑ gesamt gesamtsumme "
    "summe insgesamt zusammen somme ensemble totale totaux tout tous suma razem łącznie ogółem totaal "
    "som summa totalt sammanlagt yhteensä kokku sum·total i·alt всего итого сумма σύνολο toplam összesen "
    "celkem spolu skupaj ukupno jumlah tổng tổng·cộng รวม कुल योग মোট 合计 总计 合計 総計 总和 計 총계 합계 계 "
    'المجموع الإجمالي סה"כ סך·הכל כולל مجموع جمع'.replace("·", "\0").split()
)
_CERTAIN = 1000.0


class Verdict(Enum):
    """Whether a line of numbers is the total of the others."""

    NO = auto()
    MAYBE = auto()
    YES = auto()


def is_name(label: str) -> bool:
    """Return whether a label says that a line holds totals."""
    plain = re.sub(r"[\W_]*(?=\Z)|^[\W_]*", "", label.casefold()) or label.casefold()
    words = re.split(r"[\s/|,()]+", plain)
    return any(name.replace("\0", " ") == plain for name in NAMES) or (
        len(words) <= 3 and any(word in _STRONG for word in words)
    )


_STRONG = frozenset(
    {
        "total",
        "totals",
        "gesamt",
        "insgesamt",
        "summe",
        "итого",
        "всего",
        "totale",
        "合计",
        "总计",
        "合計",
    }
)


def judge(lines: Sequence[Sequence[int]], place: int, label: str, *, labelled: bool) -> Verdict:
    """Judge whether one line is the total of the others.

    Sums that agree by chance are likely in a small table: of s records in a cell's line, a
    count from 0 to s agrees with probability about 1 / (1 + s).

    Parameters
    ----------
    lines : sequence of sequences of int
        All rows, or all columns; the counts.
    place : int
        0 or -1: the line in question.
    label : str
        Its label, or "".
    labelled : bool
        Whether any line of the table has a label.
    """
    total = lines[place]
    others = lines[1:] if place == 0 else lines[:-1]
    agrees = any(total) and all(
        sum(cells) == value for *cells, value in zip(*others, total, strict=True)
    )
    if is_name(label) and len(lines) > 1 and any(total):
        if agrees:
            return Verdict.YES
        return Verdict.MAYBE if place else Verdict.NO
    if not agrees or len(lines) < 2:
        return Verdict.NO
    contributing = sum(any(line) for line in others)
    if contributing < 2:
        twins = len(lines) > 2 or labelled
        return Verdict.MAYBE if twins else Verdict.NO
    chance = prod(1.0 + min(value, 10**6) for value in total)
    return Verdict.YES if chance >= _CERTAIN else Verdict.MAYBE


def both(rows: Sequence[Sequence[int]], row: int, column: int) -> bool:
    """Return whether sums in both directions agree so often that it is no chance."""
    down = [value for place, value in enumerate(rows[row]) if place != column % len(rows[row])]
    across = [line[column] for place, line in enumerate(rows) if place != row % len(rows)]
    return prod(1.0 + min(value, 10**6) for value in (*down, *across)) >= _CERTAIN
