"""Changes of a scenario: an edit of some fields, a real table, a made-up pattern."""

from dataclasses import replace
from typing import TypedDict

from explorer.core import population
from explorer.core.sensitivity import Neighbours
from explorer.scenario import fields
from explorer.scenario.fields import TYPED, CostAxis, Hypothesis, View
from explorer.scenario.pattern import max_strength
from explorer.scenario.scenario import (
    MOST_AVERAGED,
    MOST_TESTED,
    MOST_TESTED_CELLS,
    Scenario,
)
from explorer.tables import Counts


class Edit(TypedDict, total=False):
    """Fields of a scenario and their new values."""

    mu: float
    delta: float
    rows: int
    columns: int
    n: int
    neighbours: Neighbours
    records_per_person: int
    pattern: str
    typed: Counts | None
    strength: float
    alpha: float
    positive_part: bool
    hidden: tuple[str, ...]
    sampled: str
    seed: int
    cost_axis: CostAxis
    cost_average: bool
    cost_ratio: bool
    cost_log: bool
    tradeoff_log: bool
    view: View
    test: Hypothesis
    test_statistic: str


def with_counts(scenario: Scenario, counts: Counts, pattern: str) -> Scenario:
    """Return the scenario of a real table: its shape, n, pattern and signal strength.

    Averages are turned off for one too large for them, and so are tests.
    """
    fits = counts.n <= MOST_TESTED and len(counts.array) <= MOST_TESTED_CELLS
    return replace(
        scenario,
        rows=counts.shape[0],
        columns=counts.shape[1],
        n=counts.n,
        pattern=pattern,
        typed=counts if pattern == TYPED else scenario.typed,
        strength=float(population.strength(counts.array / counts.n)),
        cost_average=scenario.cost_average and counts.n <= MOST_AVERAGED,
        view=scenario.view if fits else View.COSTS,
        test=scenario.test if min(counts.shape) > 1 else Hypothesis.GOODNESS_OF_FIT,
    )


def with_pattern(scenario: Scenario, pattern: str) -> Scenario:
    """Return the scenario with a made-up pattern, as strong as it can be up to this strength.

    The n and the strength of a typed table follow from its counts, so they give way to the defaults.
    """
    typed = scenario.pattern == TYPED
    strength = fields.STRENGTH.default if typed else scenario.strength
    n = fields.RECORDS.default if typed else scenario.n
    most = max_strength(scenario.shape, pattern, scenario.typed)
    return replace(scenario, pattern=pattern, n=n, strength=min(strength, most))
