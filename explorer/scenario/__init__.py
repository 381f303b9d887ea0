"""The scenario on the screen: the value, its fields, its link, what follows from it, presets."""

from explorer.scenario.derived import Derived, derive
from explorer.scenario.edits import Edit, with_counts, with_pattern
from explorer.scenario.fields import TYPED, CostAxis, Hypothesis, View
from explorer.scenario.pattern import EXAMPLES_BY_KEY
from explorer.scenario.presets import PRESETS
from explorer.scenario.query import from_query, to_query
from explorer.scenario.scenario import (
    MOST_AVERAGED,
    MOST_TESTED,
    MOST_TESTED_CELLS,
    Scenario,
)

__all__ = [
    "EXAMPLES_BY_KEY",
    "MOST_AVERAGED",
    "MOST_TESTED",
    "MOST_TESTED_CELLS",
    "PRESETS",
    "TYPED",
    "CostAxis",
    "Derived",
    "Edit",
    "Hypothesis",
    "Scenario",
    "View",
    "derive",
    "from_query",
    "to_query",
    "with_counts",
    "with_pattern",
]
