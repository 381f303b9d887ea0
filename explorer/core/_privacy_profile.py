r"""The privacy profile of Gaussian noise in a form that keeps its digits.

The textbook difference :math:`\delta = \Phi(-x) - e^\varepsilon \Phi(-y)`, with x = ε/μ - μ/2 and
y = ε/μ + μ/2, has two terms that agree in almost all their digits for small μ, and its second is inf
times 0 for large ε. Since :math:`e^\varepsilon \varphi(y) = \varphi(x)`,

.. math:: \delta = \varphi(x) \{M(x) - M(y)\}
          = \varphi(x) \int_0^\infty e^{-xt - t^2/2} (1 - e^{-\mu t})\,dt,

where :math:`M(x) = \Phi(-x)/\varphi(x)` is Mills' ratio, which neither overflows nor underflows for
x ≥ 0. The integrand is positive: a Gauss-Legendre rule of fixed length takes the integral where the
difference would lose a digit.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import erfcx, log_ndtr, ndtr, ndtri_exp

from explorer.core._quadrature import gauss_legendre
from explorer.core._typing import Array

_LOG_SQRT_TAU = math.log(2 * math.pi) / 2
NODES = 36


class Profile(NamedTuple):
    """log δ(ε), log φ(x), and x and M(y) for the slopes."""

    log_delta: Array
    log_density: Array
    x: Array
    mills: Array

    @property
    def log_tail(self) -> Array:
        """Log of -dδ/dε; that of dδ/dμ is `log_density`."""
        return self.log_density + np.log(self.mills)

    def excess(self, goal: Array) -> tuple[Array, Array]:
        """How far δ is above the goal, logarithmically, and the log of its slope in δ.

        Above 1/2 it compares the logarithms of 1 - δ, a sum of two positive terms: a goal near one
        keeps its digits.
        """
        value, log_rate = self.log_delta - np.log(goal), -self.log_delta
        if (goal > 0.5).any():
            complement = np.log(ndtr(self.x) + np.exp(self.log_tail))
            value = np.where(goal > 0.5, np.log1p(-goal) - complement, value)
            log_rate = np.where(goal > 0.5, -complement, log_rate)
        return value, log_rate


def profile(epsilon: Array, mu: Array) -> Profile:
    """Evaluate the privacy profile at 0 <= ε < inf and 0 < μ < inf.

    The caller silences floating-point warnings: branches not taken overflow.
    """
    ratio, half = np.minimum(epsilon / mu, 1e200), mu / 2
    x, y = ratio - half, ratio + half
    log_density = x * x * -0.5 - _LOG_SQRT_TAU
    mills = mills_ratio(y)
    near = mu < 0.25 * np.maximum(x, 1.0)
    if near.all():
        difference = _mills_difference(x, mu)
    else:
        difference = mills_ratio(x) - mills
        if near.any():
            x_near, mu_near = (
                np.broadcast_to(x, near.shape)[near],
                np.broadcast_to(mu, near.shape)[near],
            )
            difference[near] = _mills_difference(x_near, mu_near)
    log_delta = log_density + np.log(difference)
    far = (x < 0) & ~near
    if far.any():
        # M(x) overflows far to the left, where nothing cancels.
        log_delta = np.where(far, np.log(ndtr(-x) - np.exp(log_density) * mills), log_delta)
    return Profile(log_delta, log_density, x, mills)


def mills_ratio(x: Array) -> Array:
    """Mills' ratio."""
    return math.sqrt(math.pi / 2) * erfcx(x * 0.5**0.5)


def mills_decrease(x: Array) -> Array:
    """Return 1/M(x) - x, the relative decrease of Mills' ratio M, to 1e-7, enough for a slope."""
    large = np.maximum(x, 30.0)
    square = 1 / large / large
    tail = (1 - square * (2 - square * 10)) / large
    return np.where(x < 30, 1 / mills_ratio(np.minimum(x, 30.0)) - x, tail)


def log_quantile(log_probability: Array) -> Array:
    """Return Φ⁻¹(p) from log p, to the last digit also where `ndtri_exp` is 1e-12 off, below -1000."""
    z = ndtri_exp(log_probability)
    far = np.clip(z, -1e150, -30.0)
    with np.errstate(over="ignore", invalid="ignore"):
        polished = far - (log_ndtr(far) - log_probability) * mills_ratio(-far)
    return np.where((z < -30) & (z > -1e150), polished, z)


def _mills_difference(x: Array, mu: Array) -> Array:
    """M(x) - M(x + μ) where μ is small beside max(x, 1)."""
    # The integrand has fallen by exp(-40) where x t + t² / 2 = 40.
    span = 80 / (x + np.sqrt(x * x + 80))
    nodes, weights = gauss_legendre(NODES)
    t = span[..., np.newaxis] * nodes
    integrand = np.exp(-t * (x[..., np.newaxis] + t / 2)) * -np.expm1(-mu[..., np.newaxis] * t)
    return span * (integrand @ weights)
