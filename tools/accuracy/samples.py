"""What is compared: rows of the table, samples of a row, the error of a sample."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from many_digits import DIGITS
from mpmath import mp, mpf
from numpy.random import Generator
from numpy.typing import NDArray

Array = NDArray[np.float64]

SEED = 20221115
TINY = 1e-300


class Sample(NamedTuple):
    """One comparison.

    Attributes
    ----------
    where : tuple
        The arguments.
    value : float
        What the package says.
    exact : mpf
        What is true of these very arguments.
    condition : mpf
        Relative change of the truth over a relative change of the arguments.
    """

    where: tuple[Any, ...]
    value: float
    exact: mpf
    condition: mpf = mpf(1)


Samples = Callable[[Generator, int], Iterator[Sample]]


@dataclass(frozen=True)
class Row:
    """One row of the table.

    Attributes
    ----------
    function, domain, arguments : str
        What is computed, where, and the names of a sample's arguments.
    target : float
        The largest error allowed.
    samples : callable
        Maps a random generator and a number to at least so many samples.
    mark : {"", "κ", "log"}
        "κ": errors are divided by the condition number; "log": they are absolute below 1.
    """

    function: str
    domain: str
    arguments: str
    target: float
    samples: Samples
    mark: str = ""

    def error(self, sample: Sample) -> float:
        """Return the relative error of a sample; inf where a tiny result is not tiny."""
        size = abs(sample.exact)
        if self.mark == "log":
            size = max(size, mpf(1))
        if size < TINY:
            return 0.0 if abs(sample.value) <= TINY * (1 + self.target) else float("inf")
        if self.mark == "κ":
            size *= max(sample.condition, mpf(1))
        error = float(abs(sample.value - sample.exact) / size)
        return error if error == error else float("inf")  # noqa: PLR0124 - NaN


class Measured(NamedTuple):
    """Number of points, the worst error and the arguments where it is reached."""

    points: int
    worst: float
    where: tuple[Any, ...]


def measure(row: Row, count: int) -> Measured:
    """Compare a row at `count` points or more, the corners of its range among them."""
    rng = np.random.default_rng(SEED)
    points, worst, where = 0, -1.0, ()
    with mp.workdps(DIGITS):
        for sample in row.samples(rng, count):
            points += 1
            error = row.error(sample)
            if error > worst:
                worst, where = error, sample.where
    return Measured(points, worst, where)


def log_uniform(rng: Generator, low: float, high: float, count: int) -> Array:
    """Return numbers whose logarithm is uniform."""
    drawn: Array = np.exp(rng.uniform(np.log(low), np.log(high), count))
    return np.clip(drawn, low, high)


def both_tails(rng: Generator, count: int) -> Array:
    """Return probabilities in [1e-300, 1 - 1e-12], dense near both ends."""
    below = log_uniform(rng, 1e-300, 0.5, count // 2)
    middle = rng.uniform(0, 1, count // 4)
    above = 1 - log_uniform(rng, 1e-12, 0.5, count - count // 2 - count // 4)
    return rng.permutation(np.concatenate([below, np.clip(middle, TINY, 1 - 1e-12), above]))


def with_corners(columns: tuple[Array, ...], *corners: tuple[float, ...]) -> tuple[Array, ...]:
    """Put every combination of the corners before the columns."""
    first = np.array(list(product(*corners))).T
    return tuple(np.concatenate(pair) for pair in zip(first, columns, strict=True))
