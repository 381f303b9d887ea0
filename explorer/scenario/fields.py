"""The fields of a scenario, each declared once above the domains of `explorer.core.quantities`.

The domain is narrowed to what the screen can show; beside it stand the first value and the range of
the slider. The axes of studies use the same fields.
"""

from enum import StrEnum

from explorer.core import population, quantities
from explorer.core.chisq import STATISTICS
from explorer.core.mechanisms import MECHANISMS, OLD_NAMES
from explorer.core.parameter import Parameter
from explorer.core.sensitivity import Neighbours
from explorer.scenario.field_types import (
    ChoiceField,
    EnumField,
    NumberField,
    Slider,
    SubsetField,
    SwitchField,
    WholeField,
)
from explorer.tables import EXAMPLES, MAX_CELLS

TYPED = "typed"


class View(StrEnum):
    """Which plots stand below those of the attacker."""

    COSTS = "costs"
    TESTS = "tests"


class CostAxis(StrEnum):
    """What the cost is plotted against."""

    STRENGTH = "strength"
    MU = "mu"
    CELLS = "cells"
    RECORDS = "n"


class Hypothesis(StrEnum):
    """What the chi-squared test of the page tests."""

    GOODNESS_OF_FIT = "goodness-of-fit"
    INDEPENDENCE = "independence"


KEYS = tuple(mechanism_class.key for mechanism_class in MECHANISMS)
_OLD_KEYS = tuple(OLD_NAMES.items())
_ROWS = Parameter("rows", "r", "rows", 1, MAX_CELLS, whole=True)
_SEED = Parameter("seed", "seed", "number of the simulated table", 0, 2**31, whole=True)

MU_SLIDER = Slider(0.01, 10, logarithmic=True)
RECORDS_SLIDER = Slider(10, 1e6, logarithmic=True)
MU = NumberField(quantities.MU.within(1e-3, 100), 0.5, MU_SLIDER)
DELTA = NumberField(quantities.DELTA.within(1e-300, 0.999), 1e-6)
ROWS = WholeField(_ROWS, 4, Slider(1, 12))
COLUMNS = WholeField(Parameter("columns", "c", "columns", 1, MAX_CELLS, whole=True), 4, ROWS.slider)
RECORDS = WholeField(quantities.RECORDS.within(1, 1e13), 200, RECORDS_SLIDER)
RECORDS_PER_PERSON = WholeField(quantities.RECORDS_PER_PERSON.within(1, 1000), 1)
STRENGTH = NumberField(quantities.STRENGTH, 0.2)
ALPHA = NumberField(
    quantities.ALPHA.within(1e-300, 1 - 1e-12), 0.05, Slider(1e-4, 0.999, logarithmic=True)
)
SEED = WholeField(_SEED, 0)
NEIGHBOURS = EnumField("neighbours", Neighbours, Neighbours.REPLACE)
PATTERN = ChoiceField(
    "pattern", (*population.PATTERNS, *(example.key for example in EXAMPLES), TYPED), "spike"
)
POSITIVE_PART = SwitchField("positive_part", default=True)
HIDDEN = SubsetField("hidden", KEYS, (), _OLD_KEYS)
SAMPLED = ChoiceField("sampled", KEYS, "rank-deficient", _OLD_KEYS)
COST_AXIS = EnumField("cost_axis", CostAxis, CostAxis.STRENGTH)
COST_AVERAGE = SwitchField("cost_average", default=False)
COST_RATIO = SwitchField("cost_ratio", default=False)
COST_LOG = SwitchField("cost_log", default=False)
TRADEOFF_LOG = SwitchField("tradeoff_log", default=False)
VIEW = EnumField("view", View, View.COSTS)
TEST = EnumField("test", Hypothesis, Hypothesis.GOODNESS_OF_FIT)
TEST_STATISTIC = ChoiceField(
    "test_statistic", tuple(statistic.name for statistic in STATISTICS), "ridge"
)
NUMBERS = (MU, DELTA, ROWS, COLUMNS, RECORDS, RECORDS_PER_PERSON, STRENGTH, ALPHA, SEED)
"""The fields that hold a number, by which a page finds the parameter of a refused value."""
