"""Tables of counts of which more is public than the total."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.parameter import Parameter
from explorer.core.quantities import SHAPE
from explorer.core.sensitivity.base import (
    Isotropic,
    check_cells,
    check_list,
    check_shape,
    helmert,
    helmert_sum,
    kron,
    pairs,
)

GROUPS = Parameter("groups", "I", "groups of public size", 1, 1e9, whole=True)
CATEGORIES = Parameter("categories", "J", "response categories", 2, 1e9, whole=True)


@dataclass(frozen=True, slots=True)
class Groups(Isotropic):
    """Counts of a response in groups of public sizes, where one person's response changes.

    Attributes
    ----------
    groups, categories : int
        Numbers I ≥ 1 of groups and J ≥ 2 of response categories. The I × J cells are in C
        order, a group's together.

    Raises
    ------
    ParameterError
        If a field lies outside its domain.
    """

    groups: int
    categories: int

    def __post_init__(self) -> None:
        """Check the fields and bring them to plain Python types."""
        object.__setattr__(self, "groups", int(GROUPS.check_scalar(self.groups)))
        object.__setattr__(self, "categories", int(CATEGORIES.check_scalar(self.categories)))

    @property
    def p(self) -> int:
        """Number of cells IJ."""
        return self.groups * self.categories

    @property
    def rank(self) -> int:
        """Dimension I(J - 1) of the span."""
        return self.groups * (self.categories - 1)

    @property
    def l1(self) -> float:
        """Δ₁ = 2 records."""
        return 2.0

    @property
    def l2(self) -> float:
        """Δ₂ = √2 records."""
        return math.sqrt(2)

    @property
    def extreme_difference(self) -> NDArray[np.float64]:
        """Two ones, the nonzero magnitudes of every difference, in records."""
        return np.ones(2)

    def project(self, x: ArrayLike) -> NDArray[np.float64]:
        """Centre every group of tables (..., p) at 0, as `Table.project`."""
        cells = check_cells("x", "x", x, self.p)
        rows = cells.reshape(*cells.shape[:-1], self.groups, self.categories)
        rows -= rows.mean(axis=-1, keepdims=True)
        return rows.reshape(cells.shape)  # not a view of the cells if these were transposed

    def basis(self) -> NDArray[np.float64]:
        """Return the Helmert bases of the groups side by side, of shape (p, rank)."""
        check_list(self.rank, self.p)
        return kron(np.eye(self.groups), helmert(self.categories))

    def basis_sum(self) -> NDArray[np.float64]:
        """Return the sum of the columns of `basis`, of shape (p,), without forming it."""
        return np.tile(helmert_sum(self.categories), self.groups)

    def differences(self) -> NDArray[np.float64]:
        """Return all e_ij - e_il, of shape (I J(J - 1), p), as `Table.differences`."""
        check_list(self.groups * self.categories * (self.categories - 1), self.p)
        return kron(np.eye(self.groups), pairs(self.categories))


@dataclass(frozen=True, slots=True)
class FixedMargins(Isotropic):
    """Counts of a two-way table with both margins public; neighbours differ by one 2 × 2 swap.

    Attributes
    ----------
    shape : tuple of int
        Numbers I and J of levels, each at least 2.

    Raises
    ------
    ParameterError
        If `shape` is no such pair.

    Notes
    -----
    No single record can change without its margins. In a swap two persons who differ in both
    variables exchange the level of one: the difference is (eᵢ - eₖ) ⊗ (eⱼ - eₗ). Tables
    further apart need several swaps, and their μ adds up.
    """

    shape: tuple[int, int]

    def __post_init__(self) -> None:
        """Check the shape and bring it to plain Python types."""
        levels = check_shape(self.shape)
        if len(levels) != 2 or min(levels) < 2:
            rule = "must be two numbers of at least 2"
            raise SHAPE.refuse(self.shape, rule)
        object.__setattr__(self, "shape", levels)

    @property
    def p(self) -> int:
        """Number of cells IJ."""
        return math.prod(self.shape)

    @property
    def rank(self) -> int:
        """Dimension (I - 1)(J - 1) of the span."""
        return (self.shape[0] - 1) * (self.shape[1] - 1)

    @property
    def l1(self) -> float:
        """Δ₁ = 4 records."""
        return 4.0

    @property
    def l2(self) -> float:
        """Δ₂ = 2 records."""
        return 2.0

    @property
    def extreme_difference(self) -> NDArray[np.float64]:
        """Four ones, the nonzero magnitudes of every difference, in records."""
        return np.ones(4)

    def project(self, x: ArrayLike) -> NDArray[np.float64]:
        """Centre rows and columns of tables (..., p) at 0, as `Table.project`."""
        cells = check_cells("x", "x", x, self.p)
        table = cells.reshape(*cells.shape[:-1], *self.shape)
        table -= table.mean(axis=-1, keepdims=True)
        table -= table.mean(axis=-2, keepdims=True)
        return table.reshape(cells.shape)  # not a view of the cells if these were transposed

    def basis(self) -> NDArray[np.float64]:
        """Return the Kronecker product of two Helmert bases, of shape (p, rank)."""
        check_list(self.rank, self.p)
        return kron(helmert(self.shape[0]), helmert(self.shape[1]))

    def basis_sum(self) -> NDArray[np.float64]:
        """Return the sum of the columns of `basis`, of shape (p,), without forming it."""
        return kron(helmert_sum(self.shape[0]), helmert_sum(self.shape[1]))

    def differences(self) -> NDArray[np.float64]:
        """Return all swaps, of shape (I(I - 1) J(J - 1) / 2, p), as `Table.differences`."""
        I, J = self.shape  # noqa: E741 - the field's letters
        check_list(I * (I - 1) * J * (J - 1) // 2, self.p)
        rows = pairs(I)
        return kron(rows[np.argmax(rows, axis=1) < np.argmin(rows, axis=1)], pairs(J))
