"""What every control is, the message below a row, and the sentence of a refused edit."""

import html
import math
from typing import Protocol

import ipywidgets as widgets

from explorer.app.look import Html
from explorer.app.wire import LONGEST_SHOWN
from explorer.core.parameter import ParameterError
from explorer.locale import Text, numbers
from explorer.scenario import Scenario, fields
from explorer.scenario.errors import ScenarioError, StrengthError

FIELDS = {field.name: field for field in fields.NUMBERS}


class Follower(Protocol):
    """A part of the page that shows something of the scenario."""

    def follow(self, scenario: Scenario) -> None:
        """Show the scenario."""


class Control(Follower, Protocol):
    """A control: it shows a field of the scenario and turns one value of the browser into one edit."""

    @property
    def widget(self) -> widgets.Widget:
        """What stands on the page."""


class Speaker(Protocol):
    """A place where sentences about refusals and failures are said."""

    def say(self, sentence: str) -> None:
        """Show a sentence, or nothing."""

    def fail(self) -> None:
        """Say that something went wrong and nothing was changed."""


class Message:
    """The place below a row where a refusal is said; nothing moves when it appears."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self.widget = Html(classes=("gdp-message",))

    def say(self, sentence: str) -> None:
        """Show a sentence, or nothing; screen readers announce it, also the second time."""
        shown = alert(sentence)
        if shown and shown == self.widget.value:
            self.widget.value = ""
        self.widget.value = shown

    def fail(self) -> None:
        """Say that something went wrong and nothing was changed."""
        self.say(self._text.unknown_error)


def alert(sentence: str) -> str:
    """Return a sentence as HTML that screen readers announce; an empty one is no alert."""
    return f'<div role="alert">{html.escape(sentence)}</div>' if sentence else ""


def explain(text: Text, error: ParameterError, got: str, stays: str) -> str:
    """Return the sentence of a refused edit.

    Parameters
    ----------
    text : Text
        The sentences of a language.
    error : ParameterError
        Why the edit was refused.
    got, stays : str
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
    field = FIELDS.get(error.name)
    if field is None:
        return text.unknown_error
    return text.refused_number(field.parameter, field.parameter.high, got, stays)


def explain_link(text: Text, error: ParameterError) -> str:
    """Return the sentence of a part of a link that is not used; the default of its field stays."""
    field = FIELDS.get(error.name)
    stays = numbers.typed(field.default) if field else ""
    return explain(text, error, shown_value(error.value), stays)


def shown_value(value: object) -> str:
    """Return a refused value as a person would write it, cut to a length that a sentence can hold."""
    number = isinstance(value, float) and math.isfinite(value)
    shown = numbers.typed(value) if number else str(value)  # type: ignore[arg-type]
    return shown[:LONGEST_SHOWN]
