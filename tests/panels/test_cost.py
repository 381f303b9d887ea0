"""What the noise costs: curves against direct calibration, labels against their numbers."""

import dataclasses
import itertools
import re

import numpy as np
import pytest
from drawings import plain
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core import population
from explorer.core.mechanisms import MECHANISMS, JamesStein
from explorer.core.mechanisms.comparison import laplace_crossing
from explorer.core.sensitivity import Neighbours, Table
from explorer.locale import text_for
from explorer.numerals import read_number
from explorer.panels import cost
from explorer.panels.look import look
from explorer.scenario import CostAxis, Scenario, derive, with_counts
from explorer.tables import EXAMPLES

en = text_for("en")

NAMES = [mechanism_class.key for mechanism_class in MECHANISMS]
BERKELEY = next(sample for sample in EXAMPLES if sample.key == "berkeley")
BASES = [
    Scenario(),
    Scenario(mu=2.0, neighbours="add-remove", positive_part=False, pattern="trend", rows=2),
    Scenario(records_per_person=3, rows=1, columns=7, pattern="split", strength=0, n=1000),
    with_counts(Scenario(mu=0.2), BERKELEY.counts, BERKELEY.key),
]
every_base = pytest.mark.parametrize("base", BASES)
every_axis = pytest.mark.parametrize("axis", CostAxis)
SWITCHES = list(itertools.product([False, True], repeat=2))


def direct(mechanism_class, scenario, theta, mu=None, shape=None):
    """Cost by a calibration of its own, without anything kept from before."""
    statistic = Table(shape or scenario.shape, scenario.neighbours, scenario.records_per_person)
    part = (
        {"positive_part": scenario.positive_part} if issubclass(mechanism_class, JamesStein) else {}
    )
    return float(mechanism_class(statistic, mu or scenario.mu, **part).l2_cost(theta))


def drawn(scenario):
    return plain(cost.PANEL.draw(cost.PANEL.compute(scenario), en))


def curves(plot):
    return plot["figure"]["data"][: len(MECHANISMS)]


def marks(plot):
    [trace] = [trace for trace in plot["figure"]["data"] if trace["mode"] == "markers"]
    return trace


def labels(plot):
    return [trace for trace in plot["figure"]["data"] if trace["mode"] == "text"]


def shown_number(text):
    """The number at the end of a label, and its unit."""
    found = re.search(r"([\d.\u202f]+(?:e\u2212?\d+)?)(%?)$", text)
    return read_number(found[1], whole=False), found[2]


@every_base
def test_curves_over_the_signal_are_those_of_other_scenarios(base):
    result = cost.PANEL.compute(base)
    assert (result.axis, result.here) == ("strength", base.strength)
    assert result.x[0] == pytest.approx(0.01)
    assert result.x[-1] == pytest.approx(derive(base).max_strength)
    for i in (0, 13, 29, -1):
        w = min(result.x[i], derive(base).max_strength)
        assert tuple(result.costs[:, i]) == pytest.approx(
            derive(dataclasses.replace(base, strength=w)).costs, rel=1e-9
        )


@every_base
def test_curves_over_mu_are_those_of_direct_calibration(base):
    result = cost.PANEL.compute(dataclasses.replace(base, cost_axis="mu"))
    assert result.here == base.mu
    assert tuple(result.x[[0, -1]]) == pytest.approx((0.01, 10))
    for mechanism_class, costs in zip(MECHANISMS, result.costs, strict=True):
        for i in (0, 9, 22, 31, -1):
            wanted = direct(mechanism_class, base, derive(base).expected, mu=result.x[i])
            assert costs[i] == pytest.approx(wanted, rel=1e-9), (mechanism_class, result.x[i])


@every_base
def test_curves_over_cells_are_those_of_direct_calibration(base):
    result = cost.PANEL.compute(dataclasses.replace(base, cost_axis="cells"))
    assert result.here == base.p
    assert result.stand_in is (derive(base).counts is not None)
    pattern = "spike" if result.stand_in else base.pattern
    assert base.p in result.x
    for i in range(0, len(result.x), 3):
        shape = (round(result.x[i]) // base.columns, base.columns)
        theta = base.n * population.probabilities(shape, pattern, base.strength)
        for mechanism_class, costs in zip(MECHANISMS, result.costs, strict=True):
            wanted = direct(mechanism_class, base, theta, shape=shape)
            assert costs[i] == pytest.approx(wanted, rel=1e-9), (mechanism_class, shape)


@every_base
def test_curves_over_n_are_those_of_larger_tables(base):
    result = cost.PANEL.compute(dataclasses.replace(base, cost_axis="n"))
    assert result.here == base.n
    assert result.x[0] <= min(10, base.n)
    assert result.x[-1] >= max(1e6, base.n) * (1 - 1e-12)
    for mechanism_class, costs in zip(MECHANISMS, result.costs, strict=True):
        for i in (0, 17, -1):
            wanted = direct(mechanism_class, base, result.x[i] * derive(base).probabilities)
            assert costs[i] == pytest.approx(wanted, rel=1e-9)


@every_axis
@pytest.mark.parametrize(
    "changes",
    [{}, {"mu": 1e-3}, {"mu": 50.0}, {"n": 1}, {"n": 10**9}, {"strength": 0.0}, {"rows": 200}],
    ids=repr,
)
def test_the_marks_stand_on_their_lines(axis, changes):
    scenario = Scenario(cost_axis=axis, cost_log=True, **changes)
    plot, result = drawn(scenario), cost.PANEL.compute(scenario)
    x = np.log10(result.x)
    [place] = {*marks(plot)["x"].tolist()}
    assert x[0] <= place <= x[-1]
    assert place == pytest.approx(np.log10(max(result.here, result.x[0])))
    for height, line in zip(marks(plot)["y"], result.costs, strict=True):
        # Between two points, or at the end of a logarithmic axis for no signal at all.
        assert height == pytest.approx(np.interp(place, x, np.log10(line)), abs=0.03)


@every_axis
@every_base
def test_the_cost_at_the_scenario_is_that_of_the_mechanism(base, axis):
    for ratio, logarithmic in SWITCHES:
        scenario = dataclasses.replace(base, cost_axis=axis, cost_ratio=ratio, cost_log=logarithmic)
        wanted = np.array(
            [direct(mechanism_class, base, derive(base).expected) for mechanism_class in MECHANISMS]
        )
        wanted = wanted / wanted[NAMES.index("gaussian")] if ratio else wanted
        assert tuple(cost.PANEL.compute(scenario).now) == pytest.approx(tuple(wanted), rel=1e-12)
        heights = marks(drawn(scenario))["y"]
        assert (10**heights if logarithmic else heights) == pytest.approx(wanted, rel=1e-12)


@every_axis
@every_base
def test_ratio_times_gaussian_is_the_cost(base, axis):
    plain = cost.PANEL.compute(dataclasses.replace(base, cost_axis=axis))
    ratio = cost.PANEL.compute(dataclasses.replace(base, cost_axis=axis, cost_ratio=True))
    gaussian = plain.costs[NAMES.index("gaussian")]
    np.testing.assert_allclose(ratio.costs * gaussian, plain.costs, rtol=1e-12)
    np.testing.assert_allclose(
        ratio.now * plain.now[NAMES.index("gaussian")], plain.now, rtol=1e-12
    )
    assert (ratio.costs[NAMES.index("gaussian")] == 1).all()


@pytest.mark.parametrize("neighbours", Neighbours)
def test_the_crossing_is_marked_and_labelled(neighbours):
    scenario = Scenario(neighbours=neighbours, records_per_person=7, cost_axis="mu")
    trace, mu = labels(drawn(scenario))[-1], laplace_crossing(derive(scenario).statistic)
    assert trace["x"][0] == pytest.approx(np.log10(mu), rel=1e-12)
    assert read_number(trace["text"][0].split()[-1], whole=False) == pytest.approx(mu, rel=5e-4)


@every_axis
def test_the_crossing_is_shown_over_mu_only(axis):
    plot = drawn(Scenario(cost_axis=axis))
    rules = [trace for trace in plot["figure"]["data"] if trace.get("visible") is not None]
    assert rules[-1]["visible"] is (axis == "mu")
    assert labels(plot)[-1]["visible"] is (axis == "mu")


@every_axis
@every_base
def test_every_label_says_the_number_of_its_mark(base, axis):
    for ratio, logarithmic in SWITCHES:
        plot = drawn(
            dataclasses.replace(base, cost_axis=axis, cost_ratio=ratio, cost_log=logarithmic)
        )
        names, mark = labels(plot)[0], marks(plot)
        heights = 10 ** mark["y"] if logarithmic else mark["y"]
        assert len(names["text"]) == len(heights) == len(MECHANISMS)
        for i, mechanism_class in enumerate(MECHANISMS):
            value, unit = shown_number(names["text"][i])
            assert names["text"][i].startswith(
                en.mechanism_short(mechanism_class.key, base.neighbours) + " "
            )
            assert unit == ("%" if ratio else "")
            assert value == pytest.approx(heights[i] * (100 if ratio else 1), rel=0.0051)
            colours = names["textfont"]["color"], mark["marker"]["color"]
            expected = [f"@{mechanism_class.key}-text", f"@{mechanism_class.key}"]
            assert [colour[i] for colour in colours] == expected
            assert en.mechanism(mechanism_class.key, base.neighbours) in mark["hovertext"][i]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(NAMES), unique=True), st.sampled_from(Neighbours), st.booleans())
def test_only_shown_mechanisms_are_drawn_and_named(hidden, neighbours, ratio):
    scenario = Scenario(hidden=tuple(hidden), neighbours=neighbours, cost_ratio=ratio)
    plot = drawn(scenario)
    shown = [mechanism_class for mechanism_class in MECHANISMS if mechanism_class.key not in hidden]
    assert [curve["visible"] for curve in curves(plot)] == [
        mechanism_class in shown for mechanism_class in MECHANISMS
    ]
    colours = [f"@{mechanism_class.key}" for mechanism_class in shown]
    assert labels(plot)[0]["textfont"]["color"] == [f"{colour}-text" for colour in colours]
    assert marks(plot)["marker"]["color"] == colours
    for mechanism_class, curve in zip(MECHANISMS, curves(plot), strict=True):
        line = curve["line"]
        assert (line["color"], line["dash"]) == (
            f"@{mechanism_class.key}",
            look(mechanism_class.key).dash,
        )
    if not shown:
        assert "No mechanism" in plot["sentence"]
        return
    costs = dict(zip(MECHANISMS, derive(scenario).costs, strict=True))
    best = min(shown, key=costs.get)
    said = re.search(
        rf"Cheapest: {re.escape(en.mechanism_short(best.key, neighbours))} with ([\d.]*\d)",
        plot["sentence"],
    )
    assert float(said[1]) == pytest.approx(costs[best], rel=0.0051)


def test_the_costs_are_put_into_words():
    # σ² = 2/0.25 = 8: 16 σ² and 15 σ² in one cell each, Laplace noise by 2b² · 16.
    sentence = drawn(Scenario(hidden=tuple(NAMES[2:6])))["sentence"]
    assert sentence.startswith(
        "Total kept: 120 instead of 128 records². Cheapest: rank-deficient with 120, "
    )
    saved, more = re.search(
        r"([\d.]+)% below Gaussian\. Laplace: ([\d.]+)% above", sentence
    ).groups()
    assert float(saved) == pytest.approx(100 / 16, rel=0.005)
    laplace = derive(Scenario()).costs[NAMES.index("laplace")]
    assert float(more) == pytest.approx(100 * (laplace / 128 - 1), rel=0.005)


def test_names_stand_in_the_order_of_the_costs_they_carry():
    for base, axis in itertools.product(BASES, CostAxis):
        plot = drawn(dataclasses.replace(base, cost_axis=axis))
        low, high = plot["figure"]["layout"]["yaxis"]["range"]
        places = labels(plot)[0]["y"]
        order = np.argsort(np.clip(marks(plot)["y"], low, high), kind="stable")
        assert (np.diff(places[order]) > 0.09 * (high - low)).all()
        assert low < places.min()
        assert places.max() < high


@every_axis
def test_a_name_stands_at_the_cost_it_carries(axis):
    # Two costs so far apart that neither name has to give way.
    hidden = tuple(name for name in NAMES if name not in {"gaussian", "laplace"})
    plot = drawn(Scenario(cost_axis=axis, hidden=hidden, cost_ratio=True))
    assert labels(plot)[0]["y"] == pytest.approx(marks(plot)["y"], rel=1e-12)


@every_axis
def test_pulling_the_marked_point_to_its_own_place_changes_nothing(axis):
    scenario = Scenario(cost_axis=axis, strength=0.3, mu=0.7, n=12345)
    mark = marks(drawn(scenario))
    changes = cost.PANEL.drag(scenario, mark["x"][0], mark["y"][0])
    field = None if axis == "cells" else axis
    assert (changes is None) == (field is None)
    if field:
        assert changes[field] == pytest.approx(getattr(scenario, field), rel=1e-9)
