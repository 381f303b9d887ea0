"""A root finder of our own.

`scipy.optimize` would do, but importing it costs some 25 MiB and a quarter of a second in the
kernel of every visitor, and its bracketing methods take one scalar at a time.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LIMIT = 200
TOLERANCE = 4 * np.finfo(float).eps


def increasing_root(
    function: Callable[[Array], tuple[Array, Array]], low: Array, high: Array, start: Array
) -> Array:
    """Roots of increasing functions, one in each bracket.

    Parameters
    ----------
    function : callable
        Maps abscissae of shape (...) to values and slopes of shape (...). Values increase with the
        abscissa; a slope may be inf, NaN or wrong at the price of speed only.
    low, high, start : ndarray of shape (...)
        Finite brackets and where to begin inside them; they broadcast.

    Returns
    -------
    ndarray of shape (...)
        Where each function changes sign, to a few units in the last place of the root or to the
        rounding of the values, whichever is coarser. An end of the bracket if there is no change.

    Notes
    -----
    Newton's step, unless it leaves the bracket or is longer than half the step before the last;
    then the bracket is halved. Each root takes at most `LIMIT` evaluations; those of this package
    take about six, because they start near and their functions are concave or nearly so.
    """
    low, high, root = (part.copy() for part in np.broadcast_arrays(low, high, start))
    step = before = high - low
    done = low == high
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for _ in range(LIMIT):
            value, slope = function(root)
            low = np.where(value < 0, root, low)
            high = np.where(value > 0, root, high)
            newton = value / slope
            trusted = (2 * abs(newton) <= abs(before)) & (low < root - newton)
            trusted &= root - newton < high  # false for NaN
            tiny = abs(newton) <= TOLERANCE * abs(root)
            halving = np.where(tiny, 0.0, root - (low + high) / 2)
            before, step = step, np.where(trusted, newton, halving)
            step = np.where(done | (value == 0), 0.0, step)
            done = done | tiny | (value == 0) | (high - low <= TOLERANCE * abs(low))
            root = root - step
            if done.all():
                break
    return root
