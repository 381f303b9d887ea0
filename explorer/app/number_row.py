"""A number's row: label, slider where it has one, number box, message."""

import math

from explorer import numerals
from explorer.app import guard
from explorer.app.control import Message, explain
from explorer.app.look import Group
from explorer.app.quantities import Quantity
from explorer.app.state import State
from explorer.app.wire import Refusal
from explorer.core.parameter import ParameterError
from explorer.locale import Text, numbers
from explorer.locale.refusals import NearlyANumber
from explorer.scenario import Scenario
from explorer.scenario.errors import StrengthError

LONGEST_PLAIN = 13  # characters; a longer number is taken for a computed one and cut to 6 digits


class NumberRow:
    """Shows and sets one quantity.

    What is typed keeps all its digits; the slider only follows it to the nearest notch.
    """

    def __init__(self, quantity: Quantity, state: State, text: Text) -> None:
        name = quantity.name
        self.quantity, self._state, self._text = quantity, state, text
        self._typed: tuple[float, str] | None = None  # what the typed text made, and the text
        # The browser puts a slider where it is set even while it is dragged, and at small n
        # neighbouring notches are one value.
        self._sliding = False
        label, tip = text.labels[name], text.tips.get(name, "")
        self.message = Message(text)
        self.slider = None
        if quantity.scale is not None:
            self.slider = guard.Slider(
                max=quantity.scale(state.scenario).notches,
                value=quantity.scale(state.scenario).notch(quantity.read(state.scenario)),
                description=label,
                readout=False,
                tooltip=tip,
            )
            self.slider.moved.callback = self._slide
        self.box = guard.Box(
            value=self._shown(quantity.read(state.scenario)),
            continuous_update=False,
            tooltip=tip,
            description=label if self.slider is None else "",
        )
        self.box.typed.callback = self._type
        inputs = [self.box] if self.slider is None else [self.slider, self.box]
        for control in inputs:
            control.on_refused = self._refuse
            control.on_failed = self.message.fail
        classes = "gdp-row", f"gdp-{name.replace('_', '-')}"
        self.widget = Group([*inputs, self.message.widget], classes=classes)

    def follow(self, scenario: Scenario) -> None:
        """Show the scenario's value."""
        value = self.quantity.read(scenario)
        self.message.say("")
        self.box.value = self._shown(value)
        if self.slider is not None and self.quantity.scale is not None and not self._sliding:
            self.slider.value = self.quantity.scale(scenario).notch(value)

    def convert(self, value: float, got: str) -> Scenario | Refusal | ParameterError:
        """Return the scenario with another number, or why there is none."""
        current = self._state.scenario
        try:
            number = self.quantity.domain(current).check_scalar(value)
        except ParameterError:
            return Refusal(got)
        return self._state.preview(**self.quantity.write(current, number))

    def _shown(self, value: float) -> str:
        """Return a number as it was typed, or six digits of a computed one."""
        if math.isinf(value):
            return "∞"
        if self._typed is not None and value == self._typed[0]:
            return self._typed[1]
        text = numbers.typed(value)
        long = len(text) > LONGEST_PLAIN and not self.quantity.whole
        return numbers.typed(float(f"{value:.6g}")) if long else text

    def _slide(self, notch: int) -> None:
        scale, slider = self.quantity.scale, self.slider
        assert scale is not None and slider is not None  # noqa: S101, PT018 - a slider moved
        before = self._state.scenario
        value = scale(before).value(notch)
        self._sliding, accepted = True, False
        try:
            accepted = self._set(value, numbers.typed(value))
        finally:
            self._sliding = False
            if not accepted:
                slider.value = scale(before).notch(self.quantity.read(before))

    def _type(self, typed: str) -> None:
        current = self._state.scenario
        if typed == self._shown(self.quantity.read(current)):
            self.message.say("")
            return
        value = numerals.read_number(typed, whole=self.quantity.whole)
        if isinstance(value, NearlyANumber):
            stays = self._stays()
            self.message.say(self._text.refused_form(self.quantity.name, value, stays))
            return
        if isinstance(value, numerals.Refusal):
            self._refuse(Refusal(typed))
            return
        self._set(value, typed.strip(), keep=True)

    def _set(self, value: float, got: str, *, keep: bool = False) -> bool:
        """Set the quantity, or say why it is refused; `keep` the digits of a typed number."""
        scenario = self.convert(value, got)
        if isinstance(scenario, Refusal):
            self._refuse(scenario)
        elif isinstance(scenario, StrengthError) and self.quantity.name == "strength":
            self._refuse(Refusal(got))
        elif isinstance(scenario, ParameterError):
            self.message.say(explain(self._text, scenario, got, self._stays()))
        else:
            if keep:
                self._typed = self.quantity.read(scenario), numbers.typed(value)
            if scenario == self._state.scenario:
                self.follow(scenario)  # nobody is notified, and the text may differ
            self._state.go_to(scenario)
            return True
        return False

    def _stays(self) -> str:
        return self._shown(self.quantity.read(self._state.scenario))

    def _refuse(self, refusal: Refusal) -> None:
        """Say that a text or a message is no number of the range."""
        domain = self.quantity.shown_domain(self._state.scenario)
        sentence = self._text.refused_number(domain, domain.high, refusal.shown, self._stays())
        self.message.say(sentence)
