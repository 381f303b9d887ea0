"""Scenario: what it refuses, what it keeps, and its way through a link."""

import dataclasses
import math
from urllib.parse import parse_qsl, quote, urlencode

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.core import population
from explorer.core.mechanisms import MECHANISMS, Gaussian, JamesStein
from explorer.core.parameter import ParameterError
from explorer.scenario import (
    COST_AXES,
    MOST_AVERAGED,
    NEIGHBOURS,
    TYPED,
    Scenario,
)
from explorer.scenario.fields import PARAMETERS, ScenarioError
from explorer.scenario.presets import PRESETS
from explorer.tables import EXAMPLES, MAX_CELLS, Counts

quick = settings(max_examples=40, deadline=None)
FIELDS = [field.name for field in dataclasses.fields(Scenario)]
SWITCHES = [field.name for field in dataclasses.fields(Scenario) if field.type in (bool, "bool")]
NAMES = tuple(kind.__name__ for kind in MECHANISMS)
TABLE = Counts(((7919, 104729), (611953, 86028121)), ("north", "south"), ("yes", "no"))
every_example = pytest.mark.parametrize("sample", EXAMPLES, ids=lambda sample: sample.key)


def number(name):
    parameter = PARAMETERS[name]
    if parameter.whole:
        return st.integers(int(parameter.low), int(parameter.high))
    return st.floats(parameter.low, parameter.high)


@st.composite
def scenarios(draw):
    """Valid scenarios without a real table, every field at any value and at its ends."""
    shape = draw(st.tuples(st.integers(1, 7), st.integers(1, 7)).filter(lambda s: s != (1, 1)))
    pattern = draw(st.sampled_from(population.patterns_for(shape)))
    most = float(population.max_strength(shape, pattern))
    free = {name: number(name) for name in PARAMETERS if name not in {"rows", "columns"}}
    free |= {name: st.booleans() for name in SWITCHES}
    numbers = draw(st.fixed_dictionaries(free | {"strength": st.floats(0, most)}))
    numbers["cost_average"] &= numbers["n"] <= MOST_AVERAGED
    return Scenario(
        **numbers,
        rows=shape[0],
        columns=shape[1],
        neighbours=draw(st.sampled_from(NEIGHBOURS)),
        pattern=pattern,
        hidden=tuple(draw(st.lists(st.sampled_from(NAMES)))),
        drawn=draw(st.sampled_from(NAMES)),
        cost_axis=draw(st.sampled_from(COST_AXES)),
    )


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
    assert first.shown == MECHANISMS
    sigma = first.mechanism(Gaussian).scale
    departure = first.expected - first.n / first.p
    assert departure @ departure / sigma**2 == pytest.approx(12.5, rel=1e-12)  # τ
    assert first.statistic.rank == 15


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
    scenario = Scenario(n=np.float64(300), rows=np.int64(5), draw=2.0)
    assert [type(value) for value in (scenario.n, scenario.rows, scenario.draw)] == [int] * 3
    assert scenario == Scenario(n=300, rows=5, draw=2)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in SWITCHES for value in (0, 1, "True", None)),
        *(
            (name, value)
            for name in ("neighbours", "pattern", "drawn", "cost_axis")
            for value in ("", "Spike", None, 1, ["spike"], np.array(["spike"]))
        ),
        *(
            ("hidden", value)
            for value in ("Gaussian", ["Gaussian"], ("Nobody",), ([],), (1,), None)
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
        most = plain.max_strength
        full = dataclasses.replace(plain, strength=most)
        assert full.probabilities.min() == pytest.approx(0, abs=1e-15)
        assert full.probabilities.sum() == pytest.approx(1, rel=1e-12)
        with pytest.raises(ScenarioError) as caught:
            dataclasses.replace(plain, strength=most * (1 + 1e-9))
        assert (caught.value.name, caught.value.reason) == ("strength", "strength")
        assert caught.value.facts == {"most": most}


@pytest.mark.parametrize(
    ("changes", "name", "reason"),
    [
        ({"rows": 1, "columns": 1}, "rows", "cells"),
        ({"rows": 51, "columns": 50}, "rows", "cells"),
        ({"rows": MAX_CELLS, "columns": 2}, "rows", "cells"),
        ({"pattern": TYPED}, "pattern", "nothing-typed"),
        ({"pattern": "interaction", "rows": 1}, "pattern", "one-row"),
        ({"pattern": "interaction", "columns": 1}, "pattern", "one-row"),
        ({"pattern": TYPED, "typed": TABLE}, "rows", "shape"),
        ({"pattern": "berkeley"}, "rows", "shape"),
    ],
)
def test_fields_that_do_not_go_together_are_refused(changes, name, reason):
    error = refused(**changes)
    assert (error.name, error.reason) == (name, reason)


@quick
@given(scenarios(), scenarios(), st.sampled_from(FIELDS))
def test_changing_one_field_changes_no_other(scenario, other, name):
    try:
        changed = dataclasses.replace(scenario, **{name: getattr(other, name)})
    except ParameterError:
        return
    assert getattr(changed, name) == getattr(other, name)
    assert [n for n in FIELDS if getattr(changed, n) != getattr(scenario, n)] in ([], [name])


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_scenarios_that_a_link_can_hold(name):
    preset = PRESETS[name]
    assert Scenario.from_query(preset.to_query()) == (preset, ())
    assert [key for key in PRESETS if PRESETS[key] == preset] == [name]


@every_example
def test_an_example_brings_its_shape_total_and_strength(sample):
    counts = sample.counts
    busy = Scenario(rows=1, columns=2, n=7, mu=3.0, strength=1.0, hidden=NAMES[:2])
    scenario = busy.with_counts(counts, sample.key)
    assert (scenario.shape, scenario.n, scenario.pattern) == (counts.shape, counts.n, sample.key)
    np.testing.assert_allclose(scenario.expected, counts.array, rtol=1e-9, atol=1e-9 * counts.n)
    shares = counts.array / counts.n
    chi2 = counts.p * ((shares - 1 / counts.p) ** 2).sum()
    assert scenario.strength == pytest.approx(math.sqrt(chi2), rel=1e-12)
    assert (scenario.mu, scenario.hidden, scenario.typed) == (3.0, NAMES[:2], None)
    assert Scenario.from_query(scenario.to_query()) == (scenario, ())


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
    scenario = Scenario().with_counts(counts, TYPED)
    assert (scenario.typed, scenario.counts, scenario.n) == (counts, counts, counts.n)
    np.testing.assert_allclose(scenario.expected, counts.array, atol=1e-9 * counts.n)


def test_costs_are_those_of_the_mechanisms():
    for positive_part in (False, True):
        scenario = Scenario(positive_part=positive_part, neighbours="add-remove", mu=0.3)
        for kind, cost in zip(MECHANISMS, scenario.costs, strict=True):
            options = {"positive_part": positive_part} if issubclass(kind, JamesStein) else {}
            direct = kind(scenario.statistic, 0.3, **options)
            assert cost == float(direct.l2_cost(scenario.expected))


@quick
@given(scenarios())
def test_a_link_brings_back_every_scenario(scenario):
    query = scenario.to_query()
    assert Scenario.from_query(query) == (scenario, ())
    assert Scenario.from_query("?" + query) == (scenario, ())
    assert query.isascii()


def test_a_link_never_holds_a_typed_table():
    scenario = Scenario().with_counts(TABLE, TYPED)
    turned = Counts(TABLE.rows[::-1], ("a", "b"), ("c", "d"))
    other = Scenario().with_counts(turned, TYPED)
    assert dataclasses.replace(other, strength=scenario.strength).to_query() == scenario.to_query()
    words = [*map(str, TABLE.array.astype(int)), *TABLE.row_labels, *TABLE.column_labels]
    assert not [word for word in words if word in scenario.to_query()]
    opened, problems = Scenario.from_query(scenario.to_query())
    assert (opened.typed, opened.pattern) == (None, "spike")
    assert [problem.reason for problem in problems] == ["typed-link"]
    assert opened.shape == scenario.shape
    assert (opened.n, opened.strength) == (Scenario().n, Scenario().strength)
    assert not {"n", "strength"} & dict(parse_qsl(scenario.to_query())).keys()


BAD_PARTS = [
    ("nonsense", "1"),
    ("typed", "1 2"),
    ("__class__", "x"),
    ("mu", "nan"),
    ("mu", "-1"),
    ("mu", "0." + "5" * 60),
    ("mu", ""),
    ("mu", "0x1"),
    ("n", "1e999"),
    ("n", "2.5"),
    ("rows", "100000"),
    ("columns", "51.5"),
    ("alpha", "half"),
    ("draw", "-1"),
    ("strength", "1e9"),
    ("positive_part", "yes"),
    ("cost_log", ""),
    ("hidden", "Nobody.Gaussian"),
    ("drawn", "os.system"),
    ("neighbours", "\x00"),
    ("pattern", TYPED),
    ("pattern", "<script>"),
    ("pattern", "berkeley"),  # whose shape is not that of the rest of the link
    ("cost_axis", "x" * 10_000),
]


@pytest.mark.parametrize(("name", "text"), BAD_PARTS)
def test_a_bad_part_of_a_link_gives_way_to_the_default_and_is_named(name, text):
    good = Scenario(delta=1e-9, hidden=("Laplace",), tradeoff_log=True, records_per_person=3)
    parts = dict(parse_qsl(good.to_query(), keep_blank_values=True))
    known = name in parts
    sides = ("rows", "columns") if text == "berkeley" else ()  # do not go with its shape
    for side in sides:
        del parts[side]
    opened, problems = Scenario.from_query(urlencode({**parts, name: text}, quote_via=quote))
    expected = dataclasses.replace(good, **{name: getattr(Scenario(), name)}) if known else good
    assert opened == expected
    assert len(problems) == 1
    assert problems[0].name == ("rows" if sides else name[:40])
    assert isinstance(problems[0], ParameterError)


def test_a_part_that_is_given_twice_is_not_guessed():
    opened, problems = Scenario.from_query("mu=1&n=50&mu=2&mu=3")
    assert opened == Scenario(n=50)
    assert [(problem.name, problem.reason) for problem in problems] == [("mu", "twice")] * 2


def test_parts_that_do_not_go_together_give_way_one_by_one():
    opened, problems = Scenario.from_query("rows=1&columns=1&n=50&pattern=trend&strength=0.5")
    assert opened == Scenario(columns=1, n=50, pattern="trend", strength=0.5)
    assert [problem.name for problem in problems] == ["rows"]
    crowded = "&".join(f"a{i}=1" for i in range(101))
    opened, problems = Scenario.from_query(crowded)
    assert (opened, len(problems)) == (Scenario(), 1)


def check(query):
    scenario, problems = Scenario.from_query(query)
    assert Scenario.from_query(scenario.to_query()) == (scenario, ())
    assert all(isinstance(problem, ParameterError) and str(problem) for problem in problems)
    assert scenario.typed is None
    if query.isascii() and scenario == Scenario() and query.strip("?&;"):
        assert problems or all(name in FIELDS for name, _ in parse_qsl(query))
    return scenario, problems


@settings(max_examples=80, deadline=None)
@given(st.text())
@example("?")
@example("mu")
@example("%")
@example("mu=%ff")
@example("mu=1;n=5")
@example("\ud800=\ud800")
@example("rows=1&columns=2500")
def test_any_text_opens_a_valid_scenario(text):
    check(text)


VALUES = st.one_of(
    st.sampled_from(["", "nan", "inf", "1e400", "-0", "0", "1", "2500", "1e13", "\u0663", "a.b"]),
    st.sampled_from([*population.PATTERNS, *(e.key for e in EXAMPLES), TYPED, *NAMES, *NEIGHBOURS]),
    st.floats().map(repr),
    st.text(max_size=5),
)


@settings(max_examples=80, deadline=None)
@given(scenarios(), st.lists(st.tuples(st.sampled_from(FIELDS), VALUES), max_size=4), st.data())
def test_a_spoilt_link_opens_a_valid_scenario(scenario, spoilt, data):
    parts = parse_qsl(scenario.to_query(), keep_blank_values=True)
    names = {name for name, _ in spoilt}
    kept = [part for part in parts if part[0] not in names]
    opened, problems = check(urlencode([*kept, *spoilt]))
    blamed = {problem.name for problem in problems}
    if not blamed & {"rows", "columns", "pattern", "strength"}:
        for name, _ in kept:
            assert getattr(opened, name) == getattr(scenario, name)
    query = scenario.to_query()
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(query))] * 2)))
    check(query[:start] + data.draw(st.text(max_size=3)) + query[end:])
