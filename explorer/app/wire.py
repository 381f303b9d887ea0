"""Values that the browser sends: each reader returns the typed value or a `Refusal`."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

W = TypeVar("W")
MOST = 2**31
LONGEST_TEXT = 2**20  # characters
LONGEST_SHOWN = 40  # characters of a refused value in a sentence


@dataclass(frozen=True, slots=True)
class Refusal:
    """A value of the browser that a control does not take."""

    value: object

    @property
    def shown(self) -> str:
        """The value as a sentence quotes it; empty for JSON's null."""
        return "" if self.value is None else str(self.value).strip()[:LONGEST_SHOWN]


def _nothing(_: object) -> None:
    """Do nothing: nobody listens yet."""


class Input(Generic[W]):
    """A trait that the browser may set: how its values are read, and who is told of them.

    Attributes
    ----------
    accept : callable
        From the value as JSON brings it to the typed value or a refusal.
    callback : callable
        Called with an accepted value that differs from the one before. What Python itself sets does
        not call it, so a control needs no flag to tell an echo from an edit: ipywidgets calls
        observers for both (jupyter-widgets/ipywidgets#2230, where new options choose the first).
    """

    def __init__(self, accept: Callable[[object], W | Refusal]) -> None:
        self.accept = accept
        self.callback: Callable[[W], object] = _nothing

    def take(self, value: W | Refusal) -> None:
        """Hand an accepted value on."""
        if not isinstance(value, Refusal):
            self.callback(value)


def whole(raw: object, low: int, high: int) -> int | Refusal:
    """Accept a whole number from `low` to `high`."""
    if isinstance(raw, int) and not isinstance(raw, bool) and low <= raw <= high:
        return raw
    return Refusal(raw)


def text(raw: object) -> str | Refusal:
    """Accept a text of at most a MiB."""
    return raw if isinstance(raw, str) and len(raw) <= LONGEST_TEXT else Refusal(raw)


def switch(raw: object) -> bool | Refusal:
    """Accept true and false."""
    return raw if isinstance(raw, bool) else Refusal(raw)


def point(raw: object) -> list[float] | Refusal:
    """Accept a pair of finite numbers, as the list that JSON brings."""
    if isinstance(raw, list) and len(raw) == 2:
        numbers = [float(one) for one in raw if _is_number(one)]
        if len(numbers) == 2:
            return numbers
    return Refusal(raw)


def _is_number(raw: object) -> bool:
    number = isinstance(raw, (int, float)) and not isinstance(raw, bool)
    return number and math.isfinite(raw) and abs(raw) < MOST  # type: ignore[arg-type]
