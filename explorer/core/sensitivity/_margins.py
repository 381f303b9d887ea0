"""Sets of variables, and the marginal tables of single records."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.core._typing import Array
from explorer.core.quantities import MARGINS
from explorer.core.sensitivity._effects import Variables


def check_margins(margins: Sequence[Sequence[int]], variables: int) -> tuple[Variables, ...]:
    """Return sets of variables as increasing tuples of ints, or raise.

    Parameters
    ----------
    margins : sequence of sequence of int
        Each set once, each variable at most once in a set.
    variables : int
        How many there are; they count from 0.

    Returns
    -------
    tuple of tuple of int
        The same sets in the same order.

    Raises
    ------
    ParameterError
        If there is no set, a set is there twice, or one holds anything but such variables.
    """
    sets = margins if isinstance(margins, Sequence) and not isinstance(margins, str) else ()
    if not sets:
        rule = "must be a list of at least one set of variables"
    elif not all(_is_set(one, variables) for one in sets):
        rule = f"must hold sets of different whole numbers from 0 to {variables - 1}"
    else:
        ordered = tuple(tuple(sorted(int(k) for k in one)) for one in sets)
        if len(set(ordered)) == len(ordered):
            return ordered
        rule = "must hold every set of variables once"
    raise MARGINS.refuse(margins, rule)


def _is_set(one: object, variables: int) -> bool:
    if not isinstance(one, Sequence) or isinstance(one, str):
        return False
    whole = all(isinstance(k, (int, np.integer)) and not isinstance(k, bool) for k in one)
    return whole and all(0 <= k < variables for k in one) and len(set(one)) == len(one)


def indicators(records: NDArray[np.intp], levels: Sequence[int]) -> Array:
    """Return the margins of records with these variables, of shape (records, cells)."""
    index = np.zeros(len(records), dtype=np.intp)
    for column, count in zip(records.T, levels, strict=True):
        index = index * count + column
    return np.eye(math.prod(levels))[index]
