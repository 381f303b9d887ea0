"""The mechanisms on the left side: a check box and the line of each."""

from typing import Any

import ipywidgets as widgets

from explorer.app import guard
from explorer.app.state import State
from explorer.locale import Text
from explorer.panels.look import DASHES, look
from explorer.scenario import Scenario

PLAIN = widgets.Layout


class MechanismRow:
    """A check box that shows or hides one mechanism."""

    def __init__(self, key: str, state: State, text: Text) -> None:
        self._name, self._text = key, text
        self._state = state
        neighbours = state.scenario.neighbours
        self.label = text.mechanism(key, neighbours)
        self.widget = guard.Check(
            description=text.mechanism_short(key, neighbours),
            tooltip=self.label,
            indent=False,
            layout=PLAIN(),
        )
        self.widget.add_class("gdp-mechanism")
        self.follow(state.scenario)
        self.widget.observe(self._toggle, "value")

    def follow(self, scenario: Scenario) -> None:
        """Show whether the mechanism is plotted, and what it is called now."""
        self.widget.value = self._name not in scenario.hidden
        self.widget.description = self._text.mechanism_short(self._name, scenario.neighbours)
        self.widget.tooltip = self._text.mechanism(self._name, scenario.neighbours)

    def _toggle(self, change: dict[str, Any]) -> None:
        others = set(self._state.scenario.hidden) - {self._name}
        self._state.edit(hidden=tuple(others if change["new"] else others | {self._name}))


def lines(keys: list[str]) -> widgets.HTML:
    """Return the line of each mechanism as every plot draws it, one below the other."""
    looks = [(key, look(key)) for key in keys]
    shown = [
        '<svg width="24" height="20" aria-hidden="true"><line x1="0" x2="24" y1="10" y2="10" '
        f'style="stroke:var(--gdp-{key});stroke-width:{style.width};'
        f'stroke-dasharray:{DASHES[style.dash]}"/></svg>'
        for key, style in looks
    ]
    return widgets.HTML("".join(shown), layout=PLAIN())
