"""The button that refines a panel by simulation, its progress and its cancel."""

from collections.abc import Callable
from types import ModuleType

import ipywidgets as widgets

from explorer.app import guard
from explorer.app.plots import Feed
from explorer.app.state import State
from explorer.app.work import Work
from explorer.scenario import Scenario


class Simulation:
    """Does the long work of one panel; a change of the scenario gives it up."""

    def __init__(
        self,
        panel: ModuleType,
        state: State,
        feed: Feed,
        words: ModuleType,
        fail: Callable[[None], object],
    ) -> None:
        self._panel, self._state, self._feed, self._words = panel, state, feed, words
        self._fail = fail
        self._work = Work(self._report, self._failed)
        self.button = guard.Push(description=words.SIMULATE, tooltip=words.SIMULATE_TIP)
        self.button.report = fail
        self.button.act(self._click)
        self.progress = widgets.IntProgress(max=1)
        self.widget = widgets.Box([self.progress, self.button])
        self.widget.add_class("gdp-simulation")
        self._show(running=False)

    def follow(self, scenario: Scenario) -> None:
        """Give up what was for another scenario."""
        del scenario
        self._work.stop()
        self._show(running=False)

    def _click(self) -> None:
        if self._work.busy:
            self.follow(self._state.scenario)
            return
        pieces = self._panel.simulate(self._state.scenario)
        self.progress.value = 0
        self._show(running=bool(pieces))
        self._work.start(pieces)

    def _report(self, done: int, of: int) -> None:
        self.progress.max, self.progress.value = of, done
        self._feed.follow(self._state.scenario, held=self._state.held, only=(self._panel.NAME,))
        if done == of:
            self._show(running=False)

    def _failed(self, _: None) -> None:
        self._show(running=False)
        self._fail(None)

    def _show(self, *, running: bool) -> None:
        words = self._words
        self.button.description = words.CANCEL if running else words.SIMULATE
        self.button.tooltip = words.CANCEL_TIP if running else words.SIMULATE_TIP
        act = self.progress.remove_class if running else self.progress.add_class
        act("gdp-hidden")
