"""Why a function is not a trade-off function."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from explorer.core._typing import Array
from explorer.core.parameter import Parameter, ParameterError
from explorer.core.quantities import ALPHA
from explorer.core.tradeoff.curve import lower_hull

ERRORS: Final = Parameter("beta", "β", "type II error", -np.inf, np.inf)
TOLERANCE: Final = Parameter("tolerance", "tol", "tolerated excess", 0, np.inf)


@dataclass(frozen=True, slots=True)
class Violation:
    """Which property of a trade-off function fails, and where it fails worst.

    Attributes
    ----------
    rule : str
        What must hold, as in the list of `violation`.
    alpha, beta : float
        The worst point.
    limit : float
        The nearest allowed type II error at this `alpha`.
    beside : tuple of (float, float)
        The points (α, β) from which the limit follows.
    """

    rule: str
    alpha: float
    beta: float
    limit: float
    beside: tuple[tuple[float, float], ...] = ()

    @property
    def excess(self) -> float:
        """How far β is from the limit; NaN if β is."""
        return abs(self.beta - self.limit)

    def __str__(self) -> str:
        """Return the violation as a sentence."""
        sentence = f"{self.rule}, but β = {self.beta:.6g} at α = {self.alpha:.6g}"
        if np.isnan(self.beta):
            return sentence
        points = " and ".join(f"({alpha:.6g}, {beta:.6g})" for alpha, beta in self.beside)
        condition = f", given {points}" if points else ""
        return f"{sentence} where {self.limit:.6g} is the limit{condition}"


def violation(
    alpha: ArrayLike, beta: ArrayLike, symmetric: bool = False, tolerance: float = 1e-9
) -> Violation | None:
    """Return the reason why points are not on the graph of a trade-off function.

    A function is the trade-off function of some pair of distributions if and only if it is convex,
    continuous, not increasing and at most 1 - α on [0, 1] (Dong, Roth and Su). The rules, in the order
    in which they are checked:

    - β must lie in [0, 1];
    - β must be at most 1 - α;
    - β must not increase with α;
    - f must be continuous: no two type II errors at one α;
    - f must be convex;
    - f must be its own inverse, if `symmetric`.

    Parameters
    ----------
    alpha : array_like of shape (k,)
        Type I errors in [0, 1], in any order.
    beta : array_like of shape (k,)
        The values of the function there; NaN is reported, not refused.
    symmetric : bool
        Whether the function has to be the same for either order of the two distributions, as a privacy
        guarantee for a symmetric neighbour relation is.
    tolerance : float
        Excess over a limit up to which it counts as rounding, in units of β.

    Returns
    -------
    Violation or None
        The first rule that fails and the point at which it fails worst; its text is a sentence. None if
        the points lie on some trade-off function, within the tolerance: then the one that is straight
        between them and ends in (1, 0) is one. The points say nothing about the function between them.

    Raises
    ------
    ParameterError
        If `alpha` or `tolerance` is out of its domain, `beta` is no array of numbers or the shapes
        differ.

    Notes
    -----
    Convexity is the distance from the lower convex hull, not a second difference, which a fine grid
    makes as small as one likes. A symmetric function has the same lower hull as its points and their
    mirror images together; for one that is straight between break points give its values also at the
    type II errors of these.

    Examples
    --------
    >>> print(violation([0, 0.5, 1], [1, 0.6, 0]))
    β must be at most 1 - α, but β = 0.6 at α = 0.5 where 0.5 is the limit
    """
    alpha, tolerance = ALPHA.check(alpha), TOLERANCE.check_scalar(tolerance)
    beta = np.asarray(beta)
    if beta.dtype.kind not in "fiub":
        raise ERRORS.refuse(beta.tolist())
    if alpha.ndim != 1 or beta.shape != alpha.shape:
        rule = f"must have the shape of alpha, (k,) and not {alpha.shape}"
        raise ParameterError(ERRORS.name, ERRORS.symbol, ERRORS.meaning, rule, beta.shape)
    beta = beta.astype(np.float64)
    order = np.lexsort((-beta, alpha))
    return _first_violation(alpha[order], beta[order], symmetric, tolerance)


def _first_violation(
    alpha: Array, beta: Array, symmetric: bool, tolerance: float
) -> Violation | None:
    """Check the rules for points in increasing order of `alpha` and, at ties, decreasing of `beta`."""

    def worst(rule: str, limit: Array, *beside: tuple[Array, Array]) -> Violation | None:
        excess = abs(beta - limit)
        outside = ~(excess <= tolerance)  # NaN lies outside
        if not outside.any():
            return None
        i = int(np.argmax(np.where(outside, np.nan_to_num(excess, nan=np.inf), -1.0)))
        points = tuple((float(xs[i]), float(ys[i])) for xs, ys in beside)
        return Violation(rule, float(alpha[i]), float(beta[i]), float(limit[i]), points)

    failure = worst("β must lie in [0, 1]", np.nan_to_num(np.clip(beta, 0.0, 1.0)))
    failure = failure or worst("β must be at most 1 - α", np.minimum(beta, 1 - alpha))
    if failure:
        return failure
    least = np.minimum.accumulate(beta)
    at = np.maximum.accumulate(np.where(beta == least, np.arange(len(beta)), 0))
    failure = worst("β must not increase with α", least, (alpha[at], beta[at]))
    again = np.append(False, np.diff(alpha) == 0)
    before = np.where(again, np.roll(beta, 1), beta)
    failure = failure or worst("f must be continuous", before, (alpha, before))
    failure = failure or worst("f must be convex", *_hull(alpha, alpha, beta))
    if symmetric and not failure:
        # Mirrored, a tolerated excess is one in α, which can be any excess in β on a steep piece.
        xs, ys = np.append(alpha, np.minimum(beta + tolerance, 1.0)), np.append(beta, alpha)
        failure = worst("f must be its own inverse", *_hull(alpha, xs, ys))
    return failure


def _hull(
    alpha: Array, xs: Array, ys: Array
) -> tuple[Array, tuple[Array, Array], tuple[Array, Array]]:
    """Return the lower hull of points and of (0, 1) and (1, 0), and its corners beside each `alpha`."""
    xs, ys = np.append(xs, [0.0, 1.0]), np.append(ys, [1.0, 0.0])
    corners = lower_hull(xs, ys)
    xs, ys = xs[corners], ys[corners]
    after = np.maximum(np.searchsorted(xs, alpha), 1)
    left, right = (xs[after - 1], ys[after - 1]), (xs[after], ys[after])
    return np.interp(alpha, xs, ys), left, right
