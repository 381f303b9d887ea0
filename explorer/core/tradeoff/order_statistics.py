r"""Bounds on all order statistics of a uniform sample at once.

:math:`U_{(i)}` has a beta distribution. Its quantiles at the same local level for every i bound it more
evenly than a band of constant width does, and most in the tails. The local level is the one at which
the whole band holds with the required probability, which is computed exactly: the sample is a Poisson
process given its total, and a recursion over the bounds follows its count.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainccinv, betaincinv, gammaln, xlogy

from explorer.core._typing import Array

KNOTS, ENDS = 1 << 11, 64  # order statistics with bounds, and of these the outermost on each side
EXACT = 1 - 1e-9  # beyond, the rounding of the coverage would count


class OrderBounds(NamedTuple):
    """Lower and upper bounds on some order statistics, of numbers `numbers` counted from one."""

    numbers: NDArray[np.int64]
    lower: Array
    upper: Array


@lru_cache(maxsize=32)
def order_bounds(size: int, confidence: float) -> OrderBounds:
    """Return bounds that hold for all order statistics at once.

    Parameters
    ----------
    size : int
        Number n of independent uniform variables.
    confidence : float
        Probability, in [0.01, 1), with which all bounds hold.

    Returns
    -------
    OrderBounds
        Arrays of shape (m,). All n of them up to `KNOTS`; of a larger sample about so many, spaced evenly
        in standard deviations but for the outermost `ENDS`, so that others are bounded by their
        neighbours among these.
    """
    index = np.arange(1, size + 1)
    if size > KNOTS:
        spaced = 1 + (size - 1) * (1 + np.sin(np.linspace(-np.pi / 2, np.pi / 2, KNOTS))) / 2
        index = np.union1d(np.round(spaced).astype(np.int64), [index[:ENDS], index[-ENDS:]])
    rest = size + 1 - index

    def bounds_at(level: float) -> OrderBounds:
        tail = np.full(len(index), level / 2)
        lower, upper = betaincinv(index, rest, tail), betainccinv(index, rest, tail)
        for array in (index, lower, upper):
            array.setflags(write=False)
        return OrderBounds(index, lower, upper)

    if confidence > EXACT:
        return bounds_at((1 - confidence) / len(index))
    # The log of the coverage is nearly proportional to the level. One a little above is aimed at, so
    # that the secant's next guess is as a rule on the safe side.
    spare = 0.01 * (1 - confidence)
    goal = np.log(-np.log(confidence + spare / 2))
    guess, before = np.log((1 - confidence) / (1 + 4 * np.log(size))), None
    while True:
        bounds = bounds_at(float(np.exp(guess)))
        held = coverage(size, bounds)
        if confidence <= held <= confidence + spare:
            return bounds
        value = np.log(-np.log(max(held, 1e-300))) - goal
        slope = 1.0 if before is None else (value - before[1]) / (guess - before[0])
        before = guess, value
        guess = guess - value / slope


def coverage(size: int, bounds: OrderBounds) -> float:
    """Return the probability with which all the bounds hold.

    As u passes the lower bound of the i-th, less than i of the sample may lie below; as it passes the
    upper one, at least i must. The number below is followed from bound to bound.
    """
    count = len(bounds.numbers)
    times = np.concatenate([bounds.lower, bounds.upper, [1.0]])
    most = np.concatenate([bounds.numbers - 1, np.full(count + 1, size)])
    least = np.concatenate([np.zeros(count, dtype=np.int64), bounds.numbers, [size]])
    order = np.argsort(times, kind="stable")
    means = size * np.diff(times[order], prepend=0.0)
    longest = int(means.max() + 10 * np.sqrt(means.max()) + 16)
    counts = np.arange(longest)
    log_factorials = gammaln(counts + 1.0)
    first, state = 0, np.ones(1)
    for mean, high, low in zip(
        means.tolist(), most[order].tolist(), least[order].tolist(), strict=True
    ):
        begin = max(0, int(mean - 10 * mean**0.5 - 4))
        end = int(mean + 10 * mean**0.5 + 16)
        step = np.exp(xlogy(counts[begin:end], mean) - mean - log_factorials[begin:end])
        state = _convolve(state, step)
        first += begin
        skip = max(low - first, 0)
        state = state[skip : max(high + 1 - first, 0)]
        first += skip
        if state.size == 0:
            return 0.0
    total = xlogy(size, size) - size - gammaln(size + 1.0)
    return float(state[0] / np.exp(total))


def _convolve(state: Array, step: Array) -> Array:
    length = len(state) + len(step) - 1
    if len(state) * len(step) < 1 << 16:
        return np.convolve(state, step)
    size = 1 << length.bit_length()
    product: Array = np.fft.irfft(np.fft.rfft(state, size) * np.fft.rfft(step, size), size)
    return product[:length]
