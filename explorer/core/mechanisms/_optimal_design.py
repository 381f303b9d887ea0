r"""The least normal noise that hides given differences, as a problem of optimal design.

The problem is to find the covariance Σ of least trace with :math:`v^\top \Sigma^{+} v \le 1` for all
vectors v. For weights w ≥ 0 let :math:`A = \sum_v w_v v v^\top`. By the inequality of Cauchy and Schwarz every such
Σ has

.. math:: \operatorname{tr}\Sigma \sum_v w_v
          \ge \operatorname{tr}\Sigma \operatorname{tr}(A \Sigma^{+}) \ge (\operatorname{tr} A^{1/2})^2,

a bound that any w gives, and :math:`\Sigma = q A^{1/2}` with :math:`q = \max_v v^\top A^{-1/2} v` is such
a Σ. Both meet where :math:`v^\top A^{-1/2} v` is 1 for vectors of positive weight and at most 1 for
the others: at the maximum of the concave :math:`2 \operatorname{tr} A^{1/2} - \sum_v w_v`. A primal-dual
interior point method finds it. Its Newton steps need the derivatives

.. math:: -\frac{\partial\, v^\top A^{-1/2} v}{\partial w_u}
          = \sum_{kl} \frac{v_k v_l u_k u_l}{r_k r_l (r_k + r_l)},

in coordinates along the eigenvectors of A, with r the roots of its eigenvalues.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.core._typing import Array

INITIAL_STEPS = 25  # multiplicative steps, after which weights have their order of size
ALIKE = 1e-10  # relative difference of weights up to which vectors form one group
TOLERANCE = 1e-11  # for the gap
LAST_TARGET = 1e-16  # in units of the mean weight: the gap that is left is not for steps to close
MOST_STEPS = 100  # of the interior point method
FLOOR = 0.1  # equal weights mixed in at the start, which must not be near zero
SPREAD = 1e4  # largest factor between a multiplier and its target
ROUNDING = 1e-11  # of heights, over the trace: smaller rises cannot be seen


class Design(Protocol):
    """A design: weights w, one for each group of vectors, and the quantities that follow from them."""

    @property
    def weights(self) -> Array:
        """The weights, of shape (groups,)."""

    @property
    def trace(self) -> float:
        """The trace of the root of A."""

    @property
    def energies(self) -> Array:
        """Means over the groups of v'A^(-1/2)v."""

    @property
    def largest(self) -> float:
        """The largest v'A^(-1/2)v."""

    @property
    def factor(self) -> Array:
        """Rows whose inner products are the derivatives above."""


D = TypeVar("D", bound=Design)


class PartsDesign:
    """Differences that come in orbits, with A a multiple of the identity on each part.

    Parameters
    ----------
    weights : ndarray of shape (orbits,)
        Weight of each orbit.
    lengths : ndarray of shape (orbits, parts)
        Squared lengths of the parts of a difference.
    ranks : ndarray of shape (parts,)
        Dimensions of the parts.
    """

    def __init__(self, weights: Array, lengths: Array, ranks: Array) -> None:
        self.weights = weights
        self._lengths, self._ranks = lengths, ranks
        self.roots = np.sqrt(weights @ lengths / ranks)
        self.trace = float(ranks @ self.roots)
        self.energies: Array = lengths @ (1 / self.roots)
        self.largest = float(self.energies.max())

    @cached_property
    def factor(self) -> Array:
        """Rows whose inner products are the derivatives of `Design.factor`."""
        return self._lengths / np.sqrt(2 * self._ranks * self.roots**3)


class VectorsDesign:
    """Any vectors.

    Parameters
    ----------
    weights : ndarray of shape (groups,)
        Weight of each group, to be shared equally.
    vectors : ndarray of shape (m, d)
        Vectors that span all d dimensions, group by group.
    starts : ndarray of shape (groups,)
        Number of the first vector of each group.
    """

    def __init__(self, weights: Array, vectors: Array, starts: NDArray[np.intp]) -> None:
        self.weights = weights
        self._starts, self._sizes = starts, np.diff(starts, append=len(vectors))
        shares = np.repeat(weights / self._sizes, self._sizes)
        # Singular values keep digits that the eigenvalues of A would lose.
        _, self.roots, axes = np.linalg.svd((vectors.T * np.sqrt(shares)).T, full_matrices=False)
        self.axes: Array = axes.T
        self.trace = float(self.roots.sum())
        self._coordinates = vectors @ self.axes
        energies = (self._coordinates**2 / self.roots).sum(axis=1)
        self.energies = self._means(energies)
        self.largest = float(energies.max())

    @cached_property
    def factor(self) -> Array:
        """Rows whose inner products are the derivatives of `Design.factor`."""
        k, l = np.triu_indices(len(self.roots))  # noqa: E741 - as in the formula
        scale = np.where(k == l, 1.0, np.sqrt(2.0))
        r, s = self.roots[k], self.roots[l]
        products = self._coordinates[:, k] * self._coordinates[:, l]
        return self._means(products * (scale / np.sqrt(r * s * (r + s))))

    def _means(self, rows: Array) -> Array:
        sums: Array = np.add.reduceat(rows, self._starts, axis=0)
        return (sums.T / self._sizes).T


def gap(design: Design) -> float:
    """Cost over bound, less 1."""
    return design.trace * design.largest / bound(design) - 1


def bound(design: Design) -> float:
    """Bound of the trace of every Σ."""
    return design.trace * design.trace / float(design.weights.sum())


def best_parts(lengths: Array, ranks: Array) -> PartsDesign:
    """Return the best design for orbits of differences, as `PartsDesign`."""

    def make(weights: Array) -> PartsDesign:
        return PartsDesign(weights, lengths, ranks)

    return refine(make, initial_design(make, len(lengths)))


def best_vectors(vectors: Array) -> VectorsDesign:
    """Return the best design for vectors of shape (m, d), as `VectorsDesign`.

    Vectors that symmetries carry into each other have the same weight after every
    multiplicative step, and stay together; if others agree by chance, the gap shows it.
    """
    one_by_one = np.arange(len(vectors))
    design = initial_design(
        lambda weights: VectorsDesign(weights, vectors, one_by_one), len(vectors)
    )
    order = np.argsort(design.weights)
    vectors, weights = vectors[order], design.weights[order]
    alike = np.diff(weights, prepend=-1.0) <= ALIKE * weights
    for starts in (np.flatnonzero(~alike), one_by_one):

        def make(weights: Array, starts: NDArray[np.intp] = starts) -> VectorsDesign:
            return VectorsDesign(weights, vectors, starts)

        design = refine(make, make(np.add.reduceat(weights, starts)))
        if gap(design) < 100 * TOLERANCE:
            break
    return design


def initial_design(make: Callable[[Array], D], count: int) -> D:
    """Return the design after some steps that multiply each weight by its energy."""
    design = make(np.full(count, 1 / count))
    for _ in range(INITIAL_STEPS):
        weights = design.weights * design.energies
        design = make(weights / weights.sum())
    return design


def refine(make: Callable[[Array], D], start: D) -> D:
    r"""Return the best design, by interior point steps from another.

    With weights w, target τ and multipliers s (near τ/w), the step is one of Newton's to the
    maximum of :math:`2 \operatorname{tr} A^{1/2} - \sum_v w_v + \tau \sum_v \log w_v`, with s/w for
    τ/w² in the second derivative: uphill whatever s is, and halved until the objective rises. So every
    step is an improvement, and s affects speed only.
    """
    weights = start.weights / start.weights.sum() + FLOOR / len(start.weights)
    design = make(weights)
    # At the maximum the weights sum to the trace.
    best = design = make(weights * (design.trace**2 / weights.sum()))
    weights, unit = design.weights, design.weights.mean()
    target = 0.1
    slack = np.maximum(1 - design.energies, target * unit / weights)
    for _ in range(MOST_STEPS):
        if gap(best) < TOLERANCE or target < LAST_TARGET:
            break
        pull = target * unit / weights
        slope = pull + design.energies - 1
        step = _solve(design.factor, slack / weights, slope)
        slack_step = pull - slack * (1 + step / weights)
        size, rise = longest_step(weights, step), slope @ step
        height = _height(design, target * unit)
        while True:
            trial = make(weights + size * step)
            gain = _height(trial, target * unit) - height
            if gain >= 0.01 * size * rise or size * rise < ROUNDING * design.trace:
                break
            size /= 2
        slack = slack + longest_step(slack, slack_step) * slack_step
        design, weights = trial, trial.weights
        best = min(best, design, key=gap)
        pull = target * unit / weights
        slack = np.clip(slack, pull / SPREAD, pull * SPREAD)
        error = np.abs(weights * (slack + design.energies - 1)).max()
        if max(error, np.abs(weights * slack - target * unit).max()) < 10 * target * unit:
            target = min(0.2 * target, target**1.5)
    return best


def _height(design: Design, target: float) -> float:
    """Return the objective that a step increases."""
    barrier = target * float(np.log(design.weights).sum())
    return 2 * design.trace - float(design.weights.sum()) + barrier


def _solve(rows: Array, diagonal: Array, right: Array) -> Array:
    """Solve (ZZ' + D) x = b, for rows Z and a positive diagonal D."""
    count, width = rows.shape
    if count <= width:
        direct = np.linalg.solve(rows @ rows.T + np.diag(diagonal), right)
        return direct.astype(np.float64)
    # For weights away from zero D is small: x is the residual of a ridge regression.
    root = np.sqrt(diagonal)
    scaled, goal = rows / root[:, np.newaxis], right / root
    q, r = np.linalg.qr(np.concatenate([scaled, np.eye(width)]))
    return (goal - scaled @ np.linalg.solve(r, q[:count].T @ goal)) / root


def longest_step(values: Array, step: Array) -> float:
    """Return the part of a step, at most 1, that keeps positive values positive."""
    return float(1 / max(1.0, (-step / values).max() / 0.97))
