"""What happens when the scenario changes, a handle is held or pulled, and a link is opened."""

from collections.abc import Sequence

from explorer import panels
from explorer.app.control import Follower, explain_link
from explorer.app.page_parts import Banner
from explorer.app.plots import PlotChannel
from explorer.app.state import State
from explorer.app.work import Work
from explorer.locale import Text
from explorer.panels import ShownPanel
from explorer.scenario import Scenario, from_query


class Callbacks:
    """The callbacks of one page.

    Attributes
    ----------
    followers : sequence of Follower
        The parts that show the scenario, the plots apart.
    """

    def __init__(self, state: State, text: Text, channel: PlotChannel, banner: Banner) -> None:
        self._state, self._text, self._channel, self._banner = state, text, channel, banner
        self._slow = [panel.name for panel in panels.PANELS if panel.background is not None]
        self._work = Work(self._report, banner.fail)
        self.followers: Sequence[Follower] = ()

    def refresh(self, scenario: Scenario) -> None:
        """Show another scenario everywhere, and begin its slow work unless a handle is held."""
        self._channel.follow(scenario, held=self._state.held)
        self._banner.say("")
        for follower in self.followers:
            follower.follow(scenario)
        self._work.stop()
        if not self._state.held:
            self._work.start(panels.background(scenario))

    def start(self) -> None:
        """Begin the slow work of the first screen."""
        self._work.start(panels.background(self._state.scenario))

    def hold(self, held: bool) -> None:
        """Note that a handle was taken up or let go; once let go, axes may fit the curves again."""
        self._state.set_held(held)
        if not held:
            self._banner.show_waiting()
            self._channel.follow(self._state.scenario)
            self._work.start(panels.background(self._state.scenario))

    def pull(self, panel: ShownPanel, x: float, y: float) -> None:
        """Edit the scenario as a panel says whose handle was pulled to (x, y)."""
        edit = panel.drag(self._state.scenario, x, y)
        if edit:
            self._state.edit(**edit)

    def open_link(self, query: str) -> None:
        """Show the scenario of a query string and say which parts of it are not used."""
        scenario, problems = from_query(query)
        self._state.restart(scenario)
        if problems:
            sentences = [explain_link(self._text, error) for error in problems[:4]]
            self._banner.say(self._text.link_problems(sentences))

    def _report(self, _done: int, _of: int) -> None:
        self._channel.follow(self._state.scenario, held=self._state.held, only=self._slow)
