"""Distributions on finitely many outcomes, for which every event can be tried."""

import numpy as np
from scipy.special import ndtr

from explorer.paper._result import Array

REACH = (
    8.0  # where the outermost cells of a rounded normal distribution begin, in standard deviations
)


def events(outcomes: int) -> Array:
    """Return all events, of shape (2**outcomes, outcomes), as indicators of their outcomes."""
    members: Array = (np.arange(2**outcomes)[:, np.newaxis] >> np.arange(outcomes) & 1).astype(
        float
    )
    return members


def rounded_normals(mu: float, cuts: Array) -> tuple[Array, Array]:
    """Return the probabilities of N(0, 1) and N(μ, 1) in the cells between ascending cuts.

    Parameters
    ----------
    mu : float
        Mean of the second distribution.
    cuts : ndarray of shape (m,)
        Ends of the cells, in increasing order; the outermost two cells are unbounded.

    Returns
    -------
    tuple of ndarray of shape (m + 1,)
        Probabilities of the cells under either distribution.
    """
    # The upper half by its survival function: 1 minus a probability near 1 loses its digits.
    distributions = []
    for centre in (0.0, mu):
        below, above = ndtr(cuts - centre), ndtr(centre - cuts)
        inner = np.where(cuts[1:] < centre, np.diff(below), -np.diff(above))
        distributions.append(np.concatenate([below[:1], inner, above[-1:]]))
    return distributions[0], distributions[1]


def fine_cuts(mu: float, cells: int = 40_000) -> Array:
    """Return cuts so close together that rounding to them loses next to nothing."""
    cuts: Array = np.linspace(-REACH, mu + REACH, cells - 1)
    return cuts
