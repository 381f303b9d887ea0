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
from numpy.typing import NDArray
from scipy.special import erfcx, ndtr

Array = NDArray[np.float64]

_LOG_SQRT_TAU = math.log(2 * math.pi) / 2
_NODES, _WEIGHTS = (part / 2 for part in np.polynomial.legendre.leggauss(36))
_NODES += 0.5


class Profile(NamedTuple):
    """δ(ε) of a μ and what its inversion needs.

    `log_tail` is the log of -dδ/dε and `log_density` that of dδ/dμ.
    """

    log_delta: Array
    complement: Array
    log_tail: Array
    log_density: Array

    def excess(self, goal: Array) -> tuple[Array, Array]:
        """How far δ is above the goal, logarithmically, and the log of its slope in δ."""
        small = goal <= 0.5
        with np.errstate(divide="ignore"):
            log_complement = np.log(self.complement)
        above = self.log_delta - np.log(goal)
        return (
            np.where(small, above, np.log1p(-goal) - log_complement),
            -np.where(small, self.log_delta, log_complement),
        )


def profile(epsilon: Array, mu: Array) -> Profile:
    """Evaluate the privacy profile at 0 <= ε < inf and 0 < μ < inf."""
    with np.errstate(all="ignore"):  # branches not taken overflow
        ratio = np.minimum(epsilon / mu, 1e200)
        x, y = ratio - mu / 2, ratio + mu / 2
        log_density = -x * x / 2 - _LOG_SQRT_TAU
        density, mills = np.exp(log_density), _mills(y)
        near = mu < 0.25 * np.maximum(x, 1.0)
        difference = np.where(near, 1.0, _mills(np.maximum(x, 0.0)) - mills)
        if near.any():
            near_x, near_mu = np.broadcast_arrays(x, mu)
            difference[near] = _mills_difference(near_x[near], near_mu[near])
        far = np.log(ndtr(-x) - density * mills)
        log_delta = np.where((x < 0) & ~near, far, log_density + np.log(difference))
        return Profile(
            log_delta, ndtr(x) + density * mills, log_density + np.log(mills), log_density
        )


def _mills(x: Array) -> Array:
    """Mills' ratio."""
    ratio: Array = math.sqrt(math.pi / 2) * erfcx(x * 0.5**0.5)
    return ratio


def _mills_difference(x: Array, mu: Array) -> Array:
    """M(x) - M(x + μ) for arrays of shape (k,), where μ is small beside max(x, 1)."""
    # The integrand has fallen by exp(-40) where x t + t² / 2 = 40.
    span = 80 / (x + np.sqrt(x * x + 80))
    t = span[:, np.newaxis] * _NODES
    integrand = np.exp(-t * (x[:, np.newaxis] + t / 2)) * -np.expm1(-mu[:, np.newaxis] * t)
    return span * (integrand @ _WEIGHTS)
