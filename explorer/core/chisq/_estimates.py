"""Cell probabilities estimated from a noisy table under a composite null hypothesis."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def simplex(x: Array) -> Array:
    """Return the nearest probability vectors of vectors (..., k).

    The projection is (x - t)₊ with the one t that makes the sum 1: among the k vectors sorted
    downwards, the last whose entry still exceeds its own t.
    """
    k = x.shape[-1]
    downwards = -np.sort(-x, axis=-1)
    excess = (np.cumsum(downwards, axis=-1) - 1) / np.arange(1, k + 1)
    last = (downwards > excess).sum(axis=-1, keepdims=True) - 1
    nearest: Array = np.maximum(x - np.take_along_axis(excess, last, axis=-1), 0.0)
    return nearest


def estimate(x: Array, n: float) -> Array:
    """Return `simplex` with entries of at least half a record in `n`, then of sum 1."""
    floored = np.maximum(simplex(x), 0.5 / n)
    normalised: Array = floored / floored.sum(axis=-1, keepdims=True)
    return normalised


def homogeneous(release: Array, sizes: Array) -> Array:
    """Return the expected tables (..., groups, categories) of groups with the same probabilities."""
    n = float(sizes.sum())
    common = estimate(release.sum(axis=-2) / n, n)
    expected: Array = sizes[:, np.newaxis] * common[..., np.newaxis, :]
    return expected


def independent(release: Array, n: float) -> Array:
    """Return the expected tables (..., rows, columns) of independent rows and columns."""
    rows = estimate(release.sum(axis=-1) / n, n)
    columns = estimate(release.sum(axis=-2) / n, n)
    expected: Array = n * rows[..., :, np.newaxis] * columns[..., np.newaxis, :]
    return expected


def homogeneous_move(change: Array, sizes: Array) -> Array:
    """Return how `homogeneous` changes with a release, inside the simplex."""
    common = _inside(change.sum(axis=-2)) / sizes.sum()
    moved: Array = sizes[:, np.newaxis] * common[..., np.newaxis, :]
    return moved


def independent_move(expected: Array, change: Array) -> Array:
    """Return how `independent` changes with a release, inside the simplexes."""
    n = expected.sum()
    rows, columns = expected.sum(axis=1) / n, expected.sum(axis=0) / n
    row_moves, column_moves = _inside(change.sum(axis=-1)), _inside(change.sum(axis=-2))
    first = row_moves[..., :, np.newaxis] * columns
    moved: Array = first + rows[:, np.newaxis] * column_moves[..., np.newaxis, :]
    return moved


def _inside(change: Array) -> Array:
    """Return how the projection on the simplex changes where all entries stay positive."""
    moved: Array = change - change.mean(axis=-1, keepdims=True)
    return moved
