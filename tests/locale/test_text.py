"""Every sentence says what it should, at the corners too."""

import dataclasses
import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import PARAMETERS

from explorer.app.controls import CONTROLS
from explorer.core import population
from explorer.core.mechanisms import MECHANISMS
from explorer.core.sensitivity import Neighbours
from explorer.locale import LANGUAGES, text_for
from explorer.locale.costs import CostFacts, CostStatus
from explorer.numerals import read_number
from explorer.panels import PANELS
from explorer.scenario import PRESETS, CostAxis, Hypothesis, Scenario, View, errors, fields
from explorer.tables import Form, Problem, TableError, read

EN = text_for("en")
every_language = pytest.mark.parametrize(
    "text", [text_for(language.code) for language in LANGUAGES], ids=[one.code for one in LANGUAGES]
)
CORNERS = [0.0, 5e-324, 1e-320, 1e-300, 1e-6, 0.01, 0.05, 0.5, 0.9995, 0.99999, 1 - 2**-53, 1.0]
REFUSALS = [
    errors.StrengthError(5.0, 15**0.5),
    errors.CellCountError(100, 10_000, 2500),
    errors.ShapeError((5, 4), (6, 4)),
    errors.OneRowPatternError("interaction"),
    errors.OneRowTestError("independence"),
    errors.NoTypedTableError("pattern", "typed"),
    errors.AverageError(10**7, 10**6),
    errors.TestSizeError(900, 10, 400, 10**9),
    errors.NotAChoiceError("cost_log", "2", ("0", "1")),
    errors.TypedTableInLinkError("typed"),
    errors.RepeatedPartError("mu", "2"),
    errors.TooManyPartsError(),
    errors.UnknownPartError("nonsense", "1"),
]


def is_sentence(text):
    """Whether a text begins and ends like one, with nothing left out or put in by mistake."""
    return bool(
        re.fullmatch(r"[^a-z].*[.!?”]", text, re.DOTALL)
        and not re.search(r"\bnan\b|\binf\b|None|[{}@]|  | [.,;]", text)
    )


@every_language
def test_every_choice_has_its_words(text):
    assert text.presets.keys() == PRESETS.keys()
    assert text.patterns.keys() == set(population.PATTERNS)
    assert text.neighbours.keys() == set(Neighbours)
    assert text.views.keys() == set(View)
    assert text.hypotheses_tested.keys() == set(Hypothesis)
    assert text.test_statistics.keys() == set(fields.TEST_STATISTIC.choices)
    assert text.cost_axes.keys() == set(CostAxis)
    assert {panel.name for panel in PANELS} == text.panels.keys()
    assert CONTROLS.keys() <= text.labels.keys()
    assert PARAMETERS.keys() <= text.names.keys()
    assert text.tips.keys() <= text.labels.keys() <= text.names.keys()
    assert {name for panel in PANELS for name in panel.switches} <= text.labels.keys()


@every_language
@pytest.mark.parametrize("neighbours", Neighbours)
def test_every_mechanism_has_names_of_its_own(text, neighbours):
    keys = [mechanism_class.key for mechanism_class in MECHANISMS]
    for name in (text.mechanism, text.mechanism_short):
        names = [name(key, neighbours) for key in keys]
        assert len(set(names)) == len(keys)
        assert not set(names) & {key for key in keys if "-" in key and key != "rank-deficient"}


def test_names_say_what_is_the_same_where_a_person_joins_or_leaves():
    same = {
        "rank-deficient": "gaussian",
        "rank-deficient-james-stein-zero": "james-stein-zero",
        "rank-deficient-james-stein": "james-stein-mean",
        "projected-laplace": "laplace",
    }
    for key, other in same.items():
        name = EN.mechanism(key, Neighbours.ADD_REMOVE)
        assert f"the same as {EN.mechanism(other, Neighbours.REPLACE)}" in name
        assert "total kept" not in name


IN_A_CELL = {
    *(Problem.TEXT, Problem.SUPPRESSED, Problem.NEGATIVE, Problem.FRACTION, Problem.PROPORTIONS),
    *(Problem.PERCENTAGE, Problem.SEPARATOR, Problem.SCIENTIFIC, Problem.TOO_LARGE),
    Problem.NOT_FINITE,
}


@every_language
@pytest.mark.parametrize("problem", Problem)
def test_every_fault_of_a_typed_table_is_explained(text, problem):
    error = TableError(problem, row=2, column=3, value="<b>", expected=10**9, got=4)
    sentence = text.table_problem(error)
    assert is_sentence(sentence)
    if problem in IN_A_CELL:
        assert "Row 2, column 3" in sentence
        assert "<b>" in sentence


@every_language
@pytest.mark.parametrize("error", REFUSALS, ids=lambda error: type(error).__name__)
def test_every_refusal_is_a_sentence(text, error):
    assert is_sentence(text.scenario_refusal(error, "17"))


def test_every_class_of_refusal_is_phrased():
    def leaves(error_class):
        below = error_class.__subclasses__()
        return {leaf for one in below for leaf in leaves(one)} if below else {error_class}

    assert {type(error) for error in REFUSALS} == leaves(errors.ScenarioError)
    sentences = [EN.scenario_refusal(error, "17") for error in REFUSALS]
    assert len(set(sentences)) == len(sentences)


def test_refusals_say_control_range_and_value():
    by_class = {type(error): EN.scenario_refusal(error, "5") for error in REFUSALS}
    assert by_class[errors.StrengthError] == (
        "With this pattern and table size, signal strength w is between 0 and 3.87298; this needs 5. "
        "Choose a smaller w first."
    )
    assert "2 to 2\u202f500 cells" in by_class[errors.CellCountError]
    assert "10\u202f000" in by_class[errors.CellCountError]
    assert "6 × 4" in by_class[errors.ShapeError]
    assert "0, 1; “5” is not" in by_class[errors.NotAChoiceError]


@every_language
@pytest.mark.parametrize("name", PARAMETERS)
def test_a_refused_number_is_told_its_range(text, name):
    parameter = PARAMETERS[name]
    sentence = text.refused_number(parameter, parameter.high, "abc", "7")
    assert is_sentence(sentence)
    assert sentence.startswith(text.names[name])
    assert "“abc”" in sentence
    assert ("whole number" in sentence) is parameter.whole
    assert "“" not in text.refused_number(parameter, parameter.high, "", "7")


def test_ranges_are_put_into_words():
    assert EN.allowed(PARAMETERS["mu"], 100) == "a number between 0.001 and 100"
    assert EN.allowed(PARAMETERS["n"], 1e13).startswith("a whole number between 1 and 10\u202f000")
    assert EN.allowed(PARAMETERS["strength"], float("inf")) == "a number of at least 0"
    assert EN.allowed(PARAMETERS["strength"], 0.5) == "a number between 0 and 0.5"


@every_language
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("alpha", CORNERS)
@pytest.mark.parametrize("power", CORNERS)
def test_sentences_hold_at_the_corners(text, neighbours, alpha, power):
    for sentence in (
        text.attacker_sees(alpha, power, neighbours),
        text.attacker_achieves(alpha, power),
    ):
        assert is_sentence(sentence)
    for label in (text.threshold_hover(0.0, alpha, power), text.operating_point(alpha, power)):
        assert not re.search(r"nan|inf|None|  [^α]", label)
        shares = re.findall(r"(?<![\d.])100%", label)
        assert len(shares) == (alpha == 1) + (power == 1)


def test_none_and_all_are_grammatical():
    assert EN.attacker_achieves(0.0, 1.0) == (
        "An attacker who accuses 0 of 100 innocent people catches at most 100 of 100 targets; "
        "guessing catches 0 of 100."
    )
    assert EN.attacker_sees(1.0, 1.0, Neighbours.ADD_REMOVE) == (
        "The attacker accuses 100 of 100 people who are not in the data, and 100 of 100 who are."
    )


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(MECHANISMS), st.floats(1e-4, 1e12), st.floats(-0.99, 50), st.booleans())
def test_the_sentence_of_the_costs_names_the_cheapest(cheapest, cost, excess, average):
    facts = CostFacts(
        CostStatus.KNOWN,
        average=average,
        gaussian=2 * cost,
        total_kept=None if average else 1.9 * cost,
        cheapest=cheapest.key,
        cheapest_cost=cost,
        saving=0.5,
        laplace_excess=excess,
    )
    text = EN.noise_costs(facts)
    assert is_sentence(text)
    name = EN.mechanism_short(cheapest.key, Neighbours.REPLACE)
    assert f"Cheapest: {name} with {EN.numbers.short(cost)}, 50.0% below Gaussian." in text
    assert text.startswith("On average" if average else "Total kept")
    assert text.endswith("above Gaussian." if excess > 0 else "below Gaussian.")
    alone = dataclasses.replace(facts, saving=None, laplace_excess=None, total_kept=None)
    assert "Gaussian." not in EN.noise_costs(alone).replace(name, "")
    for status in (CostStatus.AWAITED, CostStatus.NONE_SHOWN):
        assert is_sentence(EN.noise_costs(CostFacts(status)))


def test_one_record_is_singular():
    assert EN.table_before(real=False, n=1) == "expected table, 1 record"
    assert EN.table_before(real=True, n=1000) == "the table, 1\u202f000 records"
    assert EN.used_table(read("1 0")) == "Read: 1 × 2 cells, 1 record."


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.04, "0.0"),
        (0.04, "0.0"),
        (-0.06, "−0.1"),
        (0.0, "0"),
        (-0.0, "0"),
        (7.0, "7"),
        (-7.0, "−7"),
        (-10.04, "−10.0"),
        (7.24, "7.2"),
        (1234.56, "1\u202f235"),
        (1e13, "10\u202f000\u202f000\u202f000\u202f000"),
    ],
)
def test_cells_hold_short_numbers(value, text):
    assert EN.cell(value) == text


@pytest.mark.parametrize(
    ("alpha", "text"),
    [
        (0.05, "5%"),
        (0.2773, "27.73%"),
        (0.07, "7%"),
        (1e-6, "0.0001%"),
        (1 - 1e-12, "> 99.9%"),
        (1.0, "100%"),
    ],
)
def test_a_chosen_share_keeps_its_digits(alpha, text):
    assert EN.numbers.chosen_percent(alpha) == text


@every_language
def test_titles_of_axes_are_words_with_their_symbol(text):
    for axis, stand_in in itertools.product(CostAxis, (False, True)):
        title = text.cost_axis(axis, stand_in=stand_in)
        assert re.search(r"[a-z]{4}", title)
        assert stand_in == title.endswith("large cell")
    assert len({text.cost_axis(axis) for axis in CostAxis}) == len(CostAxis)
    both = (False, True)
    titles = {text.cost_title(ratio=a, average=b) for a, b in itertools.product(both, both)}
    assert len(titles) == 4
    assert (text.alpha_axis[-1], text.beta_axis[-1]) == ("α", "β")


def test_help_explains_every_panel_that_has_a_figure():
    help_ = EN.help()
    for panel in PANELS:
        if panel.show(Scenario(), EN).figure is not None:
            assert f"<b>{EN.panel(panel.name)}</b>" in help_


def test_the_page_says_what_it_is_about_and_claims_no_more_than_holds():
    assert "Gaussian differential privacy" in EN.subtitle
    assert "Gaussian differential privacy" in EN.help()
    assert "nobody can tell" not in EN.help()
    assert "keeps its level" not in EN.help().split("<details>")[0]


def test_what_was_left_out_is_said():
    text = "Votes\n\tyes\tno\tall\nN\t40 (62%)\t25 (38%)\t65\nS\t31\t54\t85\nSource: us"
    said = EN.used_table(read(text))
    assert said.startswith("Read: 2 × 2 cells, 150 records.")
    for part in ("column of totals", "above the table", "below the table", "percentages"):
        assert part in said
    assert "pair of categories" in EN.used_table(read("a,x,1\na,y,2\nb,x,3\nb,y,4"))


@pytest.mark.parametrize("form", Form)
def test_lines_of_unequal_length_say_which_form_was_recognised(form):
    error = TableError(Problem.RAGGED, form=form, row=2, expected=3, got=4)
    other = TableError(Problem.RAGGED, row=2, expected=3, got=4)
    assert len(EN.table_problem(error)) > len(EN.table_problem(other)) + 20


@pytest.mark.parametrize(
    ("typed", "whole", "parts"),
    [
        ("1.000", True, ["“1.000”", "1 or 1000"]),
        ("10%", True, ["“10%”", "without %"]),
        ("½", False, ["“½”", "0.5"]),
    ],
)
def test_a_number_in_another_form_says_what_to_type(typed, whole, parts):
    said = EN.refused_form("n", read_number(typed, whole=whole), "200")
    for part in (*parts, "stays at 200"):
        assert part in said
