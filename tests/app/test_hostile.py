"""A visitor can send anything to any widget: it is refused in words, or ignored."""

import json
import logging
import math

import ipywidgets
import pytest
import traitlets
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_format import decode

from explorer.app.guard import Guarded
from explorer.locale import text_for
from explorer.scenario import Scenario, from_query, to_query

en = text_for("en")

# What no trait should take: JSON as Python reads it, with its NaN and infinities.
WRONG = [
    None,
    math.nan,
    math.inf,
    -math.inf,
    -1,
    2**31,
    10**30,
    1.5,
    1e308,
    [],
    {},
    [1, 2, 3],
    [math.nan, 0.5],
    ["0.5", "0.5"],
    {"f4": "AAAA"},
    "IPY_MODEL_" + "0" * 32,
    "<script>alert(1)</script>",
]
NO_NUMBERS = ["", "   ", "abc", "nan", "inf", "-inf", "1e999", "-5", "1e300", "--1"]
NO_NUMBERS += ["0x10", "0 or 1", "<b>7</b>", "x" * 100_000, "9" * 100_000, "\x00"]
SPOILT = ["mu=nan", "mu=-1&n=0.5", "n=1&n=2", "pattern=typed", "a=1", "=", "%ff", "?&&"]


@pytest.fixture(scope="module")
def shared(open_page):
    """One page for all messages, since none of them changes it."""
    return open_page()


def of_kind(browser, *kinds):
    return [widget for widget in browser.widgets if isinstance(widget, kinds)]


def controls(browser):
    """Every widget that accepts something, with the traits that it accepts."""
    return [(widget, name) for widget in browser.widgets for name in getattr(widget, "inputs", {})]


def rows(browser):
    """The rows that have a number box, by the name of their field."""
    for name in ("mu", "epsilon", "delta", "rows", "columns", "n", "strength", "alpha"):
        yield name, browser.row(name)
    yield "records_per_person", browser.row("records_per_person")


def field_of(browser, control):
    """The field of a number row's slider or box, if it is one."""
    return next((name for name, row in rows(browser) if control in row.children), None)


def snapshot(browser):
    """All that the page shows, but for what is announced."""
    return {
        widget: widget.get_state()
        for widget in browser.widgets
        if not isinstance(widget, ipywidgets.HTML)
    }


def has_its_own_test(widget, name, value):
    """Whether a value is of the right type, or nobody listens to this plot."""
    accepts_text = isinstance(widget.traits()[name], traitlets.Unicode)
    return (accepts_text and isinstance(value, str)) or getattr(widget, "pullable", None) is False


@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_a_wrong_value_for_any_control_is_refused_in_words(shared, value, caplog):
    before = snapshot(shared)
    assert len(controls(shared)) > 40
    for widget, name in controls(shared):
        if has_its_own_test(widget, name, value):
            continue
        shared.hush()
        shared.set(widget, **{name: value})
        [said] = shared.alerts()
        field = field_of(shared, widget)
        if field and value is not None:
            assert en.names[field].lower() in said.lower()
            assert str(value)[:40] in said
    shared.hush()
    assert snapshot(shared) == before
    assert shared.scenario == Scenario()
    assert caplog.records == []


@pytest.mark.parametrize("text", NO_NUMBERS, ids=lambda text: ascii(text)[:12])
def test_a_text_that_is_no_number_of_the_range_is_refused_in_words(shared, text, caplog):
    for name, row in rows(shared):
        shared.hush()
        shared.type(name, text)
        assert shared.scenario == Scenario()
        [said] = shared.alerts()
        assert said == shared.said(name)
        assert en.names[name].lower() in said.lower()
        assert "between" in said or "above" in said
        assert text.strip()[:40] in said
        assert row in shared.widgets
        shared.type(name, "  ")  # what is typed next is another text, and refused again
        assert "nothing was entered" in shared.said(name)
        assert shared.scenario == Scenario()
    shared.set(shared.page, query="?" + to_query(Scenario(mu=2.0)))
    shared.set(shared.page, query="?" + to_query(Scenario()))
    assert shared.alerts() == []  # the boxes show the scenario again
    assert caplog.records == []


@pytest.mark.parametrize("query", [*SPOILT, "n=1" * 10_000, "a&" * 10_000, "\x00"], ids=range(11))
def test_a_spoilt_link_opens_the_first_screen_and_says_so(shared, query, caplog):
    shared.hush()
    shared.set(shared.page, query="?")
    shared.set(shared.page, query=query)
    assert shared.scenario == Scenario()
    alerts = shared.alerts()
    assert len(alerts) == (0 if query == "?&&" else 1)
    assert all(text.startswith("Not everything in the link could be used. ") for text in alerts)
    assert all(len(text) < 2000 for text in alerts)
    assert caplog.records == []


def test_a_link_names_what_it_did_not_use(shared):
    shared.set(shared.page, query="?mu=1e9&n=5&cost_log=maybe&who=me")
    assert shared.scenario == Scenario(n=5)
    [said] = shared.alerts()
    for part in ("Privacy parameter μ", "0.001 and 100", "“1000000000”", "“who”", "“maybe”"):
        assert part in said
    assert "stays at 0.5" in said
    shared.set(shared.page, query="?" + to_query(Scenario()))


@pytest.mark.parametrize("value", [*WRONG, True, "", "0.5", "100px", 1, [0.5, 0.5]], ids=repr)
def test_traits_that_no_control_sets_are_ignored(shared, value, caplog):
    # Ranges, options, figures, scripts, styles, children: all but what a control accepts.
    shared.set(shared.page, query="?")
    shared.hush()
    before = snapshot(shared)
    texts = [widget.value for widget in of_kind(shared, ipywidgets.HTML)]
    for widget in shared.widgets:
        accepted = getattr(widget, "inputs", {})
        message = dict.fromkeys({*widget.keys, "unknown", "__class__"} - accepted.keys(), value)
        shared.set(widget, **message)
    assert snapshot(shared) == before
    assert [widget.value for widget in of_kind(shared, ipywidgets.HTML)] == texts
    assert caplog.records == []


def test_a_slider_cannot_be_widened(shared):
    slider = shared.slider("mu")
    most = slider.max
    shared.set(slider, max=10**6, value=10**5)
    assert (slider.max, shared.scenario) == (most, Scenario())
    assert "Privacy parameter μ" in shared.said("mu")
    assert "100000" in shared.said("mu")


MESSAGES = [
    {},
    {"method": "update"},
    {"method": "update", "state": []},
    {"method": "update", "state": None},
    {"method": "update", "state": {"value": {}}, "buffer_paths": [["value", "x"], []]},
    {"method": "custom"},
    {"method": "custom", "content": "click"},
    {"method": "custom", "content": [1]},
    {"method": "custom", "content": {"event": ["click"]}},
    {"method": "custom", "content": {"kind": "anywidget-command", "name": "x", "id": "1"}},
    {"method": "destroy"},
    {"method": ["update"]},
]


@pytest.mark.parametrize("message", MESSAGES, ids=repr)
def test_no_message_raises_or_leaves_a_traceback(shared, message, caplog):
    before = snapshot(shared)
    for widget in shared.widgets:
        shared.tell(widget, message, buffers=[b"x"])
    shared.hush()
    assert snapshot(shared) == before
    assert all(record.exc_info is None for record in caplog.records)
    assert {record.name for record in caplog.records} <= {"explorer"}


def test_a_browser_can_ask_any_widget_for_its_state(shared):
    shared.updates()
    for widget in shared.widgets:
        shared.tell(widget, {"method": "request_state"})
    assert [widget for widget, _ in shared.updates()] == shared.widgets


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_message_leaves_a_valid_page(shared, data):
    widget = data.draw(st.sampled_from([w for w in shared.widgets if isinstance(w, Guarded)]))
    name = data.draw(st.sampled_from(sorted(widget.keys)))
    value = data.draw(JSON)
    json.dumps(value)
    shared.set(widget, **{name: value})
    scenario = shared.scenario  # fails on a link that is not valid
    assert decode(shared.feed.get_state(["tradeoff"])["tradeoff"])["sentence"]
    assert from_query(to_query(scenario)) == (scenario, ())


def test_every_control_has_a_place_for_its_refusals(shared):
    for widget in shared.widgets:
        if getattr(widget, "inputs", {}):
            unused = getattr(widget, "pullable", None) is False
            assert unused or widget.on_refused is not Guarded.on_refused


@pytest.mark.parametrize("level", [logging.DEBUG])
def test_a_refusal_is_not_logged(shared, caplog, level):
    with caplog.at_level(level, logger="explorer"):
        shared.type("mu", "secret 4711")
        shared.set(shared.slider("mu"), value="secret 4711")
        shared.set(shared.page, query="?mu=4711")
    assert [record for record in caplog.records if record.name.startswith("explorer")] == []
