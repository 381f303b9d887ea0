"""The axes that a study's grid may have: the field, the title and the values of a file without it.

The fields are those of a scenario where the domain is the same.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from explorer.core import average_cost, mechanisms
from explorer.core.mechanisms import MECHANISMS, Mechanism
from explorer.core.mechanisms.base import MU
from explorer.core.parameter import Argument
from explorer.core.population import PATTERNS
from explorer.core.quantities import RECORDS_PER_PERSON, SHAPE
from explorer.core.sensitivity import Neighbours, check_shape
from explorer.locale import text_for
from explorer.scenario import fields
from explorer.scenario.errors import NotAChoiceError
from explorer.scenario.field_types import ChoiceField, NumberField, WholeField
from explorer.tables import MAX_CELLS

Value = str | bool | int | float | tuple[int, ...] | type[Mechanism]
Plain = str | bool | int | float | list[int]
"""What TOML, JSON and Parquet hold in place of a `Value`."""


class AxisField(Protocol):
    """What an axis needs of a field: the attribute of a cell, and the check of a value."""

    @property
    def name(self) -> str:
        """Name of the attribute of a cell."""

    def check(self, value: object) -> Value:
        """Return the value in its own type, or raise `ParameterError`."""


@dataclass(frozen=True, slots=True)
class ShapeField:
    """The numbers of levels of a table's variables."""

    name: str

    def check(self, value: object) -> tuple[int, ...]:
        """Return the shape of a list of whole numbers, or raise `ParameterError`."""
        levels = check_shape(value)  # type: ignore[arg-type]  # anything else is refused
        if math.prod(levels) > MAX_CELLS:
            raise SHAPE.refuse(value, f"must make at most {MAX_CELLS} cells")
        return levels


@dataclass(frozen=True, slots=True)
class MechanismField:
    """A mechanism of the menu, by its key; the class names of older studies are read too."""

    name: str

    def check(self, value: object) -> type[Mechanism]:
        """Return the class of a key, or raise `ParameterError`."""
        keys = tuple(mechanism_class.key for mechanism_class in MECHANISMS)
        if isinstance(value, str) and (value in keys or value in mechanisms.OLD_NAMES):
            return mechanisms.by_key(value)
        raise NotAChoiceError(self.name, value, keys)


@dataclass(frozen=True, slots=True)
class Axis:
    """One parameter of a cell.

    Attributes
    ----------
    field : AxisField
        Its name in the file and in a cell, and the check of a value.
    title : str
        Its title in a figure and a table.
    default : tuple
        Values of a file that does not name the axis; none if it must.
    implied : Value, optional
        The value of every cell that was computed before the axis existed. The digest of a cell
        leaves the axis out at this value, so that those cells keep their keys.
    """

    field: AxisField
    title: str
    default: tuple[Value, ...] = ()
    implied: Value | None = None

    @property
    def name(self) -> str:
        """Key in the file, name of the cell's attribute and of the column."""
        return self.field.name

    def read(self, value: object) -> Value:
        """Return a value of the file in its own type, or raise `ParameterError`."""
        try:
            checked = self.field.check(value)
        except NotAChoiceError as error:
            switch = {"True": "true", "False": "false"}  # as TOML spells them
            allowed = ", ".join(switch.get(name, name) for name in error.allowed)
            argument = Argument(self.name, self.name, self.title)
            raise argument.refuse(value, f"must be one of {allowed}") from None
        # Adding 0 makes one cell of 0.0 and -0.0.
        return checked + 0.0 if isinstance(checked, float) else checked


MECHANISM = Axis(MechanismField("mechanism"), "mechanism")
PRIVACY = Axis(NumberField(MU, fields.MU.default), "privacy parameter, μ")
SIZE = Axis(WholeField(average_cost.RECORDS, fields.RECORDS.default), "records in the table, n")
TABLE_SHAPE = Axis(ShapeField("shape"), "levels of the table")
PATTERN = Axis(ChoiceField("pattern", PATTERNS, fields.PATTERN.default), "pattern of the table")
STRENGTH = Axis(fields.STRENGTH, "signal strength, Cohen’s w")
NEIGHBOURS = Axis(fields.NEIGHBOURS, "neighbouring data sets", (fields.NEIGHBOURS.default,))
PER_PERSON = Axis(WholeField(RECORDS_PER_PERSON, 1), "records per person, k", (1,))
POSITIVE_PART = Axis(fields.POSITIVE_PART, "positive part of the shrinkage", (True,))


def plain(value: Value) -> Plain:
    """Return a value as a file holds it: the key of a mechanism, a list for a shape."""
    if isinstance(value, type):
        return value.key
    if isinstance(value, tuple):
        return [*value]
    return value.value if isinstance(value, StrEnum) else value


def mechanism_name(mechanism_class: type[Mechanism]) -> str:
    """Return what a report calls a mechanism."""
    return text_for("en").mechanism_short(mechanism_class.key, Neighbours.REPLACE)


def readable(value: Value) -> str:
    """Return a value as a person writes it: 4 × 4, 0.25, yes."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " × ".join(map(str, value))
    if isinstance(value, type):
        return mechanism_name(value)
    return f"{value:.12g}" if isinstance(value, float) else str(value)
