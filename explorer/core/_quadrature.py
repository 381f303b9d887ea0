"""Gauss-Legendre quadrature on the unit interval."""

from functools import lru_cache

import numpy as np

from explorer.core._typing import Array


@lru_cache(maxsize=64)
def gauss_legendre(count: int) -> tuple[Array, Array]:
    """Return `count` nodes in (0, 1) and their weights of sum 1, read-only."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    rule = (nodes + 1) / 2, weights / 2
    for part in rule:
        part.setflags(write=False)
    return rule
