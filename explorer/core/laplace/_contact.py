r"""Where the trade-off function of Laplace noise touches that of its exact GDP parameter.

The exact parameter is the largest :math:`-\Phi^{-1}(\alpha) - \Phi^{-1}(\beta)` over the points of the
curve. At a point of slope :math:`-e^t` where that is stationary, :math:`t/\mu = -\mu/2 -
\Phi^{-1}(\alpha) = \mu/2 + \Phi^{-1}(\beta)`.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr

from explorer.core._privacy_profile import log_quantile, mills_decrease, mills_ratio
from explorer.core._root_finding import increasing_root
from explorer.core._separation import ROOT_TAU, normal_increment, separation
from explorer.core._typing import Array, Indices, Mask
from explorer.core.laplace._privacy_loss import DIFFERENCE, SHIFT, SHIFTED, LossDistribution
from explorer.core.parameter import ParameterError

GRID = 17  # points of the search in each interval
LARGE = 6.0  # μ from which the bound is the better start
UNRESOLVED = "must be smaller, the errors that decide underflow"


class Contact(NamedTuple):
    """The largest pair of equal shifts a, w = t/μ + μ/2, and the evaluations that it took."""

    shift: Array
    w: Array
    rounds: int


def contact_of_two(mu: Array) -> Contact:
    """Solve the two equations of `scale` for 0 < μ < 1e100."""

    def excess(y: Array) -> tuple[Array, Array]:
        """Compare Φ(-w) with the type I error of the Laplace curve, on a log scale."""
        z = log_quantile(np.log((3 + y) / 4) - y)  # Φ(z) is the type II error of both
        t, w = mu * (z + mu / 2), z + mu
        # Squares of z and w are gone from the difference of the logarithms: M(w)/M(-z) is left.
        value = np.log(mills_ratio(w) / mills_ratio(-z)) + np.log1p(2 / (1 + y))
        fall = mills_ratio(-z) * (2 + y) / (3 + y)  # -dz/dy
        slope = fall * (mills_decrease(w) + mills_decrease(-z)) - 2 / ((1 + y) * (3 + y))
        if small.any():
            # 1 - α - β of both curves: differences of nearly equal errors, for small μ.
            normal = normal_increment(z, mu) / ROOT_TAU
            rest = 4 * np.expm1(y) - 2 * y - (1 + y) * np.expm1(-t)
            difference = np.exp(-y) * rest / 4 - normal
            value = np.where(small, np.log1p(difference * np.exp(t + y) * 4 / (1 + y)), value)
        return value, slope

    small = mu < 1
    bound = -log_ndtr(-mu / 2)
    high = bound + np.log1p(bound) + 1
    start = np.where(mu < LARGE, np.minimum(0.3 * mu, bound), bound)
    roots = increasing_root(excess, np.zeros_like(mu), high, start)
    y = roots.checked("the contact of two shifts")
    z = log_quantile(np.log((3 + y) / 4) - y)
    return Contact(y + mu * (z + mu / 2) / 2, z + mu, roots.rounds)


def exact_mu(distribution: LossDistribution) -> float:
    """Return the exact GDP parameter of a Laplace loss distribution.

    Only losses t ≥ 0 are searched, because the curve is symmetric; at an atom the curve is straight,
    so the ends of that piece decide. Each interval between knots is searched on `GRID` points, and
    every maximum that a change of sign of the derivative shows is refined: with nearly equal shifts two
    intervals have one, and that with the largest point of the grid may be the wrong one.
    """
    index = np.flatnonzero(distribution.knots[1:] > 0)
    start, end = np.maximum(distribution.knots[index], 0.0), distribution.knots[index + 1]
    losses = start[:, np.newaxis] + (end - start)[:, np.newaxis] * np.linspace(0, 1, GRID)
    with np.errstate(over="ignore", invalid="ignore"):  # branches not taken
        value, gradient, _, resolved = _separation(
            distribution, losses, np.repeat(index[:, np.newaxis], GRID, axis=1)
        )
        rising = resolved & (gradient > 0)
        piece, place = np.nonzero(rising[:, :-1] & ~rising[:, 1:])
        at, low, high = index[piece], losses[piece, place], losses[piece, place + 1]

        def excess(loss: Array) -> tuple[Array, Array]:
            _, gradient, slope, _ = _separation(distribution, loss, at)
            return -gradient, -slope

        nearer = np.where(value[piece, place] > value[piece, place + 1], low, high)
        roots = increasing_root(excess, low, high, nearer, last_step=2**-15)
        loss = roots.checked("the best loss between two knots")
        refined, gradient, _, converged = _separation(distribution, loss, at)
        converged &= abs(gradient) < 1e-6 * (1 + loss)  # or the search ended where α underflows
        if not (resolved.any() and converged.all()):
            raise ParameterError(
                SHIFT.name, SHIFT.symbol, SHIFT.meaning, UNRESOLVED, float(distribution.knots[-1])
            )
        return float(max(value[resolved].max(), refined.max(initial=0.0)))


def _separation(
    distribution: LossDistribution, loss: Array, index: Indices
) -> tuple[Array, Array, Array, Mask]:
    """Evaluate -Φ⁻¹(α) - Φ⁻¹(β) for tests that reject above a loss in the interval `index`.

    Returns also a number of the sign of its derivative in the loss, the slope of that number, and whether
    α is far from underflow.
    """
    alpha = distribution.tail(loss, index, SHIFTED)
    beta = distribution.tail(-loss, len(distribution.densities) - 1 - index, SHIFTED)
    gap = distribution.tail(loss, index, DIFFERENCE)  # 1 - α - β
    resolved = alpha > 1e-290
    alpha = np.where(resolved, alpha, 0.5)
    mu, z = separation(alpha, beta, gap)
    gradient = mu * (z + mu / 2) - loss
    shifted = distribution.density(loss[..., np.newaxis], index)[..., 0] * distribution.weight(
        loss, SHIFTED
    )
    rate = shifted * ROOT_TAU
    slope = (z + mu) * rate * np.exp((z + mu) ** 2 / 2) - z * rate * np.exp(loss + z * z / 2) - 1
    return mu, gradient, slope, resolved
