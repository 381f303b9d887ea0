"""Types of fields: the check of a value, its text in a link, the range of its slider."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from explorer.core.parameter import Parameter
from explorer.numerals import Refusal, read_number
from explorer.scenario.errors import NotAChoiceError

LONGEST_NUMBER = 40  # characters of a number in a link

V = TypeVar("V")
C = TypeVar("C", bound=StrEnum)


class Field(Protocol[V]):
    """A field of a scenario: its name, first value, check and text in a link."""

    @property
    def name(self) -> str:
        """Name of the attribute and of the part of a link."""

    @property
    def default(self) -> V:
        """Value of the first screen."""

    def check(self, value: object) -> V:
        """Return the value in its own type, or raise `ParameterError`."""

    def to_text(self, value: V) -> str:
        """Return the value as a link holds it."""

    def from_text(self, text: str) -> V:
        """Return the value that a link holds, or raise `ParameterError`."""


@dataclass(frozen=True, slots=True)
class Slider:
    """The range of a slider.

    Attributes
    ----------
    low, high : float
        Its ends; a number box may go beyond.
    logarithmic : bool
        Whether equal steps are equal ratios.
    """

    low: float
    high: float
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class NumberField:
    """A real number.

    Attributes
    ----------
    parameter : Parameter
        Name, symbol, meaning and domain.
    default : float
        Value of the first screen.
    slider : Slider or None
        None for a number box alone, or where the range depends on the scenario.
    """

    parameter: Parameter
    default: float
    slider: Slider | None = None

    @property
    def name(self) -> str:
        """Name of the parameter."""
        return self.parameter.name

    def check(self, value: object) -> float:
        """Return the value as a float, or raise `ParameterError`."""
        return self.parameter.check_scalar(value)

    def to_text(self, value: float) -> str:
        """Return the shortest text that reads back as the same number."""
        return repr(value)

    def from_text(self, text: str) -> float:
        """Return the number of a text."""
        return self.check(_number(self.parameter, text))


@dataclass(frozen=True, slots=True)
class WholeField:
    """A whole number; attributes as those of `NumberField`."""

    parameter: Parameter
    default: int
    slider: Slider | None = None

    @property
    def name(self) -> str:
        """Name of the parameter."""
        return self.parameter.name

    def check(self, value: object) -> int:
        """Return the value as an int, or raise `ParameterError`."""
        return int(self.parameter.check_scalar(value))

    def to_text(self, value: int) -> str:
        """Return the digits."""
        return str(value)

    def from_text(self, text: str) -> int:
        """Return the number of a text; ``2e2`` is 200."""
        return self.check(_number(self.parameter, text))


@dataclass(frozen=True, slots=True)
class SwitchField:
    """Something that is on or off."""

    name: str
    default: bool

    def check(self, value: object) -> bool:
        """Return the value, or raise `ParameterError`."""
        if isinstance(value, bool):
            return value
        raise NotAChoiceError(self.name, value, ("True", "False"))

    def to_text(self, value: bool) -> str:
        """Return ``1`` or ``0``."""
        return str(int(value))

    def from_text(self, text: str) -> bool:
        """Return whether the text is ``1``."""
        if text in {"0", "1"}:
            return text == "1"
        raise NotAChoiceError(self.name, text, ("0", "1"))


@dataclass(frozen=True, slots=True)
class EnumField(Generic[C]):
    """One member of an enumeration.

    Attributes
    ----------
    name : str
        Name of the field.
    choices : type of StrEnum
        The enumeration.
    default : member
        Value of the first screen.
    """

    name: str
    choices: type[C]
    default: C

    def check(self, value: object) -> C:
        """Return the member that equals the value, or raise `ParameterError`."""
        names = tuple(member.value for member in self.choices)
        if isinstance(value, str) and value in names:
            return self.choices(value)
        raise NotAChoiceError(self.name, value, names)

    def to_text(self, value: C) -> str:
        """Return the member's value."""
        return value.value

    def from_text(self, text: str) -> C:
        """Return the member of a text."""
        return self.check(text)


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """One of several names; a link may hold an `old` name in its place."""

    name: str
    choices: tuple[str, ...]
    default: str
    old: tuple[tuple[str, str], ...] = ()

    def check(self, value: object) -> str:
        """Return the name, or raise `ParameterError`."""
        if isinstance(value, str) and value in self.choices:
            return value
        raise NotAChoiceError(self.name, value, self.choices)

    def to_text(self, value: str) -> str:
        """Return the name."""
        return value

    def from_text(self, text: str) -> str:
        """Return the name of a text."""
        return self.check(dict(self.old).get(text, text))


@dataclass(frozen=True, slots=True)
class SubsetField:
    """Some of several names, in their order."""

    name: str
    choices: tuple[str, ...]
    default: tuple[str, ...] = ()
    old: tuple[tuple[str, str], ...] = ()

    def check(self, value: object) -> tuple[str, ...]:
        """Return the names in their order, or raise `ParameterError`."""
        if isinstance(value, tuple) and all(
            isinstance(v, str) and v in self.choices for v in value
        ):
            return tuple(name for name in self.choices if name in value)
        raise NotAChoiceError(self.name, value, self.choices)

    def to_text(self, value: tuple[str, ...]) -> str:
        """Return the names with points between them."""
        return ".".join(value)

    def from_text(self, text: str) -> tuple[str, ...]:
        """Return the names of a text."""
        old = dict(self.old)
        return self.check(tuple(old.get(part, part) for part in text.split(".") if part))


def _number(parameter: Parameter, text: str) -> float:
    value = read_number(text[: LONGEST_NUMBER + 1], whole=parameter.whole)
    if isinstance(value, Refusal) or len(text) > LONGEST_NUMBER:
        raise parameter.refuse(text[:LONGEST_NUMBER])
    return value
