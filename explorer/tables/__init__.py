"""Tables of counts: built-in public examples and tables typed by hand.

Everything here is public or hypothetical. A private table goes to `explorer.release`.
"""

from explorer.tables.counts import MAX_CELLS, MAX_COUNT, Counts
from explorer.tables.error import TableError
from explorer.tables.examples import EXAMPLES, Example
from explorer.tables.typed import format_counts, parse

__all__ = [
    "EXAMPLES",
    "MAX_CELLS",
    "MAX_COUNT",
    "Counts",
    "Example",
    "TableError",
    "format_counts",
    "parse",
]
