"""The control rows: a slider, its number box and the message of a refused edit."""

import html
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ipywidgets as widgets

from explorer.app import guard
from explorer.app.scale import Scale
from explorer.app.state import State
from explorer.core import gdp, quantities
from explorer.core.parameter import Parameter, ParameterError
from explorer.locale import Text, numbers
from explorer.numerals import (
    AmbiguousSeparator,
    FractionForm,
    Percentage,
    Refusal,
    read_number,
)
from explorer.scenario import Scenario, derive, fields
from explorer.scenario.errors import ScenarioError, StrengthError

PLAIN = widgets.Layout
WRITTEN = 13  # characters; what was written is rarely longer, what was computed rarely shorter
EPSILON = quantities.EPSILON.within(0, 10_000, low_open=True)
PARAMETERS = {field.name: field.parameter for field in fields.NUMBERS}
FIELDS = {field.name: field for field in fields.NUMBERS}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that a row shows and sets.

    Attributes
    ----------
    parameter : Parameter
        Name, domain, whether it is whole.
    read : callable
        From the scenario to the number.
    write : callable
        From the scenario and a number to the fields that it changes.
    scale : callable or None
        From the scenario to the slider's scale; None for a box alone.
    """

    parameter: Parameter
    read: Callable[[Scenario], float]
    write: Callable[[Scenario, float], dict[str, Any]]
    scale: Callable[[Scenario], Scale] | None = None


def field(name: str) -> Quantity:
    """Return the quantity of one field of the scenario."""
    parameter, range_ = PARAMETERS[name], FIELDS[name].slider
    scale = None
    if range_ is not None:
        scale = Scale(
            range_.low, range_.high, logarithmic=range_.logarithmic, whole=parameter.whole
        )
    return Quantity(
        parameter,
        lambda scenario: float(getattr(scenario, name)),
        lambda _, value: {name: value},
        None if scale is None else (lambda _: scale),
    )


def _strength_scale(scenario: Scenario) -> Scale:
    return Scale(0.01, max(derive(scenario).max_strength, 0.01), logarithmic=True, zero=True)


def _mu_of(scenario: Scenario, epsilon: float) -> dict[str, Any]:
    return {"mu": float(gdp.mu(EPSILON.check_scalar(epsilon), scenario.delta))}


QUANTITIES = {
    "mu": field("mu"),
    "epsilon": Quantity(EPSILON, lambda scenario: derive(scenario).epsilon, _mu_of),
    "delta": field("delta"),
    "rows": field("rows"),
    "columns": field("columns"),
    "n": field("n"),
    "records_per_person": field("records_per_person"),
    "strength": Quantity(
        PARAMETERS["strength"],
        lambda scenario: scenario.strength,
        lambda _, value: {"strength": value},
        _strength_scale,
    ),
    "alpha": field("alpha"),
}


class Message:
    """The place under a row where a refusal is said; nothing moves when it appears."""

    def __init__(self) -> None:
        self.widget = widgets.HTML(layout=PLAIN())
        self.widget.add_class("gdp-message")
        self._said = ""

    def say(self, sentence: str) -> None:
        """Show a sentence, or nothing; screen readers announce it."""
        if not sentence and not self._said:
            return
        self._said = sentence
        shown = f'<div role="alert">{html.escape(sentence)}</div>' if sentence else ""
        if shown and shown == self.widget.value:
            self.widget.value = ""
        self.widget.value = shown


def explain(text: Text, error: ParameterError, got: str, kept: str) -> str:
    """Return the sentence of a refused edit.

    Parameters
    ----------
    text : module
        The language.
    error : ParameterError
        Why it was refused.
    got, kept : str
        What was entered and what stays.

    Returns
    -------
    str
        Which control, the allowed range, the value and what stays.
    """
    if isinstance(error, ScenarioError):
        # A smaller table may be refused for its signal strength: then that is the value.
        refused = shown_value(error.value) if isinstance(error, StrengthError) else got
        return text.scenario_refusal(error, refused)
    parameter = EPSILON if error.name == "epsilon" else PARAMETERS.get(error.name)
    if parameter is None:
        return text.unknown_error
    return text.refused_number(parameter, parameter.high, got, kept)


class NumberRow:
    """A quantity's row: label, slider where it has one, number box, message.

    What is typed is kept digit by digit; the slider only follows it to the nearest notch.
    """

    def __init__(self, name: str, state: State, text: Text) -> None:
        self.quantity = QUANTITIES[name]
        self._name, self._state, self._text = name, state, text
        self._sliding = False
        self._typed: float | None = None
        label, tip = text.labels[name], text.tips.get(name, "")
        self.box = guard.Box(continuous_update=False, tooltip=tip, layout=PLAIN())
        self.box.report = self._refuse
        self.message = Message()
        self.slider = None
        if self.quantity.scale is None:
            self.box.description = label
            children = [self.box, self.message.widget]
        else:
            most = self.quantity.scale(state.scenario).notches
            self.slider = guard.Slider(
                max=most, description=label, readout=False, tooltip=tip, layout=PLAIN()
            )
            self.slider.report = self._refuse
            children = [self.slider, self.box, self.message.widget]
        self.follow(state.scenario)
        self.box.observe(self._type, "value")
        if self.slider is not None:
            self.slider.observe(self._slide, "value")
        self.widget = widgets.Box(children, layout=PLAIN())
        self.widget.add_class("gdp-row").add_class(f"gdp-{name.replace('_', '-')}")

    def follow(self, scenario: Scenario) -> None:
        """Show the scenario's value."""
        value = self.quantity.read(scenario)
        self.message.say("")
        self.box.value = self._shown(value)
        if self.slider is not None and self.quantity.scale is not None and not self._sliding:
            self.slider.value = self.quantity.scale(scenario).notch(value)

    def _shown(self, value: float) -> str:
        """Return the number as it was typed, here or in a link, or six digits of a computed one."""
        if math.isinf(value):
            return "∞"
        if value == self._typed or self.quantity.parameter.whole:
            return numbers.typed(value)
        if self._typed is not None and math.isclose(value, self._typed, rel_tol=1e-9):
            return numbers.typed(self._typed)  # an ε, which is kept as its μ
        text = numbers.typed(value)
        return text if len(text) <= WRITTEN else numbers.typed(float(f"{value:.6g}"))

    def _slide(self, change: dict[str, Any]) -> None:
        assert self.quantity.scale is not None  # noqa: S101 - a slider has a scale
        scenario = self._state.scenario
        scale = self.quantity.scale(scenario)
        if change["new"] == scale.notch(self.quantity.read(scenario)):
            return
        self._sliding, accepted = True, False
        try:
            accepted = self._set(scale.value(change["new"]))
        finally:
            self._sliding = False
            if not accepted and self.slider is not None:
                self.slider.value = scale.notch(self.quantity.read(scenario))

    def _type(self, change: dict[str, Any]) -> None:
        current = self.quantity.read(self._state.scenario)
        if change["new"] == self._shown(current):
            self.message.say("")
            return
        value = read_number(change["new"], whole=self.quantity.parameter.whole)
        if isinstance(value, AmbiguousSeparator | FractionForm | Percentage):
            kept, label = self._shown(current), self.quantity.parameter.name
            self.message.say(self._text.refused_form(label, value, kept))
            return
        if isinstance(value, Refusal):
            self._refuse(change["new"])
            return
        self._typed = value
        self._set(value, change["new"].strip())

    def _set(self, value: float, text: str = "") -> bool:
        """Set the quantity; say why where it is refused, and keep what was typed."""
        got = text or self._shown(value)
        kept = self._shown(self.quantity.read(self._state.scenario))
        try:
            changes = self.quantity.write(self._state.scenario, value)
        except ParameterError as error:
            self.message.say(explain(self._text, error, got, kept))
            return False
        if self._state.edit(**changes):
            self.follow(self._state.scenario)
            return True
        problem = self._state.problem
        if problem is not None and problem.name == self._name == "strength":
            self._refuse(got)
        elif problem is not None:
            if self._name == "epsilon" and problem.name == "mu":
                problem = EPSILON.refuse(value)
            self.message.say(explain(self._text, problem, got, kept))
        return False

    def _refuse(self, value: Any) -> None:
        """Say that a text or a message is no number in the range; None is a failure."""
        if value is None:
            self.message.say(self._text.unknown_error)
            return
        parameter, scenario = self.quantity.parameter, self._state.scenario
        most = float(self._text.numbers.at_most(derive(scenario).max_strength))
        high = most if self._name == "strength" else parameter.high
        shown = str(value).strip()[:40]
        kept = self._shown(self.quantity.read(scenario))
        self.message.say(self._text.refused_number(parameter, high, shown, kept))


class ChoiceRow:
    """A list to choose from, or a row of buttons, for one field of the scenario."""

    def __init__(
        self,
        name: str,
        state: State,
        text: Text,
        options: Callable[[Scenario], list[tuple[str, str]]],
        kind: Any = guard.Choice,
        *,
        described: bool = True,
        write: Callable[[Scenario, str], dict[str, Any]] | None = None,
    ) -> None:
        self._name, self._state, self._text, self._options = name, state, text, options
        self._following = False
        self._write = write or (lambda _, value: {name: value})
        self.control: Any = kind(
            options=options(state.scenario),
            description=text.labels[name] if described else "",
            tooltip=text.tips.get(name, text.labels[name]),
            layout=PLAIN(),
        )
        self.control.report = self._refuse
        self.message = Message()
        self.follow(state.scenario)
        self.control.observe(self._choose, "value")
        self.widget = widgets.Box([self.control, self.message.widget], layout=PLAIN())
        self.widget.add_class("gdp-row").add_class(f"gdp-{name.replace('_', '-')}")

    def follow(self, scenario: Scenario) -> None:
        """Show the scenario's value."""
        self.message.say("")
        options = tuple(self._options(scenario))
        value = getattr(scenario, self._name)
        self._following = True  # new options choose the first of them for a moment
        if options != tuple(self.control.options):
            self.control.options = options
        if self.control.value != value:
            self.control.value = value
        self._following = False

    def _choose(self, change: dict[str, Any]) -> None:
        value = change["new"]
        current = getattr(self._state.scenario, self._name)
        if self._following or value is None or value == current:
            return
        if not self._state.edit(**self._write(self._state.scenario, value)):
            problem = self._state.problem
            self.control.value = current
            if problem is not None:
                self.message.say(explain(self._text, problem, str(value), str(current)))

    def _refuse(self, value: Any) -> None:
        if value is None:
            self.message.say(self._text.unknown_error)
            return
        allowed = ", ".join(label for label, _ in self.control.options)
        self.message.say(
            self._text.refused_choice(self._text.name(self._name), allowed, str(value)[:40])
        )


class SwitchRow:
    """A check box or a button that stays down, for one yes-or-no field."""

    def __init__(
        self,
        name: str,
        state: State,
        text: Text,
        kind: Any = guard.Check,
    ) -> None:
        self._name, self._state = name, state
        self.label = label = text.labels[name]
        self.widget: Any = kind(
            value=getattr(state.scenario, name),
            description=label,
            tooltip=text.tips.get(name, label),
            layout=PLAIN(),
            **({"indent": False} if kind is guard.Check else {}),
        )
        self.widget.observe(lambda change: state.edit(**{name: change["new"]}), "value")
        self.widget.add_class("gdp-switch")

    def follow(self, scenario: Scenario) -> None:
        """Show the scenario's value."""
        self.widget.value = getattr(scenario, self._name)


class Again:
    """The button that draws the noise anew."""

    def __init__(self, state: State, text: Text) -> None:
        self.widget = guard.Push(
            description=text.labels["seed"], tooltip=text.tips["seed"], layout=PLAIN()
        )
        self.widget.act(lambda: state.edit(seed=state.scenario.seed + 1))

    def follow(self, scenario: Scenario) -> None:
        """Show nothing: the draw itself is what changes."""


def shown_value(value: object) -> str:
    """Return a refused value as a person would write it, cut to a bearable length."""
    return (
        numbers.typed(value) if isinstance(value, float) and math.isfinite(value) else str(value)
    )[:40]


def shown_default(name: str) -> str:
    """Return the default of a field, which stays when a link's value is refused."""
    field = FIELDS.get(name)
    return numbers.typed(field.default) if field else ""
