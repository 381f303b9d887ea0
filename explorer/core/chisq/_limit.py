"""Laws of the statistics when multinomial tables are taken for normal ones.

Under cell probabilities π the table is then normal with mean nπ and covariance
n(diag π - ππᵀ), exact to first and second moments, and the noise adds σ²I or σ²P to it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from explorer.core.chisq._normal_release import ReleaseLaw
from explorer.core.chisq.statistics import Statistic
from explorer.core.mechanisms import Mechanism

Array = NDArray[np.float64]


def release_law(
    null: Array, n: float, laws: Array, statistic: Statistic, variance: float, *, centred: bool
) -> ReleaseLaw:
    """Return the laws of a statistic of releases with normal noise.

    Parameters
    ----------
    null : ndarray of shape (p,)
        Probabilities under the null hypothesis.
    n : float
        Number of records.
    laws : ndarray of shape (m, p)
        Probabilities of the tables.
    statistic : Statistic
        Of `STATISTICS`.
    variance : float
        Of the noise before any projection, σ²; 0 for the table itself.
    centred : bool
        Whether the noise has sum 0.
    """
    expected = n * null
    d = n * laws + variance
    x = [math.sqrt(n) * laws]
    quadratic = statistic.name == "projected" and variance > 0
    if centred or quadratic:
        x.append(np.full_like(laws, math.sqrt(variance / len(null))))
    mean = n * (laws - null)
    if quadratic:
        with np.errstate(divide="ignore", invalid="ignore"):  # a cell of probability 0
            ratios = np.where(laws > 0, laws / null, 0.0)
        # As a form a multinomial covariance is at most max π/π₀ times that of π₀.
        largest = np.minimum(np.maximum(ratios, 1).max(axis=1), 1 + n * laws.max(axis=1) / variance)
        e = expected + variance
        return ReleaseLaw(e, d, tuple(x), mean, 0.5 / largest, (null, n, variance))
    e = expected + variance if statistic.name == "ridge" else expected
    return ReleaseLaw(e, d, tuple(x), mean, 0.5 / (d / e).max(axis=1))


def of_mechanism(
    mechanism: Mechanism | None, null: Array, n: float, laws: Array, statistic: Statistic
) -> ReleaseLaw:
    """Return the laws for the noise of a mechanism, or for none, before any shrinkage."""
    if mechanism is None:
        return release_law(null, n, laws, statistic, 0.0, centred=False)
    return release_law(null, n, laws, statistic, mechanism.variance, centred=is_centred(mechanism))


def is_centred(mechanism: Mechanism) -> bool:
    """Return whether the noise of a table has sum 0."""
    return mechanism.on_span and mechanism.statistic.rank < mechanism.statistic.p
