"""The file that declares a study: a name, a seed and a grid."""

import itertools
import math
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from explorer.core.parameter import Argument, ParameterError
from explorer.study.axes import Axis, Value
from explorer.study.cells import Cell, Task
from explorer.study.kinds import StudyKind, kind_of

KEYS = ("name", "seed", "replicates", "kind", "grid")
MOST_CELLS = 10**6
LARGEST_SEED = 2**63 - 1
LARGEST_WHOLE = 2**63  # TOML has whole numbers of 64 bits

FILE = Argument("file", "file", "study file")
AXES = Argument("axes", "axes", "axes of the study")
NAME = Argument("name", "name", "title of the study")
SEED = Argument("seed", "seed", "seed of the random numbers")
REPLICATES = Argument("replicates", "replicates", "simulated releases in each cell")


@dataclass(frozen=True)
class GridAxis:
    """The values of one axis of a grid."""

    axis: Axis
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Study:
    """A grid and what is simulated in each of its cells; `parse` makes one.

    Attributes
    ----------
    name : str
        Title of the report.
    seed : int
        In [0, 2⁶³ - 1].
    replicates : int
        Simulated releases in each cell, at least 2.
    kind : StudyKind
        What is simulated.
    grid : tuple of GridAxis
        The values of every axis of the kind, in its order.
    text : str
        The file.
    """

    name: str
    seed: int
    replicates: int
    kind: StudyKind
    grid: tuple[GridAxis, ...]
    text: str = field(repr=False, compare=False)

    def __len__(self) -> int:
        """Return the number of cells."""
        return math.prod(len(along.values) for along in self.grid)

    def cells(self) -> Iterator[Cell]:
        """Iterate over the cells in the grid's order, the last axis fastest."""
        return _cells(self.kind, [along.values for along in self.grid])

    def task(self, cell: Cell) -> Task:
        """Return what a worker needs to compute a cell."""
        return Task(cell, self.seed, self.replicates)

    def along(self, name: str) -> GridAxis:
        """Return the axis of a name, which must be one of the kind's."""
        return next(along for along in self.grid if along.axis.name == name)


def _cells(kind: StudyKind, columns: Iterable[tuple[Value, ...]]) -> Iterator[Cell]:
    make = cast(Callable[..., Cell], kind.cell_class)  # each axis has read its own values
    return itertools.starmap(make, itertools.product(*columns))


def parse(text: str) -> Study:
    """Read a study's file.

    Parameters
    ----------
    text : str
        TOML with the keys ``name``, ``seed``, ``replicates`` and ``kind``, and a table ``grid``
        with a list for each axis of the kind; an axis with a default may be left out.

    Returns
    -------
    Study
        The study, checked as a whole.

    Raises
    ------
    ParameterError
        If the text is no such file; the message names the key and the value.
    """
    keys = _toml(text)
    for key in keys:
        if key not in KEYS:
            raise _refused("key", f"may have {_listed(KEYS)} only", key)
    for key in KEYS:
        if key not in keys:
            raise _refused("keys", f"must have the key {key}", [*keys])
    name = keys["name"]
    if not isinstance(name, str) or not name.strip():
        raise NAME.refuse(name, "must be a text that is not empty")
    kind = kind_of(keys["kind"])
    replicates = _whole(REPLICATES, keys["replicates"], 2, kind.most_replicates)
    return Study(
        name=name.strip(),
        seed=_whole(SEED, keys["seed"], 0, LARGEST_SEED),
        replicates=replicates,
        kind=kind,
        grid=_grid(kind, keys["grid"], replicates),
        text=text,
    )


def _toml(text: str) -> dict[str, Any]:
    """Return what a TOML file holds; text that is none of any sort is refused."""
    try:
        keys = tomllib.loads(text.replace("\r\n", "\n").replace("\r", "\n"))
        _check_sizes(keys)
    except RecursionError:
        raise FILE.refuse(text[:40], "must be TOML (nested too deeply)") from None
    except ValueError as error:  # a number of too many digits is no TOMLDecodeError
        raise FILE.refuse(text[:40], f"must be TOML ({error})") from error
    return keys


def _check_sizes(value: object) -> None:
    """Raise ValueError for a whole number of more than 64 bits, which has no decimal repr."""
    if isinstance(value, int) and not -LARGEST_WHOLE <= value < LARGEST_WHOLE:
        raise ValueError("a whole number has more than 64 bits")
    if isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            _check_sizes(part)


def _grid(kind: StudyKind, table: object, replicates: int) -> tuple[GridAxis, ...]:
    if not isinstance(table, dict):
        raise _refused("grid", "must be a table of lists", table, AXES.meaning)
    names = [axis.name for axis in kind.axes]
    for key in table:
        if key not in names:
            rule = f"may have {_listed(names)} for the kind {kind.name}"
            raise _refused("axis", rule, key, AXES.meaning)
    grid = tuple(GridAxis(axis, _values(axis, table)) for axis in kind.axes)
    size = math.prod(len(along.values) for along in grid)
    if size > MOST_CELLS:
        raise _refused("cells", f"must make at most {MOST_CELLS} cells", size, AXES.meaning)
    columns = [
        along.values if along.axis.name in kind.together else along.values[:1] for along in grid
    ]
    for cell in _cells(kind, columns):
        cell.check(replicates)
    return grid


def _values(axis: Axis, table: Mapping[str, object]) -> tuple[Value, ...]:
    if axis.name not in table:
        if axis.default:
            return axis.default
        raise AXES.refuse([*table], f"must have the axis {axis.name}")
    listed = table[axis.name]
    if not isinstance(listed, list) or not listed:
        raise _refused(axis.name, "must be a list with at least one value", listed, axis.title)
    values: dict[Value, None] = {}
    for value in listed:
        checked = axis.read(value)
        if checked in values:
            raise _refused(axis.name, "must not have a value twice", value, axis.title)
        values[checked] = None
    return tuple(values)


def _whole(argument: Argument, value: object, low: int, high: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    raise argument.refuse(value, f"must be a whole number in [{low}, {high}]")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _refused(name: str, rule: str, value: object, meaning: str = FILE.meaning) -> ParameterError:
    return Argument(name, name, meaning).refuse(value, rule)
