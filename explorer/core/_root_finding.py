"""A root finder of our own.

`scipy.optimize` would do, but importing it costs some 25 MiB and a quarter of a second in the
kernel of every visitor, and its bracketing methods take one scalar at a time.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PATIENCE = 12
LIMIT = 200


def increasing_root(
    function: Callable[[Array], tuple[Array, Array]],
    low: Array,
    high: Array,
    start: Array,
    last_step: float = 2**-30,
) -> Array:
    """Roots of increasing functions, one in each bracket.

    Parameters
    ----------
    function : callable
        Maps abscissae of shape (...) to values and slopes of shape (...). Values increase with the
        abscissa; a slope of 0 or NaN costs time only, others must be about right.
    low, high, start : ndarray
        Finite brackets of nonnegative numbers and where to begin inside them; they broadcast.
    last_step : float
        A step below this part of the root is the last; the error left is about its square.

    Returns
    -------
    ndarray of shape (...)
        Where each function changes sign, to the rounding of root and values. The nearer end of the
        bracket, but for rounding, if there is no change.

    Notes
    -----
    Newton's step, or half the bracket where that step would leave it; after `PATIENCE` rounds every
    second round halves, so that `LIMIT` evaluations suffice for brackets with ends up to 2**40 times
    as large as the root. The functions of this package are concave, start near, and take about
    four.
    """
    root = start
    with np.errstate(all="ignore"):  # Newton's step may divide by zero and is then not taken
        for round_ in range(LIMIT):
            value, slope = function(root)
            negative = value < 0
            low, high = np.where(negative, root, low), np.where(negative, high, root)
            newton = root - value / slope
            last = abs(newton - root) <= last_step * root
            if last.all():
                return np.clip(newton, low, high)
            inside = (low <= newton) & (newton <= high)  # false for NaN
            if round_ > PATIENCE:
                if (last | (high - low <= 2**-51 * high)).all():
                    break
                inside &= round_ % 2 == 0
            root = np.where(inside | last, newton, (low + high) / 2)
    return np.clip(root, low, high)
