r"""Where the trade-off function of Laplace noise touches that of its exact GDP parameter.

The exact parameter is the largest :math:`-\Phi^{-1}(\alpha) - \Phi^{-1}(\beta)` over the points of the
curve. At a point of slope :math:`-e^t` where that is stationary, :math:`t/\mu = -\mu/2 -
\Phi^{-1}(\alpha) = \mu/2 + \Phi^{-1}(\beta)`.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtri, ndtri_exp

from explorer.core._privacy_profile import Array, mills_ratio
from explorer.core._root_finding import increasing_root
from explorer.core.laplace._privacy_loss import DIFFERENCE, SHIFT, SHIFTED, Indices, LossLaw
from explorer.core.parameter import ParameterError

_NODES, _WEIGHTS = (part / 2 for part in np.polynomial.legendre.leggauss(10))
_NODES += 0.5

GRID = 17
UNRESOLVED = "must be smaller, the errors that decide underflow"


def touch_of_two(mu: Array) -> tuple[Array, Array]:
    """Solve the two equations of `scale`; return a and w = t/μ + μ/2 for 0 < μ < inf."""

    def excess(y: Array) -> tuple[Array, Array]:
        """Compare Φ(-w) with the type I error of the Laplace curve, on a log scale."""
        z = ndtri_exp(np.log((3 + y) / 4) - y)  # Φ(z) is the type II error of both
        t, w = mu * (z + mu / 2), z + mu
        fall = np.exp(-y + z * z / 2) * (2 + y) * np.sqrt(np.pi / 8)  # -dz/dy
        slope = fall * (1 / mills_ratio(w) - mu) + y / (1 + y)
        value = log_ndtr(-w) + t + y + np.log(4) - np.log1p(y)
        if small.any():
            # 1 - α - β of both curves: differences of nearly equal errors, for small μ.
            points = z[..., np.newaxis] + mu[..., np.newaxis] * _NODES
            normal = mu * (np.exp(-points * points / 2) @ _WEIGHTS) / np.sqrt(2 * np.pi)
            rest = 4 * np.expm1(y) - 2 * y - (1 + y) * np.expm1(-t)
            difference = np.exp(-y) * rest / 4 - normal
            value = np.where(small, np.log1p(difference * np.exp(t + y) * 4 / (1 + y)), value)
        return value, slope

    small = mu < 1
    bound = -log_ndtr(-mu / 2)
    high = bound + np.log1p(bound) + 1
    start = np.minimum(0.3 * mu, bound)
    y = increasing_root(excess, np.zeros_like(mu), high, start)
    z = ndtri_exp(np.log((3 + y) / 4) - y)
    return y + mu * (z + mu / 2) / 2, z + mu


def exact_mu(law: LossLaw) -> float:
    """Return the exact GDP parameter of a Laplace loss law.

    Only losses t ≥ 0 need a look, because the curve is symmetric; at an atom the curve is straight,
    so the ends of that piece decide. Each interval between knots is searched on `GRID` points, and
    every maximum that a change of sign of the derivative shows is refined: with nearly equal shifts two
    intervals have one, and that with the largest point of the grid may be the wrong one.
    """
    index = np.flatnonzero(law.knots[1:] > 0)
    start, end = np.maximum(law.knots[index], 0.0), law.knots[index + 1]
    losses = start[:, np.newaxis] + (end - start)[:, np.newaxis] * np.linspace(0, 1, GRID)
    with np.errstate(over="ignore", invalid="ignore"):  # branches not taken
        value, gradient, _, resolved = _separation(
            law, losses, np.repeat(index[:, np.newaxis], GRID, axis=1)
        )
        rising = resolved & (gradient > 0)
        piece, place = np.nonzero(rising[:, :-1] & ~rising[:, 1:])
        at, low, high = index[piece], losses[piece, place], losses[piece, place + 1]

        def excess(loss: Array) -> tuple[Array, Array]:
            _, gradient, slope, _ = _separation(law, loss, at)
            return -gradient, -slope

        nearer = np.where(value[piece, place] > value[piece, place + 1], low, high)
        loss = increasing_root(excess, low, high, nearer, last_step=2**-15)
        refined, gradient, _, found = _separation(law, loss, at)
        found &= abs(gradient) < 1e-6 * (1 + loss)  # or the search ended where α underflows
        if not (resolved.any() and found.all()):
            raise ParameterError(
                SHIFT.name, SHIFT.symbol, SHIFT.meaning, UNRESOLVED, float(law.knots[-1])
            )
        return float(max(value[resolved].max(), refined.max(initial=0.0)))


def _separation(
    law: LossLaw, loss: Array, index: Indices
) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """Evaluate -Φ⁻¹(α) - Φ⁻¹(β) for tests that reject above a loss in the interval `index`.

    Returns also a number of the sign of its derivative in the loss, the slope of that number, and whether
    α is far from underflow.
    """
    alpha = law.tail(loss, index, SHIFTED)
    beta = law.tail(-loss, len(law.densities) - 1 - index, SHIFTED)
    gap = law.tail(loss, index, DIFFERENCE)  # 1 - α - β
    resolved = alpha > 1e-290
    alpha = np.where(resolved, alpha, 0.5)
    z = np.where(beta < 0.5, ndtri(beta), -ndtri(alpha + gap))
    mu = np.maximum(-ndtri(alpha) - z, 0.0)
    near = mu < 1
    for _ in range(2 * near.any()):  # for small μ the sum above is a difference
        points = z[..., np.newaxis] + mu[..., np.newaxis] * _NODES
        normal = np.exp(-points * points / 2) @ _WEIGHTS
        step = (mu * normal - gap * np.sqrt(2 * np.pi)) * np.exp((z + mu) ** 2 / 2)
        mu = np.where(near, mu - step, mu)
    gradient = mu * (z + mu / 2) - loss
    shifted = law.density(loss[..., np.newaxis], index)[..., 0] * law.weight(loss, SHIFTED)
    rate = shifted * np.sqrt(2 * np.pi)
    slope: Array = (
        (z + mu) * rate * np.exp((z + mu) ** 2 / 2) - z * rate * np.exp(loss + z * z / 2) - 1
    )
    return mu, gradient, slope, resolved
