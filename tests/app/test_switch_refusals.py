"""Switches that are refused, and simulations that a change ends."""

import asyncio
import threading

import pytest

from explorer.app import work
from explorer.app.page_parts import Banner
from explorer.app.plots import PlotChannel
from explorer.app.simulation import Simulation
from explorer.app.state import State
from explorer.locale import text_for
from explorer.panels import power
from explorer.scenario import Scenario, View, to_query

en = text_for("en")


def test_average_of_too_many_records_is_refused_and_the_button_comes_up(browser):
    browser.set(browser.page, query="?n=2000000")
    button = browser.described(en.labels["cost_average"])
    browser.set(button, value=True)
    assert not button.value
    [said] = browser.alerts()
    assert "n up to 1\u202f000\u202f000" in said
    assert browser.scenario == Scenario(n=2_000_000)
    browser.type("n", "200")
    assert browser.alerts() == []
    browser.set(button, value=True)
    assert browser.scenario == Scenario(cost_average=True)


@pytest.mark.parametrize(
    ("edit", "ends"),
    [({"alpha": 0.2}, False), ({"delta": 1e-3}, False), ({"mu": 0.3}, True), ({"n": 99}, True)],
    ids=repr,
)
def test_only_what_matters_ends_a_simulation_and_that_is_said(edit, ends, monkeypatch):
    monkeypatch.setattr(work, "DEBOUNCE", 0.0)

    async def act():
        state = State()
        state.edit(view=View.TESTS)
        banner, begun, leave = Banner(state, en), threading.Event(), threading.Event()
        monkeypatch.setattr(
            "explorer.panels._power_curves._advance", lambda *_: (begun.set(), leave.wait(30))
        )
        channel = PlotChannel(state.scenario, en)
        shown = power.PANEL, power.PANEL.simulation, state, channel, en, banner
        simulation = Simulation(*shown)
        state.observe(lambda change: simulation.follow(change["new"]), "scenario")
        simulation.button.click()
        await asyncio.to_thread(begun.wait, 30)
        assert state.edit(**edit) is None
        try:
            assert (simulation.button.description == en.simulate) == ends
            assert ("ended" in banner.widget.value) == ends
        finally:
            simulation._work.stop()
            leave.set()

    asyncio.run(act())


def test_what_is_said_while_a_handle_is_held_waits_until_it_is_let_go(browser):
    browser.set(browser.page, query="?" + to_query(Scenario(n=2_000_000)))
    browser.set(browser.page, held=True)
    browser.set(browser.described(en.labels["cost_average"]), value=True)
    assert browser.alerts() == []
    browser.set(browser.page, held=False)
    assert len(browser.alerts()) == 1


def test_a_typed_epsilon_stays_as_long_as_its_scenario(browser):
    browser.type("epsilon", "2.123456789012345")
    assert browser.box("epsilon").value == "2.123456789012345"
    browser.type("alpha", "0.3")  # ε is the same
    assert browser.box("epsilon").value == "2.123456789012345"
    browser.type("mu", "0.6")
    browser.click(browser.described(en.header["undo"]))
    assert browser.box("epsilon").value == "2.123456789012345"
    browser.type("mu", repr(browser.scenario.mu * (1 + 1e-12)))  # nearly the same is another
    assert browser.box("epsilon").value == "2.12346"
