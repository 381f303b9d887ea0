"""The file that declares a study: a name, a seed and a grid."""

import itertools
import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.core.parameter import ParameterError
from explorer.study.axes import Axis, Value
from explorer.study.cells import Cell
from explorer.study.kinds import Kind, kind_of

KEYS = ("name", "seed", "replicates", "kind", "grid")
MOST_CELLS = 10**6
LARGEST_SEED = 2**63 - 1


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
        Draws in each cell, at least 2.
    kind : Kind
        What is simulated.
    grid : tuple of (str, tuple)
        The values of every axis of the kind, in its order.
    """

    name: str
    seed: int
    replicates: int
    kind: Kind
    grid: tuple[tuple[str, tuple[Value, ...]], ...]

    def __len__(self) -> int:
        """Return the number of cells."""
        return math.prod(len(values) for _, values in self.grid)

    def cells(self) -> Iterator[Cell]:
        """Iterate over the cells in the grid's order, the last axis fastest."""
        # Cells share their (name, value) pairs: a million of them fit in memory.
        pairs = [[(name, value) for value in values] for name, values in self.grid]
        for parameters in itertools.product(*pairs):
            yield Cell(self.kind.name, self.seed, self.replicates, parameters)


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
    try:
        keys = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _refused("file", "study file", f"must be TOML ({error})", text[:40]) from error
    for key in keys:
        if key not in KEYS:
            raise _refused("key", "study file", f"may have {_listed(KEYS)} only", key)
    for key in KEYS:
        if key not in keys:
            raise _refused("keys", "study file", f"must have the key {key}", [*keys])
    name = keys["name"]
    if not isinstance(name, str) or not name.strip():
        raise _refused("name", "title of the study", "must be a text that is not empty", name)
    kind = kind_of(keys["kind"])
    most = kind.most_replicates
    replicates = _whole("replicates", "draws in each cell", keys["replicates"], 2, most)
    return Study(
        name=name.strip(),
        seed=_whole("seed", "seed of the random numbers", keys["seed"], 0, LARGEST_SEED),
        replicates=replicates,
        kind=kind,
        grid=_grid(kind, keys["grid"], replicates),
    )


def _grid(kind: Kind, given: object, replicates: int) -> tuple[tuple[str, tuple[Value, ...]], ...]:
    if not isinstance(given, dict):
        raise _refused("grid", "axes of the study", "must be a table of lists", given)
    names = [axis.name for axis in kind.axes]
    for key in given:
        if key not in names:
            rule = f"may have {_listed(names)} for the kind {kind.name}"
            raise _refused("axis", "axes of the study", rule, key)
    grid = tuple((axis.name, _values(axis, given)) for axis in kind.axes)
    size = math.prod(len(values) for _, values in grid)
    if size > MOST_CELLS:
        rule = f"must make at most {MOST_CELLS} cells"
        raise _refused("cells", "axes of the study", rule, size)
    columns = [dict(grid)[name] for name in kind.together]
    for values in itertools.product(*columns):
        cell = dict(zip(kind.together, values, strict=True))
        kind.check({**cell, "replicates": replicates})
    return grid


def _values(axis: Axis, given: Mapping[str, object]) -> tuple[Value, ...]:
    if axis.name not in given:
        if axis.default:
            return axis.default
        raise _refused("axes", "axes of the study", f"must have the axis {axis.name}", [*given])
    listed = given[axis.name]
    if not isinstance(listed, list) or not listed:
        raise _refused(axis.name, axis.words, "must be a list with at least one value", listed)
    values = tuple(axis.read(value) for value in listed)
    if len(set(values)) < len(values):
        raise _refused(axis.name, axis.words, "must not have a value twice", listed)
    return values


def _whole(name: str, meaning: str, value: object, low: int, high: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    raise _refused(name, meaning, f"must be a whole number in [{low}, {high}]", value)


def _listed(names: Any) -> str:
    return ", ".join(names)


def _refused(name: str, meaning: str, rule: str, value: object) -> ParameterError:
    return ParameterError(name, name, meaning, rule, value)
