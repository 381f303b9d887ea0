"""The table behind a pattern: an example, the typed table or a made-up direction."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from explorer.core import population
from explorer.scenario.fields import TYPED
from explorer.tables import EXAMPLES, Counts

EXAMPLES_BY_KEY = {example.key: example for example in EXAMPLES}


def counts_of(pattern: str, typed: Counts | None) -> Counts | None:
    """Return the counts of an example or of the typed table, None for a made-up pattern."""
    if pattern == TYPED:
        return typed
    example = EXAMPLES_BY_KEY.get(pattern)
    return example.counts if example else None


def direction_of(pattern: str, typed: Counts | None) -> str | NDArray[np.float64]:
    """Return the pattern as `explorer.core.population` takes it."""
    counts = counts_of(pattern, typed)
    return pattern if counts is None else counts.array


@lru_cache(maxsize=64)
def max_strength(shape: tuple[int, int], pattern: str, typed: Counts | None) -> float:
    """Return the largest signal strength that keeps every cell probability at or above zero."""
    return float(population.max_strength(shape, direction_of(pattern, typed)))
