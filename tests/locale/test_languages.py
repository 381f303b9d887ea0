"""Every sentence is there in every language, and says what it should at the corners."""

import ast
import inspect
import itertools
import re
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import explorer
from explorer import panels
from explorer.app.controls import PARAMETERS
from explorer.core import population
from explorer.core.mechanisms import MECHANISMS
from explorer.core.sensitivity import Neighbours
from explorer.locale import LANGUAGES, en
from explorer.scenario import CostAxis, Scenario
from explorer.scenario.presets import PRESETS
from explorer.tables import TableError
from explorer.tables.error import Kind

ROOT = Path(explorer.__file__).parent
every_language = pytest.mark.parametrize("words", LANGUAGES, ids=lambda words: words.CODE)
CORNERS = [0.0, 5e-324, 1e-320, 1e-300, 1e-6, 0.01, 0.05, 0.5, 0.9995, 0.99999, 1 - 2**-53, 1.0]


def tree(*folders):
    paths = [path for folder in folders for path in sorted((ROOT / folder).glob("**/*.py"))]
    assert paths
    return [node for path in paths for node in ast.walk(ast.parse(path.read_text()))]


def words_used():
    """Names X of all `words.X` and `self._words.X` in the panels and the app."""
    for node in tree("panels", "app"):
        if isinstance(node, ast.Attribute):
            owner = node.value
            name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
            if name in {"words", "_words"}:
                yield node.attr


def is_sentence(text):
    """Whether a text begins and ends like one, with nothing left out or put in by mistake."""
    return bool(
        re.fullmatch(r"[^a-z].*[.!?”]", text, re.DOTALL)
        and not re.search(r"\bnan\b|\binf\b|None|[{}@]|  | [.,;]", text)
    )


@every_language
def test_every_word_that_the_page_uses_is_there(words):
    used = set(words_used())
    assert len(used) > 40
    assert not {name for name in used if not hasattr(words, name)}


@every_language
def test_languages_have_the_same_words(words):
    public = {name for name in vars(en) if not name.startswith("_")}
    assert {name for name in vars(words) if not name.startswith("_")} >= public
    for name in public:
        ours, theirs = getattr(en, name), getattr(words, name)
        assert type(theirs) is type(ours)
        if inspect.isfunction(ours):
            assert inspect.signature(theirs).parameters.keys() == (
                inspect.signature(ours).parameters.keys()
            )
        elif isinstance(ours, dict):
            assert theirs.keys() == ours.keys()


@every_language
def test_every_choice_has_its_words(words):
    assert words.PRESETS.keys() == PRESETS.keys()
    assert words.PATTERNS.keys() == set(population.PATTERNS)
    assert words.NEIGHBOURS.keys() == set(Neighbours)
    assert words.COST_AXES.keys() == set(CostAxis)
    assert {panel.NAME for panel in panels.PANELS} <= words.PANELS.keys()
    assert PARAMETERS.keys() <= words.NAMES.keys()
    assert words.TIPS.keys() <= words.LABELS.keys() <= words.NAMES.keys()
    switches = {name for panel in panels.PANELS for name in panel.SWITCHES}
    assert switches <= words.LABELS.keys()


@every_language
@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_fault_of_a_typed_table_is_explained(words, kind):
    error = TableError(kind, row=2, column=3, value="<b>", expected=10**9, got=4)
    text = words.table_problem(error)
    assert is_sentence(text)
    if kind in {"text", "negative", "fraction", "too-large", "not-finite"}:
        assert "Row 2, column 3" in text
        assert "<b>" in text


@every_language
def test_totals_are_found_in_a_row_or_a_column(words):
    row, column = (
        words.table_problem(TableError("totals", value="Sum", **place))
        for place in ({"row": 3}, {"column": 3})
    )
    assert is_sentence(row)
    assert is_sentence(column)
    assert row != column
    assert is_sentence(words.table_problem(TableError("text", row=1, column=2)))


@every_language
@pytest.mark.parametrize("reason", en.REFUSALS)
@pytest.mark.parametrize("name", ["strength", "rows", "pattern"])
def test_every_refusal_is_a_sentence(words, reason, name):
    facts = {"most": 3.5, "p": 9999, "shape": (6, 4), "allowed": "a, b", "cells": 400}
    text = words.refusal(name, reason, facts, "17")
    assert is_sentence(text)
    if reason in {"choice", "place"}:
        assert words.NAMES[name] in text
        assert "17" in text


def test_refusals_say_control_range_and_value():
    facts = {"most": 15**0.5, "p": 10_000, "shape": (6, 4), "allowed": "on, off"}
    assert en.refusal("strength", "strength", facts, "5") == (
        "With this pattern and table size, signal strength w is between 0 and 3.87298; this needs 5. "
        "Choose a smaller w first."
    )
    cells = en.refusal("rows", "cells", {**facts, "most": 2500}, "100")
    assert "2 to 2\u202f500 cells" in cells
    assert "10\u202f000" in cells
    assert "6 × 4" in en.refusal("rows", "shape", facts, "5")
    assert "on, off; “2” is not" in en.refusal("cost_log", "choice", facts, "2")


@every_language
@pytest.mark.parametrize("name", PARAMETERS)
def test_a_refused_number_is_told_its_range(words, name):
    parameter = PARAMETERS[name]
    text = words.refused_number(parameter, parameter.high, "abc", "7")
    assert is_sentence(text)
    assert text.startswith(words.NAMES[name])
    assert "“abc”" in text
    assert words.plain(parameter.low) in text
    assert parameter.high == float("inf") or words.plain(parameter.high) in text
    assert ("whole number" in text) is parameter.whole
    assert "“" not in words.refused_number(parameter, parameter.high, "", "7")


def test_ranges_are_put_into_words():
    assert en.allowed(PARAMETERS["mu"], 100) == "a number between 0.001 and 100"
    assert en.allowed(PARAMETERS["n"], 1e13).startswith("a whole number between 1 and 10\u202f000")
    assert en.allowed(PARAMETERS["strength"], float("inf")) == "a number of at least 0"
    assert en.allowed(PARAMETERS["strength"], 0.5) == "a number between 0 and 0.5"


@every_language
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("alpha", CORNERS)
@pytest.mark.parametrize("power", CORNERS)
def test_sentences_hold_at_the_corners(words, neighbours, alpha, power):
    for text in (
        words.attacker_sees(alpha, power, neighbours),
        words.attacker_achieves(alpha, power),
    ):
        assert is_sentence(text)
    for text in (words.threshold_hover(0.0, alpha, power), words.operating_point(alpha, power)):
        assert not re.search(r"nan|inf|None|  [^α]", text)
        shares = re.findall(r"(?<![\d.])100%", text)
        assert len(shares) == (alpha == 1) + (power == 1)


def test_none_and_all_are_grammatical():
    assert en.attacker_achieves(0.0, 1.0) == (
        "An attacker who accuses 0 of 100 innocent people catches at most 100 of 100 targets; "
        "guessing catches 0 of 100."
    )
    assert en.attacker_sees(1.0, 1.0, "add-remove") == (
        "Of 100 people who are not in the data, the attacker accuses 100; of 100 who are, 100."
    )


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(st.sampled_from(MECHANISMS), st.floats(1e-4, 1e12), max_size=8),
    st.floats(1e-4, 1e12),
)
def test_the_sentence_of_the_costs_names_the_least(costs, gaussian):
    named = {kind.key: (kind.short, cost) for kind, cost in costs.items()}
    summary = {"gaussian": gaussian, "costs": named, "average": False, "unknown": False}
    text = en.noise_costs(summary)
    assert is_sentence(text)
    averaged = en.noise_costs({**summary, "average": True})
    least = text[text.find("Cheapest") :]
    assert averaged == (f"On average over tables of n records. {least}" if costs else text)
    assert "being found" in en.noise_costs({**summary, "average": True, "unknown": True})
    if costs:
        best = min(costs, key=costs.get)
        assert f"Cheapest: {best.short} with {en.short(costs[best])}" in text
        assert ("below Gaussian" in text) is (costs[best] < gaussian * (1 - 1e-9))


def test_one_record_is_singular():
    assert en.table_before(real=False, n=1) == "expected table, 1 record"
    assert en.table_before(real=True, n=1000) == "the table, 1\u202f000 records"
    assert en.used_table(1, 2, 1) == "Read: 1 × 2 cells, 1 record."


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
        (7.24, "7.2"),
        (1234.56, "1\u202f235"),
        (1e13, "10\u202f000\u202f000\u202f000\u202f000"),
    ],
)
def test_cells_hold_short_numbers(value, text):
    assert en.cell(value) == text


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
    assert en.typed_percent(alpha) == text


@every_language
def test_titles_of_axes_are_words_with_their_symbol(words):
    for axis, stand_in in itertools.product(CostAxis, (False, True)):
        title = words.cost_axis(axis, stand_in)
        assert re.search(r"[a-z]{4}", title)
        assert stand_in == title.endswith("large cell")
    assert len({words.cost_axis(axis, stand_in=False) for axis in CostAxis}) == len(CostAxis)
    both = (False, True)
    assert len({words.cost_title(*switches) for switches in itertools.product(both, both)}) == 4
    assert (words.ALPHA_AXIS[-1], words.BETA_AXIS[-1]) == ("α", "β")


def test_help_explains_every_panel_that_is_drawn():
    drawn = [panel for panel in panels.PANELS if "figure" in first(panel)]
    for panel in drawn:
        assert f"<b>{en.PANELS[panel.NAME]}</b>" in en.HELP


def first(panel):
    return panel.draw(panel.compute(Scenario()), en)
