r"""The μ of the Gaussian trade-off function through a point.

:math:`\mu = -\Phi^{-1}(\alpha) - \Phi^{-1}(\beta)`. For small μ the two quantiles cancel; there Newton's
method solves :math:`\Phi(z + \mu) - \Phi(z) = 1 - \alpha - \beta`, whose left side is the integral of a
positive density.
"""

from typing import Final

import numpy as np
from scipy.special import ndtri

from explorer.core._quadrature import gauss_legendre
from explorer.core._typing import Array

LEAST_ERROR: Final = 1e-290  # below it the density of the quantile is near underflow
LINEAR: Final = 0.01  # μ(1 + |z|) below which one Newton step from 0 is the better start
NODES: Final = 10
NEWTON_STEPS: Final = 2

ROOT_TAU: Final = np.sqrt(2 * np.pi)


def separation(alpha: Array, beta: Array, advantage: Array) -> tuple[Array, Array]:
    """Return μ and Φ⁻¹(β), from errors in (0, 1) and 1 - α - β > 0.

    Parameters
    ----------
    alpha, beta, advantage : ndarray of shape (...)
        The two errors and 1 - α - β, each with its own digits.

    Returns
    -------
    tuple of ndarray of shape (...)
        μ ≥ 0 and z = Φ⁻¹(β), to the precision of the three.
    """
    # Above 1/2 an error is one minus the sum of the two others.
    z = np.where(beta < 0.5, ndtri(beta), -ndtri(np.minimum(alpha + advantage, 1.0)))
    other = np.where(alpha < 0.5, ndtri(alpha), -ndtri(np.minimum(beta + advantage, 1.0)))
    mu = np.array(-z - other)
    near = (mu * (1 + abs(z)) < 1) & (np.minimum(alpha, beta) > LEAST_ERROR)
    if near.any():
        mu[near] = _newton(z[near], np.asarray(advantage)[near] * ROOT_TAU, mu[near])
    return np.maximum(mu, 0.0), z


def normal_increment(z: Array, mu: Array) -> Array:
    """Return √(2π){Φ(z + μ) - Φ(z)} for small μ, an integral of positive terms."""
    nodes, weights = gauss_legendre(NODES)
    places = z[..., np.newaxis] + mu[..., np.newaxis] * nodes
    return mu * (np.exp(-(places**2) / 2) @ weights)


def _newton(z: Array, goal: Array, mu: Array) -> Array:
    linear = goal * np.exp(z**2 / 2)
    mu = np.where(linear * (1 + abs(z)) < LINEAR, linear, mu)
    for _ in range(NEWTON_STEPS):
        mu = mu - (normal_increment(z, mu) - goal) * np.exp((z + mu) ** 2 / 2)
    return mu
