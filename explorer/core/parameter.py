"""What a parameter means: symbol, meaning, unit, domain, typical range, step.

One declaration feeds the domain check of `explorer.core`, the slider, its label and the
sentence that explains a refused value.
"""

from dataclasses import dataclass
from typing import Any, Literal

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
        What was got instead.
    """

    def __init__(self, name: str, symbol: str, meaning: str, rule: str, value: object) -> None:
        super().__init__(f"{symbol} ({meaning}) {rule}, got {name}={value!r}.")
        self.name = name
        self.symbol = symbol
        self.meaning = meaning
        self.rule = rule
        self.value = value

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how it is made again in another process, with what a subclass adds."""
        fields = (self.name, self.symbol, self.meaning, self.rule, self.value)
        return _remake, (type(self), str(self), fields, self.__dict__)


def _remake(
    kind: type[ParameterError], text: str, fields: tuple[Any, ...], more: dict[str, Any]
) -> ParameterError:
    error = kind.__new__(kind, text)
    ParameterError.__init__(error, *fields)
    error.__dict__.update(more)
    return error


@dataclass(frozen=True, slots=True)
class Parameter:
    """A real or whole number and where it may lie.

    Attributes
    ----------
    name, symbol, meaning, unit : str
        Argument name, the field's symbol, words, unit ("" for a pure number).
    low, high : float
        Ends of the domain.
    low_open, high_open : bool
        Whether that end is excluded.
    whole : bool
        Whether the value must be a whole number.
    typical : tuple of float
        The range a slider shows.
    scale : {"linear", "log"}
        How a slider is divided.
    default : float
        Value of the first screen.
    """

    name: str
    symbol: str
    meaning: str
    low: float
    high: float
    low_open: bool = False
    high_open: bool = False
    whole: bool = False
    unit: str = ""
    typical: tuple[float, float] = (0.0, 1.0)
    scale: Literal["linear", "log"] = "linear"
    default: float = 0.0

    @property
    def interval(self) -> str:
        """The domain as text, for instance ``(0, inf)``."""
        left = "(" if self.low_open or self.low == -np.inf else "["
        right = ")" if self.high_open or self.high == np.inf else "]"
        return f"{left}{self.low:g}, {self.high:g}{right}"

    @property
    def rule(self) -> str:
        """The rule as text, for instance ``must lie in (0, inf)``."""
        kind = "be a whole number in" if self.whole else "lie in"
        return f"must {kind} {self.interval}"

    def error(self, value: object) -> ParameterError:
        """Return the error that says what `value` should have been."""
        return ParameterError(self.name, self.symbol, self.meaning, self.rule, value)

    def check(self, value: ArrayLike) -> NDArray[np.float64]:
        """Return `value` as float64, or raise.

        Parameters
        ----------
        value : array_like of shape (...)
            Numbers; text, complex numbers and NaN are refused.

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
            raise self.error(value)
        values = raw.astype(np.float64)
        above = values > self.low if self.low_open else values >= self.low
        below = values < self.high if self.high_open else values <= self.high
        inside = above & below  # NaN compares false
        if self.whole:
            inside &= np.floor(values) == values
        if not inside.all():
            raise self.error(raw[~inside][0].item())
        return values

    def check_scalar(self, value: Any) -> float:
        """Return `value` as a float (or raise), refusing arrays, booleans and text."""
        if isinstance(value, (bool, np.bool_)) or np.ndim(value) != 0:
            raise self.error(value)
        return float(self.check(value))
