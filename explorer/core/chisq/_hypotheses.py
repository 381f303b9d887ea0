"""Null hypotheses: the tables with which a release is compared.

Tables have shape (..., groups, categories), as the sizes of the groups are public. A test of
independence has one group, the whole table.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.chisq import _estimates

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A null hypothesis about the probabilities of a table.

    Attributes
    ----------
    sizes : ndarray of shape (groups,)
        Public numbers of records.
    is_fitted : bool
        Whether the expected table is fitted to the release.
    fit : callable
        Maps releases of shape (..., groups, categories) to the tables expected under the
        hypothesis, which broadcast with them.
    move : callable
        Maps the expected table and small changes of a release that fits it to the changes of the
        expected table, to first order and away from the borders of the simplex.
    """

    sizes: Array
    is_fitted: bool
    fit: Callable[[Array], Array]
    move: Callable[[Array, Array], Array]


def simple(n: float, probabilities: Array) -> Hypothesis:
    """Return the hypothesis of fixed cell probabilities, of shape (p,)."""
    table = n * probabilities[np.newaxis, :]
    return Hypothesis(
        np.array([n]),
        is_fitted=False,
        fit=lambda _release: table,
        move=lambda _expected, change: np.zeros_like(change),
    )


def homogeneous(sizes: Array) -> Hypothesis:
    """Return the hypothesis that groups of these sizes have the same probabilities."""
    return Hypothesis(
        sizes,
        is_fitted=True,
        fit=lambda release: _estimates.homogeneous(release, sizes),
        move=lambda _expected, change: _estimates.homogeneous_move(change, sizes),
    )


def independent(n: float, shape: tuple[int, int]) -> Hypothesis:
    """Return the hypothesis that rows and columns of a table are independent."""

    def fit(release: Array) -> Array:
        table = _estimates.independent(release.reshape(*release.shape[:-2], *shape), n)
        return table.reshape(release.shape)

    def move(expected: Array, change: Array) -> Array:
        tables = change.reshape(*change.shape[:-2], *shape)
        return _estimates.independent_move(expected.reshape(shape), tables).reshape(change.shape)

    return Hypothesis(np.array([n]), is_fitted=True, fit=fit, move=move)
