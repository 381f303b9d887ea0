"""Saddle points of tilted multinomial tables.

Independent Poisson counts K_i of means nπ_i, given that their sum is n, are a multinomial table.
The tilted cell has the weights e^{ηk - a(k - c)²} P(K_i = k); the tilt η brings the sum of the
means to n.
"""

from typing import NamedTuple

import numpy as np
from scipy import special

from explorer.core._typing import Array

MOST_STEPS = 200


class Cells(NamedTuple):
    """Cells of a multinomial table: n, expected counts nπ > 0 and how many cells have each."""

    n: float
    means: Array
    counts: Array

    def total(self, values: Array) -> Array:
        """Return sums over all cells, of shape (m, 1), of values of shape (m, g)."""
        return values @ self.counts[:, np.newaxis]


class Saddle(NamedTuple):
    """Tilts of shape (m, 1), means and variances of tilted cells of shape (m, g)."""

    tilt: Array
    mean: Array
    variance: Array


def tilted(cells: Cells, a: Array, centres: Array, tilt: Array) -> Saddle:
    """Return means and variances of tilted cells whose counts are real numbers.

    The mean m solves log m + 2a(m - c) = log nπ + η: Wright's omega function.
    """
    exponent = np.log(2 * a * cells.means) + tilt + 2 * a * centres
    mean = special.wrightomega(exponent) / (2 * a)
    return Saddle(tilt, mean, mean / (1 + 2 * a * mean))


def smooth_saddle(cells: Cells, a: Array, centres: Array, tilt: Array) -> Saddle:
    """Return the saddle points of a table whose counts are real numbers.

    Parameters
    ----------
    cells : Cells
        Distribution of the table, with g distinct cells.
    a, tilt : ndarray of shape (m, 1)
        Positive a and first tilts.
    centres : ndarray of shape (m, g)
        Centres c.

    Returns
    -------
    Saddle
        Tilts at which the means have the sum n, to a thousandth of its deviation.
    """
    largest = (np.log(2 * a * cells.means) + 2 * a * centres).max(axis=1, keepdims=True)
    below, above = (  # the largest mean lies between n/p and n
        np.log(2 * a * mean) + 2 * a * mean - largest
        for mean in (0.9 * cells.n / cells.counts.sum(), 1.1 * cells.n)
    )
    tilt = np.clip(tilt, below, above)
    for _ in range(MOST_STEPS):
        saddle = tilted(cells, a, centres, tilt)
        excess = cells.total(saddle.mean) - cells.n
        spread = cells.total(saddle.variance)
        if (np.abs(excess) < 1e-3 * np.sqrt(spread) + 1e-9 * cells.n).all():
            break
        tilt = narrowed_step(tilt, excess / np.maximum(spread, 1e-300), below, above)
    return saddle


def narrowed_step(x: Array, step: Array, below: Array, above: Array) -> Array:
    """Return `x` less a step towards a root, or the middle of its bracket.

    Parameters
    ----------
    x, step : ndarray of shape (m, 1)
        Where increasing functions were evaluated, and their values over their slopes.
    below, above : ndarray of shape (m, 1)
        Brackets of the roots; `x` replaces one of their ends.

    Returns
    -------
    ndarray of shape (m, 1)
        Where to evaluate next.
    """
    np.copyto(below, x, where=step < 0)
    np.copyto(above, x, where=step > 0)
    inside = (x - step > below) & (x - step < above)
    with np.errstate(invalid="ignore"):  # inf - inf where a bracket is open, and not taken
        middle = below / 2 + above / 2
    return np.where(inside, x - step, middle)
