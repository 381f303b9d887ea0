"""Costs by simulation next to those by formula, and levels next to what chance allows."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from scipy.special import betaln, ndtri

from explorer.paper._shown import Array, Shown, head

FALSE_ALARM: Final = 1e-6
NULL_DRAWS: Final = 10  # null draws of `chisq.power` for each replicate


@dataclass(frozen=True, eq=False, repr=False)
class Simulated(Shown):
    """Costs by formula and by simulation.

    Attributes
    ----------
    name : tuple of str
        What was simulated.
    formula, simulated : ndarray of shape (m,)
        Expected and mean squared error, in squared units of the statistic.
    deviation : ndarray of shape (m,)
        Distance of the two in standard errors.
    limit : float
        What the largest deviation stays below, but for once in 10⁶ studies like this: the means
        are taken as normal, with Bonferroni's bound for their number.
    """

    name: tuple[str, ...] = field(metadata=head("simulated"))
    formula: Array = field(metadata=head("formula"))
    simulated: Array = field(metadata=head("mean of the draws"))
    deviation: Array = field(metadata=head("standard errors apart"))
    limit: float = field(metadata=head("limit of the last column"))


def compare(studies: dict[str, tuple[float, Array]]) -> Simulated:
    """Compare expected losses with draws of shape (draws,), by name.

    Parameters
    ----------
    studies : dict of str to (float, ndarray of shape (draws,))
        What the loss is on average by the formula, and its draws, by name.
    """
    formulas = np.array([formula for formula, _ in studies.values()])
    means = np.array([losses.mean() for _, losses in studies.values()])
    errors = np.array([losses.std() / len(losses) ** 0.5 for _, losses in studies.values()])
    limit = -float(ndtri(FALSE_ALARM / 2 / len(studies)))
    return Simulated(tuple(studies), formulas, means, (means - formulas) / errors, limit)


def level_band(level: float, replicates: int, cells: int = 1) -> tuple[float, float]:
    """Return between which shares a test of a right level rejects in all of several cells.

    Parameters
    ----------
    level : float
        Level α of the test.
    replicates : int
        Number R of releases in each cell; the critical value comes from B = 10 R others.
    cells : int
        Number of cells, each with its own draws.

    Returns
    -------
    tuple of float
        Lowest and highest share. One of the cells leaves them with probability 1e-6 at most.

    Notes
    -----
    The critical value is the k-th largest of B draws, so that the chance to exceed it has the law
    Beta(k, B + 1 - k) if the statistic is continuous; the number of rejections is then
    beta-binomial, whatever the statistic is.
    """
    draws = NULL_DRAWS * replicates
    k = int(level * (draws + 1) * (1 + 1e-12))
    x = np.arange(replicates + 1)
    ways = -betaln(x + 1, replicates - x + 1) - np.log(replicates + 1)
    probability = np.exp(
        ways + betaln(x + k, replicates - x + draws + 1 - k) - betaln(k, draws + 1 - k)
    )
    tail = FALSE_ALARM / 2 / cells
    low = int(np.searchsorted(probability.cumsum(), tail))
    high = replicates - int(np.searchsorted(probability[::-1].cumsum(), tail))
    return low / replicates, high / replicates
