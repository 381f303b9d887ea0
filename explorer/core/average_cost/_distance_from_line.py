r"""Squared distance of a multinomial table from a line, the one direction that is not shrunk.

With D = X - c1 and a unit vector w the distance Q = ‖D‖² - (w·D)² couples the cells. A Gaussian
integral over the point bw of the line uncouples them,

.. math:: e^{-sQ} = \sqrt{s/\pi} \int e^{-s \|D - bw\|^2}\,db,

and the trapezoidal rule with step h takes it with the relative error 2 exp(-π² Re(1/s)/h²) for
every X. The mean of the integrand over X is as a function of b near to a normal density of
variance V_b = 1/{2s(1 - 2sV₁)}, V₁ the variance of w·X in the tilted table given its sum.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.core._typing import Array, Complex, Numbers
from explorer.core.average_cost._distance import distinct_cells
from explorer.core.average_cost._multinomial import (
    BLOCK,
    CUT,
    SMALLEST,
    Sweep,
    log_poisson,
    mean_exponential,
)
from explorer.core.average_cost._saddle import MOST_STEPS, Cells, narrowed_step, smooth_saddle

Whole = NDArray[np.int_]

FLAT = 5.0  # Re(1/s) at which a Gaussian on whole numbers is as smooth as on the line
NEAR = 4 * CUT  # s from which only the tables within 1/2 of the line, in every cell, count
ROUNDING = 1e-12  # of coordinates of w and of places b on the line
NEGLIGIBLE = 1e-13
PEAKED = 8.0
MOST_POINTS = 3000
SWEEP = 24  # points of the integral that share one saddle point
WIDEST = 14.0  # how far a sweep moves the centre of a cell, times the root of s
COARSEST = 3.0  # exponent of the relative error that is always kept


class Middle(NamedTuple):
    """Middle of the integral over b, tilt there and its slope, and the variance V_b; (m,)."""

    middle: Array
    tilt: Array
    slope: Array
    variance: Complex

    def at(self, index: NDArray[np.intp]) -> "Middle":
        """Select rows."""
        return Middle(self.middle[index], self.tilt[index], self.slope[index], self.variance[index])


@dataclass(frozen=True)
class LineDistance:
    """Q = ‖X - c1‖² - (w·(X - c1))², X ~ Multinomial(n, π).

    Attributes
    ----------
    n : int
        Number of records, at least 1.
    probabilities : ndarray of shape (p,)
        Cell probabilities π, of sum 1.
    centre : float
        The number c.
    unshrunk : ndarray of shape (p,)
        The unit vector w.
    """

    n: int
    probabilities: Array
    centre: float
    unshrunk: Array

    @property
    def mean(self) -> float:
        """Mean of Q."""
        pi, w, c = self.probabilities, self.unshrunk, self.centre
        part = self.n * pi - c - w * (w @ (self.n * pi - c))
        variance = 1 - pi @ pi - pi @ w**2 + (pi @ w) ** 2
        return float(part @ part + self.n * variance)

    def transform(self, s: Complex, share: Array | None = None) -> Complex:
        """Return E e^{-sQ}, as `Distance.transform`."""
        share = np.ones(len(s)) if share is None else share
        values = np.zeros(len(s), dtype=np.complex128)
        near = s.real > NEAR
        values[~near] = self._integral(s[~near], share[~near])
        if near.any():
            chance, distance = self._near_tables
            values[near] = np.exp(-np.multiply.outer(s[near], distance)) @ chance
        return values

    def _integral(self, s: Complex, share: Array) -> Complex:
        """Return the means by the integral over b.

        The relative error of the trapezoidal rule, of E e^{-Q Re s}, is exp(-CUT) over `share`.
        """
        s = np.maximum(s.real, SMALLEST) + 1j * s.imag
        line = self._middle(s)
        inverse = np.real(1 / s)
        step = np.pi * np.sqrt(inverse / CUT)
        coarse = np.pi * np.sqrt(inverse / np.maximum(CUT + np.log(share), COARSEST))
        wide = np.pi * np.sqrt(2 * np.maximum(line.variance.real, 0) / CUT)
        steepest = np.abs(self.unshrunk).max()
        smooth = (inverse > FLAT) & (wide > 2 * np.pi * steepest)
        sweepable = WIDEST / (SWEEP * steepest * np.sqrt(s.real))
        coarse = np.where(s.real < 1, np.minimum(coarse, 0.999 * sweepable), coarse)
        step = np.maximum(step, np.where(smooth, np.maximum(coarse, wide), coarse))
        points = 1 + (np.sqrt(2 * CUT / np.real(1 / line.variance)) / step).astype(int)
        # For large s the integrand has a peak at each table near the line and is nothing between.
        peaks = np.where(
            s.real > PEAKED, np.minimum(self._nonnegative_reach / step, MOST_POINTS), 0
        )
        points = np.maximum(points, peaks.astype(int))
        swept = (s.real < 1) & (step < sweepable)
        sums = np.zeros(len(s), dtype=np.complex128)
        for sweep, part in ((SWEEP, np.flatnonzero(swept)), (1, np.flatnonzero(~swept))):
            sums[part] = self._sums(s[part], line.at(part), step[part], points[part], sweep)
        return sums * step * np.sqrt(s / np.pi)

    def _sums(self, s: Complex, line: Middle, step: Array, points: Array, sweep: int) -> Complex:
        """Return sums over b = middle + step·number in sweeps of so many numbers.

        The sweeps go from the middle to both sides. A side ends where the last third of its points
        has fallen below e^-CUT.
        """
        sums = np.zeros(len(s), dtype=np.complex128)
        last = np.tile(np.maximum(-((sweep - 2 * points) // (2 * sweep)), 0), (2, 1))
        at, block = _runs(-last[0], last[0] + 1)
        while len(at):
            number = block[:, np.newaxis] * sweep + np.arange(sweep) - sweep // 2
            values = self._uncoupled(s[at], line.at(at), step[at, np.newaxis] * number)
            np.add.at(sums, at, values.sum(axis=1))
            edge = np.zeros(last.shape)
            outermost = last * sweep + (sweep - 1) // 2
            outer_from = outermost if sweep > 1 else outermost - outermost // 3
            for side, sign in enumerate((1, -1)):
                outer = sign * number >= outer_from[side, at, np.newaxis]
                np.maximum.at(edge[side], at, (np.abs(values) * outer).max(axis=1))
            open_ends = edge > NEGLIGIBLE
            more = np.where(open_ends, last + 1 + last // 2, last)
            right, left = (_runs(last[side] + 1, more[side] + 1) for side in (0, 1))
            at, block = np.concatenate([right[0], left[0]]), np.concatenate([right[1], -left[1]])
            last = more
        return sums

    def _uncoupled(self, s: Complex, line: Middle, b: Array) -> Complex:
        """Return E exp(-s‖D - (middle + b)w‖²) for s of shape (m,) and b of shape (m, k)."""
        cells, w = self._cells
        centre = b[:, [b.shape[1] // 2]]
        middle = line.middle[:, np.newaxis] + centre
        tilt = line.tilt + line.slope * centre[:, 0]
        sweep = Sweep(w, b - centre) if b.shape[1] > 1 else None
        values = mean_exponential(cells, s, self.centre + middle * w, tilt, sweep)
        empty = self.unshrunk[self.probabilities == 0]
        if empty.size:
            at = self.centre + np.multiply.outer(line.middle[:, np.newaxis] + b, empty)
            values *= np.exp(-s[:, np.newaxis] * (at * at).sum(axis=-1))
        return values

    @cached_property
    def _cells(self) -> tuple[Cells, Array]:
        """The cells of positive probability and their coordinates of w."""
        (pi, w), counts = distinct_cells(self.probabilities, self.unshrunk)
        return Cells(float(self.n), self.n * pi, counts), w

    def _middle(self, s: Complex) -> Middle:
        """Return where the integrand is largest, for s of shape (m,).

        For real s that is where b = w·D for the means of the tilted table: the difference of the
        two sides increases with b, with the slope 1 - 2sV₁, a sum of positive terms.
        """
        cells, w = self._cells
        empty = self.unshrunk[self.probabilities == 0]
        a = s.real[:, np.newaxis]
        b = np.full_like(a, self.unshrunk @ (self.n * self.probabilities - self.centre))
        tilt = np.zeros_like(a)
        below, above = np.full_like(a, -np.inf), np.full_like(a, np.inf)
        for _ in range(MOST_STEPS):
            saddle = smooth_saddle(cells, a, self.centre + b * w, tilt)
            slope, drift = self._slope(a, saddle.mean)
            excess = b - cells.total(w * (saddle.mean - self.centre)) + self.centre * empty.sum()
            tilt = saddle.tilt
            if (np.abs(excess) < 0.01 * np.sqrt(slope / (2 * a))).all():
                break
            b = narrowed_step(b, excess / slope, below, above)
        slope, _ = self._slope(s[:, np.newaxis], saddle.mean)
        return Middle(b[:, 0], tilt[:, 0], -2 * s.real * drift[:, 0], 1 / (2 * s * slope[:, 0]))

    def _slope(self, s: Numbers, mean: Numbers) -> tuple[Numbers, Numbers]:
        """Return 1 - 2sV₁ and the covariance of w·X and the sum over the variance of the sum."""
        cells, w = self._cells
        empty = self.unshrunk[self.probabilities == 0]
        flat = 1 / (1 + 2 * s * mean)
        with_sum = cells.total(w * mean * flat)
        drift = with_sum / cells.total(mean * flat)
        return cells.total(w * w * flat) + empty @ empty + 2 * s * drift * with_sum, drift

    @property
    def _reach(self) -> float:
        """How far w·D lies from its mean, but for e^-CUT of the tables."""
        w, pi = self.unshrunk, self.probabilities
        variance = self.n * max(float(pi @ w**2 - (pi @ w) ** 2), 0.0)
        return float(1 + np.abs(w).max() * CUT + np.sqrt(2 * CUT * variance))

    @property
    def _nonnegative_reach(self) -> float:
        """`_reach`, or how far c + bw is nearly nonnegative if that is less."""
        w = self.unshrunk
        middle = w @ (self.n * self.probabilities - self.centre)
        ends = (self.centre + np.sqrt(CUT / PEAKED)) / np.maximum(np.abs(w), ROUNDING)
        right = ends[w < 0].min(initial=np.inf) - middle
        left = ends[w > 0].min(initial=np.inf) + middle
        return float(min(self._reach, max(right, left, 0.0)))

    @cached_property
    def _near_tables(self) -> tuple[Array, Array]:
        """Probabilities and Q of the tables that are within 1/2 of the line in every cell.

        They are what c + bw rounds to between the b at which one of its cells is a half.
        """
        w, pi, c = self.unshrunk, self.probabilities, self.centre
        middle, reach = w @ (self.n * pi - c), self._reach
        halves = [
            (np.arange(np.ceil(low), high) + 0.5 - c) / x
            for x, low, high in zip(
                w,
                *np.sort([c + w * (middle - reach), c + w * (middle + reach)], axis=0),
                strict=True,
            )
            if x
        ]
        edges = np.unique(np.concatenate([[middle - reach, middle + reach], *halves]))
        b = (edges[1:] + edges[:-1])[np.diff(edges) > ROUNDING] / 2
        chances, distances = [], []
        whole = np.array([float(self.n)])
        rows = max(1, BLOCK // len(w))
        for first in range(0, len(b), rows):
            x = np.round(c + np.multiply.outer(b[first : first + rows], w))
            possible = (x >= 0).all(axis=1) & (x[:, pi == 0] == 0).all(axis=1)
            x = x[possible & (x.sum(axis=1) == self.n)]
            log_chance = log_poisson(x[:, pi > 0], self.n * pi[pi > 0]).sum(axis=1)
            chances.append(np.exp(log_chance - log_poisson(whole, whole)))
            part = x - c
            part = part - np.multiply.outer(part @ w, w)
            distances.append(np.where(np.abs(part) < ROUNDING * self.n, 0, part**2).sum(axis=1))
        return np.concatenate(chances), np.concatenate(distances)


def _runs(first: Whole, end: Whole) -> tuple[Whole, Whole]:
    """Return the numbers from each `first` to before its `end`, and the index of the range of each."""
    length = end - first
    owner = np.repeat(np.arange(len(first)), length)
    return owner, np.arange(len(owner)) - (np.cumsum(length) - length - first)[owner]
