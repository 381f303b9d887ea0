"""What is refused keeps the screen, says why in words, and leaves no trace in the log."""

import ipywidgets
import pytest
from wire_format import decode

from explorer import panels
from explorer.app.guard import Guarded
from explorer.locale import text_for
from explorer.scenario import TYPED, Scenario, to_query, with_counts
from explorer.tables import EXAMPLES, parse

en = text_for("en")

TABLE = "\tyes\tno\nnorth\t40\t25\nsouth\t31\t54"
BERKELEY = next(sample for sample in EXAMPLES if sample.key == "berkeley")


def press(browser, text):
    """Press the first button with this text that is in the typing box, or else anywhere."""
    box = browser.classed("gdp-typing")
    within = [part for child in box.children for part in getattr(child, "children", ())]
    [button] = [part for part in within if getattr(part, "description", None) == text]
    browser.click(button)


def area(browser):
    [found] = [widget for widget in browser.widgets if isinstance(widget, ipywidgets.Textarea)]
    return found


def paste(browser, text):
    browser.choose(browser.menu("table"), en.type_table)
    browser.set(area(browser), value=text)
    press(browser, en.use_table)


def verdict(browser):
    return browser.spoken(browser.classed("gdp-verdict", ipywidgets.HTML))


@pytest.mark.parametrize(
    ("before", "name", "text", "parts"),
    [
        ({}, "rows", "2000", ["Rows times columns", "2 to 2\u202f500", "8\u202f000"]),
        ({"columns": 1}, "rows", "1", ["Rows times columns", "2 to 2\u202f500", "be 1"]),
        ({}, "strength", "3.9", ["Signal strength w", "between 0 and 3.87298;", "“3.9”"]),
        ({"strength": 3.5}, "rows", "2", ["signal strength w", "0 and 2.64575", "needs 3.5"]),
        ({"pattern": "interaction"}, "columns", "1", ["at least two", "another pattern"]),
        (
            {"n": 50},
            "n",
            "0.5",
            ["Records n", "whole number between 1 and", "“0.5”", "stays at 50"],
        ),
        ({}, "n", "1,000", ["“1,000”", "1 or 1000", "stays at 200"]),
        ({}, "epsilon", "0", ["ε must be a number between 0.00271822 and", "“0”"]),
        ({}, "epsilon", "6000", ["between 0.00", "5474.36;", "“6000”", "stays at"]),
        ({"delta": 0.9}, "epsilon", "-1", ["above 0 and at most"]),
        ({}, "mu", "100.1", ["Privacy parameter μ", "between 0.001 and 100", "“100.1”", "at 0.5"]),
    ],
)
def test_an_edit_that_does_not_fit_is_explained_beside_its_control(browser, before, name, text, parts):  # fmt: skip
    browser.set(browser.page, query="?" + to_query(Scenario(**before)))
    browser.updates()
    browser.type(name, text)
    said = browser.said(name)
    for part in parts:
        assert part in said
    assert browser.alerts() == [said]
    assert browser.scenario == Scenario(**before)
    assert browser.box(name).value == text  # to be put right, not typed again
    assert [widget for widget, _ in browser.updates() if widget is browser.feed] == []


def test_the_same_mistake_is_said_twice(browser):
    for _ in range(2):
        browser.updates()
        browser.set(browser.slider("mu"), value=10**6)
        row = browser.inside("mu", ipywidgets.HTML)
        texts = [state["value"] for widget, state in browser.updates() if widget is row]
        assert texts
        assert "Privacy parameter μ" in texts[-1]


def test_a_refusal_goes_when_the_next_edit_is_taken(browser):
    browser.type("mu", "abc")
    browser.type("alpha", "0.1")
    assert browser.alerts() == []
    assert browser.box("mu").value == "0.5"


def test_a_pattern_that_does_not_fit_is_explained_and_put_back(browser):
    browser.set(browser.page, query="?strength=3.5")
    browser.choose(browser.choice("pattern"), en.patterns["split"])
    said = browser.said("pattern")
    for part in ("signal strength w is between 0 and 1;", "needs 3.5"):
        assert part in said
    assert browser.choice("pattern").label == en.patterns["spike"]
    assert browser.scenario == Scenario(strength=3.5)


def test_a_real_table_keeps_its_shape(browser):
    browser.choose(browser.menu("table"), BERKELEY.title)
    browser.type("rows", "7")
    assert "6 × 4" in browser.said("rows")
    assert browser.scenario == with_counts(Scenario(), BERKELEY.counts, "berkeley")


def test_a_typed_table_drives_every_control_but_no_link(browser):
    counts = parse(TABLE)
    paste(browser, TABLE)
    wanted = with_counts(Scenario(), counts, TYPED)
    shown = [browser.box(name).value for name in ("rows", "columns", "n")]
    assert shown == ["2", "2", "150"]
    assert browser.choice("pattern").label == en.typed_pattern
    assert browser.menu("table").label == en.typed_pattern
    assert browser.feed.link == "?" + to_query(wanted)
    for word in ("north", "south", "yes", "40", "54"):
        assert word not in browser.feed.link
    assert verdict(browser) == "Read: 2 × 2 cells, 150 records."
    assert "gdp-hidden" in browser.classed("gdp-typing")._dom_classes
    left = decode(browser.feed.get_state(["table"])["table"])["figure"]["data"][0]["z"]
    assert left.tolist() == [[40, 25], [31, 54]]
    browser.choose(browser.choice("pattern"), en.patterns["trend"])
    assert browser.menu("table").label == en.no_table
    # What follows from its counts goes with it: from n and w of a small table one can tell them.
    assert browser.scenario == Scenario(rows=2, columns=2, pattern="trend")
    browser.choose(browser.menu("table"), en.typed_pattern)
    browser.choose(browser.menu("table"), en.no_table)
    assert browser.scenario == Scenario(rows=2, columns=2)
    browser.choose(browser.menu("table"), en.typed_pattern)  # it stays at hand
    assert browser.feed.link == "?" + to_query(wanted)
    browser.choose(browser.menu("table"), en.type_table)  # and another can be typed
    assert "gdp-hidden" not in browser.classed("gdp-typing")._dom_classes
    assert browser.menu("table").label == en.typed_pattern


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["no table yet"]),
        ("1\t2\n3\tx", ["Row 2, column 2", "“x”"]),
        ("1 2\n3 -4", ["Row 2, column 2", "“-4”"]),
        ("1;2,5", ["Row 1, column 2", "“2,5”"]),
        ("1,nan", ["Row 1, column 2", "“nan”"]),
        ("1\t2\n3", ["Row 2"]),
        ("5", ["at least two"]),
        ("0 0", ["at least one must be positive"]),
        ("1 2000000000", ["Row 1, column 2", "“2000000000”"]),
        ("<img src=x>\t1\t2\nx\t<b>\t2", ["Row 2, column 2", "“<b>”"]),
        ("1 " * 20_000, ["2500"]),
    ],
    ids=range(11),
)
def test_a_bad_paste_keeps_text_and_screen_and_says_which_cell(browser, text, parts, caplog):
    browser.type("mu", "2")
    browser.updates()
    paste(browser, text)
    for part in parts:
        assert part in verdict(browser)
    assert area(browser).value == text
    assert "gdp-hidden" not in browser.classed("gdp-typing")._dom_classes
    assert browser.scenario == Scenario(mu=2.0)
    assert [widget for widget, _ in browser.updates() if widget is browser.feed] == []
    assert "<b>" not in browser.classed("gdp-verdict", ipywidgets.HTML).value
    assert browser.menu("table").label == en.no_table
    assert caplog.records == []
    press(browser, en.close)
    assert "gdp-hidden" in browser.classed("gdp-typing")._dom_classes
    assert area(browser).value == text


def test_labels_of_a_typed_table_are_never_markup(browser):
    paste(browser, "\t<b>yes</b>\tno\n<script>\t4\t5\nq\t6\t7")
    texts = [w.value for w in browser.widgets if isinstance(w, ipywidgets.HTML)]
    plots = [repr(browser.feed.get_state([panel.name])) for panel in panels.PANELS]
    assert not [text for text in (*texts, *plots) if "<script>" in text or "<b>yes" in text]


class Secret(Exception):  # noqa: N818 - stands for any exception
    """What a callback must not let out."""


ACTS = {
    "slider": lambda page: page.set(page.slider("mu"), value=100),
    "box": lambda page: page.type("mu", "2"),
    "list": lambda page: page.choose(page.choice("neighbours"), en.neighbours["add-remove"]),
    "tick": lambda page: page.set(page.described("Laplace", ipywidgets.Checkbox), value=False),
    "switch": lambda page: page.set(page.described(en.labels["cost_log"]), value=True),
    "button": lambda page: page.click(page.described(en.labels["seed"])),
    "pull": lambda page: page.set(page.plot("densities"), pulled=[0.0, 0.2]),
    "example": lambda page: page.choose(page.menu("table"), BERKELEY.title),
    "preset": lambda page: page.choose(page.menu("preset"), en.presets["sparse"]),
    "link": lambda page: page.set(page.page, query="?mu=3"),
    "typed": lambda page: paste(page, TABLE),
    "redo": lambda page: page.click(page.described(en.header["redo"])),
    "reset": lambda page: page.click(page.described(en.header["reset"])),
}


def shown(browser):
    """All figures, and where every control stands."""
    controls = [widget for widget in browser.widgets if isinstance(widget, Guarded)]
    wanted = {"value", "index", "disabled", *(panel.name for panel in panels.PANELS)}
    return {
        widget: widget.get_state([name for name in widget.keys if name in wanted])
        for widget in controls
        if not isinstance(widget, ipywidgets.Textarea)
    }


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
@pytest.mark.parametrize("place", [0, -1], ids=["first panel", "last panel"])
def test_a_failing_callback_is_said_in_words_and_takes_its_change_back(
    browser, act, place, monkeypatch, caplog
):
    browser.type("n", "77")
    browser.type("n", "78")
    browser.click(browser.described(en.header["undo"]))
    before = shown(browser)
    panel, ordinary = panels.PANELS[place], panels.PANELS[place].compute

    def compute(scenario):
        if scenario == Scenario(n=77):
            return ordinary(scenario)
        raise Secret("4711", scenario)

    with monkeypatch.context() as patch:
        patch.setattr(panel, "compute", compute)
        act(browser)
    [said] = browser.alerts()
    assert said == en.unknown_error
    assert browser.scenario == Scenario(n=77)
    assert shown(browser) == before
    [record] = [record for record in caplog.records if record.name == "explorer"]
    assert record.getMessage() == "a callback failed: Secret"
    assert record.exc_info is None
    assert len(caplog.records) == 1
    browser.type("alpha", "0.3")  # and on it goes
    assert browser.scenario == Scenario(n=77, alpha=0.3)
