"""The source of randomness that an argument `rng` names."""

from collections.abc import Sequence

import numpy as np

from explorer.core.parameter import Argument

Randomness = (
    np.random.Generator
    | np.random.BitGenerator
    | np.random.SeedSequence
    | Sequence[int]
    | int
    | None
)
"""What `numpy.random.default_rng` takes: a generator, a seed, or None for a fresh one."""

RANDOMNESS = Argument("rng", "rng", "source of randomness")


def generator(rng: Randomness) -> np.random.Generator:
    """Return a generator as it is, or a new one from a seed.

    Parameters
    ----------
    rng : numpy.random.Generator, int, sequence of int, None, …
        As in `numpy.random.default_rng`. With the same seed every call returns the same numbers,
        with None none does.

    Raises
    ------
    ParameterError
        If NumPy makes no generator from `rng`: of a negative number, a fraction or text.
    """
    if isinstance(rng, np.random.Generator):
        return rng
    rule = "must be a numpy.random.Generator, a seed (a whole number from 0 up) or None"
    if isinstance(rng, (bool, np.bool_, str, bytes)):
        raise RANDOMNESS.refuse(rng, rule)
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise RANDOMNESS.refuse(rng, rule) from error
