"""Costs by simulation next to those by formula."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from scipy.special import ndtri

from explorer.paper._shown import Array, Shown, head

FALSE_ALARM: Final = 1e-6


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
