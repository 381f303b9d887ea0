r"""Expected costs of shrunk tables over multinomial tables, without simulation.

The cost of a James–Stein mechanism given the table X is σ²{q + R(ν, τ)}, with R the risk of
`shrinkage` and τ = ‖part of X that is shrunk‖²/σ² =: Q/σ². Its mean over X ~ Multinomial(n, π)
needs only φ(s) = E e^{-sQ}, since

.. math:: (\nu - 2) E[1/\chi'^2_\nu(\tau)] = \int_0^\infty e^{-u - \tau (1 - e^{-u/z})/2}\,du,
          \qquad z = \nu/2 - 1,

is linear in e^{-sQ} with s = (1 - e^{-u/z})/(2σ²).
"""

import numpy as np
from numpy.typing import ArrayLike

from explorer.core import quantities, shrinkage
from explorer.core._probabilities import check_probabilities
from explorer.core._typing import Array
from explorer.core.average_cost._distance import Distance
from explorer.core.average_cost._distance_from_line import LineDistance
from explorer.core.average_cost._multinomial import CUT
from explorer.core.shrinkage import _positive_part_terms

DistanceDistribution = Distance | LineDistance

RECORDS = quantities.RECORDS.within(0, 1e9)
STEP = 0.3  # of the trapezoidal rule, in y
BLOCK = 8  # values of s for each call of `transform`
SMALL = 1e-7  # s·E Q below it stands for 1 - φ(s)
NEGLIGIBLE = 1e-14  # what is left of a sum below it is left out
NODES = 20  # about as many nodes of an integral have errors of one size
TINY = 1e-15  # smaller shares of a result are taken as this


def check_distribution(n: ArrayLike, probabilities: ArrayLike, p: int) -> tuple[Array, Array]:
    """Return numbers of records and cell probabilities, broadcast, or raise.

    Parameters
    ----------
    n : array_like of shape (...)
        Whole numbers of records in [0, 1e9].
    probabilities : array_like of shape (..., p)
        As for `check_probabilities`; broadcast against `n`.
    p : int
        Number of cells.

    Returns
    -------
    n : ndarray of shape (...)
    probabilities : ndarray of shape (..., p)
        With sum 1 to rounding.

    Raises
    ------
    ParameterError
        If one lies outside its domain.
    """
    records = RECORDS.check(n)
    pi = check_probabilities(quantities.PROBABILITIES, probabilities, p)
    shape = np.broadcast_shapes(records.shape, pi.shape[:-1])
    return np.broadcast_to(records, shape), np.broadcast_to(pi, (*shape, p))


def risk(
    nu: float,
    sigma: float,
    n: float,
    probabilities: Array,
    *,
    centred: bool,
    unshrunk: Array | None = None,
    positive_part: bool = False,
) -> float:
    r"""Mean of `shrinkage.risk` over multinomial tables.

    Parameters
    ----------
    nu : int
        Dimension that is shrunk.
    sigma : float
        Standard deviation of the noise, in the unit of the counts.
    n, probabilities
        One distribution of the table, as `check_distribution` returns it.
    centred : bool
        Whether tables are shrunk to the uniform table or to zero.
    unshrunk : ndarray of shape (p,), optional
        Unit vector that is left alone.

    Returns
    -------
    float
        E R(ν, Q/σ²), in units of σ².
    """
    if nu <= 2:
        return float(nu)
    centre = centred * n / len(probabilities)
    if n == 0 or (probabilities > 0).sum() == 1:
        table = n * probabilities - centre
        if unshrunk is not None:
            table = table - (table @ unshrunk) * unshrunk
        length = np.linalg.norm(table) / sigma
        return float(shrinkage.risk(nu, length * length, positive_part))
    distance: DistanceDistribution = Distance(int(n), probabilities, centred)
    if unshrunk is not None:
        distance = LineDistance(int(n), probabilities, centre, unshrunk)
    mean = _plain(nu, sigma, distance)
    if positive_part:
        mean += _positive_part_change(nu, sigma, distance)
    return min(mean, float(nu))


def _plain(nu: float, sigma: float, distance: DistanceDistribution) -> float:
    """Return E R(ν, Q/σ²) = 2 + (ν - 2) ∫ e^{-u} {1 - φ(s)} du by the trapezoidal rule.

    The substitution u = u₀ exp(y - e^{-y}) makes the integrand decay doubly exponentially at both
    ends. For a fixed τ the integral is 1 - 1/(1 + τ/2z) at ν = ∞, and its poles leave an error
    of 3e-13 as long as τ/2z is below about 10/u₀, growing slowly beyond, where few tables are.
    It is an absolute error, as is that of φ; both count (ν - 2)/R ≤ ν/2 - 1 times.
    """
    z = nu / 2 - 1
    ratio = 3 + 3 * distance.mean / (2 * z) / sigma / sigma
    y = np.arange(-3.4, np.log(CUT * ratio) + STEP, STEP)
    u = np.exp(y - np.exp(-y)) / ratio
    weights = STEP * u * (1 + np.exp(-y)) * np.exp(-u)
    s = -np.expm1(-u / z) / 2 / sigma / sigma
    missing = s * distance.mean  # 1 - φ for small s
    first = int(np.searchsorted(missing, SMALL))
    largest = 1.0
    while first < len(s):
        block = slice(first, first + BLOCK)
        share = np.clip(NODES * largest * (nu - 2) * weights[block], TINY, 1)
        values = distance.transform(s[block].astype(np.complex128), share).real
        missing[block] = 1 - values
        largest = min(1.0, max(float(values[-1]), 0.0) + NEGLIGIBLE)
        first += BLOCK
        # φ decreases: what is left adds at most this, and is taken as 0.
        if values[-1] * weights[first:].sum() < NEGLIGIBLE:
            break
    missing[first:] = 1
    return float(2 + (nu - 2) * (weights @ missing))


def _positive_part_change(nu: float, sigma: float, distance: DistanceDistribution) -> float:
    """Return what the positive part adds to the mean risk (≤ 0).

    `shrinkage` has it as E t_K with K Poisson of mean τ/2. Over all tables the generating function
    of K is E e^{-τ(1 - z)/2}, which is φ((1 - z)/(2σ²)), and E t_K = Σ_k t_k P(K = k) is its
    product with that of t_k/r^k, averaged over the circle |z| = r. An average over m points adds
    the k + m, k + 2m, ... to k, damped by r^m.
    """
    terms, k, _ = _positive_part_terms(nu)
    decay = 3 / np.sqrt(nu)
    points = max(len(k), int(np.ceil(CUT / decay)))
    j = np.arange(points // 2 + 1)
    z = np.exp(-decay + 2j * np.pi * j / points)
    s = (1 - z) / 2 / sigma / sigma
    share = np.where((j == 0) | (2 * j == points), 1, 2) / points
    factor = share * (np.power.outer(1 / z, k) @ terms)
    # |φ(s)| ≤ φ(Re s), and Re s increases with j.
    left = np.cumsum(np.abs(factor)[::-1])[::-1]
    total = 0.0
    for first in range(0, len(s), BLOCK):
        block = slice(first, first + BLOCK)
        if left[first] < NEGLIGIBLE:
            break
        # A coarse value will do: with the least share its relative error is below 2 e^-3.
        coarse = distance.transform(s[[first]].real.astype(np.complex128), np.array([TINY]))
        largest = min(1.0, 1.2 * max(float(coarse.real[0]), 0.0) + NEGLIGIBLE)
        if left[first] * largest < NEGLIGIBLE:
            break
        share = np.clip(NODES * largest * np.abs(factor[block]), TINY, 1)
        total += float((distance.transform(s[block], share) * factor[block]).real.sum())
    return total
