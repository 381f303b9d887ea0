"""What every panel keeps for every scenario; `PANELS` is the only list."""

import dataclasses
import json
import math
import re

import numpy as np
import pytest
from drawings import resolve
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.core import population
from explorer.core.mechanisms import MECHANISMS
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Neighbours
from explorer.locale import LANGUAGES, text_for
from explorer.panels import PANELS, palette
from explorer.scenario import (
    MOST_AVERAGED,
    MOST_TESTED,
    TYPED,
    CostAxis,
    Hypothesis,
    Scenario,
    fields,
    with_counts,
)
from explorer.tables import EXAMPLES, Counts

NAMES = tuple(mechanism_class.key for mechanism_class in MECHANISMS)
KINDS = {"exact", "bound", "simulated"}
every_panel = pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.name)
every_language = pytest.mark.parametrize(
    "text", [text_for(language.code) for language in LANGUAGES], ids=[one.code for one in LANGUAGES]
)
EN = text_for("en")
some = settings(max_examples=15, deadline=None)


def among(*special, low, high):
    return st.one_of(st.sampled_from(special), st.floats(low, high))


REAL = [
    *((sample.counts, sample.key) for sample in EXAMPLES),
    (Counts(((3, 3), (3, 3))), TYPED),  # uniform: no direction, no strength
    (Counts(((0, 0, 10**9),)), TYPED),
    (Counts(((1,), (1,))), TYPED),
]
SHAPES = [(1, 2), (2, 1), (1, 7), (2, 2), (3, 4), (4, 4), (10, 10), (2, 60), (50, 50)]
SWITCHES = ("positive_part", "cost_average", "cost_ratio", "cost_log", "tradeoff_log")
FREE = {
    "mu": among(1e-3, 0.01, 1.0, 38.0, 100.0, low=1e-3, high=100),
    "delta": among(1e-300, 1e-6, 0.999, low=1e-300, high=0.999),
    "alpha": among(1e-300, 1e-6, 0.5, 1 - 1e-12, low=1e-300, high=1 - 1e-12),
    "neighbours": st.sampled_from(Neighbours),
    "records_per_person": st.sampled_from([1, 2, 1000]),
    "hidden": st.one_of(
        st.sampled_from([(), NAMES, NAMES[1:]]),
        st.lists(st.sampled_from(NAMES), unique=True).map(tuple),
    ),
    "sampled": st.sampled_from(NAMES),
    "seed": st.integers(0, 2**31),
    "cost_axis": st.sampled_from(CostAxis),
    "test_statistic": st.sampled_from(fields.TEST_STATISTIC.choices),
    **dict.fromkeys(SWITCHES, st.booleans()),
}


@st.composite
def scenarios(draw):
    """Scenarios of all kinds, at the ends of their domains more often than elsewhere."""
    free = draw(st.fixed_dictionaries(FREE))
    if draw(st.integers(0, 3)) == 0:
        return with_counts(Scenario(**free), *draw(st.sampled_from(REAL)))
    # The largest tables take longest and are drawn less often.
    n = draw(st.one_of(st.sampled_from([1, 200, 10**13]), st.integers(1, 10**13)))
    free["cost_average"] &= n <= MOST_AVERAGED
    rows, columns = draw(st.sampled_from(SHAPES if draw(st.integers(0, 3)) == 0 else SHAPES[:-1]))
    if min(rows, columns) > 1:
        free["test"] = draw(st.sampled_from(Hypothesis))
    pattern = draw(st.sampled_from(population.patterns_for((rows, columns))))
    most = float(population.max_strength((rows, columns), pattern))
    return Scenario(
        **free,
        rows=rows,
        columns=columns,
        n=n,
        pattern=pattern,
        strength=draw(among(0.0, most, low=0.0, high=most)),
    )


def fit(panel, scenario):
    """The scenario in the panel's view, with a smaller table if the view wants that."""
    view = panel.view or scenario.view
    try:
        return dataclasses.replace(scenario, view=view)
    except ParameterError:
        n = min(scenario.n, MOST_TESTED)
        small = {"rows": 3, "columns": 3, "pattern": "spike", "strength": min(scenario.strength, 1)}
        return dataclasses.replace(scenario, view=view, n=n, **small)


def leaves(node, path=""):
    """Every value in a plot with its place."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from leaves(value, f"{path}/{key}")
    elif isinstance(node, (list, tuple)):
        for index, value in enumerate(node):
            yield from leaves(value, f"{path}/{index}")
    else:
        yield path, node


def keys(node):
    """The keys of a trace or layout and of the dicts in it, without their values."""
    if isinstance(node, dict):
        return {key: keys(value) for key, value in node.items()}
    if isinstance(node, list) and node and isinstance(node[0], dict):
        return [keys(value) for value in node]
    return None


def as_json(node):
    """A plot as JSON, arrays as lists, gaps as text."""
    return json.dumps(
        node, default=lambda a: list(map(str, a.ravel())), allow_nan=False, sort_keys=True
    )


def check_sentence(text):
    assert text == text.strip()
    assert len(text) > 1
    assert not re.search(r"\bnan\b|\binf\b|None|[{}@]|\s\s", text), text


@every_language
@every_panel
@some
@given(scenarios())
@example(Scenario(rows=50, columns=50, pattern="spike", strength=2499**0.5, n=10**13, mu=1e-3))
@example(Scenario(hidden=NAMES, cost_ratio=True, cost_log=True, cost_axis="cells"))
def test_every_scenario_gives_a_finite_plot_of_the_same_traces(panel, text, scenario):
    scenario = fit(panel, scenario)
    drawn = panel.draw(panel.compute(scenario), text).plain()
    for path, value in leaves(drawn):
        if isinstance(value, np.ndarray):
            # Averages that are not found yet are gaps, and powers that are not simulated.
            waits = {"cost": scenario.cost_average, "power": scenario.test == "independence"}
            gaps = np.isnan(value) & waits.get(panel.name, False)
            assert np.isfinite(value[~gaps]).all(), path
            assert np.abs(value[~gaps]).max(initial=0) < np.finfo(np.float32).max, path
        elif isinstance(value, float):
            assert math.isfinite(value), path
    first = panel.draw(panel.compute(Scenario()), text).plain()
    assert drawn.keys() == first.keys()
    for theme in palette.palettes():
        assert '"@' not in as_json(resolve(drawn, theme))
    if "figure" not in drawn:
        for items in drawn.values():
            check_items(items)
        return
    check_sentence(drawn["sentence"])
    traces, layout = drawn["figure"]["data"], drawn["figure"]["layout"]
    assert [keys(trace) for trace in traces] == [keys(trace) for trace in first["figure"]["data"]]
    assert [t["type"] for t in traces] == [t["type"] for t in first["figure"]["data"]]
    json.dumps(layout, allow_nan=False)
    for name, axis in layout.items():
        if re.fullmatch(r"[xy]axis\d*", name):
            assert axis["range"][0] != axis["range"][1]
            assert axis.get("visible") is False or re.search(r"[a-z]{4}", axis["title"]["text"])


def check_items(items):
    assert items
    for item in items:
        assert item.keys() == {"label", "value", "kind", "title"}
        assert item["kind"] in KINDS
        for value in item.values():
            check_sentence(value.ljust(2, "."))


@every_panel
@some
@given(scenarios(), scenarios())
def test_equal_scenarios_give_equal_plots(panel, scenario, between):
    scenario, between = fit(panel, scenario), fit(panel, between)
    drawn = as_json(panel.draw(panel.compute(scenario), EN).plain())
    panel.compute(between)
    assert as_json(panel.draw(panel.compute(dataclasses.replace(scenario)), EN).plain()) == drawn


@every_panel
@some
@given(scenarios(), scenarios())
def test_kept_axes_leave_the_plot_whole(panel, scenario, before):
    scenario, before = fit(panel, scenario), fit(panel, before)
    result = panel.compute(scenario)
    drawing = panel.draw(result, EN)
    drawn = drawing.plain()
    if "figure" not in drawn:
        assert as_json(panel.draw(result, EN, None).plain()) == as_json(drawn)
        return
    layout = drawn["figure"]["layout"]
    assert as_json(panel.draw(result, EN, drawing).plain()) == as_json(drawn)
    older = panel.draw(panel.compute(before), EN)
    kept = panel.draw(result, EN, older).plain()
    as_json(kept)
    assert kept["sentence"] == drawn["sentence"]
    for name, axis in kept["figure"]["layout"].items():
        if re.fullmatch(r"[xy]axis\d*", name):
            assert axis["range"] in (older.figure.layout[name]["range"], layout[name]["range"])


PLACES = st.floats(-(2.0**31), 2.0**31)


@every_panel
@settings(max_examples=30, deadline=None)
@given(scenarios(), PLACES, PLACES)
@example(Scenario(cost_axis="n"), 2.0**31, 0.0)
@example(Scenario(cost_axis="mu"), -(2.0**31), 0.0)
@example(Scenario(tradeoff_log=True), 2.0**31, 2.0**31)
def test_any_pull_sets_fields_or_is_refused(panel, scenario, x, y):
    changes = panel.drag(scenario, x, y)
    if changes is None:
        return
    assert changes
    try:
        changed = dataclasses.replace(scenario, **changes)
    except ParameterError:
        return
    assert all(getattr(changed, name) == value for name, value in changes.items())


@every_panel
def test_a_panel_says_what_it_is(panel):
    fields = {field.name for field in dataclasses.fields(Scenario)}
    assert panel.__doc__.endswith(".")
    assert set(panel.switches) <= fields
    assert [other.name for other in PANELS].count(panel.name) == 1
