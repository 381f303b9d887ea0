"""The feed: one message for a change, nothing for what stays, arrays as they are."""

import json

import numpy as np
import pytest
from drawings import plain
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from wire_format import decode

from explorer.app.plots import encode
from explorer.locale import text_for
from explorer.panels import PANELS, in_view
from explorer.plotly_js import plotly_js
from explorer.scenario import Scenario, to_query
from explorer.tables import EXAMPLES

en = text_for("en")

NAMES = {panel.name for panel in PANELS if in_view(panel, Scenario())}


def feed_updates(browser):
    """What the feed sent since the last call, without the address."""
    updates = [state for widget, state in browser.updates() if widget is browser.feed]
    return [set(state) - {"link"} for state in updates]


CHANGES = {
    "slider": (lambda page: page.set(page.slider("mu"), value=200), NAMES),
    "box": (lambda page: page.type("alpha", "0.3"), {"densities", "tradeoff", "readouts"}),
    "small box": (lambda page: page.type("delta", "1e-3"), {"tradeoff", "readouts"}),
    "switch": (lambda page: page.set(page.described(en.labels["cost_log"]), value=True), {"cost"}),
    "button": (lambda page: page.click(page.described(en.labels["seed"])), {"table"}),
    "list": (lambda page: page.choose(page.choice("sampled"), "Laplace"), {"table"}),
    "buttons": (lambda page: page.choose(page.choice("cost_axis"), "n"), {"cost"}),
    "example": (
        lambda page: page.choose(page.menu("table"), EXAMPLES[0].title),
        {"cost", "table", "readouts"},
    ),
    "preset": (
        lambda page: page.choose(page.menu("preset"), en.presets["sparse"]),
        {"cost", "table", "readouts"},
    ),
    "link": (lambda page: page.set(page.page, query="?mu=2&rows=5&alpha=0.2"), NAMES),
    "pull": (
        lambda page: page.set(page.plot("densities"), pulled=[0.0, 0.2]),
        {"densities", "tradeoff", "readouts"},
    ),
}


@pytest.mark.parametrize(("act", "panels"), CHANGES.values(), ids=CHANGES)
def test_a_change_is_one_message_with_the_panels_that_changed(browser, act, panels):
    browser.updates()
    act(browser)
    assert feed_updates(browser) == [panels]
    assert browser.scenario != Scenario()
    browser.type("mu", "abc")
    assert feed_updates(browser) == []


def test_a_change_that_changes_nothing_sends_nothing(browser):
    browser.updates()
    browser.type("mu", "0.50")
    browser.type("n", "2e2")
    browser.set(browser.page, query="?" + to_query(Scenario()))
    browser.set(browser.page, held=True)
    browser.set(browser.page, held=False)
    assert feed_updates(browser) == []


def test_a_control_that_is_dragged_is_not_pulled_back(browser):
    slider = browser.slider("n")
    browser.updates()
    for notch in range(1, 6):  # at small n neighbouring notches round to the same n
        browser.set(slider, value=notch)
        sent = [state for widget, state in browser.updates() if widget is slider]
        assert [state for state in sent if "value" in state] == []
        assert slider.value == notch


def test_axes_stay_while_a_handle_is_held(browser):
    def top():
        cost = decode(browser.feed.get_state(["cost"])["cost"])
        return cost["figure"]["layout"]["yaxis"]["range"][1]

    browser.set(browser.page, held=True)
    before = top()
    browser.type("mu", "0.6")
    assert top() == before
    browser.updates()
    browser.set(browser.page, held=False)
    assert feed_updates(browser) == [{"cost"}]
    assert top() < before


def test_the_link_follows_the_scenario_in_the_same_message(browser):
    browser.updates()
    browser.type("mu", "2")
    [state] = [state for widget, state in browser.updates() if widget is browser.feed]
    assert state["link"] == "?" + to_query(Scenario(mu=2.0))


SHAPES = st.one_of(st.tuples(st.integers(0, 5)), st.tuples(st.integers(1, 4), st.integers(1, 4)))


@settings(max_examples=60, deadline=None)
@given(arrays.arrays(np.float32, SHAPES, elements=st.floats(width=32, allow_nan=False)))
def test_arrays_are_packed_to_the_bit(values):
    for array in (values, values.astype(float), values[::-1], np.asfortranarray(values)):
        packed = encode({"a": [{"x": array, "y": "@ink"}, 1.0]})
        # Beside a second array, so that a place mixed up would show.
        both = encode({"first": np.zeros(3), "x": array})
        assert (decode(both)["x"] == decode(packed)["a"][0]["x"]).all()
        shown = decode(packed)["a"][0]["x"]
        assert shown.shape == array.shape
        assert shown.tobytes() == np.ascontiguousarray(array, "<f4").tobytes()


def test_what_is_no_array_is_packed_as_it_is():
    plot = {
        "text": ["a", "b"],
        "tickvals": [0.5, 1.5],
        "none": [],
        "deep": [{"b": True, "n": None, "i": 3}],
        "scalar": np.float64(2.5),
        "count": np.int64(7),
    }
    packed = encode(plot)
    assert packed["arrays"] == []
    shown = decode(packed)
    assert shown == plot
    assert [type(shown["scalar"]), type(shown["count"])] == [float, int]


@pytest.mark.parametrize("value", [np.nan, np.inf, np.float64("-inf")])
def test_a_number_that_is_not_finite_is_not_sent(value):
    with pytest.raises(ValueError, match="JSON"):
        encode({"layout": {"range": [0.0, value]}})


def test_plotly_is_sent_once_it_is_asked_for(browser):
    browser.sent.clear()
    browser.tell(browser.feed, {"method": "custom", "content": {"wants": "plotly"}})
    browser.tell(browser.feed, {"method": "custom", "content": {"wants": "passwd"}})
    assert [(widget, data["method"]) for widget, data in browser.sent] == [(browser.feed, "custom")]
    assert b"plotly.js v" in plotly_js().read_bytes()[:500]


def test_every_plot_fits_in_one_small_message(browser):
    browser.updates()
    browser.set(browser.slider("mu"), value=150)
    [state] = [state for widget, state in browser.updates() if widget is browser.feed]
    assert len(json.dumps(state, default=lambda part: part.hex())) < 60_000


def test_every_panel_is_there_when_the_page_opens(browser):
    # A browser asks for the state of every widget; nothing comes later.
    state = browser.feed.get_state()
    assert state.keys() >= {panel.name for panel in PANELS}
    for panel in (panel for panel in PANELS if panel.name in NAMES):
        drawn = plain(panel.draw(panel.compute(Scenario()), en))
        assert state[panel.name] == encode(drawn)
