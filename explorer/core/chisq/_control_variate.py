"""Power from simulated statistics, with a test of known power as control variate."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.core.chisq._power import TIE, Power, PowerMethod, proportion_error

Array = NDArray[np.float64]
Rejections = NDArray[np.bool_]


class Sample(NamedTuple):
    """A statistic under m alternatives and the rejections of another, from the same random numbers.

    Attributes
    ----------
    values : ndarray of shape (m, count)
    known : ndarray of shape (m, count)
    """

    values: Array
    known: Rejections


def controlled(null: Sample, sample: Sample, curve: Array, level: float) -> Power:
    """Return the power of a statistic, with the rejections of another of known power as control.

    Parameters
    ----------
    null : Sample
        Under the null hypothesis, of shape (1, many).
    sample : Sample
        Under the null hypothesis and m alternatives, of shape (1 + m, count).
    curve : ndarray of shape (1 + m,)
        Probabilities of the known rejections.
    level : float
        Level of the test.
    """
    thresholds = _thresholds(null, float(curve[0]), level)
    values, known = sample.values[1:], sample.known[1:]
    rejected = values > thresholds[0]
    slope, spread = _regression(rejected, known)
    power = np.clip(_rates(rejected) - slope * (_rates(known) - curve[1:]), 0.0, 1.0)
    low, high = (_rates(values > threshold) for threshold in thresholds[1:])
    spread = np.maximum(spread, proportion_error(0.0, rejected.shape[1]))
    error = np.hypot(spread, (high - low) / 2)
    return Power(power, error, float(thresholds[0]), False, PowerMethod.NORMAL_TABLES)


def _thresholds(null: Sample, known: float, level: float) -> Array:
    """Return the critical value of a level, and those one standard error of it above and below."""
    count = null.values.shape[1]
    ordered = np.sort(null.values[0])[::-1]
    slope, spread = _regression(null.values > ordered[int(level * count)], null.known)
    share = level + slope[0] * (_rates(null.known)[0] - known)
    ranks = (share + spread[0] * np.array([0.0, -1.0, 1.0])) * count
    thresholds = ordered[np.clip(np.rint(ranks), 0, count - 1).astype(int)]
    margins: Array = thresholds + TIE * (1 + thresholds)
    return margins


def _regression(rejected: Rejections, known: Rejections) -> tuple[Array, Array]:
    """Return the slopes of rows on their controls, and the standard errors of means about them."""
    first, second, both = _rates(rejected), _rates(known), _rates(rejected & known)
    variance = np.maximum(second * (1 - second), 1e-12)
    covariance = both - first * second
    left = np.maximum(first * (1 - first) - covariance**2 / variance, 0.0)
    return covariance / variance, np.sqrt(left / rejected.shape[1])


def _rates(rejected: Rejections) -> Array:
    """Return the means of rows; counting row by row is many times faster than `mean`."""
    counts = [np.count_nonzero(row) / rejected.shape[1] for row in rejected]
    return np.array(counts)
