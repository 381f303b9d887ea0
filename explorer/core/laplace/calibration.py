r"""The least independent Laplace noise that is μ-GDP, exactly.

A difference of m coordinates of size k, hidden by Laplace noise of scale b in each, has the trade-off
function of m shifts a = k/b (`explorer.core.tradeoff.laplace`). The noise is μ-GDP if that lies nowhere
below :math:`G_\mu`; the least b makes the two curves touch. With one shift they touch where both
errors are equal. With two they do not: the losses of the two coordinates may cancel exactly, so the
curve has a straight piece there, and a scale computed from equal errors (b = 1.2051 for μ = 1) protects
too little.
"""

from functools import lru_cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erf, erfinv, log_ndtr

from explorer.core._privacy_profile import log_quantile, mills_ratio
from explorer.core._root_finding import increasing_root
from explorer.core._typing import Array
from explorer.core.laplace._contact import contact_of_two, exact_mu
from explorer.core.laplace._privacy_loss import SHIFT, loss_distribution
from explorer.core.parameter import Parameter
from explorer.core.quantities import EPSILON, MU

SCALE: Final = Parameter("scale", "b", "Laplace noise scale", 0, np.inf)
DIFFERENCE: Final = Parameter(
    "extreme_difference", "v", "worst difference", 0, np.inf, low_open=True, high_open=True
)
L1: Final = Parameter("l1", "Δ₁", "ℓ₁ sensitivity", 0, np.inf, high_open=True)

EXTREME: Final = 1e100  # μ and shifts from which two shifts are μ²/8 each, to the last digit
SECANT_STEP: Final = 1e-13  # the secant's slope, unlike Newton's, may be far off at the first step


class Statistic(Protocol):
    """The part of a statistic that calibration reads."""

    @property
    def extreme_difference(self) -> NDArray[np.float64]:
        """Magnitudes, of shape (m,), of the difference that needs most independent noise."""


def scale(mu: ArrayLike, statistic: Statistic) -> Array:
    r"""Return the least scale b for which Laplace noise on every coordinate is μ-GDP.

    Parameters
    ----------
    mu : array_like of shape (...)
        GDP parameters in [0, inf].
    statistic : Statistic
        Its `extreme_difference` is the difference to hide.

    Returns
    -------
    ndarray of shape (...)
        b, in the unit of the statistic; inf at μ = 0, 0 at μ = inf.

    Raises
    ------
    ParameterError
        If μ is out of its domain, or the difference has too many distinct sums of parts; but for one
        part and two equal ones also above μ of about 68, where the errors that decide underflow.

    Notes
    -----
    The curves of one shift touch at equal errors, those of two equal ones at the slope -exp(t),
    t = 2(a - y), where

    .. math:: \tfrac14 e^{-2a+y}(1 + y) = \Phi(-t/\mu - \mu/2), \qquad
              \tfrac14 e^{-y}(3 + y) = \Phi(t/\mu - \mu/2).

    The second gives t for a y, and the first is then an equation in y alone; the ratio of its sides
    increases (checked for y up to 2000; the bound used does not depend on μ). For other differences
    the exact μ of a distribution of the loss (`_privacy_loss`) is inverted, which takes some 20 ms for
    each new μ instead of 0.5 ms. Relative error below 1e-11 for μ in [1e-12, 60].
    """
    mu, magnitudes = MU.check(mu), _magnitudes(statistic)
    largest = magnitudes[-1]
    if len(magnitudes) == 1:
        factor = _one(mu)
    elif len(magnitudes) == 2 and magnitudes[0] == largest:
        factor = _two(mu)
    else:
        relative = tuple(magnitude / largest for magnitude in magnitudes)
        factor = np.vectorize(_largest_factor, otypes=[np.float64], excluded={1})(mu, relative)
    with np.errstate(divide="ignore"):
        b: Array = largest / factor
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
        If b is out of its domain, or as for `scale`.
    """
    scale, magnitudes = SCALE.check(scale), _magnitudes(statistic)
    largest = magnitudes[-1]
    with np.errstate(divide="ignore", over="ignore"):
        factor = largest / scale
    if len(magnitudes) == 1:
        return _one_inverse(factor)
    if len(magnitudes) == 2 and magnitudes[0] == largest:
        return _two_inverse(factor)
    relative = tuple(magnitude / largest for magnitude in magnitudes)
    return np.vectorize(_exact_mu, otypes=[np.float64], excluded={1})(factor, relative)[()]


def delta(epsilon: ArrayLike, shifts: ArrayLike) -> Array:
    r"""Privacy profile of independent Laplace noise: the least δ for which it is (ε, δ)-DP.

    Parameters
    ----------
    epsilon : array_like of shape (...)
        The ε of (ε, δ), in [0, inf].
    shifts : array_like of shape (m,)
        Size of the shift of each coordinate over the noise scale, as for `tradeoff.laplace`.

    Returns
    -------
    ndarray of shape (...)
        δ in [0, 1]; 0 from the sum of the shifts on.

    Raises
    ------
    ParameterError
        If an entry is out of its domain, or the shifts have too many distinct sums.

    Notes
    -----
    The integral of :math:`1 - e^{\varepsilon - l}` over the losses l beyond ε, a positive quantity.
    Relative error below 1e-12 for shifts of total up to 700, times the condition number where ε is so
    close to the total that δ vanishes.
    """
    epsilon, a = EPSILON.check(epsilon), np.ravel(SHIFT.check(shifts))
    total = a.sum()
    if total == np.inf:
        return np.where(epsilon < np.inf, 1.0, 0.0)[()]
    if total == 0:
        return np.zeros_like(epsilon)[()]
    distribution = loss_distribution(tuple(np.sort(a[a > 0]).tolist()))
    return np.minimum(distribution.delta(np.minimum(epsilon, distribution.knots[-1])), 1.0)


def scale_pure(mu: ArrayLike, l1: ArrayLike) -> Array:
    r"""Return the scale at which pure differential privacy implies μ-GDP.

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
        b: Array = l1 / np.where(mu < 1, small, large)
    return b


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


def _magnitudes(statistic: Statistic) -> list[float]:
    magnitudes = np.sort(DIFFERENCE.check(statistic.extreme_difference))
    if magnitudes.size == 0:
        raise DIFFERENCE.refuse([])
    return [float(magnitude) for magnitude in magnitudes]


def _one(mu: Array) -> Array:
    """Return the largest single shift that is μ-GDP."""
    # 2Φ(-μ/2) = 1 - erf(μ/√8), which rounds to one for small μ.
    small = -2 * np.log1p(-erf(np.minimum(mu, 1.0) * 8**-0.5))
    return np.where(mu < 1, small, -2 * (log_ndtr(-mu / 2) + np.log(2)))[()]


def _one_inverse(shift: Array) -> Array:
    small = 8**0.5 * erfinv(-np.expm1(-np.minimum(shift, 1.0) / 2))
    return np.where(shift < 1, small, -2 * log_quantile(-shift / 2 - np.log(2)))[()]


def _two(mu: Array) -> Array:
    """Return the largest pair of equal shifts that is μ-GDP."""
    ordinary = (mu > 0) & (mu < np.inf)
    usual = ordinary & (mu < EXTREME)
    shift = contact_of_two(np.where(usual, mu, 1.0)).shift
    with np.errstate(over="ignore"):
        return np.where(usual, shift, np.where(ordinary, mu * (mu / 8), mu))[()]


def _two_inverse(shift: Array) -> Array:
    """Return the exact μ of a pair of equal shifts.

    By the envelope theorem the slope of a in μ is 1/(2M(w)), with w as in `contact_of_two`.
    One shift alone bounds μ from below, and two mechanisms of one shift each, composed, from above.
    """
    ordinary = (shift > 0) & (shift < np.inf)
    usual = ordinary & (shift < EXTREME)
    goal = np.where(usual, shift, 1.0)

    def excess(root: Array) -> tuple[Array, Array]:
        contact = contact_of_two(root)
        return contact.shift - goal, 0.5 / mills_ratio(contact.w)

    low = _one_inverse(goal)
    root = increasing_root(excess, low, 1.5 * low, 2**0.5 * low).checked("shift(μ) = shift")
    asymptote = np.where(ordinary, 8**0.5 * np.sqrt(shift), shift)
    return np.where(usual, root, asymptote)[()]


def _exact_mu(factor: float, relative: tuple[float, ...]) -> float:
    """Return the exact μ of the shifts ``factor * relative``."""
    if factor in {0.0, np.inf}:
        return float(factor)
    return exact_mu(loss_distribution(tuple(factor * part for part in relative)))


@lru_cache(maxsize=256)
def _largest_factor(mu: float, relative: tuple[float, ...]) -> float:
    """Return the factor for which the shifts ``factor * relative``, of maximum 1, are μ-GDP.

    One coordinate alone bounds the factor from above; all of the difference in one coordinate, and the
    composition of as many mechanisms of one coordinate each, from below.
    """
    if mu in {0.0, np.inf}:
        return float(mu)
    count = len(relative)
    goal = np.asarray(mu)
    high = _one(goal)
    low = np.maximum(_one(goal / np.sqrt(count)), high / sum(relative))
    last: list[tuple[float, float]] = []

    def excess(factor: Array) -> tuple[Array, Array]:
        """Newton's slope is replaced by the secant's, at first by that of μ ~ factor."""
        value = np.asarray(_exact_mu(float(factor), relative))
        slope = value / factor
        if last and last[0][0] != factor:
            slope = (value - last[0][1]) / (factor - last[0][0])
        last[:] = [(float(factor), float(value))]
        return value - goal, slope

    start = np.minimum(1.15 * low, high)
    roots = increasing_root(excess, low, high, start, last_step=SECANT_STEP)
    return float(roots.checked("μ(factor) = μ"))
