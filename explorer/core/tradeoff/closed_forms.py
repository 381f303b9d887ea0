r"""Trade-off functions in closed form: Gaussian noise, (ε, δ)-privacy, Laplace noise."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import lambertw, ndtr, ndtri, wrightomega

from explorer.core._root_finding import increasing_root
from explorer.core._typing import Array, Indices
from explorer.core.laplace._privacy_loss import (
    SHIFT,
    SHIFTED,
    UNSHIFTED,
    LossDistribution,
    loss_distribution,
)
from explorer.core.quantities import ALPHA, DELTA, EPSILON, MU


def gaussian(alpha: ArrayLike, mu: ArrayLike) -> Array:
    r"""Trade-off function of :math:`N(0, 1)` against :math:`N(\mu, 1)`.

    .. math:: G_\mu(\alpha) = \Phi\bigl(\Phi^{-1}(1 - \alpha) - \mu\bigr)

    Parameters
    ----------
    alpha : array_like
        Type I errors in [0, 1].
    mu : array_like
        GDP parameters in [0, inf]; broadcasts with `alpha`.

    Returns
    -------
    ndarray of shape (...)
        Type II errors in [0, 1]; exactly 1 at ``alpha = 0`` and 0 at ``alpha = 1``.

    Raises
    ------
    ParameterError
        If an entry is out of its domain.

    Notes
    -----
    Evaluated as :math:`\Phi(-\Phi^{-1}(\alpha) - \mu)`: forming 1 - α first would lose every α below
    1e-16, which is where membership attacks are judged. Relative error at most 1e-12 for α in
    [1e-300, 1 - 1e-12], μ in [0, 60] and results above 1e-300.
    """
    alpha, mu = ALPHA.check(alpha), MU.check(mu)
    quantile = np.where(alpha > 0, ndtri(alpha), 0.0)
    return np.where(alpha > 0, ndtr(-quantile - mu), 1.0)[()]


def approximate(alpha: ArrayLike, epsilon: ArrayLike, delta: ArrayLike = 0.0) -> Array:
    r"""Trade-off function that (ε, δ)-differential privacy promises.

    .. math:: f_{\varepsilon,\delta}(\alpha) = \max\{0,\ 1 - \delta - e^\varepsilon \alpha,\
              e^{-\varepsilon} (1 - \delta - \alpha)\}

    Parameters
    ----------
    alpha : array_like
        Type I errors in [0, 1].
    epsilon, delta : array_like
        Privacy parameters in [0, inf] and [0, 1]; they broadcast with `alpha`.

    Returns
    -------
    ndarray of shape (...)
        Type II errors in [0, 1 - δ].

    Raises
    ------
    ParameterError
        If an entry is out of its domain.
    """
    alpha, epsilon, delta = ALPHA.check(alpha), EPSILON.check(epsilon), DELTA.check(delta)
    # Whichever of α and δ is above 1/2 leaves 1 without rounding.
    rest = (1 - np.maximum(alpha, delta)) - np.minimum(alpha, delta)
    with np.errstate(over="ignore", invalid="ignore"):
        root = np.exp(epsilon / 2)
        loss = np.where(alpha > 0, root * (root * alpha), 0.0)  # exp(ε) itself may overflow
    return np.maximum(np.maximum((1 - delta) - loss, np.exp(-epsilon) * rest), 0.0)


def laplace(alpha: ArrayLike, shifts: ArrayLike) -> Array:
    r"""Trade-off function of independent Laplace noise, unshifted against shifted.

    Parameters
    ----------
    alpha : array_like of shape (...)
        Type I errors in [0, 1].
    shifts : array_like of shape (m,)
        Size of the shift of each coordinate over the noise scale b; zeros change nothing.

    Returns
    -------
    ndarray of shape (...)
        Type II errors in [0, 1].

    Raises
    ------
    ParameterError
        If an entry is out of its domain, or the shifts have too many distinct sums: more than eight
        shifts that all differ, or than 256 equal ones.

    Notes
    -----
    One shift a gives a distribution of three pieces. Two equal ones give, for the points of slope
    -exp(2a - 2y) with y in [0, a],

    .. math:: \alpha = \tfrac14 e^{-2a+y}(1 + y), \qquad \beta = \tfrac14 e^{-y}(3 + y),

    solved for y by the Lambert W function, two straight pieces at the ends and one of slope -1
    in the middle. All others go through the distribution of the loss (`_privacy_loss`), ten times
    slower. Relative error below 1e-12 for α in [1e-300, 1 - 1e-12], results above 1e-300 and shifts
    of total up to 700.
    """
    alpha = ALPHA.check(alpha)
    a = np.sort(SHIFT.check(shifts), axis=None)
    a = a[a > 0]
    if a.size == 0:
        return 1 - alpha
    if a[-1] == np.inf:
        return np.where(alpha > 0, 0.0, 1.0)[()]
    if a.size == 1:
        beta = _one_shift(alpha, a[0])
    elif a.size == 2 and a[0] == a[1]:
        beta = _two_equal_shifts(alpha, a[0])
    else:
        beta = _any_shifts(alpha.ravel(), loss_distribution(tuple(a.tolist()))).reshape(alpha.shape)
    return np.clip(beta, 0.0, 1 - alpha)[()]  # but for rounding it lies there


def _one_shift(alpha: Array, a: float) -> Array:
    root = np.exp(-a / 2)
    with np.errstate(all="ignore"):  # branches not taken
        pieces = [
            1 - np.where(alpha > 0, alpha / root / root, 0.0),
            root / alpha * root / 4,
            root * root * (1 - alpha),
        ]
    return np.select([alpha <= root * root / 2, alpha <= 0.5], pieces[:2], pieces[2])[()]


def _two_equal_shifts(alpha: Array, a: float) -> Array:
    root = np.exp(-a)
    with np.errstate(all="ignore"):  # branches not taken
        left = wrightomega(np.log(4 * alpha) + 2 * a + 1) - 1
        right = -3 - lambertw(-4 * np.exp(-3) * alpha, -1).real
        pieces = [
            1 - np.where(alpha > 0, alpha / root / root, 0.0),
            np.exp(-left) * (3 + left) / 4,
            root * (2 + a) / 2 - alpha,
            np.exp(right - 2 * a) * (1 + right) / 4,
            root * root * (1 - alpha),
        ]
    ends = [root * root / 4, root * (1 + a) / 4, root * (3 + a) / 4, 0.75]
    return np.select([alpha <= end for end in ends], pieces[:4], pieces[4])[()]


def _any_shifts(alpha: Array, distribution: LossDistribution) -> Array:
    """Find the loss t at which the best test of each level rejects, and its other error.

    Levels above 1/2 are computed from 1 - α, the probability under the unshifted distribution of a
    loss above -t, since ν is symmetric.
    """
    beta = np.ones_like(alpha)
    last = len(distribution.knots) - 1
    for which, rows in ((SHIFTED, (alpha > 0) & (alpha <= 0.5)), (UNSHIFTED, alpha > 0.5)):
        level = alpha[rows] if which == SHIFTED else 1 - alpha[rows]
        beyond, reached = distribution.beyond[which], distribution.reached[which]
        # Odd places: within the atom of a knot; even ones: in the interval above it.
        place = np.searchsorted(np.stack([beyond, reached], axis=1)[::-1].ravel(), level)
        knot, in_atom = last - place // 2, (place % 2 == 1) | (level == 0)
        errors = np.empty_like(level)

        i = knot[in_atom]
        part = (level[in_atom] - beyond[i]) / distribution.jumps[which, i]
        i, part = (last - i, 1 - part) if which == SHIFTED else (i, part)
        errors[in_atom] = distribution.beyond[SHIFTED, i] + part * distribution.jumps[SHIFTED, i]

        i = knot[~in_atom]
        loss = _quantile(distribution, level[~in_atom], i, which)
        loss, i = (-loss, last - 1 - i) if which == SHIFTED else (loss, i)
        errors[~in_atom] = distribution.tail(loss, i, SHIFTED)
        beta[rows] = errors
    return beta


def _quantile(distribution: LossDistribution, level: Array, index: Indices, which: int) -> Array:
    """Find the loss in the interval `index` that is exceeded with probability `level`."""
    end, width = distribution.knots[index + 1], np.diff(distribution.knots)[index]
    goal = np.log(level)

    def excess(below: Array) -> tuple[Array, Array]:
        loss = end - below
        tail = distribution.tail(loss, index, which)
        density = distribution.density(loss[:, np.newaxis], index)[:, 0] * distribution.weight(
            loss, which
        )
        return np.log(tail) - goal, density / tail

    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (
            np.log(distribution.reached[which, index + 1]),
            np.log(distribution.beyond[which, index]),
        )
        start = width * np.nan_to_num((goal - low) / (high - low))
        roots = increasing_root(excess, np.zeros_like(width), width, start)
    return end - roots.checked("P(loss > t) = level in t")
