"""Long work beside the page: in order, given up when out of date, never silent about a failure."""

import asyncio
import threading

import ipywidgets
import pytest
from drawings import plain
from wire_format import decode

from explorer.app import work
from explorer.app.page_parts import Banner
from explorer.app.plots import PlotChannel
from explorer.app.simulation import Simulation
from explorer.app.state import State
from explorer.app.work import Work
from explorer.core.mechanisms import MECHANISMS
from explorer.locale import text_for
from explorer.panels import cost, power
from explorer.panels._bounded_cache import BoundedCache
from explorer.scenario import Scenario

en = text_for("en")


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(work, "DEBOUNCE", 0.0)


def test_without_a_loop_all_is_done_at_once():
    done, reports = [], []
    task = Work(lambda *count: reports.append(count), pytest.fail)
    task.start([lambda: done.append(1), lambda: done.append(2)])
    assert (done, reports, task.busy) == ([1, 2], [(2, 2)], False)
    task.start([])
    assert reports == [(2, 2)]


def test_pieces_are_done_in_their_order_in_another_thread(monkeypatch):
    monkeypatch.setattr(work, "REPORT_EVERY", -1.0)
    done, reports = [], []

    async def act():
        ended = asyncio.Event()

        def report(count, of):
            reports.append((count, of))
            if count == of:
                ended.set()

        task = Work(report, pytest.fail)
        task.start(lambda i=i: done.append((i, threading.current_thread())) for i in range(3))
        assert task.busy
        assert done == []
        await ended.wait()
        await asyncio.sleep(0)
        assert not task.busy

    asyncio.run(act())
    assert [i for i, _ in done] == [0, 1, 2]
    assert threading.main_thread() not in {thread for _, thread in done}
    assert reports == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("again", [False, True])
def test_a_task_is_given_up_by_stopping_or_by_another(again):
    done, reports = [], []

    async def act():
        inside, leave, ended = threading.Event(), threading.Event(), asyncio.Event()

        def long():
            inside.set()
            leave.wait(30)
            done.append("long")

        task = Work(lambda *count: (reports.append(count), ended.set()), pytest.fail)
        task.start([long, lambda: done.append("never")])
        await asyncio.to_thread(inside.wait, 30)
        if again:
            task.start([lambda: done.append("next")])
        else:
            task.stop()
            assert not task.busy
        leave.set()
        if again:
            await ended.wait()

    asyncio.run(act())
    assert "never" not in done
    assert reports == ([(1, 1)] if again else [])


def test_a_failure_ends_the_task_and_is_told():
    told, done = [], []

    async def act():
        failed = asyncio.Event()
        task = Work(lambda *_: pytest.fail("no report"), lambda: (told.append(1), failed.set()))
        task.start([lambda: 1 / 0, lambda: done.append(1)])
        await failed.wait()

    asyncio.run(act())
    assert (told, done) == ([1], [])


def test_averages_are_found_when_the_hand_lets_go(browser):
    def labels():
        return [item["value"] for item in decode(browser.feed.readouts)["costs"]]

    def sentence():
        return decode(browser.feed.cost)["sentence"]

    def heads():
        texts = (w.value for w in browser.widgets if isinstance(w, ipywidgets.HTML))
        return [text for text in texts if f"<h2>{en.sections['mechanisms']}" in text]

    given = labels()
    assert heads() == [f"<h2>{en.sections['mechanisms']}</h2><span>{en.cost_head}</span>"]
    browser.set(browser.described(en.labels["cost_average"]), value=True)
    assert heads() == [f"<h2>{en.sections['mechanisms']}</h2><span>{en.average_head}</span>"]
    assert "…" not in labels()
    assert labels() != given
    assert cost.PANEL.background.pieces(browser.scenario) == []
    browser.set(browser.page, held=True)
    browser.type("mu", "0.7123")
    assert "…" in labels()
    assert sentence().startswith("Computing averages over all tables")
    browser.set(browser.page, held=False)
    assert "…" not in labels()
    assert sentence().startswith("On average over tables")


def test_a_failing_average_is_said_on_the_page(browser, monkeypatch):
    monkeypatch.setattr("explorer.panels._average_costs._KNOWN", BoundedCache(9))
    monkeypatch.setattr("explorer.panels._average_costs.Average.compute", lambda _: 1 / 0)
    browser.set(browser.described(en.labels["cost_average"]), value=True)
    assert browser.alerts() == [en.unknown_error]


def test_the_simulation_shows_its_progress_and_its_end(browser, monkeypatch):
    browser.choose(browser.choice("view"), en.views["tests"])
    button = browser.described(en.simulate)
    for kind in MECHANISMS[1:]:
        browser.set(
            browser.described(
                en.mechanism_short(kind.key, browser.scenario.neighbours), ipywidgets.Checkbox
            ),
            value=False,
        )
    monkeypatch.setattr("explorer.panels._power_curves.REPLICATES", 2_000)

    def points():
        data = decode(browser.feed.power)["figure"]["data"]
        return [trace for trace in data if "error_y" in trace and trace["visible"]]

    assert points() == []
    browser.click(button)
    assert len(points()) == 1
    assert button.description == en.simulate
    browser.type("mu", "0.4")
    assert points() == []


def test_a_simulation_is_given_up_by_its_button_or_by_a_change():
    async def act():
        state = State()
        feed = PlotChannel(state.scenario, en)
        begun, leave = threading.Event(), threading.Event()
        told = []

        class Pieces:
            def pieces(self, _scenario):
                return [begun.set, lambda: leave.wait(30), lambda: told.append("never")]

            def same(self, one, other):
                return one.mu == other.mu

        banner = Banner(state, en)
        simulation = Simulation(power.PANEL, Pieces(), state, feed, en, banner)
        other = Scenario(mu=0.3)
        for end in (simulation.button.click, lambda: simulation.follow(other)):
            begun.clear()
            leave.clear()
            simulation.button.click()
            assert simulation.button.description == en.cancel
            assert "gdp-hidden" not in simulation.progress._dom_classes
            await asyncio.to_thread(begun.wait, 30)
            simulation.follow(Scenario(alpha=0.2))  # does not matter to the simulation
            assert simulation.button.description == en.cancel
            end()
            assert simulation.button.description == en.simulate
            assert "gdp-hidden" in simulation.progress._dom_classes
            leave.set()
        assert told == []

    asyncio.run(act())


def test_nothing_to_simulate_is_no_simulation(browser):
    browser.choose(browser.choice("view"), en.views["tests"])
    for kind in MECHANISMS:
        browser.set(
            browser.described(
                en.mechanism_short(kind.key, browser.scenario.neighbours), ipywidgets.Checkbox
            ),
            value=False,
        )
    button = browser.described(en.simulate)
    browser.click(button)
    assert (button.description, button.tooltip) == (en.simulate, en.simulate_tip)


def test_averages_beside_the_tests_are_found_too(browser):
    browser.choose(browser.choice("view"), en.views["tests"])
    browser.set(browser.described(en.labels["cost_average"]), value=True)
    browser.type("mu", "0.6789")
    values = [item["value"] for item in decode(browser.feed.readouts)["costs"]]
    assert "…" not in values


def test_pieces_that_were_given_up_do_not_pile_up():
    async def act():
        begun, leave, ended = threading.Event(), threading.Event(), asyncio.Event()
        at_once, most = [], []

        def piece():
            at_once.append(1)
            most.append(len(at_once))
            begun.set()
            leave.wait(30)
            at_once.pop()

        task = Work(lambda *_: ended.set(), pytest.fail)
        for _ in range(4):
            task.start([piece])
            await asyncio.to_thread(begun.wait, 30)
        leave.set()
        await ended.wait()
        assert max(most) == 1

    asyncio.run(act())


def test_a_failing_simulation_is_said_on_the_page(browser, monkeypatch):
    browser.choose(browser.choice("view"), en.views["tests"])
    monkeypatch.setattr("explorer.panels._power_curves._advance", lambda *_: 1 / 0)
    browser.click(browser.described(en.simulate))
    assert browser.alerts() == [en.unknown_error]


def test_plots_that_are_not_in_view_are_not_drawn(browser, monkeypatch):
    def refuse(_panel, _scenario):
        pytest.fail("drawn though hidden")

    stage = browser.classed("gdp-stage")

    def shows():
        return [name for name in stage._dom_classes if "shows" in name]

    assert shows() == ["gdp-shows-costs"]
    with monkeypatch.context() as patch:
        patch.setattr(type(power.PANEL), "compute", refuse)
        browser.type("mu", "0.7")
    browser.choose(browser.choice("view"), en.views["tests"])
    shown = decode(browser.feed.power)["sentence"]
    assert shown == plain(power.PANEL.draw(power.PANEL.compute(browser.scenario), en))["sentence"]
    with monkeypatch.context() as patch:
        patch.setattr(type(cost.PANEL), "compute", refuse)
        browser.type("mu", "0.8")
    assert shows() == ["gdp-shows-tests"]
