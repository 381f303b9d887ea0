"""Lists, switches and the button that simulates again: controls of fields that are no numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from explorer.app import guard
from explorer.app.control import Message, Speaker, explain
from explorer.app.look import Group
from explorer.app.state import State
from explorer.app.wire import Refusal
from explorer.locale import Text
from explorer.scenario import Edit, Scenario

V = TypeVar("V")
Options = Callable[[Scenario], list[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Field(Generic[V]):
    """A field of the scenario as a control sees it.

    Attributes
    ----------
    name : str
        Name in labels and the style sheet.
    read : callable
        From the scenario to the value.
    write : callable
        From the scenario and a value to the fields that it changes.
    """

    name: str
    read: Callable[[Scenario], V]
    write: Callable[[Scenario, V], Edit]


class ChoiceRow:
    """A list to choose from, or a row of buttons.

    `options` gives the labels and values to choose from, which may depend on the scenario.
    """

    def __init__(
        self,
        field: Field[str],
        state: State,
        text: Text,
        options: Options,
        widget_class: type[guard.Choice] | type[guard.Choices] = guard.Choice,
        *,
        described: bool = True,
    ) -> None:
        name = field.name
        self._field, self._state, self._text, self._options = field, state, text, options
        self.control = widget_class(
            options=options(state.scenario),
            value=field.read(state.scenario),
            description=text.labels[name] if described else "",
            tooltip=text.tips.get(name, text.labels[name]),
        )
        self.control.chosen.callback = self._choose
        self.message = Message(text)
        self.control.on_refused = self._refuse
        self.control.on_failed = self.message.fail
        classes = "gdp-row", f"gdp-{name.replace('_', '-')}"
        self.widget = Group([self.control, self.message.widget], classes=classes)

    def follow(self, scenario: Scenario) -> None:
        """Show the scenario's value."""
        self.message.say("")
        options = tuple(self._options(scenario))
        if options != tuple(self.control.options):
            self.control.options = options
        self.control.value = self._field.read(scenario)

    def _choose(self, index: int) -> None:
        scenario = self._state.scenario
        value, current = self._options(scenario)[index][1], self._field.read(scenario)
        if value == current:
            return
        problem = self._state.edit(**self._field.write(scenario, value))
        if problem is not None:
            self.control.value = current
            self.message.say(explain(self._text, problem, value, current))

    def _refuse(self, refusal: Refusal) -> None:
        allowed = ", ".join(label for label, _ in self.control.options)
        label = self._text.name(self._field.name)
        self.message.say(self._text.refused_choice(label, allowed, refusal.shown))


class SwitchRow:
    """A check box, or a button that stays down, for one field that is on or off."""

    def __init__(
        self,
        field: Field[bool],
        state: State,
        text: Text,
        speaker: Speaker,
        widget_class: type[guard.Check] | type[guard.Toggle] = guard.Check,
    ) -> None:
        self._field, self._state, self._text, self._speaker = field, state, text, speaker
        label = text.labels[field.name]
        self.widget = widget_class(
            value=field.read(state.scenario),
            description=label,
            tooltip=text.tips.get(field.name, label),
            classes=("gdp-switch",),
        )
        self.widget.switched.callback = self._switch
        self.widget.on_refused = lambda refusal: refuse_switch(text, speaker, label, refusal)
        self.widget.on_failed = speaker.fail

    def follow(self, scenario: Scenario) -> None:
        """Show the scenario's value."""
        self.widget.value = self._field.read(scenario)

    def _switch(self, on: bool) -> None:
        scenario = self._state.scenario
        problem = self._state.edit(**self._field.write(scenario, on))
        if problem is not None:
            self.follow(scenario)
            self._speaker.say(explain(self._text, problem, "", ""))


def refuse_switch(text: Text, speaker: Speaker, label: str, refusal: Refusal) -> None:
    """Say that a switch was set to something else than on or off."""
    speaker.say(text.refused_choice(label, text.on_off, refusal.shown))


class RedrawButton:
    """The button that simulates the noisy table again."""

    def __init__(self, state: State, text: Text, speaker: Speaker) -> None:
        self.widget = guard.Button(description=text.labels["seed"], tooltip=text.tips["seed"])
        self.widget.on_failed = speaker.fail
        self.widget.act(lambda: state.edit(seed=state.scenario.seed + 1))

    def follow(self, scenario: Scenario) -> None:
        """Nothing to update."""
