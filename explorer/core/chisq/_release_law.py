r"""Law of a statistic of normal releases, in O(p) time for each point of its transform.

The release less the null table is normal with mean δ and covariance C = diag(d) - Σ xₖxₖᵀ, and the
statistic is T = Yᵀ(diag(e) - x₀x₀ᵀ)⁻¹Y. Hence

.. math:: E e^{sT} = \det(I - 2 s W C)^{-1/2} \exp(s\,\delta^\top (W^{-1} - 2 s C)^{-1} \delta),

with :math:`W^{-1} - 2sC = \operatorname{diag}(e - 2sd) - x_0 x_0^\top + 2s \sum x_k x_k^\top`. The determinant
and the inverse are updated one rank at a time (Sherman and Morrison), x₀ last. The roots of
successive determinants interlace, so that each ratio keeps its argument in (-π, π) and principal
logarithms are continuous; in this order none has a root below the last one's least.
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
    x0 : ndarray of shape (p,) or None
        For the projected statistic only.
    rest : float
        1 - Σ x₀²/e.
    d : ndarray of shape (m, p)
        Variances before the constraints.
    x : tuple of ndarray of shape (m, p)
        Vectors xₖ, k ≥ 1.
    delta : ndarray of shape (m, p)
        Means.
    bound : ndarray of shape (m,)
        As `Transform.bound`; a safe one will do.
    """

    e: Array
    x0: Array | None
    rest: float
    d: Array
    x: tuple[Array, ...]
    delta: Array
    bound: Array

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
        size = self._size
        s_ = {pair: sums[..., i] for i, pair in enumerate(self._pairs)}
        for k in range(size - 1):
            if k < len(self.x):
                pivot = 1 + twice * s_[k, k]
                factor = twice / pivot
            else:
                pivot = 1 - s_[k, k]
                factor = -1 / pivot
                pivot = pivot / self.rest
            total = total + np.log(pivot)
            for i, j in self._pairs:
                if i > k:
                    s_[i, j] = s_[i, j] - factor * s_[k, i] * s_[k, j]
        exponent: Complex = s * s_[size - 1, size - 1] - total / 2
        return exponent

    @cached_property
    def _ratio(self) -> Array:
        return self.d / self.e

    @cached_property
    def _size(self) -> int:
        return len(self.x) + 1 + (self.x0 is not None)

    @cached_property
    def _pairs(self) -> tuple[tuple[int, int], ...]:
        return tuple((i, j) for i in range(self._size) for j in range(i, self._size))

    @cached_property
    def _products(self) -> Array:
        """Products of the vectors and δ over e, of shape (m, p, pairs)."""
        last = () if self.x0 is None else (np.broadcast_to(self.x0, self.d.shape),)
        vectors = (*self.x, *last, self.delta)
        return np.stack([vectors[i] * vectors[j] / self.e for i, j in self._pairs], axis=-1)
