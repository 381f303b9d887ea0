"""What a power curve is, and its error."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TIE = 1e-9  # statistics this near count as equal: a release shrunk to its centre has 0 but for rounding


@dataclass(frozen=True, slots=True, eq=False)
class Power:
    """Power of a test against some alternatives; its level, where the alternative is the null.

    Attributes
    ----------
    power : ndarray of shape (m,)
        Probabilities of rejection.
    error : ndarray of shape (m,)
        Standard error of each: of the simulation, of the critical value included; 0 for a law.
    critical_value : float
        What the statistic must exceed; NaN where every release has its own, in a bootstrap test.
    exact : bool
        Whether the power is that of the test itself but for `error`, without a limit for many records.
    method : str
        "simulation"; "law" where the statistic of normal tables is Σ λ χ²₁; "normal tables" where
        normal tables are simulated.
    """

    power: Array
    error: Array
    critical_value: float
    exact: bool
    method: str


def critical_value(null: Array, level: float) -> float:
    """Return the value above which p = (1 + #{T* ≥ T})/(B + 1) is at most the level.

    The k-th largest of the B draws with k the whole part of α(B + 1); inf if that is 0.
    """
    k = int(level * (len(null) + 1) * (1 + 1e-12))
    if k == 0:
        return np.inf
    value = float(np.partition(null, len(null) - k)[len(null) - k])
    return value + TIE * (1 + value)
