"""Laws of the statistics when multinomial tables are taken for normal ones.

Under cell probabilities π the table is then normal with mean nπ and covariance
n(diag π - ππᵀ), exact to first and second moments, and the noise adds σ²I or σ²P to it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from explorer.core.chisq._release_law import ReleaseLaw
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
    if quadratic:
        e = expected + variance
        rest = float((null * variance / e).sum())
        with np.errstate(divide="ignore"):  # a cell of probability 0
            ratios = np.where(laws > 0, laws / null, 0.0)
        largest = np.minimum(np.maximum(ratios, 1).max(axis=1), 1 + n * laws.max(axis=1) / variance)
        return ReleaseLaw(
            e, math.sqrt(n) * null, rest, d, tuple(x), n * (laws - null), 0.5 / largest
        )
    e = expected + variance if statistic.name == "ridge" else expected
    bound = 0.5 / (d / e).max(axis=1)
    return ReleaseLaw(e, None, 1.0, d, tuple(x), n * (laws - null), bound)


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
