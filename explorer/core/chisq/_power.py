"""A power curve, the errors of simulated proportions, and the critical value of a simulation."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

TIE = 1e-9  # statistics this near are equal: a release shrunk to its centre has 0 but for rounding


class PowerMethod(StrEnum):
    """How a power was computed."""

    SIMULATION = "simulation"
    """From simulated releases of multinomial tables."""
    WEIGHTED_CHI2 = "weighted-chi2"
    """From the distribution Σ λ χ²₁(δ) that the statistic of normal tables has."""
    NORMAL_TABLES = "normal-tables"
    """From simulated normal tables."""


@dataclass(frozen=True, slots=True, eq=False)
class Power:
    """Power of a test against some alternatives; its level, where the alternative is the null.

    Attributes
    ----------
    power : ndarray of shape (m,)
        Probabilities of rejection.
    error : ndarray of shape (m,)
        Standard error of each: of the simulation, of the critical value included. 0 where nothing
        is simulated, and there only.
    critical_value : float
        What the statistic must exceed; NaN where every release has its own, in a bootstrap test.
    exact : bool
        Whether the power is that of the test itself but for `error`, without an approximation for
        many records.
    method : PowerMethod
        How it was computed.
    """

    power: Array
    error: Array
    critical_value: float
    exact: bool
    method: PowerMethod


def proportion_error(proportion: ArrayLike, count: int) -> Array:
    """Return the standard errors of proportions among `count`, by Agresti and Coull's centre.

    Two more successes and two more failures, so that no error is 0.
    """
    centre = (np.asarray(proportion) * count + 2) / (count + 4)
    error: Array = np.sqrt(centre * (1 - centre) / (count + 4))
    return error


def critical_value(null: Array, level: float) -> float:
    """Return the value above which p = (1 + #{T* ≥ T})/(B + 1) is at most the level.

    The k-th largest of the B statistics with k the whole part of α(B + 1); inf if that is 0.
    """
    k = most_reached(len(null), level)
    if k == 0:
        return np.inf
    value = float(np.partition(null, len(null) - k)[len(null) - k])
    return value + TIE * (1 + value)


def most_reached(count: int, level: float) -> int:
    """Return the largest k with k/(B + 1) ≤ α, for B simulated statistics."""
    return int(level * (count + 1) * (1 + 1e-12))


def reached(null: Array, values: Array) -> NDArray[np.int64]:
    """Return how many simulated statistics of shape (B, ...) reach values of shape (...)."""
    counts: NDArray[np.int64] = (null >= values - TIE * (1 + values)).sum(axis=0)
    return counts
