"""How mechanisms compare: costs on another scale, and where Laplace noise overtakes normal noise."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core._root_finding import increasing_root
from explorer.core._typing import Array
from explorer.core.mechanisms.base import Mechanism
from explorer.core.mechanisms.gaussian import Gaussian
from explorer.core.mechanisms.laplace import Laplace
from explorer.core.sensitivity import Table

HIGHEST_MU = 50.0


def scaled_cost(unit: Mechanism, scale: ArrayLike, theta: ArrayLike) -> NDArray[np.float64]:
    """Return the cost of a mechanism with another noise scale, without calibrating it anew.

    With noise s times as large, every mechanism's cost at θ is s² times its cost at θ/s: noise and
    shrinkage know no other unit than σ.

    Parameters
    ----------
    unit : Mechanism
        The mechanism with a known scale.
    scale : array_like of shape (...)
        Noise scales, positive.
    theta : array_like of shape (..., p)
        A table for each scale.

    Returns
    -------
    ndarray of shape (...)
        Expected squared error, in the square of the statistic's unit.
    """
    s = np.asarray(scale, dtype=float) / unit.scale
    return np.asarray(s**2 * unit.l2_cost(np.asarray(theta) / s[..., np.newaxis]))


@lru_cache(maxsize=64)
def laplace_crossing(statistic: Table) -> float:
    """Return the μ from which Laplace noise costs less than Gaussian noise.

    Parameters
    ----------
    statistic : Table
        A table with its neighbour relation.

    Returns
    -------
    float
        About 3.687 for a replace-one table and 3.361 for add-remove, whatever its size.

    Notes
    -----
    Both costs are free of the table, and Laplace noise costs more below the crossing and less above
    it.
    """
    theta = np.zeros(statistic.p)

    def saving(mu: Array) -> tuple[Array, Array]:
        laplace, gaussian = Laplace(statistic, float(mu)), Gaussian(statistic, float(mu))
        return gaussian.l2_cost(theta) - laplace.l2_cost(theta), np.array(np.nan)

    low, high = np.array(1.0), np.array(HIGHEST_MU)
    roots = increasing_root(saving, low, high, np.sqrt(low * high))
    return float(roots.checked("the costs of Laplace and Gaussian noise are equal"))
