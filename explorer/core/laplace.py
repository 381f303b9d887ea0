r"""How much independent Laplace noise a μ asks for, exactly.

A difference of m coordinates of size k, hidden by Laplace noise of scale b in each, has the trade-off
function of m shifts a = k/b (`explorer.core.tradeoff.laplace`). The noise is μ-GDP if that lies nowhere
below :math:`G_\mu`; the least b makes the two curves touch. With one shift they touch where both
errors are equal. With two they do not: half of the privacy losses cancel exactly, so the curve has a
straight piece there, and a scale found from equal errors (b = 1.2051 for μ = 1) protects too little.
"""

from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erf, erfinv, log_ndtr, ndtri_exp

from explorer.core._profile import Array, mills_ratio
from explorer.core._solve import increasing_root
from explorer.core.gdp import MU
from explorer.core.parameter import Parameter, ParameterError

SCALE: Final = Parameter("scale", "b", "Laplace noise scale", 0, np.inf, default=1.0)
L1: Final = Parameter("l1", "Δ₁", "ℓ₁ sensitivity", 0, np.inf, high_open=True, default=1.0)

_NODES, _WEIGHTS = (part / 2 for part in np.polynomial.legendre.leggauss(10))
_NODES += 0.5


class Statistic(Protocol):
    """What calibration needs of a statistic."""

    @property
    def extreme_difference(self) -> NDArray[np.float64]:
        """Magnitudes, of shape (m,), of the difference worst for independent noise."""


def scale(mu: ArrayLike, statistic: Statistic) -> Array:
    r"""Return the least scale b for which Laplace noise on every coordinate is μ-GDP.

    Parameters
    ----------
    mu : array_like of shape (...)
        GDP parameters in [0, inf].
    statistic : Statistic
        Its `extreme_difference` must be one magnitude, or two equal ones.

    Returns
    -------
    ndarray of shape (...)
        b, in the unit of the statistic; inf at μ = 0, 0 at μ = inf.

    Raises
    ------
    ParameterError
        If μ is out of its domain, or the difference is of another kind.

    Notes
    -----
    Two shifts: the curves touch at the slope -exp(t), t = 2(a - y), where

    .. math:: \tfrac14 e^{-2a+y}(1 + y) = \Phi(-t/\mu - \mu/2), \qquad
              \tfrac14 e^{-y}(3 + y) = \Phi(t/\mu - \mu/2).

    The second gives t for a y, and the first is then an equation in y alone, of which one side over
    the other increases (checked numerically for y up to 2000, any μ). Relative error below 1e-13
    for μ in [1e-6, 60].
    """
    size, count = _equal_shifts(statistic)
    shift = _one(MU.check(mu)) if count == 1 else _two(MU.check(mu))
    with np.errstate(divide="ignore"):
        b: Array = size / shift
    return b


def mu(scale: ArrayLike, statistic: Statistic) -> Array:
    """Return the exact GDP parameter of Laplace noise of scale b, the inverse of `scale`.

    Parameters
    ----------
    scale : array_like of shape (...)
        Noise scales b in [0, inf], in the unit of the statistic.
    statistic : Statistic
        As for `scale`.

    Returns
    -------
    ndarray of shape (...)
        μ in [0, inf].

    Raises
    ------
    ParameterError
        If b is out of its domain, or the difference is of another kind.
    """
    size, count = _equal_shifts(statistic)
    with np.errstate(divide="ignore", over="ignore"):
        shift = size / SCALE.check(scale)
    return _one_inverse(shift) if count == 1 else _two_inverse(shift)


def scale_pure(mu: ArrayLike, l1: ArrayLike) -> Array:
    r"""Return the scale that pure differential privacy asks for, to be μ-GDP.

    .. math:: b = \Delta_1 / \log\{\Phi(\mu/2) / \Phi(-\mu/2)\}

    Valid and wasteful: it serves all ε-DP mechanisms, of which randomised response is the worst.

    Parameters
    ----------
    mu : array_like
        GDP parameters in [0, inf].
    l1 : array_like
        ℓ₁ sensitivities in [0, inf); broadcasts with `mu`.

    Returns
    -------
    ndarray of shape (...)
        b, in the unit of `l1`; inf at μ = 0, 0 at μ = inf.

    Raises
    ------
    ParameterError
        If an entry is out of its domain.

    Notes
    -----
    The logarithm of the ratio is 2 artanh(2Φ(μ/2) - 1), which keeps the digits of a small μ.
    """
    mu, l1 = MU.check(mu), L1.check(l1)
    with np.errstate(divide="ignore"):
        small = 2 * np.arctanh(erf(np.minimum(mu, 1.0) * 8**-0.5))
        large = log_ndtr(mu / 2) - log_ndtr(-mu / 2)
        return l1 / np.where(mu < 1, small, large)


def scale_l1(mu: ArrayLike, l1: ArrayLike) -> Array:
    r"""Return the least scale that is μ-GDP for every difference of ℓ₁ norm up to `l1`.

    .. math:: b = \Delta_1 / \{-2 \log(2\Phi(-\mu/2))\}

    The worst such difference is in a single coordinate; for a table, where one person moves two
    cells, it wastes noise.

    Parameters
    ----------
    mu : array_like
        GDP parameters in [0, inf].
    l1 : array_like
        ℓ₁ sensitivities in [0, inf); broadcasts with `mu`.

    Returns
    -------
    ndarray of shape (...)
        b, in the unit of `l1`; inf at μ = 0, 0 at μ = inf.

    Raises
    ------
    ParameterError
        If an entry is out of its domain.
    """
    mu, l1 = MU.check(mu), L1.check(l1)
    with np.errstate(divide="ignore"):
        b: Array = l1 / _one(mu)
    return b


def _equal_shifts(statistic: Statistic) -> tuple[float, int]:
    magnitudes = np.asarray(statistic.extreme_difference)
    if magnitudes.size not in {1, 2} or np.ptp(magnitudes) != 0:
        raise ParameterError(
            "statistic",
            "v",
            "worst difference",
            "must be one magnitude or two equal ones for exact Laplace noise",
            magnitudes.tolist(),
        )
    return float(magnitudes[0]), magnitudes.size


def _one(mu: Array) -> Array:
    """Return the largest single shift that is μ-GDP."""
    # 2Φ(-μ/2) = 1 - erf(μ/√8), which rounds to one for small μ.
    small = -2 * np.log1p(-erf(np.minimum(mu, 1.0) * 8**-0.5))
    shift: Array = np.where(mu < 1, small, -2 * (log_ndtr(-mu / 2) + np.log(2)))[()]
    return shift


def _one_inverse(shift: Array) -> Array:
    small = 8**0.5 * erfinv(-np.expm1(-np.minimum(shift, 1.0) / 2))
    mu: Array = np.where(shift < 1, small, -2 * ndtri_exp(-shift / 2 - np.log(2)))[()]
    return mu


def _two(mu: Array) -> Array:
    """Return the largest pair of equal shifts that is μ-GDP."""
    ordinary = (mu > 0) & (mu < np.inf)
    shift, _ = _touch(np.where(ordinary, mu, 1.0))
    return np.where(ordinary, shift, mu)[()]


def _two_inverse(shift: Array) -> Array:
    """Return the exact μ of a pair of equal shifts.

    By the envelope theorem the slope of a in μ is 1/(2M(w)), with w as in `_touch`. One shift alone
    bounds μ from below, and two mechanisms of one shift each, composed, from above.
    """
    ordinary = (shift > 0) & (shift < np.inf)
    goal = np.where(ordinary, shift, 1.0)

    def excess(root: Array) -> tuple[Array, Array]:
        touching, w = _touch(root)
        return touching - goal, 0.5 / mills_ratio(w)

    low = _one_inverse(goal)
    root = increasing_root(excess, low, 1.5 * low, 2**0.5 * low)
    return np.where(ordinary, root, shift)[()]


def _touch(mu: Array) -> tuple[Array, Array]:
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
