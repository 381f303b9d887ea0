"""The button that refines a panel by simulation, its progress and its cancel."""

from collections.abc import Callable

import ipywidgets as widgets

from explorer.app import guard
from explorer.app.plots import Feed
from explorer.app.state import State
from explorer.app.work import Work
from explorer.locale import Text
from explorer.panels import ShownPanel
from explorer.panels.panel import Work as PanelWork
from explorer.scenario import Scenario


class Simulation:
    """Does the long work of one panel; a change of the scenario gives it up."""

    def __init__(  # noqa: PLR0917 - each is another part of the app
        self,
        panel: ShownPanel,
        simulation: PanelWork,
        state: State,
        feed: Feed,
        text: Text,
        fail: Callable[[None], object],
    ) -> None:
        self._panel, self._simulation, self._state, self._feed, self._text = (
            panel,
            simulation,
            state,
            feed,
            text,
        )
        self._fail = fail
        self._of = state.scenario
        self._work = Work(self._report, self._failed)
        self.button = guard.Push(description=text.simulate, tooltip=text.simulate_tip)
        self.button.report = fail
        self.button.act(self._click)
        self.progress = widgets.IntProgress(max=1)
        self.widget = widgets.Box([self.progress, self.button])
        self.widget.add_class("gdp-simulation")
        self._show(running=False)

    def follow(self, scenario: Scenario) -> None:
        """Cancel work for another scenario, unless it serves this one too."""
        if self._work.busy and self._simulation.same(self._of, scenario):
            return
        self._work.stop()
        self._show(running=False)

    def _click(self) -> None:
        if self._work.busy:
            self._work.stop()
            self._show(running=False)
            return
        pieces = self._simulation.pieces(self._state.scenario)
        self._of = self._state.scenario
        self.progress.value = 0
        self._show(running=bool(pieces))
        self._work.start(pieces)

    def _report(self, done: int, of: int) -> None:
        self.progress.max, self.progress.value = of, done
        self._feed.follow(self._state.scenario, held=self._state.held, only=(self._panel.name,))
        if done == of:
            self._show(running=False)

    def _failed(self, _: None) -> None:
        self._show(running=False)
        self._fail(None)

    def _show(self, *, running: bool) -> None:
        text = self._text
        self.button.description = text.cancel if running else text.simulate
        self.button.tooltip = text.cancel_tip if running else text.simulate_tip
        act = self.progress.remove_class if running else self.progress.add_class
        act("gdp-hidden")
