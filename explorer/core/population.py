"""What the unknown table may look like: cell probabilities from a pattern and a strength.

π = 1/p + (w/√p) u, where the unit vector u of zero sum is the direction of the pattern and
w is Cohen's effect size w = √(p Σ(π - 1/p)²) of the table against the uniform one. With n
records and noise of standard deviation σ, shrinkage to the uniform table sees the
noncentrality τ = n²w²/(pσ²).
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core._probabilities import check_probabilities
from explorer.core.parameter import Argument
from explorer.core.quantities import PROBABILITIES, STRENGTH
from explorer.core.sensitivity import check_cells, check_shape

PATTERN = Argument("pattern", "u", "pattern of the table")
ROUNDING = 1e-12


def direction(shape: Sequence[int], pattern: str | ArrayLike) -> NDArray[np.float64]:
    """Return the direction in which a pattern departs from the uniform table.

    Parameters
    ----------
    shape : sequence of int
        Numbers of levels, p cells in all.
    pattern : str or array_like of p numbers
        A name of `PATTERNS`, or nonnegative weights of the cells (counts of an example or
        typed table, of any scale) in C order.

    Returns
    -------
    ndarray of shape (p,)
        Unit vector of zero sum. Zero if the weights are uniform, which has no direction.

    Raises
    ------
    ParameterError
        If the pattern is unknown or does not exist for this shape.
    """
    levels = check_shape(shape)
    if not isinstance(pattern, str):
        return _centred(_shares(levels, pattern))
    if pattern not in PATTERNS:
        raise PATTERN.refuse(pattern, f"must be one of {', '.join(PATTERNS)} or the table's cells")
    if pattern not in patterns_for(levels):
        raise PATTERN.refuse(pattern, "needs at least two rows and two columns")
    return _centred(_CONTRASTS[pattern](levels).ravel())


def max_strength(shape: Sequence[int], pattern: str | ArrayLike) -> float:
    """Return the largest strength at which every cell probability is at least 0.

    Parameters
    ----------
    shape, pattern
        As for `direction`.

    Returns
    -------
    float
        Cohen's w, a pure number; √(p - 1) for "spike", 0 for uniform weights.

    Raises
    ------
    ParameterError
        As for `direction`.
    """
    u = direction(shape, pattern)
    lowest = -float(u.min())
    return 1 / (math.sqrt(u.size) * lowest) if lowest else 0.0


def probabilities(
    shape: Sequence[int], pattern: str | ArrayLike, strength: ArrayLike
) -> NDArray[np.float64]:
    """Return cell probabilities of a pattern.

    Parameters
    ----------
    shape, pattern
        As for `direction`.
    strength : array_like of shape (...)
        Cohen's w against the uniform table, in [0, `max_strength`].

    Returns
    -------
    ndarray of shape (..., p)
        Nonnegative, with sum 1 to rounding; uniform at strength 0.

    Raises
    ------
    ParameterError
        As for `direction`, or if a probability would be negative.
    """
    w = STRENGTH.check(strength)
    u = direction(shape, pattern)
    most = max_strength(shape, pattern)
    if (w > most * (1 + ROUNDING)).any():
        rule = f"must be at most {most:.6g} for this pattern and table"
        raise STRENGTH.refuse(float(w.max()), rule)
    w = np.minimum(w, most)
    pi = 1 / u.size + w[..., np.newaxis] / math.sqrt(u.size) * u
    return np.maximum(pi, 0.0)  # the least is 0 but for rounding


def strength(probabilities: ArrayLike) -> NDArray[np.float64]:
    """Return Cohen's w of cell probabilities against the uniform table.

    Parameters
    ----------
    probabilities : array_like of shape (..., p)
        Nonnegative, with sum 1.

    Returns
    -------
    ndarray of shape (...)
        √(p Σ(π - 1/p)²), in [0, √(p - 1)].

    Raises
    ------
    ParameterError
        If a probability is negative or a sum is not 1 but for rounding.
    """
    p = np.atleast_1d(probabilities).shape[-1]
    pi = check_probabilities(PROBABILITIES, probabilities, p)
    return math.sqrt(p) * np.linalg.norm(pi - 1 / p, axis=-1)


def patterns_for(shape: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the patterns that exist for tables of this shape, in menu order."""
    two_way = sum(n > 1 for n in check_shape(shape)) > 1
    return tuple(name for name in PATTERNS if two_way or name != "interaction")


def _spike(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """One large cell: the second of each variable, off the corner where there is room."""
    cells = np.zeros(shape)
    cells[tuple(min(1, n - 1) for n in shape)] = 1
    return cells


def _split(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """First half of the cells up, last half down; the middle one of an odd number stays."""
    return -np.sign(_trend(shape))


def _trend(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Linear in the cell number."""
    return _linear(math.prod(shape))


def _interaction(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Linear in the row times linear in the column: the first two variables with levels."""
    cells = np.ones(shape)
    for axis in [axis for axis, n in enumerate(shape) if n > 1][:2]:
        along = [n if axis == other else 1 for other, n in enumerate(shape)]
        cells *= _linear(shape[axis]).reshape(along)
    return cells


def _linear(n: int) -> NDArray[np.float64]:
    return np.arange(n, dtype=np.float64) - (n - 1) / 2


_CONTRASTS: dict[str, Callable[[tuple[int, ...]], NDArray[np.float64]]] = {
    "spike": _spike,
    "split": _split,
    "trend": _trend,
    "interaction": _interaction,
}
PATTERNS = tuple(_CONTRASTS)


def _shares(shape: tuple[int, ...], weights: ArrayLike) -> NDArray[np.float64]:
    cells = check_cells("pattern", "π", np.ravel(weights), math.prod(shape))
    largest = float(cells.max())
    if (cells < 0).any() or largest == 0:
        raise PATTERN.refuse(weights, "must hold nonnegative cells, not all 0")
    # By a power of two, which rounds nothing: weights may differ in their last digits only.
    return np.ldexp(cells, -np.frexp(largest)[1])


def _centred(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    if np.ptp(cells) <= ROUNDING * np.abs(cells).max():
        return np.zeros_like(cells)
    # Differences of near numbers are exact, and keep the digits that the mean would round away.
    centred = cells - cells.min()
    centred -= centred.mean()
    return centred / np.linalg.norm(centred)
