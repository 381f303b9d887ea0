"""Nothing that a user reads escapes translation: in a pseudo-language no plain English is left."""

import dataclasses
import re

import ipywidgets
import pseudo
import pytest
from babel.messages.pofile import read_po
from wire_format import descendants

from explorer.app import explorer as build
from explorer.core.mechanisms import MECHANISMS
from explorer.core.sensitivity import Neighbours
from explorer.locale import catalogue, numbers
from explorer.locale.text import Text
from explorer.panels import PANELS, in_view
from explorer.scenario import (
    TYPED,
    CostAxis,
    Hypothesis,
    Scenario,
    View,
    errors,
    fields,
    with_counts,
)
from explorer.tables import EXAMPLES, Counts, Problem, TableError

ENGLISH = re.compile(r"[A-Za-z]{3,}")
NAMES = re.compile(r"GDP Explorer|Pearson")  # stay in every language
ATTRIBUTES = re.compile(r'\b(?:title|alt|placeholder|aria-label)="([^"]*)"')
VISIBLE = {"description", "tooltip", "placeholder", "_options_labels", "words"}


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = pseudo.write(tmp_path_factory.mktemp("catalogues"))
    return Text(catalogue.read_catalogue(path), numbers.numbers_of(pseudo.CODE))


def english(shown, allowed=""):
    """The plain English words of a text that a user sees; `allowed` is a text left as it is."""
    attributes = " ".join(ATTRIBUTES.findall(shown))
    plain = re.sub(r"<[^<>]*>|&\w+;|@[\w-]+", " ", shown + " " + attributes)
    return ENGLISH.findall(NAMES.sub("", plain.replace(allowed, "") if allowed else plain))


def strings(node):
    """All texts in nested data, keys left out."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for value in node.values():
            yield from strings(value)
    elif isinstance(node, (list, tuple)):
        for value in node:
            yield from strings(value)


def shown_by(drawing):
    """The texts of a drawing that a user sees."""
    yield from (drawing.sentence, *drawing.above, *drawing.below)
    for item in (*drawing.items, *drawing.costs):
        yield from strings(item)
    if drawing.figure is None:
        return
    for trace in drawing.figure.data:
        for part in (trace.get("text"), trace.get("hovertext"), trace.get("meta")):
            yield from strings(part)
    for axis in drawing.figure.layout.values():
        if isinstance(axis, dict) and "range" in axis:
            yield from strings([axis.get("title", {}).get("text"), axis.get("ticktext")])


SCENARIOS = [
    Scenario(),
    *(Scenario(neighbours=one, sampled="laplace", tradeoff_log=True) for one in Neighbours),
    *(Scenario(cost_axis=axis, cost_ratio=True) for axis in CostAxis),
    Scenario(cost_average=True, cost_axis="n", n=30),
    Scenario(mu=30.0, n=10**13, alpha=1e-200, delta=1e-300, cost_log=True),
    Scenario(hidden=tuple(one.key for one in MECHANISMS), strength=0.0),
    *(with_counts(Scenario(), one.counts, one.key) for one in EXAMPLES[:2]),
    with_counts(Scenario(cost_axis="cells"), Counts(((3, 3), (3, 3))), TYPED),
    *(Scenario(view=View.TESTS, test=test, rows=2, columns=2) for test in Hypothesis),
    Scenario(view=View.TESTS, neighbours=Neighbours.ADD_REMOVE, rows=2, strength=0.0),
    Scenario(view=View.TESTS, hidden=tuple(one.key for one in MECHANISMS)),
]


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.name)
def test_no_panel_shows_plain_english(panel, text):
    for scenario in SCENARIOS:
        if in_view(panel, scenario):
            for shown in shown_by(panel.show(scenario, text)):
                assert english(shown) == [], (shown, scenario)


def test_finished_work_shows_no_plain_english(text):
    power = next(panel for panel in PANELS if panel.name == "power")
    hidden = tuple(one.key for one in MECHANISMS[1:])
    scenario = Scenario(view=View.TESTS, hidden=hidden, rows=2, columns=2, sampled="gaussian")
    for piece in power.background.pieces(scenario):
        piece()
    power.simulation.pieces(scenario)[0]()
    dependent = dataclasses.replace(scenario, test=Hypothesis.INDEPENDENCE)
    power.simulation.pieces(dependent)[0]()
    for one in (scenario, dependent):
        for shown in shown_by(power.show(one, text)):
            assert english(shown) == [], shown


@pytest.mark.parametrize("neighbours", Neighbours)
def test_no_mechanism_has_a_plain_english_name(neighbours, text):
    for mechanism_class in MECHANISMS:
        key = mechanism_class.key
        names = text.mechanism(key, neighbours), text.mechanism_short(key, neighbours)
        assert [english(name) for name in names] == [[], []]


def test_no_example_table_has_a_plain_english_title(text):
    for example in EXAMPLES:
        assert english(text.example_title(example)) == []
        assert english(text.table_note(example), allowed=example.source) == []


ERRORS = [
    errors.NotAChoiceError("view", "no", ("costs", "tests")),
    errors.CellCountError(1, 1, 2500),
    errors.ShapeError((2, 3), (2, 2)),
    errors.OneRowPatternError("split"),
    errors.OneRowTestError(Hypothesis.INDEPENDENCE),
    errors.NoTypedTableError("pattern", TYPED),
    errors.StrengthError(3.9, 3.8),
    errors.AverageError(10**7, 10**6),
    errors.TestSizeError(500, 10, 400, 10**9),
    errors.UnknownPartError("x1", "2"),
    errors.RepeatedPartError("mu", "2"),
    errors.TypedTableInLinkError(TYPED),
    errors.TooManyPartsError(),
]


def leaves(error_class):
    below_it = error_class.__subclasses__()
    return {error_class} if not below_it else set().union(*map(leaves, below_it))


def test_every_refusal_of_a_scenario_is_tried():
    assert {type(error) for error in ERRORS} == leaves(errors.ScenarioError)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_no_refusal_of_a_scenario_is_plain_english(error, text):
    # What a link may hold is the same in every language.
    allowed = ", ".join(getattr(error, "allowed", ()))
    assert english(text.scenario_refusal(error, "7"), allowed) == []


@pytest.mark.parametrize("field", fields.NUMBERS, ids=lambda field: field.name)
def test_no_refusal_of_a_number_is_plain_english(field, text):
    for got in ("", "7"):
        refusal = text.refused_number(field.parameter, field.parameter.high, got, "1")
        assert english(refusal) == []


@pytest.mark.parametrize("problem", Problem)
def test_no_refusal_of_a_table_is_plain_english(problem, text):
    for row, column in [(2, 3), (2, None)] if problem in {"totals", "labels"} else [(2, 3)]:
        for value in ("7", ""):
            error = TableError(problem, row=row, column=column, value=value, expected=9, got=4)
            assert english(text.table_problem(error)) == []


def test_no_widget_shows_plain_english(pseudo_language):
    seen = 0
    sources = {example.source for example in EXAMPLES}
    for widget in descendants(build(pseudo_language)):
        state = widget.get_state()
        shown = {name: value for name, value in state.items() if name in VISIBLE}
        if isinstance(widget, ipywidgets.HTML):
            shown["value"] = state["value"]
        for name, value in shown.items():
            for one in strings(value):
                seen += 1
                assert english(one) == [] or one in sources, (type(widget).__name__, name, one)
    assert seen > 150  # all controls, their tips and their options


def test_plain_english_is_noticed(text):
    assert english("a sentence that was <b>forgotten</b>") == [
        *("sentence", "that", "was", "forgotten"),
    ]
    assert english('<i title="forgotten">⟦é⟧</i>') == ["forgotten"]
    with pseudo.TEMPLATE.open("rb") as file:
        messages = [message.id for message in read_po(file) if isinstance(message.id, str)]
    assert not [one for one in messages if one and english(text._(one).format_map(Blank()))]


class Blank(dict):
    """Puts nothing in the place of every placeholder."""

    def __missing__(self, key):
        return ""
