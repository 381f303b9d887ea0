r"""Distribution of a statistic of normal releases, in O(p) time for each point of its transform.

When a multinomial table is taken for normal, the release less the null table is normal with some mean
δ and covariance C = diag(d) - Σ xₖxₖᵀ, and the statistic is T = YᵀW⁻¹Y with W = diag(e) - Σ vₖvₖᵀ. Hence

.. math:: E e^{sT} = \{\det W / \det A\}^{1/2} \exp(s\,\delta^\top A^{-1} \delta),
          \qquad A = W - 2 s C,

for s below the singularity s* on the positive axis, up to which A is positive definite.

A is diag(e - 2sd) plus 2s Σ xₖxₖᵀ less Σ vₖvₖᵀ. Its determinant and forms of its inverse come one cell
and one rank at a time (Sherman and Morrison), in an order in which nothing cancels. The diagonal
alone becomes singular before A: by interlacing as many of its entries as there are xₖ may be
negative below s*. These, with the largest d/e, come last, as a small matrix whose other part is
eliminated. The order is: the other cells, the xₖ in them, the last cells, the vₖ. Off the axis each
ratio of successive determinants keeps its argument in (-π, π), because their roots interlace, so
that principal logarithms are continuous; on the axis below s* all pivots are positive.

Where only Y of sum 0 counts, C would be singular, and a cell of the largest denominator is left out. Of the
other cells the projected statistic has W = diag(nπ₀ + σ²) - nπ₀π₀ᵀ - σ²11ᵀ/p, the covariance under the
null hypothesis, and the others have W = diag(e) - eeᵀ/Σe.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.chisq.statistics import ChiSquaredStatistic

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

CLOSE = 0.99  # of a safe point, above which single cells may be nearly singular
LEAST_VARIANCE = 1e-12  # of a cell, in units of d, that is more than rounding


@dataclass(frozen=True, eq=False)
class ReleaseTransform:
    """Distributions of m statistics that share their matrix W; a `Transform`.

    Attributes
    ----------
    e : ndarray of shape (p,)
        Positive diagonal of W.
    d : ndarray of shape (m, p)
        Positive diagonals before the constraints; 0 where e is positive is allowed too.
    x : tuple of ndarray of shape (m, p)
        Vectors xₖ of the covariances.
    v : tuple of ndarray of shape (m, p)
        Vectors vₖ of W.
    delta : ndarray of shape (m, p)
        Means.
    safe : ndarray of shape (m,)
        Positive points that are known to be at most s*.
    """

    e: Array
    d: Array
    x: tuple[Array, ...]
    v: tuple[Array, ...]
    delta: Array
    safe: Array

    @cached_property
    def mean(self) -> Array:
        """Means, the derivatives of K at 0."""
        tiny = 1e-30 * self.safe
        slope: Array = self.log(_complex(1j * tiny)).imag[:, 0] / tiny
        return slope

    @cached_property
    def bound(self) -> Array:
        """Points, of shape (m,), that s* does not exceed.

        The least at which a diagonal entry of A is 0, or one of the cells that are not last.
        """
        entries = self.e - _squares(self.v)
        variances = np.maximum(self.d - _squares(self.x), LEAST_VARIANCE * self.d)
        with np.errstate(divide="ignore"):  # a cell without variance
            bound: Array = (0.5 * entries / variances).min(axis=1)
            rest = self._some_last.ratio[:, self._some_last.last :]
            if rest.shape[1]:
                bound = np.minimum(bound, 0.5 / rest.max(axis=1))
        return bound

    def is_analytic(self, s: Array) -> NDArray[np.bool_]:
        """Return whether points of the positive axis, of shape (m,), lie below s*."""
        if (s < self.safe).all():
            return np.full(len(s), fill_value=True)
        with np.errstate(all="ignore"):  # beyond s* anything may be zero
            pivots, _ = self._eliminate(_complex(s), self._some_last)
            positive = [(pivot.real > 0).all(axis=(-2, -1)) for pivot in pivots]  # false for NaN
        below: NDArray[np.bool_] = np.all(positive, axis=0)
        return below

    def log(self, s: Complex) -> Complex:
        """K at s of shape (m, k)."""
        safe = self.safe[:, np.newaxis]
        away = (s.real < CLOSE * safe) | (np.abs(s.imag) > (1 - CLOSE) * safe)
        pivots, form = self._eliminate(s, self._none_last if away.all() else self._some_last)
        exponent: Complex = s * form - (_log_determinant(pivots) - self._log_of_matrix) / 2
        return exponent

    @cached_property
    def _log_of_matrix(self) -> Array:
        pivots, _ = self._eliminate(_complex(np.zeros(len(self.d))), self._none_last)
        return _log_determinant(pivots).real

    def _eliminate(self, s: Complex, cells: "_Cells") -> tuple[list[Complex], Complex]:
        """Return the pivots of A at s, of shape (m, k, any), and δᵀA⁻¹δ of shape (m, k)."""
        twice = 2 * s
        count = len(self.x)
        w = 1 - twice[:, :, np.newaxis] * cells.ratio[:, np.newaxis, cells.last :]
        inverse = 1 / w
        sums = inverse.real @ cells.products + 1j * (inverse.imag @ cells.products)
        forms: Complex = sums[..., self._places]
        pivots = [w]
        for k in range(count):
            row = forms[..., k, :].copy()
            pivot = 1 + twice * row[..., k]
            pivots.append(pivot[..., np.newaxis])
            forms -= _outer(row, twice / pivot)
            forms[..., k, :] = forms[..., :, k] = row / pivot[..., np.newaxis]
        if cells.last:
            self._eliminate_last(twice, forms, pivots)
        for k in range(count, len(self._places) - 1):
            row = forms[..., k, :].copy()
            pivot = 1 - row[..., k]
            pivots.append(pivot[..., np.newaxis])
            forms += _outer(row, 1 / pivot)
        return pivots, forms[..., -1, -1]

    def _eliminate_last(self, twice: Complex, forms: Complex, pivots: list[Complex]) -> None:
        """Eliminate the last cells: change the forms and append the pivots."""
        cells = self._some_last
        count, last = len(self.x), cells.last
        twice = twice[..., np.newaxis, np.newaxis]
        ends = cells.ends[:, np.newaxis]
        across = ends[..., :count]
        parts = ends - twice * (across @ forms[..., :count, :])
        matrix = twice * (across @ parts[..., :count].swapaxes(-1, -2))
        diagonal = np.arange(last)
        matrix[..., diagonal, diagonal] += 1 - twice[..., 0] * cells.ratio[:, np.newaxis, :last]
        for a in range(last):
            row, part = matrix[..., a, :].copy(), parts[..., a, :].copy()
            pivot = row[..., a]
            pivots.append(pivot[..., np.newaxis])
            forms += _outer(part, 1 / pivot)
            share = row[..., a + 1 :, np.newaxis] / pivot[..., np.newaxis, np.newaxis]
            parts[..., a + 1 :, :] -= share * part[..., np.newaxis, :]
            matrix[..., a + 1 :, :] -= share * row[..., np.newaxis, :]

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        """Places of pairs of vectors in `_Cells.products`, of shape (vectors, vectors)."""
        size = len(self.x) + len(self.v) + 1
        places = np.zeros((size, size), dtype=np.intp)
        upper = np.triu_indices(size)
        places[upper] = np.arange(len(upper[0]))
        places.T[upper] = places[upper]
        return places

    @cached_property
    def _none_last(self) -> "_Cells":
        return self._cells(0)

    @cached_property
    def _some_last(self) -> "_Cells":
        return self._cells(min(len(self.x), len(self.e)))

    def _cells(self, last: int) -> "_Cells":
        ratio, root = self.d / self.e, np.sqrt(self.e)
        scaled = [vector / root for vector in (*self.x, *self.v, self.delta)]
        if last:
            order = np.argsort(-ratio, axis=1, kind="stable")
            ratio, *scaled = (np.take_along_axis(one, order, axis=1) for one in (ratio, *scaled))
        rest = [vector[:, last:] for vector in scaled]
        size = len(rest)
        products = [rest[i] * rest[j] for i in range(size) for j in range(i, size)]
        ends = np.stack([vector[:, :last] for vector in scaled], axis=-1)
        return _Cells(last, ratio, ends, np.stack(products, axis=-1))


class _Cells(NamedTuple):
    """Cells in the order of decreasing d/e, some of them to be eliminated last.

    Attributes
    ----------
    count : int
        Complex of cells that are eliminated last; 0 without an order.
    ratio : ndarray of shape (m, p)
        d/e.
    ends : ndarray of shape (m, last, vectors)
        The xₖ, the vₖ and δ over √e in the cells that are last.
    products : ndarray of shape (m, p - last, pairs)
        Products of two of them in the other cells.
    """

    last: int
    ratio: Array
    ends: Array
    products: Array


def release_transform(
    null: Array,
    n: float,
    probabilities: Array,
    statistic: ChiSquaredStatistic,
    variance: float,
    *,
    centred: bool,
) -> ReleaseTransform:
    """Return the distributions of a statistic of releases with normal noise.

    The table has the mean nπ and the covariance n(diag π - ππᵀ) of a multinomial one.

    Parameters
    ----------
    null : ndarray of shape (p,)
        Probabilities under the null hypothesis.
    n : float
        Complex of records.
    probabilities : ndarray of shape (m, p)
        Cell probabilities of the tables.
    statistic : ChiSquaredStatistic
        Of `STATISTICS`.
    variance : float
        Of the noise before any projection, σ²; 0 for the table itself.
    centred : bool
        Whether the noise has the sum 0.
    """
    projected = statistic.name == "projected" and variance > 0
    e = n * null if statistic.name == "pearson" else n * null + variance
    total, d = e.sum(), n * probabilities + variance
    if projected:  # as a form a multinomial covariance is at most max π/π₀ times that of π₀
        with np.errstate(divide="ignore", invalid="ignore"):  # a cell of probability 0
            ratios = np.where(probabilities > 0, probabilities / null, 0.0).max(axis=1)
        largest = np.minimum(np.maximum(ratios, 1), 1 + n * probabilities.max(axis=1) / variance)
    else:
        largest = (d / e).max(axis=1)
    ones = np.full_like(probabilities, math.sqrt(variance / len(null)))
    if centred or projected or variance == 0:
        cells = np.arange(len(null)) != np.argmax(e)
        null, probabilities = null[cells], probabilities[:, cells]
        e, d, ones = e[cells], d[:, cells], ones[:, cells]
    x: tuple[Array, ...] = (math.sqrt(n) * probabilities,)
    v: tuple[Array, ...] = ()
    if projected:
        x = (*x, ones)
        v = (np.broadcast_to(math.sqrt(n) * null, ones.shape), ones)
    elif centred or variance == 0:
        x = (*x, ones) if variance > 0 else x
        v = (np.broadcast_to(e / math.sqrt(total), ones.shape),)
    return ReleaseTransform(e, d, x, v, n * (probabilities - null), 0.5 / largest)


def _squares(vectors: tuple[Array, ...]) -> Array | float:
    return sum((vector * vector for vector in vectors), start=0.0)


def _complex(s: ArrayLike) -> Complex:
    """Return one point for each distribution, of shape (m, 1)."""
    return np.asarray(s, dtype=np.complex128)[:, np.newaxis]


def _outer(row: Complex, factor: Complex) -> Complex:
    """Return factor · row rowᵀ, of shape (..., vectors, vectors)."""
    product: Complex = (factor[..., np.newaxis] * row)[..., np.newaxis] * row[..., np.newaxis, :]
    return product


def _log_determinant(pivots: list[Complex]) -> Complex:
    total: Complex = sum(np.log(pivot).sum(axis=-1) for pivot in pivots)
    return total
