"""Means of vectors that are public in number and bounded."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.parameter import Parameter
from explorer.core.quantities import RECORDS
from explorer.core.sensitivity.base import (
    Isotropic,
    check_cells,
    check_list,
    helmert,
    helmert_sum,
    pairs,
)

COORDINATES = Parameter("p", "p", "coordinates", 1, 1e9, whole=True)
COMPONENTS = Parameter("p", "p", "components of a composition", 2, 1e9, whole=True)
N = RECORDS.within(1, RECORDS.high).named("n", "public number of records")


@dataclass(frozen=True, slots=True)
class BoundedMean(Isotropic):
    """Mean of n vectors in [0, 1]ᵖ, one of which is replaced.

    Attributes
    ----------
    p : int
        Number of coordinates.
    n : int
        Number of vectors, public.

    Raises
    ------
    ParameterError
        If a field lies outside its domain.

    Notes
    -----
    The differences fill the cube [-1/n, 1/n]ᵖ (Kim, Lee, Kwak and Jung, arXiv 2211.15019,
    section 3, for Δᵣ).
    """

    p: int
    n: int

    def __post_init__(self) -> None:
        """Check the fields and bring them to plain Python types."""
        object.__setattr__(self, "p", int(COORDINATES.check_scalar(self.p)))
        object.__setattr__(self, "n", int(N.check_scalar(self.n)))

    @property
    def rank(self) -> int:
        """Dimension p of the span."""
        return self.p

    @property
    def l1(self) -> float:
        """Δ₁ = p/n."""
        return self.p / self.n

    @property
    def l2(self) -> float:
        """Δ₂ = √p/n."""
        return math.sqrt(self.p) / self.n

    @property
    def extreme_difference(self) -> NDArray[np.float64]:
        """The p magnitudes 1/n of every corner of the cube."""
        return np.full(self.p, 1 / self.n)

    def project(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return (..., p) itself: the span is everything. Raises as `Table.project`."""
        return check_cells("x", "x", x, self.p)

    def basis(self) -> NDArray[np.float64]:
        """Return the identity, of shape (p, p)."""
        check_list(self.p, self.p)
        return np.eye(self.p)

    def basis_sum(self) -> NDArray[np.float64]:
        """Return ones, of shape (p,)."""
        return np.ones(self.p)

    def differences(self) -> NDArray[np.float64]:
        """Return the corners of the cube, of shape (2ᵖ, p), as `Table.differences`."""
        check_list(2 ** min(self.p, 64), self.p)
        bits = np.arange(2**self.p)[:, np.newaxis] >> np.arange(self.p) & 1
        return (1.0 - 2.0 * bits) / self.n


@dataclass(frozen=True, slots=True)
class SimplexMean(Isotropic):
    """Mean of n vectors of nonnegative shares that sum to one, one of which is replaced.

    Relative frequencies are such a mean, of unit vectors.

    Attributes
    ----------
    p : int
        Number of components, at least 2.
    n : int
        Number of vectors, public.

    Raises
    ------
    ParameterError
        If a field lies outside its domain.
    """

    p: int
    n: int

    def __post_init__(self) -> None:
        """Check the fields and bring them to plain Python types."""
        object.__setattr__(self, "p", int(COMPONENTS.check_scalar(self.p)))
        object.__setattr__(self, "n", int(N.check_scalar(self.n)))

    @property
    def rank(self) -> int:
        """Dimension p - 1 of the span."""
        return self.p - 1

    @property
    def l1(self) -> float:
        """Δ₁ = 2/n."""
        return 2 / self.n

    @property
    def l2(self) -> float:
        """Δ₂ = √2/n."""
        return math.sqrt(2) / self.n

    @property
    def extreme_difference(self) -> NDArray[np.float64]:
        """The two magnitudes 1/n of (eᵢ - eⱼ)/n.

        Other differences have the same positive and negative sums at most, spread over more
        components, and independent Laplace losses of a₁ and a₂ hide more than one of a₁ + a₂.
        """
        return np.full(2, 1 / self.n)

    def project(self, x: ArrayLike) -> NDArray[np.float64]:
        """Centre (..., p) at 0, as `Table.project`."""
        cells = check_cells("x", "x", x, self.p)
        cells -= cells.mean(axis=-1, keepdims=True)
        return cells

    def basis(self) -> NDArray[np.float64]:
        """Return the Helmert basis, of shape (p, p - 1), as `Table.basis`."""
        check_list(self.rank, self.p)
        return helmert(self.p)

    def basis_sum(self) -> NDArray[np.float64]:
        """Return the sum of the columns of `basis`, of shape (p,), without forming it."""
        return helmert_sum(self.p)

    def differences(self) -> NDArray[np.float64]:
        """Return all (eᵢ - eⱼ)/n, of shape (p(p - 1), p), as `Table.differences`."""
        return pairs(self.p) / self.n
