"""Ten cells, 500 records, level 5%: the setting that the studies of the tests share."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from explorer.core import population
from explorer.core.chisq import statistics
from explorer.core.sensitivity import Table
from explorer.paper._result import Array

P: Final = 10
N: Final = 500
LEVEL: Final = 0.05
MUS: Final = (0.1, 0.25, 0.5, 1.0)
TABLE: Final = Table((P,))
LINEAR: Final = (3 / 11) ** 0.5  # Cohen's w of the probabilities 1/55, 2/55, …, 10/55
HALFWAY: Final = LINEAR / 2
STEEPER: Final = 0.63
DISTRIBUTIONS: Final = {0.0: "uniform", HALFWAY: "halfway", LINEAR: "linear", STEEPER: "steeper"}


def probabilities_of(strength: float, pattern: str = "trend") -> Array:
    """Return cell probabilities of ten cells, of shape (10,)."""
    return population.probabilities((P,), pattern, strength)


def tables(
    probabilities: Array, rng: np.random.Generator, samples: int, n: int = N
) -> NDArray[np.int64]:
    """Sample multinomial tables, of shape (samples, 10)."""
    return rng.multinomial(n, probabilities, size=samples)


def pearson(release: Array, theta: Array) -> Array:
    """Return Pearson's statistics, of shape (samples,), of releases of shape (samples, 10)."""
    return statistics.pearson(release[:, np.newaxis], theta[np.newaxis], 0.0)


def projected(release: Array, theta: Array, variance: float) -> Array:
    """Return the projected statistics, as `pearson`."""
    return statistics.projected(release[:, np.newaxis], theta[np.newaxis], variance)


def critical_value(null: Array) -> float:
    """Return the least T with p = (1 + #{T* ≥ T})/(B + 1) ≤ 5%, from B samples of the null."""
    k = int(LEVEL * (len(null) + 1) * (1 + 1e-12))
    return float(np.partition(null, len(null) - k)[len(null) - k])
