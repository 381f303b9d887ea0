"""The study kind "cost": the squared error of a mechanism over multinomial tables, simulated."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.core import mechanisms, population
from explorer.core.mechanisms import Mechanism
from explorer.core.sensitivity import Neighbours, Table
from explorer.study import axes
from explorer.study.axes import Axis
from explorer.study.cells import Cell

BLOCK = 1 << 18  # numbers simulated at once: 2 MiB

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CostCell(Cell):
    """The parameters of a simulated cost; the fields are described by `axes`."""

    kind: ClassVar[str] = "cost"
    axes: ClassVar[tuple[Axis, ...]] = (
        axes.TABLE_SHAPE,
        axes.PATTERN,
        axes.SIZE,
        axes.NEIGHBOURS,
        axes.PER_PERSON,
        axes.POSITIVE_PART,
        axes.MECHANISM,
        axes.PRIVACY,
        axes.STRENGTH,
    )
    results: ClassVar[tuple[str, ...]] = ("cost", "standard_error", "exact")

    shape: tuple[int, ...]
    pattern: str
    n: int
    neighbours: Neighbours
    records_per_person: int
    positive_part: bool
    mechanism: type[Mechanism]
    mu: float
    strength: float

    def check(self, replicates: int) -> None:  # noqa: ARG002 - any number will do
        """Raise `ParameterError` if the pattern does not exist, or not at this strength."""
        population.probabilities(self.shape, self.pattern, self.strength)

    def simulate(self, rng: np.random.Generator, replicates: int) -> Mapping[str, float]:
        """Return the simulated cost of the mechanism, and the exact one.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.
        replicates : int
            Number of tables from Multinomial(n, π), each released once; at least 2.

        Returns
        -------
        mapping of str to float
            ``cost``, the mean of ‖M(X) - X‖² in records squared, its ``standard_error``, and
            ``exact``, the value of `Mechanism.expected_l2_cost`.
        """
        table = Table(self.shape, self.neighbours, self.records_per_person)
        release = mechanisms.make(self.mechanism, table, self.mu, positive_part=self.positive_part)
        pi = population.probabilities(self.shape, self.pattern, self.strength)
        pi /= pi.sum()  # the generator requires a sum of 1 to fewer roundings than are made
        block = max(1, BLOCK // pi.size)
        moments = Moments()
        for begin in range(0, replicates, block):
            size = min(block, replicates - begin)
            counts = rng.multinomial(self.n, pi, size=size).astype(np.float64)
            errors = release.simulate(counts, rng) - counts
            moments.add(np.sum(errors * errors, axis=-1))
        return {
            "cost": moments.mean,
            "standard_error": moments.standard_error,
            "exact": float(release.expected_l2_cost(self.n, pi)),
        }


class Moments:
    """Mean and spread of a sample that comes in blocks.

    Sums of squares about the mean of each block are added, so that nothing cancels.

    Attributes
    ----------
    count : int
        Number of values so far.
    mean : float
        Their mean.
    """

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, sample: Array) -> None:
        """Add a block of values, of shape (m,)."""
        size, mean = len(sample), float(sample.mean())
        squares = float(np.sum((sample - mean) ** 2))
        total, apart = self.count + size, mean - self.mean
        self._squares += squares + apart * apart * (self.count * size / total)
        self.mean += apart * (size / total)
        self.count = total

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, for at least two values."""
        return math.sqrt(self._squares / (self.count - 1) / self.count)
