"""Scenario: what it refuses, what it keeps, and its way through a link."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st
from strategies import KEYS, PARAMETERS, SWITCHES, scenarios

from explorer.core import population
from explorer.core.mechanisms import MECHANISMS, Gaussian
from explorer.core.parameter import ParameterError
from explorer.scenario import (
    TYPED,
    Scenario,
    derive,
    from_query,
    to_query,
    with_counts,
)
from explorer.scenario.errors import (
    CellCountError,
    NoTypedTableError,
    OneRowPatternError,
    ScenarioError,
    ShapeError,
    StrengthError,
)
from explorer.scenario.presets import PRESETS
from explorer.tables import EXAMPLES, MAX_CELLS, Counts

quick = settings(max_examples=40, deadline=None)
FIELDS = [field.name for field in dataclasses.fields(Scenario)]
TABLE = Counts(((7919, 104729), (611953, 86028121)), ("north", "south"), ("yes", "no"))
every_example = pytest.mark.parametrize("sample", EXAMPLES, ids=lambda sample: sample.key)


def refused(**changes):
    with pytest.raises(ParameterError) as caught:
        Scenario(**changes)
    assert caught.value.rule
    assert caught.value.rule in str(caught.value)
    return caught.value


def test_first_screen_has_noise_that_is_seen():
    first = Scenario()
    assert (first.shape, first.n, first.mu, first.pattern) == ((4, 4), 200, 0.5, "spike")
    assert (first.strength, first.delta, first.alpha) == (0.2, 1e-6, 0.05)
    assert (first.neighbours, first.records_per_person) == ("replace", 1)
    assert derive(first).shown == MECHANISMS
    sigma = derive(first).mechanism(Gaussian).scale
    departure = derive(first).expected - first.n / first.p
    assert departure @ departure / sigma**2 == pytest.approx(12.5, rel=1e-12)  # τ
    assert derive(first).statistic.rank == 15


@quick
@given(scenarios())
def test_a_scenario_is_a_value(scenario):
    same = Scenario(**{name: getattr(scenario, name) for name in FIELDS})
    assert same == scenario
    assert hash(same) == hash(scenario)
    for name in FIELDS:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(scenario, name, getattr(scenario, name))


@pytest.mark.parametrize("name", PARAMETERS)
@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, -1, 10**400, "1", "", None, True, 1j, [1.0], np.ones(2), {}],
    ids=repr,
)
def test_no_number_of_the_domain_is_refused_by_name(name, value):
    error = refused(**{name: value})
    assert error.name == name
    assert PARAMETERS[name].symbol in str(error)
    assert PARAMETERS[name].rule == error.rule
    assert error.value is value or repr(error.value) == repr(value)


@pytest.mark.parametrize("name", PARAMETERS)
@pytest.mark.parametrize("end", ["low", "high"])
def test_a_domain_ends_where_it_says(name, end):
    parameter = PARAMETERS[name]
    edge = getattr(parameter, end)
    # √(p - 1) is the most for one large cell; other sides keep the number of cells allowed.
    edge = math.sqrt(15) if edge == math.inf else edge
    other = {"rows": "columns", "columns": "rows"}.get(name)
    sides = {} if other is None else {other: 2 if end == "low" else 1}
    assert getattr(Scenario(**{name: edge, **sides}), name) == edge
    step = 1 if parameter.whole else abs(edge) * 1e-9 or 5e-324
    assert refused(**{name: edge + (step if end == "high" else -step)}, **sides).name == name
    if parameter.whole:
        assert refused(**{name: edge + 0.5}).name == name


def test_whole_numbers_are_stored_as_such():
    scenario = Scenario(n=np.float64(300), rows=np.int64(5), seed=2.0)
    assert [type(value) for value in (scenario.n, scenario.rows, scenario.seed)] == [int] * 3
    assert scenario == Scenario(n=300, rows=5, seed=2)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in SWITCHES for value in (0, 1, "True", None)),
        *(
            (name, value)
            for name in ("neighbours", "pattern", "sampled", "cost_axis")
            for value in ("", "Spike", None, 1, ["spike"], np.array(["spike"]))
        ),
        *(
            ("hidden", value)
            for value in ("gaussian", ["gaussian"], ("Nobody",), ([],), (1,), None)
        ),
        *(("typed", value) for value in ((), "1 2\n3 4", [[1, 2], [3, 4]])),
    ],
)
def test_what_is_no_choice_is_refused_by_name(name, value):
    error = refused(**{name: value})
    assert isinstance(error, ScenarioError)
    assert (error.name, error.value) == (name, value)


@pytest.mark.parametrize("shape", [(1, 2), (2, 2), (4, 4), (1, 9), (50, 50), (6, 7)])
def test_a_pattern_has_a_largest_strength(shape):
    rows, columns = shape
    for pattern in population.patterns_for(shape):
        plain = Scenario(rows=rows, columns=columns, pattern=pattern, strength=0)
        most = derive(plain).max_strength
        full = dataclasses.replace(plain, strength=most)
        assert derive(full).probabilities.min() == pytest.approx(0, abs=1e-15)
        assert derive(full).probabilities.sum() == pytest.approx(1, rel=1e-12)
        with pytest.raises(StrengthError) as caught:
            dataclasses.replace(plain, strength=most * (1 + 1e-9))
        assert (caught.value.name, caught.value.most) == ("strength", most)


@pytest.mark.parametrize(
    ("changes", "name", "error_class"),
    [
        ({"rows": 1, "columns": 1}, "rows", CellCountError),
        ({"rows": 51, "columns": 50}, "rows", CellCountError),
        ({"rows": MAX_CELLS, "columns": 2}, "rows", CellCountError),
        ({"pattern": TYPED}, "pattern", NoTypedTableError),
        ({"pattern": "interaction", "rows": 1}, "pattern", OneRowPatternError),
        ({"pattern": "interaction", "columns": 1}, "pattern", OneRowPatternError),
        ({"pattern": TYPED, "typed": TABLE}, "rows", ShapeError),
        ({"pattern": "berkeley"}, "rows", ShapeError),
    ],
)
def test_fields_that_do_not_go_together_are_refused(changes, name, error_class):
    error = refused(**changes)
    assert (error.name, type(error)) == (name, error_class)


@quick
@given(scenarios(), scenarios(), st.sampled_from(FIELDS))
def test_changing_one_field_changes_no_other(scenario, other, name):
    try:
        changed = dataclasses.replace(scenario, **{name: getattr(other, name)})
    except ParameterError:
        reject()
    assert getattr(changed, name) == getattr(other, name)
    assert [n for n in FIELDS if getattr(changed, n) != getattr(scenario, n)] in ([], [name])


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_scenarios_that_a_link_can_hold(name):
    preset = PRESETS[name]
    assert from_query(to_query(preset)) == (preset, ())
    assert [key for key in PRESETS if PRESETS[key] == preset] == [name]


@every_example
def test_an_example_brings_its_shape_total_and_strength(sample):
    counts = sample.counts
    busy = Scenario(rows=1, columns=2, n=7, mu=3.0, strength=1.0, hidden=KEYS[:2])
    scenario = with_counts(busy, counts, sample.key)
    assert (scenario.shape, scenario.n, scenario.pattern) == (counts.shape, counts.n, sample.key)
    np.testing.assert_allclose(
        derive(scenario).expected, counts.array, rtol=1e-9, atol=1e-9 * counts.n
    )
    shares = counts.array / counts.n
    chi2 = counts.p * ((shares - 1 / counts.p) ** 2).sum()
    assert scenario.strength == pytest.approx(math.sqrt(chi2), rel=1e-12)
    assert (scenario.mu, scenario.hidden, scenario.typed) == (3.0, KEYS[:2], None)
    assert from_query(to_query(scenario)) == (scenario, ())


COUNTS = st.integers(1, 5).flatmap(
    lambda columns: st.lists(
        st.tuples(*[st.one_of(st.integers(0, 3), st.integers(0, 10**9))] * columns),
        min_size=2 if columns == 1 else 1,
        max_size=5,
    )
)


@quick
@given(COUNTS.filter(lambda rows: any(map(any, rows))))
@example([(0, 0, 10**9)])
@example([(1, 1), (1, 1)])
@example([(10**9, 10**9 - 1)])
def test_any_typed_table_makes_a_scenario(rows):
    counts = Counts(tuple(rows))
    scenario = with_counts(Scenario(), counts, TYPED)
    assert (scenario.typed, derive(scenario).counts, scenario.n) == (counts, counts, counts.n)
    np.testing.assert_allclose(derive(scenario).expected, counts.array, atol=1e-9 * counts.n)
