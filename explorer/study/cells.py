"""A cell of a study, the task of computing it, and the outcome."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np

from explorer.study import digest
from explorer.study.axes import Axis, Value, readable
from explorer.study.errors import StudyError
from explorer.study.setting import Setting, setting

Results: TypeAlias = dict[str, float]


@dataclass(frozen=True, slots=True)
class Cell(ABC):
    """One combination of the values of a grid: a subclass for each study kind.

    The fields of a subclass have the names and the order of its `axes`. `Axis.read` has checked
    the values; a cell checks only, in `check`, that they fit each other.

    Attributes
    ----------
    kind : str
        Name of the study kind, as in the study's file.
    axes : tuple of Axis
        The axes of the grid: the last runs fastest.
    results : tuple of str
        Names of what `simulate` returns, in the order of a table.
    """

    kind: ClassVar[str]
    axes: ClassVar[tuple[Axis, ...]]
    results: ClassVar[tuple[str, ...]]

    @abstractmethod
    def check(self, replicates: int) -> None:
        """Raise `ParameterError` if the values do not fit each other or the replicates."""

    @abstractmethod
    def simulate(self, rng: np.random.Generator, replicates: int) -> Mapping[str, float]:
        """Return a number for every name in `results`, a pure function of the arguments.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.
        replicates : int
            Number of simulated releases, at least 2.
        """

    @property
    def values(self) -> tuple[Value, ...]:
        """The values in the order of `axes`."""
        return tuple(getattr(self, field.name) for field in fields(self))

    @property
    def key(self) -> str:
        """Digest of the kind and the values, see `digest`."""
        return digest.key(self.kind, zip(self.axes, self.values, strict=True))

    @property
    def title(self) -> str:
        """The values for a person, for instance ``mu = 0.5, n = 200``."""
        named = zip(self.axes, self.values, strict=True)
        return ", ".join(f"{axis.name} = {readable(value)}" for axis, value in named)


@dataclass(frozen=True, slots=True)
class Task:
    """A cell with what is needed to compute it: what a worker receives.

    Attributes
    ----------
    cell : Cell
        The parameters.
    seed, replicates : int
        Those of the study.
    """

    cell: Cell
    seed: int
    replicates: int

    def generator(self) -> np.random.Generator:
        """Return the cell's own random numbers, seeded by the seed and the key alone."""
        key = self.cell.key
        parts = [int(key[i : i + 8], 16) for i in range(0, digest.DIGITS, 8)]
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence([self.seed, *parts])))


class Outcome(NamedTuple):
    """The results of a cell, and the setting in which they were computed."""

    results: Results
    setting: Setting


def compute(task: Task) -> Outcome:
    """Compute one cell.

    Parameters
    ----------
    task : Task
        The cell, the seed and the number of replicates.

    Returns
    -------
    Outcome
        The results by name. They depend on the task only, not on what was computed before, in
        the same process or another, as long as the setting is the same.

    Raises
    ------
    StudyError
        If it cannot be computed; the sentence names the parameters. It stands for any exception,
        since not all of them can be sent from one process to another.
    """
    cell = task.cell
    try:
        results = cell.simulate(task.generator(), task.replicates)
        return Outcome({name: float(results[name]) for name in cell.results}, setting())
    except Exception as error:
        raise StudyError(
            f"the cell {cell.title} failed: {type(error).__name__}: {error}"
        ) from error
