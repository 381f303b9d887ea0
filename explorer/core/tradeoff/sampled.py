"""Estimate of a trade-off function from samples of a score, with a simultaneous confidence band."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core._typing import Array
from explorer.core.parameter import Parameter
from explorer.core.tradeoff.curve import PiecewiseLinear, lower_hull
from explorer.core.tradeoff.order_statistics import order_bounds

CONFIDENCE: Final = Parameter(
    "confidence",
    "1 - γ",
    "confidence",
    0.01,
    1,
    high_open=True,
)
P_SCORES: Final = Parameter("p_scores", "s", "scores under P", -np.inf, np.inf)
Q_SCORES: Final = Parameter("q_scores", "s", "scores under Q", -np.inf, np.inf)

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EmpiricalTradeOff:
    """Estimate of a trade-off function from samples of a score, and its confidence band.

    Attributes
    ----------
    estimate : PiecewiseLinear
        Of the tests that reject scores above a threshold and their mixtures, the least type II error
        at each type I error in the samples.
    lower, upper : PiecewiseLinear
        Between these lies, everywhere at once and with the stated confidence, the same function of the
        two distributions. T(P, Q) of the mechanism is below `upper` whatever the score, and above
        `lower` if the score increases with the likelihood ratio. So ``gdp_parameter(upper)`` is a lower
        confidence bound on μ. `lower` allows for outcomes that were not seen and bounds no μ.
    confidence : float
        The stated confidence.
    """

    estimate: PiecewiseLinear
    lower: PiecewiseLinear
    upper: PiecewiseLinear
    confidence: float


def empirical(
    p_scores: ArrayLike, q_scores: ArrayLike, confidence: float = 0.95
) -> EmpiricalTradeOff:
    r"""Trade-off function of two distributions from samples of a score.

    Parameters
    ----------
    p_scores, q_scores : array_like of shape (m,) and (n,)
        Independent samples of a score under either hypothesis, larger where Q is likelier; inf and -inf
        are scores, ties are handled. The score must not have been chosen by looking at these samples.
    confidence : float
        Probability, in [0.01, 1), with which the whole band holds.

    Returns
    -------
    EmpiricalTradeOff
        Estimate and band.

    Raises
    ------
    ParameterError
        If a sample is empty, not of one dimension or has a NaN, or the confidence is out of its domain.

    Notes
    -----
    The band holds for every sample size and every distribution. With n scores of distribution function
    F, of which k are at most t, :math:`U_{(k)} \le F(t) \le U_{(k+1)}` for some uniform sample, with equality
    only where there are no ties. `order_statistics` bounds all :math:`U_{(k)}` at once, for each sample
    with half of the probability of an error, so that the two may depend on one another. The lower
    convex hulls of the least favourable and most favourable corners of these rectangles are the band.
    For 10⁴ scores it takes some 0.2 s, for 10⁶ some 3 s; bounds for repeated sizes are memoised.
    """
    p, q = (
        np.sort(_sample(parameter, scores))
        for parameter, scores in ((P_SCORES, p_scores), (Q_SCORES, q_scores))
    )
    confidence = CONFIDENCE.check_scalar(confidence)
    each = (1 + confidence) / 2
    thresholds = np.unique(np.concatenate([p, q]))
    # How many scores are at most the threshold: none, at first.
    p_below, q_below = (
        np.append(0, np.searchsorted(sample, thresholds, side="right")) for sample in (p, q)
    )
    p_low, p_high = _distribution_bounds(p_below, len(p), each)
    q_low, q_high = _distribution_bounds(q_below, len(q), each)
    return EmpiricalTradeOff(
        estimate=_hull_of_counts(p_below, len(p), q_below, len(q)),
        lower=_hull(1 - p_high, q_low),
        upper=_hull(1 - p_low, q_high),
        confidence=confidence,
    )


def _sample(parameter: Parameter, scores: ArrayLike) -> Array:
    sample = parameter.check(scores)
    if sample.ndim != 1 or sample.size == 0:
        raise parameter.refuse(np.asarray(scores).tolist())
    return sample


def _distribution_bounds(below: Counts, size: int, confidence: float) -> tuple[Array, Array]:
    """Bound the distribution function where `below` of the sample are not above."""
    bounds = order_bounds(size, confidence)
    # U of number `below` is at least the bound of the last knot not after it, and so on.
    last = np.searchsorted(bounds.numbers, below, side="right")
    after = np.searchsorted(bounds.numbers, below + 1)
    return np.append(0.0, bounds.lower)[last], np.append(bounds.upper, 1.0)[after]


def _hull(alpha: Array, beta: Array) -> PiecewiseLinear:
    alpha, beta = np.append(alpha, [0.0, 1.0]), np.append(beta, [1.0, 0.0])
    corners = lower_hull(alpha, beta)
    return PiecewiseLinear(alpha[corners], beta[corners])


def _hull_of_counts(p_below: Counts, p_size: int, q_below: Counts, q_size: int) -> PiecewiseLinear:
    """Return the hull of the points of the samples, whose advantage is a ratio of whole numbers."""
    corners = lower_hull(p_size - p_below, q_below)
    p_below, q_below = p_below[corners], q_below[corners]
    advantage = (p_below * q_size - q_below * p_size) / (p_size * q_size)
    return PiecewiseLinear((p_size - p_below) / p_size, q_below / q_size, advantage)
