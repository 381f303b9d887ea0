"""Laws on few outcomes, for which every event can be tried."""

import numpy as np
from scipy.special import ndtr

from explorer.paper._shown import Array

REACH = 8.0  # where the outermost cells of a rounded normal law begin, in standard deviations


def events(outcomes: int) -> Array:
    """Return all events, of shape (2**outcomes, outcomes), as indicators of their outcomes."""
    chosen: Array = (np.arange(2**outcomes)[:, np.newaxis] >> np.arange(outcomes) & 1).astype(float)
    return chosen


def rounded_normals(mu: float, cuts: Array) -> tuple[Array, Array]:
    """Return the laws of N(0, 1) and N(μ, 1), rounded to the cells between ascending cuts.

    Parameters
    ----------
    mu : float
        Mean of the second law.
    cuts : ndarray of shape (m,)
        Ends of the cells, in increasing order; the outermost two are infinite.
    """
    # The upper half by its survival function: 1 less a probability near one has no digits.
    laws = []
    for centre in (0.0, mu):
        below, above = ndtr(cuts - centre), ndtr(centre - cuts)
        inner = np.where(cuts[1:] < centre, np.diff(below), -np.diff(above))
        laws.append(np.concatenate([below[:1], inner, above[-1:]]))
    return laws[0], laws[1]


def fine_cuts(mu: float, cells: int = 40_000) -> Array:
    """Return cuts so close that rounding the two laws hardly loses anything."""
    cuts: Array = np.linspace(-REACH, mu + REACH, cells - 1)
    return cuts
