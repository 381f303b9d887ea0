r"""Gaussian differential privacy: what a μ promises, and how it translates.

A mechanism is μ-GDP if telling two neighbouring inputs apart from its output is at least as hard as
telling :math:`N(0, 1)` from :math:`N(\mu, 1)` by one draw. :math:`\Phi` and :math:`\varphi` are the
normal distribution function and density.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf, erfinv, log_expit, logit, ndtr, ndtri

from explorer.core._privacy_profile import log_quantile, profile
from explorer.core._root_finding import increasing_root
from explorer.core._typing import Array
from explorer.core.parameter import Parameter
from explorer.core.quantities import ALPHA, DELTA, EPSILON, MU

LEVEL: Final = ALPHA.named("level")
PRIOR: Final = Parameter("prior", "π", "prior probability of presence", 0, 1)


def delta(epsilon: ArrayLike, mu: ArrayLike) -> Array:
    r"""Privacy profile: the least δ for which every μ-GDP mechanism is (ε, δ)-DP.

    .. math:: \delta(\varepsilon) = \Phi(\mu/2 - \varepsilon/\mu)
              - e^\varepsilon \Phi(-\mu/2 - \varepsilon/\mu)

    Parameters
    ----------
    epsilon, mu : array_like
        The ε of (ε, δ) and GDP parameters, in [0, inf]; they broadcast.

    Returns
    -------
    ndarray of shape (...)
        δ in [0, 1]; 0 where ``mu`` is 0 or ``epsilon`` is inf (which asks for nothing).

    Raises
    ------
    ParameterError
        If an entry is out of its domain.

    Notes
    -----
    Relative error below 1e-12 for μ in [1e-12, 60], ε in [0, 2000] and δ above 1e-300. The formula
    as it stands loses all digits for small μ and is inf times 0 for large ε; `_privacy_profile` says what
    is evaluated instead.

    References
    ----------
    Documentation of `gdp_to_epsdelta` in the package fdp, for the formula.
    """
    return np.exp(log_delta(epsilon, mu))


def log_delta(epsilon: ArrayLike, mu: ArrayLike) -> Array:
    """Return the natural logarithm of `delta`, which does not underflow.

    Parameters
    ----------
    epsilon, mu : array_like
        As for `delta`.

    Returns
    -------
    ndarray of shape (...)
        log δ in [-inf, 0], with the relative accuracy that `delta` has, or absolute below 1.

    Raises
    ------
    ParameterError
        If an entry is out of its domain.
    """
    epsilon, mu = EPSILON.check(epsilon), MU.check(mu)
    ordinary = (mu > 0) & (mu < np.inf) & (epsilon < np.inf)
    with np.errstate(divide="ignore"):
        at_zero = np.log(erf(mu * 8**-0.5))
    with np.errstate(all="ignore"):
        inside = profile(np.where(ordinary, epsilon, 1.0), np.where(ordinary, mu, 1.0)).log_delta
    outside = np.where(epsilon < np.inf, at_zero, -np.inf)
    return np.where(ordinary & (epsilon > 0), inside, outside)[()]


def epsilon(delta: ArrayLike, mu: ArrayLike) -> Array:
    """Return the least ε for which every μ-GDP mechanism is (ε, δ)-DP.

    Parameters
    ----------
    delta : array_like
        The δ of (ε, δ), in [0, 1].
    mu : array_like
        GDP parameters in [0, inf]; broadcasts with `delta`.

    Returns
    -------
    ndarray of shape (...)
        ε in [0, inf]: 0 where δ is at least `advantage`, inf where δ = 0 < μ.

    Raises
    ------
    ParameterError
        If an entry is out of its domain.

    Notes
    -----
    log δ is concave in ε, since the profile is a convolution of log-concave functions; so Newton's
    method from the bound δ ≤ Φ(-x), x = ε/μ - μ/2, descends to the root and cannot miss it. Above
    δ = 1/2 the equation is that of 1 - δ, which keeps the digits of a δ near one.
    """
    delta, mu = DELTA.check(delta), MU.check(mu)
    reached = delta >= erf(mu * 8**-0.5)
    ordinary = ~reached & (delta > 0) & (mu < np.inf)
    goal, mu = np.where(ordinary, delta, 0.1), np.where(ordinary, mu, 1.0)

    def shortfall(root: Array) -> tuple[Array, Array]:
        at_root = profile(root, mu)
        value, log_rate = at_root.excess(goal)
        return -value, np.exp(log_rate + at_root.log_tail)

    with np.errstate(all="ignore"):
        high = mu * (mu / 2 - ndtri(goal))
        start = mu * (mu / 2 - ndtri(goal / np.minimum(mu, 1.0)))
        root = increasing_root(shortfall, np.zeros_like(high), high, start).checked("δ(ε) = δ in ε")
    return np.where(ordinary, root, np.where(reached, 0.0, np.inf))[()]


def mu(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """Return the largest μ for which every μ-GDP mechanism is (ε, δ)-DP.

    Parameters
    ----------
    epsilon : array_like
        The ε of (ε, δ), in [0, inf].
    delta : array_like
        The δ of (ε, δ), in [0, 1]; broadcasts with `epsilon`.

    Returns
    -------
    ndarray of shape (...)
        μ in [0, inf]: 0 where δ = 0, inf where δ = 1 or ε = inf.

    Raises
    ------
    ParameterError
        If an entry is out of its domain.

    Notes
    -----
    The derivative of δ in μ is φ(x), x = ε/μ - μ/2, whose logarithm has the second derivative
    -3ε²/μ⁴ - 1/4; so δ is log-concave in μ and Newton's method climbs to the root from the larger
    of two lower bounds, those from δ(ε) ≤ Φ(-x) and δ(ε) ≤ δ(0). At x = -9 the profile is within
    3e-18 of one, which bounds the root from above.
    """
    epsilon, delta = EPSILON.check(epsilon), DELTA.check(delta)
    at_zero = 8**0.5 * erfinv(delta)
    nothing = (delta == 1) | (epsilon == np.inf)
    ordinary = ~nothing & (delta > 0) & (epsilon > 0)
    goal, loss = np.where(ordinary, delta, 0.1), np.where(ordinary, epsilon, 1.0)

    def excess(root: Array) -> tuple[Array, Array]:
        at_root = profile(loss, root)
        value, log_rate = at_root.excess(goal)
        return value, np.exp(log_rate + at_root.log_density)

    with np.errstate(all="ignore"):
        low = np.maximum(_root_of_x(loss, -ndtri(goal)), np.where(ordinary, at_zero, 0.0))
        start = np.maximum(_root_of_x(loss, -ndtri(goal / np.minimum(low, 1.0))), low)
        high = _root_of_x(loss, np.asarray(-9.0))
        root = increasing_root(excess, low, high, start).checked("δ(ε) = δ in μ")
    return np.where(ordinary, root, np.where(nothing, np.inf, at_zero))[()]


def mu_from_pure(epsilon: ArrayLike) -> Array:
    r"""Return the least μ such that every ε-DP mechanism is μ-GDP.

    .. math:: \mu = -2 \Phi^{-1}\{1/(1 + e^\varepsilon)\}

    attained by randomised response.

    Parameters
    ----------
    epsilon : array_like of shape (...)
        Pure privacy losses in [0, inf].

    Returns
    -------
    ndarray of shape (...)
        μ in [0, inf].

    Raises
    ------
    ParameterError
        If an entry is out of its domain.

    Notes
    -----
    Up to ε = 1 from erf(μ/√8) = tanh(ε/2), which does not round at 1/2; above from the logarithm of
    1/(1 + exp(ε)), which does not underflow.
    """
    epsilon = EPSILON.check(epsilon)
    small = 8**0.5 * erfinv(np.tanh(np.minimum(epsilon, 1.0) / 2))
    return np.where(epsilon < 1, small, -2 * log_quantile(log_expit(-epsilon)))[()]


def rho(mu: ArrayLike) -> Array:
    """Return the ρ of zero-concentrated privacy that Gaussian noise of this μ has: μ²/2.

    Parameters
    ----------
    mu : array_like of shape (...)
        GDP parameters in [0, inf].

    Returns
    -------
    ndarray of shape (...)
        ρ in [0, inf].

    Raises
    ------
    ParameterError
        If an entry is out of its domain.
    """
    mu = MU.check(mu)
    with np.errstate(over="ignore"):
        return mu * (mu / 2)


def compose(mus: ArrayLike) -> Array:
    r"""Return the μ of several releases together: :math:`\sqrt{\sum_i \mu_i^2}`.

    Parameters
    ----------
    mus : array_like of shape (..., k)
        GDP parameters in [0, inf] of k releases about the same people; a scalar counts as one.

    Returns
    -------
    ndarray of shape (...)
        Total μ; 0 for no release.

    Raises
    ------
    ParameterError
        If an entry is out of its domain.

    Notes
    -----
    Correctly rounded, by whole-number arithmetic: a further release never lowers the total however
    small it is, the order does not matter, and nothing overflows on the way.
    """
    mus = np.atleast_1d(MU.check(mus))
    totals = np.empty(mus.shape[:-1])
    for index in np.ndindex(totals.shape):
        totals[index] = _root_sum_of_squares(mus[index].tolist())
    return totals[()]


def advantage(mu: ArrayLike) -> Array:
    r"""Largest power minus level of any attack: :math:`2\Phi(\mu/2) - 1`, the total variation.

    Parameters
    ----------
    mu : array_like of shape (...)
        GDP parameters in [0, inf].

    Returns
    -------
    ndarray of shape (...)
        Advantage in [0, 1], to a relative 1e-15 however small μ is.

    Raises
    ------
    ParameterError
        If an entry is out of its domain.
    """
    return erf(MU.check(mu) * 8**-0.5)


def power(level: ArrayLike, mu: ArrayLike) -> Array:
    r"""Largest power of an attack at a level: :math:`\Phi(\Phi^{-1}(\alpha) + \mu)`.

    Parameters
    ----------
    level : array_like
        Type I errors α in [0, 1].
    mu : array_like
        GDP parameters in [0, inf]; broadcasts with `level`.

    Returns
    -------
    ndarray of shape (...)
        Power in [0, 1], to a relative 1e-12; 0 at level 0 and 1 at level 1.

    Raises
    ------
    ParameterError
        If an entry is out of its domain.
    """
    level, mu = LEVEL.check(level), MU.check(mu)
    quantile = np.where(level > 0, ndtri(level), 0.0)
    return np.where(level > 0, ndtr(quantile + mu), 0.0)[()]


def bayes_error(mu: ArrayLike, prior: ArrayLike) -> Array:
    r"""Least probability of a wrong guess about presence, given the prior probability.

    .. math:: \pi \Phi(t/\mu - \mu/2) + (1 - \pi) \Phi(-t/\mu - \mu/2),
              \quad t = \log\{(1 - \pi)/\pi\}

    Parameters
    ----------
    mu : array_like
        GDP parameters in [0, inf].
    prior : array_like
        Prior probabilities π in [0, 1]; broadcasts with `mu`.

    Returns
    -------
    ndarray of shape (...)
        Bayes error in [0, 1/2], symmetric in the prior; ``min(prior, 1 - prior)`` at μ = 0.

    Raises
    ------
    ParameterError
        If an entry is out of its domain.
    """
    mu, prior = MU.check(mu), PRIOR.check(prior)
    rarer = np.minimum(prior, 1 - prior)
    ordinary = (mu > 0) & (mu < np.inf) & (rarer > 0)
    safe, weight = np.where(ordinary, mu, 1.0), np.where(ordinary, rarer, 0.5)
    with np.errstate(over="ignore"):
        threshold = -logit(weight) / safe
    missed = weight * ndtr(threshold - safe / 2)
    error = np.minimum(missed + (1 - weight) * ndtr(-threshold - safe / 2), weight)
    return np.where(ordinary, error, np.where(mu > 0, 0.0, rarer))[()]


def _root_of_x(epsilon: Array, x: Array) -> Array:
    """Return the positive μ with ε/μ - μ/2 = x."""
    root = np.hypot(x, 2**0.5 * np.sqrt(epsilon))  # 2ε may overflow
    return np.where(x > 0, epsilon / (0.5 * (root + x)), root - x)


def _root_sum_of_squares(values: list[float]) -> float:
    if math.inf in values:
        return math.inf
    ratios = [value.as_integer_ratio() for value in values]
    unit = max((denominator for _, denominator in ratios), default=1)
    total = sum((numerator * (unit // denominator)) ** 2 for numerator, denominator in ratios)
    # 128 further bits, the last of them a sticky one, let the division round as the exact root would.
    root = math.isqrt(total << 256)
    exact = root * root == total << 256
    try:
        return (2 * root + (not exact)) / (unit << 129)
    except OverflowError:
        return math.inf
