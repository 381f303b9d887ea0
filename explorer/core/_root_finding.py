"""A vectorised root finder.

Importing `scipy.optimize` costs some 25 MiB and a quarter of a second in the
kernel of every visitor, and its bracketing methods take one scalar at a time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from explorer.core._typing import Array, Mask

NEWTON_ROUNDS: Final = 12
MOST_ROUNDS: Final = 200
BRACKET_ROUNDING: Final = 2.0**-51


class NotConvergedError(ArithmeticError):
    """An iteration ended without the accuracy that its caller relies on: a fault of this package."""


@dataclass(frozen=True, slots=True)
class Roots:
    """What a root finder returns.

    Attributes
    ----------
    values : ndarray of shape (...)
        The last iterates.
    converged : ndarray of bool, of shape (...)
        Whether each is a root to the required accuracy.
    rounds : int
        Number of evaluations of the function.
    """

    values: Array
    converged: Mask
    rounds: int

    def checked(self, equation: str) -> Array:
        """Return the roots.

        Parameters
        ----------
        equation : str
            Name of the equation, for the message.

        Raises
        ------
        NotConvergedError
            If one of them has not converged.
        """
        if not self.converged.all():
            count, of = np.count_nonzero(~self.converged), self.converged.size
            text = f"no root of {equation} after {self.rounds} rounds, for {count} of {of}"
            raise NotConvergedError(text)
        return self.values


def increasing_root(
    function: Callable[[Array], tuple[Array, Array]],
    low: Array,
    high: Array,
    start: Array,
    last_step: float = 2**-30,
) -> Roots:
    """Roots of increasing functions, one in each bracket.

    Parameters
    ----------
    function : callable
        Maps abscissae of shape (...) to values and slopes of shape (...). Values increase with the
        abscissa; slopes affect speed only: 0 or less, or NaN, means a bisection, a wrong one slows
        convergence down.
    low, high, start : ndarray
        Finite brackets of nonnegative numbers and where to begin inside them; they broadcast.
    last_step : float
        A step below this part of the root is the last; the error left is about its square where
        slopes are exact, and that step times the relative error of the slope elsewhere.

    Returns
    -------
    Roots of shape (...)
        Where each function changes sign, to the rounding of root and values. The nearer end of the
        bracket, but for rounding, if there is no change.

    Notes
    -----
    Newton's step, or half the bracket where that step would leave it; after `NEWTON_ROUNDS` every
    second round halves, so that `MOST_ROUNDS` suffice for brackets with ends up to 2**40 times as
    large as the root. The functions of this package are concave, start near, and take about four.
    """
    root = start
    with np.errstate(all="ignore"):  # Newton's step may divide by zero and is then not taken
        for round_ in range(MOST_ROUNDS):
            value, slope = function(root)
            negative = value < 0
            low, high = np.where(negative, root, low), np.where(negative, high, root)
            newton = root - value / np.where(slope > 0, slope, np.nan)
            last = (abs(newton - root) <= last_step * root) | (value == 0)
            newton = np.where(value == 0, root, newton)
            if round_ > NEWTON_ROUNDS:
                last |= high - low <= BRACKET_ROUNDING * high
            inside = (low <= newton) & (newton <= high)  # false for NaN
            step = np.where(inside | last, np.clip(newton, low, high), (low + high) / 2)
            step = np.where(np.isnan(step), (low + high) / 2, step)
            if last.all():
                return Roots(step, last, round_ + 1)
            if round_ > NEWTON_ROUNDS and round_ % 2:
                step = np.where(last, step, (low + high) / 2)
            root = step
    return Roots(root, last, MOST_ROUNDS)
