r"""Trade-off functions that are straight between break points; two finite distributions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core._probabilities import SUM_TOLERANCE, normalised
from explorer.core._typing import Array
from explorer.core.parameter import Parameter, ParameterError
from explorer.core.quantities import ALPHA

BETA: Final = Parameter("beta", "β", "type II error", 0, 1)
P: Final = Parameter("p", "P", "probabilities of the first distribution", 0, np.inf)
Q: Final = Parameter("q", "Q", "probabilities of the second distribution", 0, np.inf)


@dataclass(frozen=True, eq=False, init=False)
class PiecewiseLinear:
    """A function of the type I error that is straight between break points.

    Any points are allowed, those of an audit for instance; `violation` says whether they are those of a
    trade-off function. The tests that never and always reject are added at the ends, (0, 1) and
    (1, 0), unless there are points at these type I errors.

    Attributes
    ----------
    alpha : ndarray of shape (k,)
        Type I errors of the break points in [0, 1], in increasing order. At one that is repeated
        the function steps down, and takes the last value.
    beta : ndarray of shape (k,)
        Type II errors in [0, 1].
    advantage : ndarray of shape (k,)
        Power minus level, 1 - α - β. It holds the digits of errors near one; by default it is computed
        from the other two.

    Raises
    ------
    ParameterError
        If the arrays differ in shape or are out of their domain or order.
    """

    alpha: Array
    beta: Array
    advantage: Array

    def __init__(
        self, alpha: ArrayLike, beta: ArrayLike, advantage: ArrayLike | None = None
    ) -> None:
        alpha, beta = ALPHA.check(alpha), BETA.check(beta)
        if advantage is None:
            advantage = power_minus_level(alpha, beta)
        points = [alpha, beta, np.asarray(advantage, dtype=np.float64)]
        if alpha.ndim != 1 or any(part.shape != alpha.shape for part in points):
            shapes = tuple(part.shape for part in points)
            raise _refused(ALPHA, "and the others must be of one shape (k,)", shapes)
        if not (abs(points[2] - power_minus_level(alpha, beta)) <= SUM_TOLERANCE).all():
            raise _refused(BETA, "must be 1 - α - advantage", beta.tolist())
        if (np.diff(alpha) < 0).any():
            raise _refused(ALPHA, "must be in increasing order", alpha.tolist())
        if alpha.size == 0 or alpha[0] > 0:
            points = [np.append(end, part) for end, part in zip((0, 1, 0), points, strict=True)]
        if points[0][-1] < 1:
            points = [np.append(part, end) for end, part in zip((1, 0, 0), points, strict=True)]
        for name, part in zip(("alpha", "beta", "advantage"), points, strict=True):
            own = part.astype(np.float64)
            own.setflags(write=False)
            object.__setattr__(self, name, own)

    def __call__(self, alpha: ArrayLike) -> Array:
        """Evaluate the function.

        Parameters
        ----------
        alpha : array_like of shape (...)
            Type I errors in [0, 1].

        Returns
        -------
        ndarray of shape (...)
            Type II errors, weighted means of those at the break points beside.

        Raises
        ------
        ParameterError
            If an entry is out of its domain.
        """
        alpha = ALPHA.check(alpha)
        upper = alpha > 0.5
        # Above 1/2 the distance from one says more than the error itself.
        from_one = np.maximum.accumulate(-(self.beta + self.advantage))
        near_one = self._interpolate(from_one, np.where(upper, alpha - 1, 0.0))
        return np.where(upper, near_one, self._interpolate(self.alpha, alpha))[()]

    def _interpolate(self, knots: Array, place: Array) -> Array:
        last = len(knots) - 1
        index = np.searchsorted(knots, place, side="right") - 1
        after = np.minimum(index + 1, last)
        passed, left = np.maximum(place - knots[index], 0.0), knots[after] - place
        share = np.divide(passed, passed + left, out=np.zeros_like(passed), where=left > 0)
        rest = np.divide(left, passed + left, out=np.ones_like(passed), where=left > 0)
        return rest * self.beta[index] + share * self.beta[after]


def discrete(alpha: ArrayLike, p: ArrayLike, q: ArrayLike) -> Array:
    """Trade-off function of two finite distributions, exactly.

    Parameters
    ----------
    alpha : array_like of shape (...)
        Type I errors in [0, 1].
    p, q : array_like of shape (k,)
        Probabilities of the k outcomes under either hypothesis. Each has sum 1 within 1e-9 (2e-6 in
        single precision) and is divided by it; zeros are allowed.

    Returns
    -------
    ndarray of shape (...)
        Type II errors in [0, 1]; 0 for distributions on disjoint outcomes.

    Raises
    ------
    ParameterError
        If an entry is out of its domain, the shapes differ or a sum is not 1.

    Notes
    -----
    By the lemma of Neyman and Pearson the best tests reject outcomes in the order of q/p, the last
    one partly; `discrete_curve` gives these break points.
    """
    return discrete_curve(p, q)(alpha)


def discrete_curve(p: ArrayLike, q: ArrayLike) -> PiecewiseLinear:
    """Return the break points of the trade-off function of two finite distributions.

    Parameters
    ----------
    p, q : array_like of shape (k,)
        As for `discrete`.

    Returns
    -------
    PiecewiseLinear
        From the test that rejects the outcomes that are impossible under P to the one that rejects all.

    Raises
    ------
    ParameterError
        As for `discrete`.

    Notes
    -----
    Each error and each advantage is a sum of positive terms from its own end, so that it has its
    digits however small it is: relative error below k/10¹⁶.
    """
    (p, p_excess), (q, q_excess) = _probabilities(P, p), _probabilities(Q, q)
    if p.shape != q.shape:
        raise _refused(Q, f"must have the shape of p, {p.shape}", q.shape)
    p, q = p[(p > 0) | (q > 0)], q[(p > 0) | (q > 0)]
    # What P and Q over their sums differ by; each over its own sum rounds as much as they may differ.
    difference = (q - p) + (q * p_excess - p * q_excess)
    difference /= (1 + p_excess) * (1 + q_excess)
    p, q = p / (1 + p_excess), q / (1 + q_excess)
    rarer = difference < 0
    ratio = np.where(rarer, -q, p) / np.maximum(p, q)  # neither overflows, as q/p may
    order = np.lexsort((ratio, rarer))
    p, q, difference = p[order], q[order], difference[order]
    alpha, beta = np.append(0.0, np.cumsum(p)), np.append(np.cumsum(q[::-1])[::-1], 0.0)
    alpha[-1], beta[0] = 1.0, 1.0
    gained = np.append(0.0, np.cumsum(difference))
    left = np.append(np.cumsum(-difference[::-1])[::-1], 0.0)
    passed = np.append(0.0, np.cumsum(p + q))
    advantage = np.where(passed > 1, left, gained)
    # Outcomes that are impossible under P are rejected at level 0.
    first = np.count_nonzero(p == 0)
    alpha, beta = np.minimum(alpha[first:], 1.0), np.minimum(beta[first:], 1.0)
    return PiecewiseLinear(alpha, beta, advantage[first:])


def power_minus_level(alpha: Array, beta: Array) -> Array:
    """Return 1 - α - β, rounding as little as the two allow."""
    return (1 - np.maximum(alpha, beta)) - np.minimum(alpha, beta)


def lower_hull(alpha: NDArray[Any], beta: NDArray[Any]) -> NDArray[np.intp]:
    """Return the places of the points on the lower convex hull, in increasing order of `alpha`."""
    hull: list[int] = []
    xs: Sequence[float] = alpha.tolist()
    ys: Sequence[float] = beta.tolist()
    for i in np.lexsort((beta, alpha)).tolist():
        if hull and xs[i] == xs[hull[-1]]:
            continue
        while len(hull) > 1:
            b, a = hull[-1], hull[-2]
            if (ys[b] - ys[a]) * (xs[i] - xs[a]) < (ys[i] - ys[a]) * (xs[b] - xs[a]):
                break
            hull.pop()
        hull.append(i)
    return np.array(hull, dtype=np.intp)


def _probabilities(parameter: Parameter, values: ArrayLike) -> tuple[Array, float]:
    """Return numbers that are probabilities but for rounding, and by how much their sum exceeds 1."""
    numbers = parameter.check(values)
    if numbers.ndim != 1:
        raise _refused(parameter, "must have one shape (k,)", numbers.shape)
    normalised(parameter, values, numbers)
    return numbers, math.fsum([*numbers.tolist(), -1.0])


def _refused(parameter: Parameter, rule: str, value: object) -> ParameterError:
    return ParameterError(parameter.name, parameter.symbol, parameter.meaning, rule, value)
