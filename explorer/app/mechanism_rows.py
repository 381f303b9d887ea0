"""The mechanisms on the left side: a check box and the line of each."""

from explorer.app import guard
from explorer.app.choice_rows import refuse_switch
from explorer.app.control import Speaker
from explorer.app.look import Html
from explorer.app.state import State
from explorer.locale import Text
from explorer.panels.look import DASHES, look
from explorer.scenario import Scenario


class MechanismRow:
    """A check box that shows or hides one mechanism."""

    def __init__(self, key: str, state: State, text: Text, speaker: Speaker) -> None:
        self._key, self._text, self._state = key, text, state
        neighbours = state.scenario.neighbours
        self.widget = guard.Check(
            value=key not in state.scenario.hidden,
            description=text.mechanism_short(key, neighbours),
            tooltip=text.mechanism(key, neighbours),
            classes=("gdp-mechanism",),
        )
        label = text.mechanism(key, neighbours)
        self.widget.switched.callback = self._switch
        self.widget.on_refused = lambda refusal: refuse_switch(text, speaker, label, refusal)
        self.widget.on_failed = speaker.fail

    def follow(self, scenario: Scenario) -> None:
        """Show whether the mechanism is plotted, and its name for these neighbours."""
        self.widget.value = self._key not in scenario.hidden
        self.widget.description = self._text.mechanism_short(self._key, scenario.neighbours)
        self.widget.tooltip = self._text.mechanism(self._key, scenario.neighbours)

    def _switch(self, shown: bool) -> None:
        others = set(self._state.scenario.hidden) - {self._key}
        self._state.edit(hidden=tuple(others if shown else others | {self._key}))


def lines(keys: list[str]) -> Html:
    """Return the line of each mechanism as every plot draws it, one below the other."""
    looks = [(key, look(key)) for key in keys]
    shown = [
        '<svg width="24" height="20" aria-hidden="true"><line x1="0" x2="24" y1="10" y2="10" '
        f'style="stroke:var(--gdp-{key});stroke-width:{style.width};'
        f'stroke-dasharray:{DASHES[style.dash]}"/></svg>'
        for key, style in looks
    ]
    return Html("".join(shown))
