r"""The tight GDP parameter of a trade-off function, and bounds on it.

.. math:: \mu = \sup_\alpha \{-\Phi^{-1}(\alpha) - \Phi^{-1}(f(\alpha))\}

A piece on which f is straight takes its largest value at an end: if f is nowhere below :math:`G_\mu` at
the two ends, then neither between them, where it is their chord and :math:`G_\mu` is convex. So the
break points decide, whether or not f itself is convex.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from explorer.core import _separation, gdp, quantities
from explorer.core import laplace as laplace_noise
from explorer.core._typing import Array
from explorer.core.laplace._privacy_loss import SHIFT
from explorer.core.parameter import Parameter, ParameterError
from explorer.core.tradeoff.checks import violation
from explorer.core.tradeoff.closed_forms import approximate, gaussian, laplace
from explorer.core.tradeoff.curve import (
    PiecewiseLinear,
    discrete,
    discrete_curve,
    power_minus_level,
)

SMALLEST: Final = Parameter("smallest", "α₀", "least type I error", 1e-12, 0.5, high_open=True)
TOLERANCE: Final = Parameter("tolerance", "μ₊ - μ₋", "distance of the bounds", 0, np.inf)
ROUNDING: Final = 2.0**-46  # relative, of a type II error
FIRST_POINTS: Final = 129  # of the first grid
MOST_HALVINGS: Final = 14  # of one interval


class Bounds(NamedTuple):
    """Bounds on a GDP parameter."""

    lower: float
    upper: float


def gdp_parameter(f: PiecewiseLinear | partial[Array]) -> float:
    """Return the tight μ of a trade-off function: the least for which it promises μ-GDP.

    Parameters
    ----------
    f : PiecewiseLinear or functools.partial
        Break points, or a function of `explorer.core.tradeoff` with its parameters filled in, such
        as ``partial(tradeoff.laplace, shifts=[1, 1])``. For all others see `gdp_parameter_bounds`.

    Returns
    -------
    float
        μ in [0, inf]: inf where an error can be 0 and the other below 1, as (ε, δ) with δ > 0
        allows. Points with α + β ≥ 1, among them (0, 1) and (1, 0), do not bound μ.

    Raises
    ------
    ParameterError
        If `f` is none of these, or its parameters are out of their domain.

    Notes
    -----
    Relative error below 1e-12 for errors above 1e-290. For small μ from the advantage, which is the
    integral of φ over an interval of length μ; the sum of two quantiles would cancel.
    """
    if isinstance(f, PiecewiseLinear):
        return float(separation(f.alpha, f.beta, f.advantage).max())
    if isinstance(f, partial) and f.func in _CLOSED and not f.args:
        return _CLOSED[f.func](**f.keywords)
    raise _refused("must be given by break points or be a closed form with its parameters", f)


def gdp_parameter_bounds(
    f: Callable[[Array], ArrayLike], smallest: float = 1e-6, tolerance: float = 1e-6
) -> Bounds:
    """Return bounds on the tight μ of a trade-off function that can only be evaluated.

    Parameters
    ----------
    f : callable
        Maps type I errors of shape (m,) to type II errors of shape (m,), exact to a relative 1e-14.
        It must be a trade-off function (`violation`): the bounds rest on its being convex.
    smallest : float
        The supremum is that over type I errors in [smallest, 1 - smallest], which are in (0, 1/2).
        Values at finitely many places do not bound a function nearer to the ends.
    tolerance : float
        Absolute distance of the bounds at which the search ends. They may remain further apart: the
        rounding of `f` counts, and no interval is halved more than `MOST_HALVINGS` times.

    Returns
    -------
    Bounds
        The lower one is attained at a place that was tried; the upper one is attained by the lowest
        convex function through these places.

    Raises
    ------
    ParameterError
        If the places that were tried show that `f` is no trade-off function, or another argument is
        out of its domain.

    Notes
    -----
    Between two places f lies above the lines through either and its other neighbour. The corner where
    these two cross bounds the interval, and intervals whose bound is too high are halved, in the
    normal quantile of α.
    """
    smallest, tolerance = SMALLEST.check_scalar(smallest), TOLERANCE.check_scalar(tolerance)
    end = ndtri(smallest)
    z = np.linspace(end, -end, FIRST_POINTS)
    # One place more at either end, for a line that bounds the outermost intervals.
    alpha = ndtr(np.concatenate([[2 * z[0] - z[1]], z, [2 * z[-1] - z[-2]]]))
    beta = _values(f, alpha)
    for _ in range(MOST_HALVINGS):
        lower, upper, corner = _bracket(alpha, beta)
        wide = np.flatnonzero(upper > lower + tolerance)
        if wide.size == 0:
            break
        beta = np.insert(beta, wide + 2, _values(f, corner[wide]))
        alpha = np.insert(alpha, wide + 2, corner[wide])
    return Bounds(lower, max(lower, float(upper.max())))


def separation(alpha: Array, beta: Array, advantage: Array) -> Array:
    """Return the μ of the Gaussian trade-off function through each point.

    Parameters
    ----------
    alpha, beta, advantage : ndarray of shape (k,)
        The two errors and 1 - α - β.

    Returns
    -------
    ndarray of shape (k,)
        μ in [0, inf], 0 where there is no advantage.
    """
    ordinary = (advantage > 0) & (np.minimum(alpha, beta) > 0)
    alpha, beta, gap = (np.where(ordinary, part, 1 / 3) for part in (alpha, beta, advantage))
    mu, _ = _separation.separation(alpha, beta, gap)
    return np.where(ordinary, mu, np.where(advantage > 0, np.inf, 0.0))


def _bracket(alpha: Array, beta: Array) -> tuple[float, Array, Array]:
    """Bound μ from below by the inner points and from above in each interval between them.

    Returns also where to divide each interval: at its corner, which is the break point of a function
    of two straight pieces, or in the middle if the corner is near an end.
    """
    high, low = np.minimum(beta * (1 + ROUNDING), 1.0), beta * (1 - ROUNDING)
    lower = _point_separation(alpha, high)[1:-1].max()
    width = np.diff(alpha)
    before = (high[:-3] - low[1:-2]) / width[:-2]  # at most so steep
    after = np.maximum((low[2:-1] - high[3:]) / width[2:], 0.0)  # at least so steep
    start, end, length = alpha[1:-2], alpha[2:-1], width[1:-1]
    left, right = low[1:-2], low[2:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        place = np.nan_to_num((left - right - after * length) / (before - after))
    place = np.clip(place, 0.0, length)
    corner = np.maximum(left - before * place, right + after * (length - place))
    ends = np.maximum(_point_separation(start, left), _point_separation(end, right))
    upper = np.maximum(ends, _point_separation(start + place, corner))
    inside = abs(place - length / 2) < 0.45 * length
    return float(lower), upper, np.where(inside, start + place, start + length / 2)


def _point_separation(alpha: Array, beta: Array) -> Array:
    return separation(alpha, beta, power_minus_level(alpha, beta))


def _values(f: Callable[[Array], ArrayLike], alpha: Array) -> Array:
    beta = np.asarray(f(alpha), dtype=np.float64)
    if beta.shape != alpha.shape:
        raise _refused(f"must map shape {alpha.shape} to itself", beta.shape)
    reason = violation(alpha, beta)
    if reason is not None:
        raise _refused(f"must be a trade-off function: {reason}", f)
    return beta


def _gaussian(mu: ArrayLike) -> float:
    return quantities.MU.check_scalar(mu)


def _approximate(epsilon: ArrayLike, delta: ArrayLike = 0.0) -> float:
    epsilon, delta = quantities.EPSILON.check_scalar(epsilon), quantities.DELTA.check_scalar(delta)
    return float(gdp.mu_from_pure(epsilon)) if delta == 0 else np.inf


def _laplace(shifts: ArrayLike) -> float:
    a = np.ravel(SHIFT.check(shifts))
    if a.max(initial=0.0) in {0.0, np.inf}:
        return float(a.max(initial=0.0))
    return float(laplace_noise.mu(1.0, _Shifts(a[a > 0])))


def _discrete(p: ArrayLike, q: ArrayLike) -> float:
    return gdp_parameter(discrete_curve(p, q))


@dataclass(frozen=True, eq=False)
class _Shifts:
    """The argument of `laplace.mu`: a difference in units of the noise scale."""

    extreme_difference: Array


def _refused(rule: str, value: object) -> ParameterError:
    return ParameterError("f", "f", "trade-off function", rule, value)


_CLOSED: Final[dict[Any, Callable[..., float]]] = {
    gaussian: _gaussian,
    approximate: _approximate,
    laplace: _laplace,
    discrete: _discrete,
}
