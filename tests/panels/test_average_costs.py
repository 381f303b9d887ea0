"""Average costs: kept once found, drawn as they come, the same numbers as the core's."""

import dataclasses

import numpy as np
import pytest
from drawings import plain

from explorer.core.mechanisms import MECHANISMS, JamesStein
from explorer.locale import text_for
from explorer.locale.costs import CostStatus
from explorer.panels import _average_costs as averages
from explorer.panels import cost, readouts
from explorer.panels._bounded_cache import BoundedCache
from explorer.scenario import MOST_AVERAGED, CostAxis, Scenario, derive
from explorer.scenario.errors import ScenarioError

en = text_for("en")

SMALL = Scenario(rows=2, columns=3, n=30, strength=0.3, cost_average=True)
SHRINKS = [
    i for i, mechanism_class in enumerate(MECHANISMS) if issubclass(mechanism_class, JamesStein)
]


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.setattr(averages, "_KNOWN", BoundedCache(2000))


def find(scenario):
    for piece in cost.PANEL.background.pieces(scenario):
        piece()


@pytest.mark.parametrize("axis", CostAxis)
def test_a_curve_is_found_piece_by_piece(axis):
    scenario = dataclasses.replace(SMALL, cost_axis=axis)
    before = cost.PANEL.compute(scenario)
    assert before.facts.status is CostStatus.AWAITED
    assert np.isnan(before.now[SHRINKS]).all()
    assert np.isfinite(np.delete(before.costs, SHRINKS, axis=0)).all()
    drawn = plain(cost.PANEL.draw(before, en))
    assert drawn["sentence"].startswith("Computing averages over all tables")
    pieces = cost.PANEL.background.pieces(scenario)
    for piece in pieces[: len(SHRINKS)]:
        piece()
    assert np.isfinite(cost.PANEL.compute(scenario).now).all()  # the scenario's own come first
    find(scenario)
    assert cost.PANEL.background.pieces(scenario) == []
    after = cost.PANEL.compute(scenario)
    assert after.facts.status is CostStatus.KNOWN
    assert np.isfinite(after.costs).all()


@pytest.mark.parametrize(
    ("axis", "field"), [("strength", "strength"), ("mu", "mu"), ("n", "n"), ("cells", "rows")]
)
def test_found_costs_are_those_of_the_mechanisms(axis, field):
    scenario = dataclasses.replace(SMALL, cost_axis=axis, positive_part=False)
    find(scenario)
    result = cost.PANEL.compute(scenario)
    for j in (0, len(result.x) // 2, -1):
        value = result.x[j].item()
        value = {"rows": round(value / 3), "n": round(value)}.get(field, value)
        if field == "strength":
            value = min(value, derive(scenario).max_strength)
        there = dataclasses.replace(scenario, **{field: value})
        wanted = [
            float(
                derive(there)
                .mechanism(mechanism_class)
                .expected_l2_cost(there.n, derive(there).probabilities)
            )
            for mechanism_class in MECHANISMS
        ]
        assert result.costs[:, j].tolist() == pytest.approx(wanted, rel=1e-12, abs=0)


def test_an_average_is_more_than_the_cost_at_the_expected_table():
    # At the uniform table the shrinkage is best; drawn tables are away from it.
    scenario = dataclasses.replace(SMALL, strength=0.0)
    find(scenario)
    average, given = averages.known_costs(scenario), derive(scenario).costs
    assert all(average[i] > given[i] * 1.02 for i in SHRINKS[1:])
    others = [i for i in range(len(MECHANISMS)) if i not in SHRINKS]
    assert [average[i] for i in others] == [given[i] for i in others]


def test_a_hidden_mechanism_has_a_read_out_but_no_line():
    hidden = ("rank-deficient-james-stein",)
    scenario = dataclasses.replace(SMALL, hidden=hidden)
    find(scenario)
    i = [mechanism_class.key for mechanism_class in MECHANISMS].index(*hidden)
    result = cost.PANEL.compute(scenario)
    assert np.isnan(result.costs[i]).sum() == 0  # that of the expected table, not drawn
    assert result.facts.status is CostStatus.KNOWN
    assert np.isfinite(averages.known_costs(scenario)[i])


def test_what_is_not_found_yet_is_said_in_the_read_outs():
    values = [
        item["value"]
        for item in plain(readouts.PANEL.draw(readouts.PANEL.compute(SMALL), en))["costs"]
    ]
    assert [i for i, value in enumerate(values) if value == "…"] == SHRINKS
    find(SMALL)
    values = [
        item["value"]
        for item in plain(readouts.PANEL.draw(readouts.PANEL.compute(SMALL), en))["costs"]
    ]
    assert "…" not in values


def test_a_mark_stands_on_the_line_until_its_own_average_is_found():
    find(SMALL)
    near = dataclasses.replace(SMALL, strength=0.31)
    result = cost.PANEL.compute(near)
    i = SHRINKS[1]
    assert np.isnan(result.now[i])
    j = int(np.searchsorted(result.x, 0.31))
    low, high = sorted(result.costs[i, j - 1 : j + 1])
    assert low <= result.marks[i] <= high
    find(near)
    found = cost.PANEL.compute(near)
    assert found.marks[i] == found.now[i] == pytest.approx(result.marks[i], rel=0.02)


def test_averages_of_other_sizes_are_found_whatever_is_tested():
    scenario = dataclasses.replace(SMALL, cost_axis="cells", test="independence")
    points = len(cost.PANEL.compute(scenario).x)
    assert len(cost.PANEL.background.pieces(scenario)) > points


def test_only_so_many_averages_are_memoised(monkeypatch):
    monkeypatch.setattr(averages, "_KNOWN", BoundedCache(5))
    find(SMALL)
    assert len(averages._KNOWN) == 5


def test_a_large_table_has_no_average():
    Scenario(n=MOST_AVERAGED, cost_average=True)
    with pytest.raises(ScenarioError, match="n of at most 1000000") as caught:
        Scenario(n=MOST_AVERAGED + 1, cost_average=True)
    text = en.scenario_refusal(caught.value, "")
    assert "1\u202f000\u202f000" in text
