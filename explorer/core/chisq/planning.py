"""How many records, or how little privacy, a test needs: `asymptotic_power` solved for n and for μ."""

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.chisq import _checks
from explorer.core.chisq.normal_power import asymptotic_power
from explorer.core.mechanisms import Mechanism
from explorer.core.parameter import Argument, Parameter

TARGET = Parameter(
    name="power",
    symbol="1 - β",
    meaning="power of the test",
    low=0,
    high=1,
    low_open=True,
    high_open=True,
)
ALTERNATIVE = Argument("alternative", "π", "cell probabilities")
MOST_RECORDS = 10**9
LEAST_MU, MOST_MU = 1e-12, 100.0
PRECISION = 1e-6


@dataclass(frozen=True, slots=True)
class Answer:
    """The least number of records, or the least μ, for a power, or why none suffices.

    Attributes
    ----------
    value : float
        The least number of records or the least μ; inf if none suffices.
    reason : str
        "" if one suffices; "no-effect" if the alternative is the null hypothesis; "out-of-reach" if
        1e9 records do not suffice or, for μ, a release almost without noise does not.
    """

    value: float
    reason: str


def sample_size(
    mechanism: Mechanism | None,
    null: ArrayLike,
    alternative: ArrayLike,
    level: float,
    *,
    power: float = 0.8,
    statistic: str = "ridge",
) -> Answer:
    """Return the least number of records with which `goodness_of_fit` has a power.

    Parameters
    ----------
    mechanism : Mechanism or None
        What releases the table, at its μ; None for the table itself.
    null, alternative : array_like of shape (p,)
        Cell probabilities.
    level : float
        Level α of the test, in (0, 1).
    power : float
        Power to reach, in (α, 1).
    statistic : {"ridge", "pearson", "projected"}
        See `statistics`.

    Returns
    -------
    Answer
        A whole number of records up to 1e9.

    Raises
    ------
    ParameterError
        If an argument lies outside its domain.

    Notes
    -----
    The power is taken to grow with n; it is evaluated some thirty times by `asymptotic_power`, with
    its limits: where that is simulated from fixed samples, the answer has their error.
    """
    target = _check_target(power, level)

    def reaches(n: float) -> bool:
        curve = asymptotic_power(mechanism, null, int(n), alternative, level, statistic=statistic)
        return bool(_only(curve.power) >= target)

    if _same(null, alternative):
        reaches(1)  # for the checks of the other arguments
        return Answer(math.inf, "no-effect")
    high = 1
    while not reaches(high):
        if high == MOST_RECORDS:
            return Answer(math.inf, "out-of-reach")
        high = min(2 * high, MOST_RECORDS)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return Answer(float(high), "")


def mu_for_power(
    mechanism: Mechanism,
    null: ArrayLike,
    n: int,
    alternative: ArrayLike,
    level: float,
    *,
    power: float = 0.8,
    statistic: str = "ridge",
) -> Answer:
    """Return the least μ with which `goodness_of_fit` has a power.

    Parameters
    ----------
    mechanism : Mechanism
        What releases the table; its own μ does not matter.
    null, alternative : array_like of shape (p,)
        Cell probabilities.
    n : int
        Number of records, from 1 to 1e9.
    level, power, statistic
        As in `sample_size`.

    Returns
    -------
    Answer
        μ with a relative error of 1e-6, if one up to 100 suffices. Above, the noise is a
        seventieth of a record, and the power is that of the table itself.

    Raises
    ------
    ParameterError
        If an argument lies outside its domain.

    Notes
    -----
    As in `sample_size`.
    """
    target = _check_target(power, level)

    def reaches(mu: float) -> bool:
        other = dataclasses.replace(mechanism, mu=mu)
        curve = asymptotic_power(other, null, n, alternative, level, statistic=statistic)
        return bool(_only(curve.power) >= target)

    if not reaches(MOST_MU):
        return Answer(math.inf, "no-effect" if _same(null, alternative) else "out-of-reach")
    return Answer(_least(reaches), "")


def _least(reaches: Callable[[float], bool]) -> float:
    """Return the least μ that reaches, halving a bracket of its logarithm."""
    high = 1.0 if reaches(1.0) else MOST_MU
    low = 1.0
    if high == low:
        while high > LEAST_MU and reaches(high / 4):
            high /= 4
        low = high / 4
    while high > low * (1 + PRECISION):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def _only(values: NDArray[np.float64]) -> float:
    if len(values) != 1:
        raise ALTERNATIVE.refuse(len(values), "must be one table")
    return float(values[0])


def _same(null: ArrayLike, alternative: ArrayLike) -> bool:
    first, second = np.ravel(null), np.ravel(alternative)
    return first.shape == second.shape and bool(np.allclose(first, second, rtol=0, atol=1e-12))


def _check_target(power: float, level: float) -> float:
    alpha = _checks.LEVEL.check_scalar(level)
    target = TARGET.check_scalar(power)
    if target <= alpha:
        rule = f"must exceed the level {alpha:g}, which any release reaches"
        raise TARGET.refuse(power, rule)
    return target
