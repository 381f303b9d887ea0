"""The kind "cost": the squared error of a mechanism over multinomial tables, simulated."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core import population
from explorer.core.sensitivity import Table
from explorer.study import axes

AXES = (
    axes.SHAPE,
    axes.PATTERN,
    axes.SIZE,
    axes.NEIGHBOURS,
    axes.PER_PERSON,
    axes.POSITIVE_PART,
    axes.MECHANISM,
    axes.PRIVACY,
    axes.STRENGTH,
)
BLOCK = 1 << 18  # numbers drawn at once: 2 MiB

Array = NDArray[np.float64]


def check(cell: Mapping[str, Any]) -> None:
    """Raise `ParameterError` if the pattern does not exist, or not at this strength."""
    population.probabilities(cell["shape"], cell["pattern"], cell["strength"])


def simulate(
    cell: Mapping[str, Any], rng: np.random.Generator, replicates: int
) -> dict[str, float]:
    """Return the simulated cost of a mechanism, and the exact one.

    Parameters
    ----------
    cell : mapping
        A value for every axis of `AXES`.
    rng : numpy.random.Generator
        Source of randomness.
    replicates : int
        Number of tables drawn from Multinomial(n, π), each released once; at least 2.

    Returns
    -------
    dict of str to float
        ``cost``, the mean of ‖M(X) - X‖² in records squared, its ``standard_error``, and
        ``exact``, what `Mechanism.expected_l2_cost` says it should be.
    """
    table = Table(cell["shape"], cell["neighbours"], cell["records_per_person"])
    mechanism = axes.build(cell["mechanism"], table, cell["mu"], cell["positive_part"])
    pi = population.probabilities(cell["shape"], cell["pattern"], cell["strength"])
    pi /= pi.sum()  # the generator wants a sum of 1 to fewer roundings than are made
    block = max(1, BLOCK // pi.size)
    moments = Moments()
    for begin in range(0, replicates, block):
        size = min(block, replicates - begin)
        counts = rng.multinomial(cell["n"], pi, size=size).astype(np.float64)
        errors = mechanism.simulate(counts, rng) - counts
        moments.add(np.sum(errors * errors, axis=-1))
    return {
        "cost": moments.mean,
        "standard_error": moments.standard_error,
        "exact": float(mechanism.expected_l2_cost(cell["n"], pi)),
    }


class Moments:
    """Mean and spread of draws that come in blocks.

    Sums of squares about the mean of each block are added, so that nothing cancels.

    Attributes
    ----------
    count : int
        Number of draws so far.
    mean : float
        Their mean.
    """

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, draws: Array) -> None:
        """Take a block of draws, of shape (m,)."""
        size, mean = len(draws), float(draws.mean())
        squares = float(np.sum((draws - mean) ** 2))
        total, apart = self.count + size, mean - self.mean
        self._squares += squares + apart * apart * (self.count * size / total)
        self.mean += apart * (size / total)
        self.count = total

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, for at least two draws."""
        return math.sqrt(self._squares / (self.count - 1) / self.count)
