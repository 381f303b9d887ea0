"""The control of each field. To add one, write its class or a `Field` and add a line to `CONTROLS`."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from explorer.app import guard
from explorer.app.choice_rows import ChoiceRow, Field, RedrawButton, SwitchRow
from explorer.app.control import Control, Speaker
from explorer.app.number_row import NumberRow
from explorer.app.quantities import QUANTITIES, Quantity
from explorer.app.state import State
from explorer.core import mechanisms, population
from explorer.core.sensitivity import Neighbours
from explorer.locale import Text
from explorer.scenario import (
    EXAMPLES_BY_KEY,
    TYPED,
    CostAxis,
    Edit,
    Hypothesis,
    Scenario,
    View,
    fields,
    with_counts,
    with_pattern,
)

MakeControl: TypeAlias = Callable[[State, Text, Speaker], Control]
OptionsOf: TypeAlias = Callable[[Text, Scenario], list[tuple[str, str]]]
Widget: TypeAlias = type[guard.Choice] | type[guard.Choices]


def _number(quantity: Quantity) -> MakeControl:
    return lambda state, text, _: NumberRow(quantity, state, text)


def _choice(
    field: Field[str],
    options: OptionsOf,
    widget_class: Widget = guard.Choice,
    *,
    described: bool = False,
) -> MakeControl:
    return lambda state, text, _: ChoiceRow(
        field, state, text, partial(options, text), widget_class, described=described
    )


def _switch(
    field: Field[bool], widget_class: type[guard.Check] | type[guard.Toggle] = guard.Toggle
) -> MakeControl:
    return lambda state, text, speaker: SwitchRow(field, state, text, speaker, widget_class)


def _patterns(text: Text, scenario: Scenario) -> list[tuple[str, str]]:
    options = [(text.patterns[name], name) for name in population.PATTERNS]
    if scenario.typed is not None:
        options.append((text.typed_pattern, TYPED))
    example = EXAMPLES_BY_KEY.get(scenario.pattern)
    if example is not None:
        options.append((text.example_title(example), example.key))
    return options


def _pattern(scenario: Scenario, name: str) -> Edit:
    """Return the fields that a pattern sets.

    Selecting the typed table sets rows, columns, n and strength as well; leaving it restores the
    defaults of n and strength.
    """
    if scenario.pattern == TYPED and name != TYPED:
        there = with_pattern(scenario, name)
    elif name == TYPED and scenario.typed is not None:
        there = with_counts(scenario, scenario.typed, TYPED)
    else:
        return {"pattern": name}
    return {
        "pattern": there.pattern,
        "rows": there.rows,
        "columns": there.columns,
        "n": there.n,
        "strength": there.strength,
        "cost_average": there.cost_average,
        "view": there.view,
        "test": there.test,
    }


def _mechanisms(text: Text, scenario: Scenario) -> list[tuple[str, str]]:
    keys = [one.key for one in mechanisms.MECHANISMS]
    return [(text.mechanism_short(key, scenario.neighbours), key) for key in keys]


CONTROLS: dict[str, MakeControl] = {
    **{quantity.name: _number(quantity) for quantity in QUANTITIES},
    "neighbours": _choice(
        Field("neighbours", lambda now: now.neighbours, lambda _, v: {"neighbours": Neighbours(v)}),
        lambda text, _: [(text.neighbours[one], one.value) for one in Neighbours],
        described=True,
    ),
    "pattern": _choice(
        Field("pattern", lambda now: now.pattern, _pattern), _patterns, described=True
    ),
    "positive_part": _switch(
        Field("positive_part", lambda now: now.positive_part, lambda _, v: {"positive_part": v}),
        guard.Check,
    ),
    "cost_average": _switch(
        Field("cost_average", lambda now: now.cost_average, lambda _, v: {"cost_average": v})
    ),
    "cost_ratio": _switch(
        Field("cost_ratio", lambda now: now.cost_ratio, lambda _, v: {"cost_ratio": v})
    ),
    "cost_log": _switch(Field("cost_log", lambda now: now.cost_log, lambda _, v: {"cost_log": v})),
    "tradeoff_log": _switch(
        Field("tradeoff_log", lambda now: now.tradeoff_log, lambda _, v: {"tradeoff_log": v})
    ),
    "cost_axis": _choice(
        Field("cost_axis", lambda now: now.cost_axis, lambda _, v: {"cost_axis": CostAxis(v)}),
        lambda text, _: [(text.cost_axes[one], one.value) for one in CostAxis],
        guard.Choices,
    ),
    "view": _choice(
        Field("view", lambda now: now.view, lambda _, v: {"view": View(v)}),
        lambda text, _: [(text.views[one], one.value) for one in View],
        guard.Choices,
    ),
    "test": _choice(
        Field("test", lambda now: now.test, lambda _, v: {"test": Hypothesis(v)}),
        lambda text, _: [(text.hypotheses_tested[one], one.value) for one in Hypothesis],
    ),
    "test_statistic": _choice(
        Field("test_statistic", lambda now: now.test_statistic, lambda _, v: {"test_statistic": v}),
        lambda text, _: [(text.test_statistics[key], key) for key in fields.TEST_STATISTIC.choices],
    ),
    "sampled": _choice(
        Field("sampled", lambda now: now.sampled, lambda _, v: {"sampled": v}), _mechanisms
    ),
    "seed": RedrawButton,
}
"""How the control of each field is made, by the name of the field."""
