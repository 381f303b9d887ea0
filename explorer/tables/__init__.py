"""Tables of counts: built-in public examples and tables typed by hand.

Everything here is public or hypothetical: the page has no protection for private counts.
"""

from explorer.tables.counts import MAX_CELLS, MAX_COUNT, Counts
from explorer.tables.error import Form, Problem, TableError
from explorer.tables.examples import EXAMPLES, Example
from explorer.tables.parts import LeftOut
from explorer.tables.typed import Reading, format_counts, parse, read

__all__ = [
    "EXAMPLES",
    "MAX_CELLS",
    "MAX_COUNT",
    "Counts",
    "Example",
    "Form",
    "LeftOut",
    "Problem",
    "Reading",
    "TableError",
    "format_counts",
    "parse",
    "read",
]
