"""The current scenario and the undo history."""

from dataclasses import replace
from typing import Unpack

import traitlets

from explorer.core.parameter import ParameterError
from explorer.scenario import Edit, Scenario

MOST_STEPS = 200


class State(traitlets.HasTraits):
    """Holds the current scenario.

    `scenario` is replaced whole and never edited in place, so an observer cannot see half of
    a change. While a handle is held, all edits are one step of the history.

    Attributes
    ----------
    scenario : Scenario
        What is shown; the one trait that is observed.
    """

    scenario = traitlets.Instance(Scenario, args=())

    def __init__(self) -> None:
        super().__init__()
        self._past: list[Scenario] = []
        self._future: list[Scenario] = []
        self._held = False
        self._starts_step = True  # of edits while a handle is held, only the first is a new step

    def preview(self, **changes: Unpack[Edit]) -> Scenario | ParameterError:
        """Return the scenario that an edit would give, or why it is refused."""
        try:
            return replace(self.scenario, **changes)
        except ParameterError as error:
            return error

    def edit(self, **changes: Unpack[Edit]) -> ParameterError | None:
        """Replace fields of the scenario as one step that can be undone.

        Returns
        -------
        ParameterError or None
            Why the edit was refused; then the scenario stays.
        """
        scenario = self.preview(**changes)
        if isinstance(scenario, ParameterError):
            return scenario
        self.go_to(scenario)
        return None

    def go_to(self, scenario: Scenario) -> None:
        """Show a scenario as one step that can be undone; the current one is a no-op."""
        if scenario == self.scenario:
            return
        past = self._past
        if self._starts_step or not self._held:
            past = [*past[-MOST_STEPS + 1 :], self.scenario]
        self._replace(scenario, past, [])
        self._starts_step = False

    def restart(self, scenario: Scenario) -> None:
        """Show a scenario with an empty history."""
        self._replace(scenario, [], [])

    def set_held(self, held: bool) -> None:
        """Note that a handle was taken up or let go."""
        self._held, self._starts_step = held, True

    def undo(self) -> None:
        """Go back one step."""
        if self._past:
            self._replace(self._past[-1], self._past[:-1], [*self._future, self.scenario])

    def redo(self) -> None:
        """Take back an undo."""
        if self._future:
            self._replace(self._future[-1], [*self._past, self.scenario], self._future[:-1])

    def reset(self) -> None:
        """Go to the first screen; a typed table stays in the menu, a refused text does not stay."""
        first = Scenario(typed=self.scenario.typed)
        if first == self.scenario:
            self.notify_again()
        self.go_to(first)

    def notify_again(self) -> None:
        """Notify the observers of the current scenario, so that they drop refused texts."""
        now = self.scenario
        change = {"name": "scenario", "old": now, "new": now, "owner": self, "type": "change"}
        self.notify_change(traitlets.Bunch(change))

    def _replace(self, scenario: Scenario, past: list[Scenario], future: list[Scenario]) -> None:
        """Show a scenario with a history; if an observer fails, restore what was before."""
        before, history = self.scenario, (self._past, self._future)
        self._starts_step = True
        self._past, self._future = past, future
        try:
            self.scenario = scenario
        except Exception:
            self._past, self._future = history
            self.scenario = before
            raise

    @property
    def held(self) -> bool:
        """Whether a handle is held."""
        return self._held

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undo to take back."""
        return bool(self._future)
