"""The axes that a study's grid may have: what each means and which values it takes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explorer.core import average_cost, population
from explorer.core.mechanisms import MECHANISMS, JamesStein, Mechanism
from explorer.core.mechanisms.base import MU
from explorer.core.parameter import Parameter, ParameterError
from explorer.core.quantities import RECORDS_PER_PERSON
from explorer.core.quantities import STRENGTH as SIGNAL
from explorer.core.sensitivity import Neighbours, Statistic, check_shape
from explorer.core.sensitivity.base import check_neighbours
from explorer.locale import text_for
from explorer.tables import MAX_CELLS

Value = str | bool | int | float | tuple[int, ...]


@dataclass(frozen=True)
class Axis:
    """One parameter of a cell.

    Attributes
    ----------
    name : str
        Its key in the file.
    words : str
        Its title in a figure and a table.
    read : callable
        Takes what the file holds; returns a plain, hashable value or raises `ParameterError`.
    default : tuple
        Values of a file that does not name the axis; none if it must.
    """

    name: str
    words: str
    read: Callable[[object], Value]
    default: tuple[Value, ...] = ()


def number(parameter: Parameter, words: str, *default: Value) -> Axis:
    """Return the axis of a number; whole numbers stay whole."""

    def read(value: object) -> Value:
        # Adding 0 makes one cell of 0.0 and -0.0.
        checked = parameter.check_scalar(value) + 0.0
        return int(checked) if parameter.whole else checked

    return Axis(parameter.name, words, read, default)


def choice(name: str, words: str, choices: Sequence[str], *default: Value) -> Axis:
    """Return the axis of a name out of several."""

    def read(value: object) -> Value:
        if isinstance(value, str) and value in choices:
            return value
        rule = f"must be one of {', '.join(choices)}"
        raise ParameterError(name, name, words, rule, value)

    return Axis(name, words, read, default)


def switch(name: str, words: str, *default: Value) -> Axis:
    """Return the axis of something that is done or not."""

    def read(value: object) -> Value:
        if isinstance(value, bool):
            return value
        raise ParameterError(name, name, words, "must be true or false", value)

    return Axis(name, words, read, default)


def _shape(value: object) -> Value:
    levels = check_shape(value)  # type: ignore[arg-type]  # anything else is refused
    if math.prod(levels) > MAX_CELLS:
        rule = f"must make at most {MAX_CELLS} cells"
        raise ParameterError("shape", "r × c", "levels of the table", rule, value)
    return levels


MECHANISM = choice("mechanism", "mechanism", tuple(kind.__name__ for kind in MECHANISMS))
PRIVACY = number(MU, "privacy parameter, μ")
SHAPE = Axis("shape", "levels of the table", _shape)
SIZE = number(average_cost.RECORDS, "records in the table, n")
PATTERN = choice("pattern", "pattern of the table", population.PATTERNS)
STRENGTH = number(SIGNAL, "signal strength, Cohen’s w")
NEIGHBOURS = Axis("neighbours", "neighbouring data sets", check_neighbours, ("replace",))
PER_PERSON = number(RECORDS_PER_PERSON, "records per person, k", 1)
POSITIVE_PART = switch("positive_part", "positive part of the shrinkage", True)


def mechanism_class(name: str) -> type[Mechanism]:
    """Return the class of `MECHANISMS` that has this name."""
    return next(kind for kind in MECHANISMS if kind.__name__ == name)


def build(name: str, statistic: Statistic, mu: float, positive_part: bool) -> Mechanism:
    """Return a mechanism, passing the positive part to those that have one."""
    kind = mechanism_class(name)
    if issubclass(kind, JamesStein):
        return kind(statistic, mu, positive_part=positive_part)
    return kind(statistic, mu)


def mechanism_name(key: str) -> str:
    """Return what a report calls a mechanism."""
    return text_for("en").mechanism_short(key, Neighbours.REPLACE)


def shown(value: Value) -> str:
    """Return a value as a person writes it: 4 × 4, 0.25, yes."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " × ".join(map(str, value))
    if isinstance(value, str) and value in MECHANISM_NAMES:
        return mechanism_name(mechanism_class(value).key)
    return f"{value:.12g}" if isinstance(value, float) else str(value)


MECHANISM_NAMES = frozenset(kind.__name__ for kind in MECHANISMS)
