"""Controls: a message of the browser changes the scenario, the plots and the other controls."""

from html import unescape

import ipywidgets
import numpy as np
import pytest
from scipy.special import ndtr
from wire_format import decode

from explorer.app.control import FIELDS
from explorer.core import gdp
from explorer.core.mechanisms import MECHANISMS
from explorer.core.sensitivity import Neighbours
from explorer.locale import LANGUAGES, text_for
from explorer.scenario import (
    CostAxis,
    Hypothesis,
    Scenario,
    View,
    derive,
    fields,
    to_query,
    with_counts,
)
from explorer.scenario.presets import PRESETS
from explorer.tables import EXAMPLES

en = text_for("en")

SLIDERS = ["mu", "rows", "columns", "n", "strength", "alpha"]
BOXES = [*SLIDERS, "epsilon", "delta", "records_per_person"]


def curve(browser, panel, index):
    """The heights of a trace as they were sent."""
    return decode(browser.feed.get_state([panel])[panel])["figure"]["data"][index]["y"]


@pytest.mark.parametrize("code", [language.code for language in LANGUAGES])
def test_the_page_can_be_built_in_every_language(code, open_page):
    browser = open_page(language=code)
    assert browser.scenario == Scenario()
    assert browser.alerts() == []
    assert {browser.box(name).value for name in BOXES} >= {"0.5", "1e-6", "4", "200", "0.2", "0.05"}


def test_dragging_mu_moves_the_gaussian_curve(browser):
    slider = browser.slider("mu")
    browser.set(slider, value=slider.max)
    assert browser.scenario == Scenario(mu=10.0)
    assert browser.box("mu").value == "10"
    z = np.linspace(-4.5 - 10, 4.5, 95)  # the curve is even in normal quantiles
    heights = curve(browser, "tradeoff", 3)[1:-1]
    np.testing.assert_allclose(heights, ndtr(-z - 10), rtol=1e-6, atol=1e-37)
    epsilon = float(gdp.epsilon(1e-6, 10.0))
    assert float(browser.box("epsilon").value) == pytest.approx(epsilon, rel=1e-5)


@pytest.mark.parametrize("name", SLIDERS)
def test_every_slider_sets_its_field_and_no_other(browser, name):
    slider = browser.slider(name)
    values = []
    for notch in (slider.max // 3, slider.max // 2):
        browser.set(slider, value=notch)
        scenario = browser.scenario
        values.append(getattr(scenario, name))
        assert slider.value == notch
        assert scenario == Scenario(**{name: values[-1]})
        assert float(browser.box(name).value) == pytest.approx(values[-1], rel=1e-5)
    range_ = FIELDS[name].slider
    low, high = (range_.low, range_.high) if range_ else (0.01, 0)
    assert low <= values[0] < values[1] <= max(high, derive(browser.scenario).max_strength)
    assert browser.alerts() == []


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("mu", "0.2773", 0.2773),
        ("mu", "1.23456789012345", 1.23456789012345),
        ("mu", "0,2773", 0.2773),
        ("mu", "100", 100.0),
        ("alpha", "5 %", 0.05),
        ("alpha", "0.123456789", 0.123456789),
        ("alpha", "1e-300", 1e-300),
        ("delta", "1.5e-9", 1.5e-9),
        ("n", "1234567", 1_234_567),
        ("n", "12 000", 12_000),
        ("strength", "0.0123456", 0.0123456),
        ("rows", "17", 17),
        ("columns", "600", 600),
        ("records_per_person", "999", 999),
    ],
)
def test_what_is_typed_is_kept_with_all_its_digits(browser, name, text, value):
    browser.type(name, text)
    assert browser.scenario == Scenario(**{name: value})
    assert float(browser.box(name).value) == value
    if name in SLIDERS:  # the browser answers nothing, for it has nothing to move to a grid
        notch = browser.slider(name).value
        browser.set(browser.slider(name), value=notch)
        assert getattr(browser.scenario, name) == value
        assert float(browser.box(name).value) == value


def test_typing_an_epsilon_sets_mu(browser):
    browser.type("epsilon", "2.123456789")
    assert browser.box("epsilon").value == "2.123456789"
    mu = browser.scenario.mu
    assert float(gdp.epsilon(1e-6, mu)) == pytest.approx(2.123456789, rel=1e-9)
    assert browser.scenario == Scenario(mu=mu)
    assert float(browser.box("mu").value) == pytest.approx(mu, rel=1e-5)
    browser.type("delta", "1e-3")  # μ stays, ε follows
    assert browser.scenario == Scenario(mu=mu, delta=1e-3)
    epsilon = float(gdp.epsilon(1e-3, mu))
    assert float(browser.box("epsilon").value) == pytest.approx(epsilon, rel=1e-5)


def test_a_slider_far_from_what_is_typed_stands_at_its_end(browser):
    browser.type("mu", "0.001")
    assert browser.slider("mu").value == 0
    browser.type("mu", "100")
    assert browser.slider("mu").value == browser.slider("mu").max
    browser.type("strength", "0")
    assert browser.slider("strength").value == 0
    assert browser.scenario == Scenario(mu=100.0, strength=0.0)


def test_every_list_and_switch_sets_its_field(browser):
    expected = {}

    def check(**changes):
        expected.update(changes)
        assert browser.scenario == Scenario(**expected)

    browser.choose(browser.choice("neighbours"), en.neighbours[list(Neighbours)[1]])
    check(neighbours=list(Neighbours)[1])
    browser.choose(browser.choice("pattern"), en.patterns["interaction"])
    check(pattern="interaction")
    browser.choose(browser.choice("sampled"), "Laplace")
    check(sampled="laplace")
    for name in list(Hypothesis)[::-1]:
        browser.choose(browser.choice("test"), en.hypotheses_tested[name])
        check(test=name)
    for name in fields.TEST_STATISTIC.choices[::-1]:
        browser.choose(browser.choice("test_statistic"), en.test_statistics[name])
        check(test_statistic=name)
    for view in list(View)[::-1]:
        browser.choose(browser.choice("view"), en.views[view])
        check(view=view)
    for axis in list(CostAxis)[::-1]:
        browser.choose(browser.choice("cost_axis"), en.cost_axes[axis])
        check(cost_axis=axis)
    for name in ("positive_part", "cost_average", "cost_ratio", "cost_log", "tradeoff_log"):
        control = browser.described(en.labels[name])
        browser.set(control, value=not control.value)
        check(**{name: control.value})
    hidden = []
    for kind in MECHANISMS[::-1]:
        hidden.append(kind.key)
        browser.set(
            browser.described(
                en.mechanism_short(kind.key, browser.scenario.neighbours), ipywidgets.Checkbox
            ),
            value=False,
        )
        check(hidden=tuple(reversed(hidden)))
    browser.click(browser.described(en.labels["seed"], ipywidgets.Button))
    check(seed=1)
    assert browser.alerts() == []


@pytest.mark.parametrize(
    ("panel", "changes", "place", "wanted"),
    [
        ("densities", {}, [0.0, 0.2], {"alpha": 0.5}),
        ("densities", {}, [-1e9, 0.2], {"alpha": 0.999}),
        ("tradeoff", {}, [0.25, 0.9], {"alpha": 0.25}),
        ("tradeoff", {"tradeoff_log": True}, [-3.0, 0.9], {"alpha": 1e-3}),
        ("cost", {}, [-1.0, 50.0], {"strength": 0.1}),
        ("cost", {}, [1e9, 50.0], {"strength": derive(Scenario()).max_strength}),
        ("cost", {"cost_axis": "mu"}, [0.0, 50.0], {"mu": 1.0}),
        ("cost", {"cost_axis": "n"}, [3.0, 50.0], {"n": 1000}),
        ("cost", {"cost_axis": "cells"}, [1.0, 50.0], {}),
    ],
)
def test_pulling_a_marked_point_sets_its_field(browser, panel, changes, place, wanted):
    browser.set(browser.page, query="?" + to_query(Scenario(**changes)))
    browser.set(browser.plot(panel), pulled=place)
    assert browser.scenario == Scenario(**changes, **wanted)


@pytest.mark.parametrize("sample", EXAMPLES, ids=lambda sample: sample.key)
def test_choosing_an_example_brings_its_table_to_every_control_and_plot(browser, sample):
    before = {name: browser.feed.get_state([name])[name] for name in ("cost", "table", "readouts")}
    browser.choose(browser.menu("table"), sample.title)
    assert browser.scenario == with_counts(Scenario(), sample.counts, sample.key)
    rows, columns = sample.counts.shape
    shown = [browser.box(name).value for name in ("rows", "columns", "n")]
    assert shown == [str(rows), str(columns), str(sample.counts.n)]
    assert browser.choice("pattern").label == sample.title
    assert browser.menu("table").label == sample.title
    for name, panel in before.items():
        assert browser.feed.get_state([name])[name] != panel
    left = decode(browser.feed.get_state(["table"])["table"])["figure"]["data"][0]["z"]
    assert left.ravel() == pytest.approx(sample.counts.array, rel=1e-6)
    texts = [w.value for w in browser.widgets if isinstance(w, ipywidgets.HTML)]
    assert any(sample.source in unescape(text) for text in texts)
    browser.choose(browser.menu("table"), en.no_table)
    assert (browser.scenario.pattern, browser.scenario.shape) == ("spike", (rows, columns))
    assert sample.title not in [label for label, _ in browser.choice("pattern").options]
    assert browser.alerts() == []


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_shown_whole(browser, name):
    browser.type("alpha", "0.3")
    browser.choose(browser.menu("preset"), en.presets[name])
    assert browser.scenario == PRESETS[name]
    assert browser.menu("preset").index == 0  # ready to be chosen again
    assert browser.box("mu").value == f"{PRESETS[name].mu:g}"
    browser.click(browser.described(en.header["undo"]))
    assert browser.scenario == Scenario(alpha=0.3)


def test_two_explorers_share_nothing(open_page):
    first, second = open_page(), open_page()
    assert not set(first.widgets) & set(second.widgets)
    first.type("mu", "2")
    first.choose(first.menu("table"), EXAMPLES[0].title)
    first.type("alpha", "abc")
    assert second.scenario == Scenario()
    assert second.alerts() == []
    assert second.updates() == []
    second.click(second.described(en.header["undo"]))
    assert second.scenario == Scenario()
    assert first.scenario.mu == 2
