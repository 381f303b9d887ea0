"""The button that refines a panel by simulation, its progress and its cancel."""

from explorer.app import guard
from explorer.app.control import Speaker
from explorer.app.look import Group, Progress
from explorer.app.plots import PlotChannel
from explorer.app.state import State
from explorer.app.work import Work
from explorer.locale import Text
from explorer.panels import ShownPanel
from explorer.panels.panel import Work as PanelWork
from explorer.scenario import Scenario


class Simulation:
    """Does the long work of one panel, until a change of the scenario that matters to it."""

    def __init__(  # noqa: PLR0917 - each is another part of the app
        self,
        panel: ShownPanel,
        simulation: PanelWork,
        state: State,
        channel: PlotChannel,
        text: Text,
        speaker: Speaker,
    ) -> None:
        self._panel, self._simulation, self._state = panel, simulation, state
        self._channel, self._text, self._speaker = channel, text, speaker
        self._simulated = state.scenario
        self._work = Work(self._report, self._fail)
        self.button = guard.Button(description=text.simulate, tooltip=text.simulate_tip)
        self.button.on_failed = speaker.fail
        self.button.act(self._click)
        self.progress = Progress(max=1, classes=("gdp-hidden",))
        self.widget = Group([self.progress, self.button], classes=("gdp-simulation",))

    def follow(self, scenario: Scenario) -> None:
        """End the work of another scenario, and say so, unless it serves this one too."""
        if not self._work.busy or self._simulation.same(self._simulated, scenario):
            return
        self._work.stop()
        self._show(running=False)
        self._speaker.say(self._text.simulation_ended)

    def _click(self) -> None:
        if self._work.busy:
            self._work.stop()
            self._show(running=False)
            return
        self._simulated = self._state.scenario
        pieces = self._simulation.pieces(self._simulated)
        self.progress.value = 0
        self._show(running=bool(pieces))
        self._work.start(pieces)

    def _report(self, done: int, of: int) -> None:
        self.progress.max, self.progress.value = of, done
        self._channel.follow(self._state.scenario, held=self._state.held, only=(self._panel.name,))
        if done == of:
            self._show(running=False)

    def _fail(self) -> None:
        self._show(running=False)
        self._speaker.fail()

    def _show(self, *, running: bool) -> None:
        text = self._text
        self.button.description = text.cancel if running else text.simulate
        self.button.tooltip = text.cancel_tip if running else text.simulate_tip
        self.progress.show(running)
