"""One cell of a study: its parameters, its random numbers and its results."""

import hashlib
import json
import os
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from typing import NamedTuple, TypeAlias

import numpy as np

from explorer.study.axes import Value, shown
from explorer.study.error import StudyError
from explorer.study.kinds import kind_of
from explorer.study.worker import THREADS

Results: TypeAlias = dict[str, float]


@dataclass(frozen=True)
class Cell:
    """One combination of the values of a grid, and what is needed to compute it.

    Attributes
    ----------
    kind : str
        Name of the `Kind`.
    seed, replicates : int
        Those of the study.
    parameters : tuple of (str, value)
        A value for every axis of the kind, in its order.
    """

    kind: str
    seed: int
    replicates: int
    parameters: tuple[tuple[str, Value], ...]

    @cached_property
    def key(self) -> str:
        """Digest of the kind and the parameters, 32 hexadecimal digits.

        Floats enter with all their digits and names in alphabetic order, so that it depends on
        nothing else; two cells of a study share one with probability below 1e-26.
        """
        text = json.dumps({"kind": self.kind, **dict(self.parameters)}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @property
    def words(self) -> str:
        """The parameters for a person, for instance ``mu = 0.5, n = 200``."""
        return ", ".join(f"{name} = {shown(value)}" for name, value in self.parameters)

    def generator(self) -> np.random.Generator:
        """Return the cell's own random numbers, seeded by the study's seed and `key` alone."""
        words = [int(self.key[i : i + 8], 16) for i in range(0, 32, 8)]
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence([self.seed, *words])))


class Setting(NamedTuple):
    """What besides its parameters and seed may change the last bits of a result.

    Attributes
    ----------
    versions : tuple of (str, str)
        Versions of this package and of those that draw and add numbers.
    threads : str
        Threads that linear algebra may use, as told by the environment; "" if nothing is told.
    """

    versions: tuple[tuple[str, str], ...]
    threads: str


class Outcome(NamedTuple):
    """A cell that was computed, and where."""

    results: Results
    setting: Setting


def setting() -> Setting:
    """Return the setting of this process."""
    told = [os.environ.get(name, "") for name in THREADS]
    return Setting(_versions(), next(filter(None, told), ""))


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    return tuple((name, version(name)) for name in ("gdp-explorer", "numpy", "scipy"))


def compute(cell: Cell) -> Outcome:
    """Compute one cell.

    Parameters
    ----------
    cell : Cell
        What to compute.

    Returns
    -------
    Outcome
        The results by name. They depend on the cell only, not on what was computed before, in
        the same process or another, as long as the setting is the same.

    Raises
    ------
    StudyError
        If it cannot be computed; the sentence names the parameters. It stands for any exception,
        since not all of them can be sent from one process to another.
    """
    try:
        kind = kind_of(cell.kind)
        results = kind.simulate(dict(cell.parameters), cell.generator(), cell.replicates)
        return Outcome({name: float(results[name]) for name in kind.results}, setting())
    except Exception as error:
        raise StudyError(
            f"the cell {cell.words} failed: {type(error).__name__}: {error}"
        ) from error
