"""Checks of probability vectors: nonnegative numbers with sum 1, to the input's precision."""

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core._typing import Array
from explorer.core.parameter import Argument, Parameter
from explorer.core.sensitivity import check_cells

SUM_TOLERANCE: Final = 1e-9
ROUNDINGS: Final = 16  # of numbers near 1, in a format too coarse for `SUM_TOLERANCE`


def check_probabilities(argument: Argument, values: ArrayLike, p: int) -> Array:
    """Return probability vectors as float64 with sum 1 to rounding, or raise.

    Parameters
    ----------
    argument : Argument
        Name, symbol and meaning for the message.
    values : array_like of shape (..., p)
        Nonnegative, with sum 1 along the last axis within `sum_tolerance` of their format.
    p : int
        Number of outcomes.

    Returns
    -------
    ndarray of shape (..., p)
        The same numbers over their sum.

    Raises
    ------
    ParameterError
        If the last axis has another length, an entry is no number or negative, or a sum is not 1.
    """
    return normalised(argument, values, check_cells(argument.name, argument.symbol, values, p))


def normalised(argument: Argument | Parameter, values: ArrayLike, numbers: Array) -> Array:
    """Return `numbers`, which are `values` as float64, over their sums along the last axis, or raise.

    Raises
    ------
    ParameterError
        If a number is negative, or a sum is not 1 within `sum_tolerance` of `values`; the message
        says how far it is from 1.
    """
    if (numbers < 0).any():
        rule = f"must be nonnegative with sum 1, but holds {float(numbers.min()):g}"
        raise argument.refuse(values, rule)
    totals = numbers.sum(axis=-1, keepdims=True)
    tolerance = sum_tolerance(values)
    excess = totals - 1
    if not (np.abs(excess) <= tolerance).all():
        worst = float(excess.ravel()[np.argmax(np.abs(excess))])
        side = "above" if worst > 0 else "below"
        rule = (
            f"must be nonnegative with sum 1, but the sum is {abs(worst):.3g} {side} 1 "
            f"(at most {tolerance:.2g} passes for rounding)"
        )
        raise argument.refuse(values, rule)
    return numbers / totals


def sum_tolerance(values: ArrayLike) -> float:
    """Return how far from 1 a sum of probabilities may be: more for single or half precision."""
    raw: NDArray[Any] = np.asarray(values)
    if raw.dtype.kind != "f":
        return SUM_TOLERANCE
    return max(SUM_TOLERANCE, ROUNDINGS * float(np.finfo(raw.dtype).eps))
