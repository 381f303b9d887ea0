"""Simulated costs beside those by formula, and the range of shares that a right level allows."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from scipy.special import betaln, ndtri

from explorer.paper._result import Array, Result, heading

FALSE_ALARM: Final = 1e-6
NULL_SAMPLES: Final = 10  # samples of the null distribution for each replicate of `chisq.power`


@dataclass(frozen=True, eq=False, repr=False)
class Simulated(Result):
    """Costs by formula and by simulation.

    Attributes
    ----------
    name : tuple of str
        Mechanism and table.
    formula, simulated : ndarray of shape (m,)
        Expected and mean squared error, in squared units of the statistic.
    deviation : ndarray of shape (m,)
        Distance of the two in standard errors.
    bound : float
        The largest deviation exceeds this once in 10⁶ simulations like this one: the means are
        taken as normal, with Bonferroni's correction for their number.
    """

    name: tuple[str, ...] = field(metadata=heading("simulated"))
    formula: Array = field(metadata=heading("formula"))
    simulated: Array = field(metadata=heading("mean of the samples"))
    deviation: Array = field(metadata=heading("standard errors apart"))
    bound: float = field(metadata=heading("bound of the last column"))


def compare(losses: dict[str, tuple[float, Array]]) -> Simulated:
    """Compare expected losses with sampled ones.

    Parameters
    ----------
    losses : dict of str to (float, ndarray of shape (samples,))
        The mean loss by the formula, and a sample of losses, by name.
    """
    formulas = np.array([formula for formula, _ in losses.values()])
    means = np.array([sample.mean() for _, sample in losses.values()])
    errors = np.array([sample.std() / len(sample) ** 0.5 for _, sample in losses.values()])
    bound = -float(ndtri(FALSE_ALARM / 2 / len(losses)))
    return Simulated(tuple(losses), formulas, means, (means - formulas) / errors, bound)


def level_band(level: float, replicates: int, cells: int = 1) -> tuple[float, float]:
    """Return the range in which the shares of rejections of a test with the right level lie.

    Parameters
    ----------
    level : float
        Level α of the test.
    replicates : int
        Number R of releases in each cell; the critical value comes from B = 10 R other releases.
    cells : int
        Number of cells of the study, each with its own random numbers.

    Returns
    -------
    tuple of float
        Lowest and highest share; the probability that any of the cells lies outside is at most 1e-6.

    Notes
    -----
    The critical value is the k-th largest of B samples, so the probability of exceeding it has the
    distribution Beta(k, B + 1 - k) if the statistic is continuous. The number of rejections is
    then beta-binomial, whatever the statistic is.
    """
    samples = NULL_SAMPLES * replicates
    k = int(level * (samples + 1) * (1 + 1e-12))
    x = np.arange(replicates + 1)
    ways = -betaln(x + 1, replicates - x + 1) - np.log(replicates + 1)
    probability = np.exp(
        ways + betaln(x + k, replicates - x + samples + 1 - k) - betaln(k, samples + 1 - k)
    )
    tail = FALSE_ALARM / 2 / cells
    low = int(np.searchsorted(probability.cumsum(), tail))
    high = replicates - int(np.searchsorted(probability[::-1].cumsum(), tail))
    return low / replicates, high / replicates
