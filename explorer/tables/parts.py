"""What a text is made of: the body of the table, its labels, and what is left out."""

from dataclasses import dataclass, field
from enum import StrEnum


class LeftOut(StrEnum):
    """What a text holds beyond counts and labels."""

    TOTAL_ROW = "total-row"
    TOTAL_COLUMN = "total-column"
    TITLE = "title"
    NOTE = "note"
    PERCENTAGES = "percentages"
    ROW_NUMBERS = "row-numbers"


@dataclass
class Layout:
    """The body of a table as text, with labels and places.

    Attributes
    ----------
    body : list of list of str
        Rows of cells.
    row_labels, column_labels : list of str
        One for each row or column, or none.
    numbers : list of int
        Line of each row.
    offset : int
        Cells left of the body.
    left_out : list of LeftOut
        What was left out.
    long : bool
        Whether the text has one line for each pair of categories.
    """

    body: list[list[str]]
    row_labels: list[str]
    column_labels: list[str]
    numbers: list[int]
    offset: int
    left_out: list[LeftOut] = field(default_factory=list)
    long: bool = False
