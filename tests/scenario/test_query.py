"""A scenario's way through a link."""

import dataclasses
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import KEYS, scenarios

from explorer.core import population
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Neighbours
from explorer.scenario import (
    TYPED,
    CostAxis,
    Scenario,
    from_query,
    to_query,
    with_counts,
)
from explorer.scenario.errors import (
    RepeatedPartError,
    TypedTableInLinkError,
)
from explorer.tables import EXAMPLES, Counts

FIELDS = [field.name for field in dataclasses.fields(Scenario)]
TABLE = Counts(((7919, 104729), (611953, 86028121)), ("north", "south"), ("yes", "no"))
quick = settings(max_examples=40, deadline=None)


@quick
@given(scenarios())
def test_a_link_brings_back_every_scenario(scenario):
    query = to_query(scenario)
    assert from_query(query) == (scenario, ())
    assert from_query("?" + query) == (scenario, ())
    assert query.isascii()


def test_a_link_never_holds_a_typed_table():
    scenario = with_counts(Scenario(), TABLE, TYPED)
    turned = Counts(TABLE.rows[::-1], ("a", "b"), ("c", "d"))
    other = with_counts(Scenario(), turned, TYPED)
    assert to_query(dataclasses.replace(other, strength=scenario.strength)) == to_query(scenario)
    words = [*map(str, TABLE.array.astype(int)), *TABLE.row_labels, *TABLE.column_labels]
    assert not [word for word in words if word in to_query(scenario)]
    opened, problems = from_query(to_query(scenario))
    assert (opened.typed, opened.pattern) == (None, "spike")
    assert [type(problem) for problem in problems] == [TypedTableInLinkError]
    assert opened.shape == scenario.shape
    assert (opened.n, opened.strength) == (Scenario().n, Scenario().strength)
    assert not {"n", "strength"} & dict(parse_qsl(to_query(scenario))).keys()


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
    ("seed", "-1"),
    ("strength", "1e9"),
    ("positive_part", "yes"),
    ("cost_log", ""),
    ("hidden", "Nobody.Gaussian"),
    ("sampled", "os.system"),
    ("neighbours", "\x00"),
    ("pattern", TYPED),
    ("pattern", "<script>"),
    ("pattern", "berkeley"),  # whose shape is not that of the rest of the link
    ("cost_axis", "x" * 10_000),
]


@pytest.mark.parametrize(("name", "text"), BAD_PARTS)
def test_a_bad_part_of_a_link_gives_way_to_the_default_and_is_named(name, text):
    good = Scenario(delta=1e-9, hidden=("laplace",), tradeoff_log=True, records_per_person=3)
    parts = dict(parse_qsl(to_query(good), keep_blank_values=True))
    known = name in parts
    sides = ("rows", "columns") if text == "berkeley" else ()  # do not go with its shape
    for side in sides:
        del parts[side]
    opened, problems = from_query(urlencode({**parts, name: text}, quote_via=quote))
    expected = dataclasses.replace(good, **{name: getattr(Scenario(), name)}) if known else good
    assert opened == expected
    assert len(problems) == 1
    assert problems[0].name == ("rows" if sides else name[:40])
    assert isinstance(problems[0], ParameterError)


def test_a_part_that_is_given_twice_is_not_guessed():
    opened, problems = from_query("mu=1&n=50&mu=2&mu=3")
    assert opened == Scenario(n=50)
    assert [(problem.name, type(problem)) for problem in problems] == [
        ("mu", RepeatedPartError)
    ] * 2


def test_parts_that_do_not_go_together_give_way_one_by_one():
    opened, problems = from_query("rows=1&columns=1&n=50&pattern=trend&strength=0.5")
    assert opened == Scenario(columns=1, n=50, pattern="trend", strength=0.5)
    assert [problem.name for problem in problems] == ["rows"]
    crowded = "&".join(f"a{i}=1" for i in range(101))
    opened, problems = from_query(crowded)
    assert (opened, len(problems)) == (Scenario(), 1)


def check(query):
    scenario, problems = from_query(query)
    assert from_query(to_query(scenario)) == (scenario, ())
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
    st.sampled_from([*population.PATTERNS, *(e.key for e in EXAMPLES), TYPED, *KEYS, *Neighbours]),
    st.floats().map(repr),
    st.text(max_size=5),
)


@settings(max_examples=80, deadline=None)
@given(scenarios(), st.lists(st.tuples(st.sampled_from(FIELDS), VALUES), max_size=4), st.data())
def test_a_spoilt_link_opens_a_valid_scenario(scenario, spoilt, data):
    parts = parse_qsl(to_query(scenario), keep_blank_values=True)
    names = {name for name, _ in spoilt}
    kept = [part for part in parts if part[0] not in names]
    opened, problems = check(urlencode([*kept, *spoilt]))
    blamed = {problem.name for problem in problems}
    if not blamed & {"rows", "columns", "pattern", "strength"}:
        for name, _ in kept:
            assert getattr(opened, name) == getattr(scenario, name)
    query = to_query(scenario)
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(query))] * 2)))
    check(query[:start] + data.draw(st.text(max_size=3)) + query[end:])


SHARED = "?mu=0.7&drawn=JamesSteinMean&draw=4&hidden=Laplace.ProjectedLaplace&cost_axis=mu"


def test_links_from_before_mechanisms_had_keys_still_open():
    opened, problems = from_query(SHARED)
    assert problems == ()
    assert opened == Scenario(
        mu=0.7,
        sampled="james-stein-mean",
        seed=4,
        hidden=("laplace", "projected-laplace"),
        cost_axis=CostAxis.MU,
    )


@pytest.mark.parametrize(
    "query",
    [
        "?mu=0.7&amp;n=50",
        "mu=0.7&n=50&utm_source=mail&utm_medium=email",
        "mu=0.7&fbclid=IwAR0&n=50",
        "?gclid=1&mu=0.7&amp;n=50&amp;mc_eid=2",
    ],
)
def test_a_link_that_went_through_mail_restores_the_screen_without_a_complaint(query):
    assert from_query(query) == (Scenario(mu=0.7, n=50), ())
