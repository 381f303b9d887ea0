"""The scenario on screen, the reason the last edit was refused, and the way back."""

from dataclasses import replace
from typing import Any

import traitlets

from explorer.core.parameter import ParameterError
from explorer.scenario import Scenario

DEPTH = 200


class State(traitlets.HasTraits):
    """Holds the scenario on screen.

    `scenario` is replaced whole and never edited in place, so an observer cannot see half of
    a change. While `held` is true (a handle is in the visitor's hand) all edits are one step
    of the history.

    Attributes
    ----------
    scenario : Scenario
        What is shown; the one notification.
    problem : ParameterError or None
        Why the last edit was refused.
    """

    scenario = traitlets.Instance(Scenario, args=())
    problem = traitlets.Instance(ParameterError, allow_none=True)

    def __init__(self) -> None:
        super().__init__()
        self._past: list[Scenario] = []
        self._future: list[Scenario] = []
        self._held = False
        self._fresh = True

    def edit(self, **changes: Any) -> bool:
        """Replace fields of the scenario; keep it and say why if that is refused.

        Returns
        -------
        bool
            Whether the edit was accepted.
        """
        try:
            scenario = replace(self.scenario, **changes)
        except ParameterError as error:
            self.refuse(error)
            return False
        self.show(scenario)
        return True

    def refuse(self, error: ParameterError) -> None:
        """Keep the scenario and say why an edit was not made."""
        self.problem = None  # the same mistake twice is said twice
        self.problem = error

    def show(self, scenario: Scenario) -> None:
        """Go to a scenario as one step that can be undone."""
        self.problem = None
        if scenario == self.scenario:
            return
        past = self._past
        if self._fresh or not self._held:
            past = [*past[-DEPTH + 1 :], self.scenario]
        self._go(scenario, past, [])
        self._fresh = False

    def begin(self, scenario: Scenario) -> None:
        """Start from a scenario, with nothing to undo."""
        self._go(scenario, [], [])

    def hold(self, held: bool) -> None:
        """Say that a handle was taken up or let go."""
        self._held, self._fresh = held, True

    def undo(self) -> None:
        """Go back one step."""
        if self._past:
            self._go(self._past[-1], self._past[:-1], [*self._future, self.scenario])

    def redo(self) -> None:
        """Take back an undo."""
        if self._future:
            self._go(self._future[-1], [*self._past, self.scenario], self._future[:-1])

    def reset(self) -> None:
        """Go to the first screen; a typed table stays at hand, a refused text does not."""
        first = Scenario(typed=self.scenario.typed)
        if first == self.scenario:
            self.refresh()
        self.show(first)

    def refresh(self) -> None:
        """Say the scenario again, so that what shows it drops what was refused."""
        now = self.scenario
        change = {"name": "scenario", "old": now, "new": now, "owner": self, "type": "change"}
        self.notify_change(traitlets.Bunch(change))

    def _go(self, scenario: Scenario, past: list[Scenario], future: list[Scenario]) -> None:
        """Show a scenario; where an observer fails, nothing has changed."""
        before, history = self.scenario, (self._past, self._future)
        self.problem = None
        self._fresh = True
        self._past, self._future = past, future
        try:
            self.scenario = scenario
        except Exception:
            self._past, self._future = history
            self.scenario = before
            raise

    @property
    def held(self) -> bool:
        """Whether a handle is in the visitor's hand."""
        return self._held

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undo to take back."""
        return bool(self._future)
