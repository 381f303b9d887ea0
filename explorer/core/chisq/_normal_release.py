r"""Law of a statistic of normal releases, in O(p) time for each point of its transform.

The release less the null table is normal with mean δ and covariance C = diag(d) - Σ xₖxₖᵀ, and the
statistic is T = YᵀWY with W⁻¹ = diag(e), or W⁻¹ = diag(e) - nπ₀π₀ᵀ for the projected one. Hence

.. math:: E e^{sT} = \det(I - 2 s W C)^{-1/2} \exp(s\,\delta^\top (W^{-1} - 2 s C)^{-1} \delta).

The determinant of diag(e) - 2sC = diag(e - 2sd) + 2s Σ xₖxₖᵀ and its inverse R come one rank at a
time (Sherman and Morrison). The roots of successive determinants interlace, so that each ratio
keeps its argument in (-π, π) and principal logarithms are continuous; none has a root below the
last one's least.

The projected statistic takes one rank more: a factor 1 - nπ₀ᵀRπ₀. With e = nπ₀ + σ² and C1 = 0, hence
Re = 1, it is σ²π₀ᵀR1, and nπ₀ᵀRδ is -σ²1ᵀRδ, which do not cancel where the noise is small.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class ReleaseLaw:
    """Laws of m statistics that share their denominators.

    Attributes
    ----------
    e : ndarray of shape (p,)
        Positive denominators.
    d : ndarray of shape (m, p)
        Variances before the constraints.
    x : tuple of ndarray of shape (m, p)
        Vectors xₖ.
    delta : ndarray of shape (m, p)
        Means.
    bound : ndarray of shape (m,)
        As `Transform.bound`; a safe one will do.
    projection : tuple of ndarray of shape (p,), float, float; or None
        For the projected statistic π₀, n and σ².
    """

    e: Array
    d: Array
    x: tuple[Array, ...]
    delta: Array
    bound: Array
    projection: tuple[Array, float, float] | None = None

    @cached_property
    def mean(self) -> Array:
        """Means, the derivatives of K at 0."""
        tiny = 1e-30 * self.bound
        points = (1j * tiny[:, np.newaxis]).astype(np.complex128)
        slope: Array = self.log(points).imag[:, 0] / tiny
        return slope

    def log(self, s: Complex) -> Complex:
        """K at s of shape (m, k)."""
        twice = 2 * s
        w = 1 - twice[:, :, np.newaxis] * self._ratio[:, np.newaxis, :]
        total = np.log(w).sum(axis=-1)
        inverse = 1 / w
        sums = inverse.real @ self._products + 1j * (inverse.imag @ self._products)
        forms = {pair: sums[..., i] for i, pair in enumerate(self._pairs)}
        count = len(self.x)
        for k in range(count):
            pivot = 1 + twice * forms[k, k]
            total = total + np.log(pivot)
            factor = twice / pivot
            for i, j in self._pairs:
                if i > k:
                    forms[i, j] = forms[i, j] - factor * forms[k, i] * forms[k, j]
        square = forms[count, count]  # δᵀRδ
        if self.projection is not None:
            null, n, variance = self.projection
            both, along = forms[count + 1, count + 2], forms[count, count + 2]
            total = total + np.log(both / (null / self.e).sum())
            square = square + variance * along * along / (n * both)
        exponent: Complex = s * square - total / 2
        return exponent

    @cached_property
    def _ratio(self) -> Array:
        return self.d / self.e

    @cached_property
    def _vectors(self) -> tuple[Array, ...]:
        """The xₖ, δ and for the projected statistic π₀ and 1."""
        if self.projection is None:
            return *self.x, self.delta
        null = np.broadcast_to(self.projection[0], self.d.shape)
        return *self.x, self.delta, null, np.ones_like(self.d)

    @cached_property
    def _pairs(self) -> tuple[tuple[int, int], ...]:
        size = len(self._vectors)
        return tuple((i, j) for i in range(size) for j in range(i, size))

    @cached_property
    def _products(self) -> Array:
        """Products of two vectors over e, of shape (m, p, pairs)."""
        vectors = self._vectors
        return np.stack([vectors[i] * vectors[j] / self.e for i, j in self._pairs], axis=-1)
