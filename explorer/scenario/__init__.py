"""The scenario on the screen: the value, its fields, its link, presets."""

from explorer.scenario.scenario import (
    COST_AXES,
    EXAMPLES_BY_KEY,
    MOST_AVERAGED,
    MOST_TESTED,
    MOST_TESTED_CELLS,
    NEIGHBOURS,
    TEST_STATISTICS,
    TESTS,
    TYPED,
    VIEWS,
    Scenario,
    build,
)

__all__ = [
    "COST_AXES",
    "EXAMPLES_BY_KEY",
    "MOST_AVERAGED",
    "MOST_TESTED",
    "MOST_TESTED_CELLS",
    "NEIGHBOURS",
    "TESTS",
    "TEST_STATISTICS",
    "TYPED",
    "VIEWS",
    "Scenario",
    "build",
]
