"""What a parameter means and where it may lie: name, symbol, meaning, domain.

The quantities that several modules share are declared in `explorer.core.quantities`. A module that
takes less than the whole domain narrows the declaration with `Parameter.within`.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray


class ParameterError(ValueError):
    """A value outside the domain of a parameter.

    Attributes
    ----------
    name : str
        Name of the argument or field.
    symbol, meaning : str
        As in the field's texts, for instance "μ" and "GDP parameter".
    rule : str
        What must hold, for instance "must lie in [0, inf)".
    value : object
        The value that was refused.
    """

    def __init__(self, name: str, symbol: str, meaning: str, rule: str, value: object) -> None:
        super().__init__(f"{symbol} ({meaning}) {rule}, got {name}={value!r}.")
        self.name = name
        self.symbol = symbol
        self.meaning = meaning
        self.rule = rule
        self.value = value

    def __reduce__(self) -> tuple[object, ...]:
        """Return how another process rebuilds the error, with the attributes of a subclass."""
        fields = (self.name, self.symbol, self.meaning, self.rule, self.value)
        return _rebuild, (type(self), str(self), fields, self.__dict__)


def _rebuild(
    error_class: type[ParameterError],
    text: str,
    fields: tuple[str, str, str, str, object],
    more: dict[str, object],
) -> ParameterError:
    error = error_class.__new__(error_class, text)
    ParameterError.__init__(error, *fields)
    error.__dict__.update(more)
    return error


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument that is no single number: a shape, a table, a mechanism.

    Attributes
    ----------
    name, symbol, meaning : str
        Argument name, the field's symbol, words.
    """

    name: str
    symbol: str
    meaning: str

    def refuse(self, value: object, rule: str) -> ParameterError:
        """Return the error that says by which rule `value` is refused."""
        return ParameterError(self.name, self.symbol, self.meaning, rule, value)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A real or whole number and where it may lie.

    Attributes
    ----------
    name, symbol, meaning : str
        Argument name, the field's symbol, words.
    low, high : float
        Ends of the domain.
    low_open, high_open : bool
        Whether that end is excluded.
    whole : bool
        Whether the value must be a whole number.
    """

    name: str
    symbol: str
    meaning: str
    low: float
    high: float
    low_open: bool = False
    high_open: bool = False
    whole: bool = False

    def within(
        self, low: float, high: float, *, low_open: bool = False, high_open: bool = False
    ) -> "Parameter":
        """Return the same parameter with a narrower domain.

        Raises
        ------
        ValueError
            If the new domain is not part of the old one: a mistake in the program.
        """
        narrower = replace(self, low=low, high=high, low_open=low_open, high_open=high_open)
        below = low < self.low or (low == self.low and self.low_open and not low_open)
        above = high > self.high or (high == self.high and self.high_open and not high_open)
        if below or above or not low <= high:
            raise ValueError(f"{narrower.interval} is not within {self.interval}")
        return narrower

    def named(self, name: str, meaning: str | None = None) -> "Parameter":
        """Return the same quantity as an argument of another name, with a narrower meaning."""
        return replace(self, name=name, meaning=meaning or self.meaning)

    @property
    def interval(self) -> str:
        """The domain as text, for instance ``(0, inf)``."""
        left = "(" if self.low_open or self.low == -math.inf else "["
        right = ")" if self.high_open or self.high == math.inf else "]"
        return f"{left}{self.low:g}, {self.high:g}{right}"

    @property
    def rule(self) -> str:
        """The rule as text, for instance ``must lie in (0, inf)``."""
        demand = "be a whole number in" if self.whole else "lie in"
        return f"must {demand} {self.interval}"

    def refuse(self, value: object, rule: str | None = None) -> ParameterError:
        """Return the error that says what `value` should have been.

        Parameters
        ----------
        value : object
            The value that is refused.
        rule : str, optional
            What must hold; by default that the value lies in the domain.
        """
        return ParameterError(self.name, self.symbol, self.meaning, rule or self.rule, value)

    def check(self, value: ArrayLike) -> NDArray[np.float64]:
        """Return `value` as float64, or raise.

        Parameters
        ----------
        value : array_like of shape (...)
            Numbers. Text, complex numbers and NaN raise the error.

        Returns
        -------
        ndarray of shape (...)
            The same numbers as float64.

        Raises
        ------
        ParameterError
            If any entry lies outside the domain; the message shows the first such entry.
        """
        raw = np.asarray(value)
        if raw.dtype.kind not in "fiub":
            raise self.refuse(value)
        values = raw.astype(np.float64)
        above = values > self.low if self.low_open else values >= self.low
        below = values < self.high if self.high_open else values <= self.high
        inside = above & below  # NaN compares false
        if self.whole:
            inside &= np.floor(values) == values
        if not inside.all():
            raise self.refuse(raw[~inside][0].item())
        return values

    def check_scalar(self, value: object) -> float:
        """Return `value` as a float; raise for arrays, booleans and text too."""
        raw = np.asarray(value)
        if isinstance(value, (bool, np.bool_)) or raw.ndim != 0:
            raise self.refuse(value)
        if raw.dtype.kind not in "fiub":
            raise self.refuse(value)
        return float(self.check(raw))
