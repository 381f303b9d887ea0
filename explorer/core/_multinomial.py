r"""Mean of a Gaussian function of a multinomial table, exact to rounding.

For X ~ Multinomial(n, π), centres c and a complex s with positive real part a,

.. math:: E\,e^{-s \sum (X_i - c_i)^2} = \frac{[z^n] \prod_i \sum_k w_i(k) z^k}{P(N = n)},
          \qquad w_i(k) = e^{-s (k - c_i)^2} P(K_i = k),

with N and K_i Poisson of means n and nπ_i: given their sum, independent Poisson counts are
multinomial. The coefficient is a Fourier sum over θ on a circle z = e^{η + iθ} whose radius,
the tilt η, brings the mean of the tilted cells to n (a saddle point), so that nothing cancels.

What may be left out follows from one fact: **a tilted cell with real s is a sum of independent
Bernoulli variables.** Multiplication of the coefficient of z^k by c - k or c + k is the operator
c ∓ z d/dz, and by Rolle's theorem, applied to z^{∓c} f, it keeps a polynomial f of degree below c
with negative zeros only such a polynomial. Repeated N times with c² = N/s it tends to e^{-sk²},
and e^z is a limit of such polynomials. Hence, with v_i the variance of a cell and V their sum,

- \|characteristic function\| ≤ exp(-V(1 - cos θ)), which ends the Fourier sum;
- Bernstein's tails exp(-d²/(2V + 2d/3)) bound its period and the counts that matter in a cell:
  where the rest of the table has the variance V - v_i, both bounds apply, since X_i is n minus
  the rest;
- a large cell needs every h-th count only: the others' part is an alias at 2π/h, below
  exp(-v_i(1 - cos(2π/h - θ))).

For complex s the weights are no larger, which leaves the tails; the decay in θ is then that of
the Gaussian approximation, whose variance 1/(2s + 1/m) has a smaller real part.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

CUT = 34.0  # what is below e^-34 = 2e-15 is left out
BLOCK = 1 << 17  # numbers held at once in one array: 1 MiB
SMALLEST = 1e-30  # s below it makes no difference to any table
PATIENCE = 200
SMOOTH = 6.0  # variance of a cell whose characteristic function is that of a normal law
_SMALL = np.arange(17.0)
_STIRLING = special.gammaln(_SMALL + 1) - special.xlogy(_SMALL, _SMALL) + _SMALL


class Cells(NamedTuple):
    """Cells of a multinomial table: n, expected counts nπ > 0 and how many cells have each."""

    n: float
    means: Array
    counts: Array


class Saddle(NamedTuple):
    """Where the tilted cells lie: tilt η of shape (m, 1), means and variances of shape (m, g)."""

    tilt: Array
    mean: Array
    variance: Array


def mean_exponential(
    cells: Cells, s: Complex, centres: Array, tilt: Array | None = None
) -> Complex:
    """Return E exp(-s Σ (X_i - c_i)²) for many s and centres.

    Parameters
    ----------
    cells : Cells
        Law of the table, with g kinds of cells.
    s : ndarray of shape (m,)
        Complex numbers with a positive real part.
    centres : ndarray of shape (m, g)
        Centres c, one for each kind of cell.
    tilt : ndarray of shape (m,), optional
        Where to look for the saddle points first.

    Returns
    -------
    ndarray of shape (m,)
        Means, of absolute error at most about 1e-12.
    """
    a = np.maximum(s.real, SMALLEST)[:, np.newaxis]
    start = np.zeros_like(a) if tilt is None else tilt[:, np.newaxis]
    values = np.empty(len(s), dtype=np.complex128)
    rows = max(1, BLOCK // (40 * len(cells.means)))
    for first in range(0, len(s), rows):
        part = slice(first, first + rows)
        near = smooth_saddle(cells, a[part], centres[part], start[part])
        values[part] = _mean(cells, a[part], s.imag[part, np.newaxis], centres[part], near)
    return values


def smooth_saddle(cells: Cells, a: Array, centres: Array, tilt: Array) -> Saddle:
    """Return the saddle points of a table whose counts are real numbers.

    Parameters
    ----------
    cells : Cells
        Law of the table.
    a, tilt : ndarray of shape (m, 1)
        Positive s and first tilts.
    centres : ndarray of shape (m, g)
        Centres c.

    Returns
    -------
    Saddle
        Tilts at which the means have the sum n.
    """
    below, above = np.full_like(tilt, -np.inf), np.full_like(tilt, np.inf)
    for _ in range(PATIENCE):
        saddle = tilted(cells, a, centres, tilt)
        excess = _sum(saddle.mean, cells) - cells.n
        total = _sum(saddle.variance, cells)
        if (np.abs(excess) < 1e-3 * np.sqrt(total) + 1e-9 * cells.n).all():
            break
        tilt = _newton(tilt, np.clip(excess / total, -2, 2), below, above)
    return saddle


def tilted(cells: Cells, a: Array, centres: Array, tilt: Array) -> Saddle:
    """Return means and variances of tilted cells whose counts are real numbers.

    The mean m solves log m + 2a(m - c) = log nπ + η: Wright's omega function.
    """
    exponent = np.log(2 * a * cells.means) + tilt + 2 * a * centres
    mean = special.wrightomega(exponent) / (2 * a)
    return Saddle(tilt, mean, mean / (1 + 2 * a * mean))


def _mean(cells: Cells, a: Array, y: Array, centres: Array, saddle: Saddle) -> Complex:
    """Return the means for s = a + iy, arrays of shape (m, 1), from a saddle point nearby."""
    below, above = np.full_like(a, -np.inf), np.full_like(a, np.inf)
    for _ in range(PATIENCE):
        reach = np.minimum(_reach(cells, saddle), np.sqrt(CUT / a))
        smooth = _smooth_variance(saddle, a, y)
        low, stride, length = _lattice(cells, saddle, smooth, reach)
        k = low + stride * np.arange(length).reshape(-1, 1, 1)
        weight, log_scale = _weights(cells, saddle, a, centres, k)
        shift, variance = _moments(weight, k - saddle.mean)
        excess = _sum(saddle.mean + shift, cells) - cells.n
        total = _sum(variance, cells)
        wrong = np.abs(excess) > 0.5 * np.sqrt(total) + 0.05
        if not wrong.any():
            break
        step = np.clip(excess / np.maximum(total, 1e-300), -1 - a, 1 + a)
        tilt = _newton(saddle.tilt, step, below, above)
        saddle = tilted(cells, a, centres, np.where(wrong, tilt, saddle.tilt))
    others = _tail(_without_largest(variance, cells))
    period = np.ceil(reach.max(axis=1, keepdims=True) + 1 + others + np.abs(excess))
    decay = _without_largest(np.minimum(smooth, variance), cells)
    last = np.minimum(np.ceil(_cutoff(decay) * period / (2 * np.pi)), period // 2)
    j = np.arange(max(1.0, last.max()) + 1)
    if y.any():
        angle = y * (k - centres) ** 2
        terms: Array | Complex = weight * (np.cos(angle) - 1j * np.sin(angle))
        j = np.concatenate([-j[:0:-1], j])
    else:
        terms = weight
    product = _product(_transform(terms, 2 * np.pi * stride / period, j), cells.counts)
    turns = (_sum(low, cells) - cells.n) * j % period
    product *= np.exp(2j * np.pi * turns / period)
    sides = 1.0 if y.any() else np.where(j == 0, 1, 2)
    share = sides * np.where(2 * np.abs(j) == period, 0.5, 2 * np.abs(j) < period)
    log_size = _sum(log_scale + np.log(stride), cells)
    log_size += saddle.tilt * (_sum(saddle.mean, cells) - cells.n)
    size = np.exp(log_size + _log_stirling(np.array([cells.n]))) / period
    values: Complex = size[:, 0] * (share * (product if y.any() else product.real)).sum(axis=1)
    return values


def _smooth_variance(saddle: Saddle, a: Array, y: Array) -> Array:
    """Return variances v such that exp(-v(1 - cos θ)) bounds the characteristic functions."""
    smooth = np.real(saddle.mean / (1 + 2 * (a + 1j * y) * saddle.mean))
    safe = (smooth >= SMOOTH) | (2 * np.abs(y) * saddle.variance < 0.3)
    return np.where(safe, smooth, 0.0)


def _tail(variance: Array) -> Array:
    """Return the distance from the mean at which Bernstein's bound is e^-CUT."""
    return CUT / 3 + np.sqrt(CUT * CUT / 9 + 2 * CUT * variance)


def _reach(cells: Cells, saddle: Saddle) -> Array:
    """Return how far from its mean the count of a cell can lie, the sum being n.

    The distance d solves d²/(2v + 2d/3) + d²/(2u + 2d/3) = CUT, with u the variance of the
    other cells. The iteration decreases to it.
    """
    v = saddle.variance
    u = np.maximum(_sum(v, cells) - v, 0.0)
    d = _tail(np.minimum(v, u))
    for _ in range(3):
        d = np.sqrt(2 * CUT / (1 / (v + d / 3) + 1 / (u + d / 3)))
    return d


def _lattice(cells: Cells, saddle: Saddle, smooth: Array, reach: Array) -> tuple[Array, Array, int]:
    """Return the least count, the stride of the counts and their number.

    The stride h of a cell of variance v keeps its alias at 2π/h: below e^-CUT at every θ, where
    the others have decayed too, and beyond twice the θ that matter, as several cells may have
    their alias at once.
    """
    total = np.maximum(_sum(smooth, cells), 1e-300)
    both = smooth * np.maximum(1 - smooth / total, 0.0)
    nearest = np.maximum(_cutoff(both), 2 * _cutoff(_without_largest(smooth, cells)))
    stride = np.where(2 * both > CUT, np.maximum(np.floor(2 * np.pi / nearest), 1), 1.0)
    low = np.maximum(np.ceil(saddle.mean - reach - 1), 0)
    high = np.floor(saddle.mean + reach + 1)
    return low, stride, 1 + int(((high - low) // stride).max())


def _cutoff(decay: Array) -> Array:
    """Return the θ in [0, π] at which exp(-v(1 - cos θ)) has fallen to e^-CUT, or π."""
    return np.arccos(np.maximum(1 - CUT / np.maximum(decay, 1e-300), -1))


def _weights(
    cells: Cells, saddle: Saddle, a: Array, centres: Array, k: Array
) -> tuple[Array, Array]:
    """Return tilted weights of counts, of sum 1 in each cell, and the logarithm of the scale.

    The Poisson density is written with k log(k/λ) - (k - λ) and Stirling's remainder; taking
    log k! itself would lose nine digits at k = 1e6.
    """
    difference = k - cells.means
    log_weight = difference - special.xlog1py(k, difference / cells.means)
    log_weight -= _log_stirling(k)
    log_weight += saddle.tilt * (k - saddle.mean)
    log_weight -= a * (k - centres) ** 2
    largest = log_weight.max(axis=0)
    weight = np.exp(log_weight - largest)
    total = weight.sum(axis=0)
    return weight / total, largest + np.log(total)


def _log_stirling(k: Array) -> Array:
    """Return log k! - k log k + k."""
    large = np.maximum(k, 16.0)
    r = 1 / large
    r2 = r * r
    series = 1 / 12 - r2 * (1 / 360 - r2 * (1 / 1260 - r2 * (1 / 1680 - r2 / 1188)))
    value: Array = 0.5 * np.log(2 * np.pi * large) + r * series
    small = k < 16
    value[small] = _STIRLING[k[small].astype(np.int64)]
    return value


def _moments(weight: Array, k: Array) -> tuple[Array, Array]:
    """Return mean and variance of each cell."""
    mean = (weight * k).sum(axis=0)
    variance: Array = (weight * k * k).sum(axis=0) - mean * mean
    return mean, np.maximum(variance, 0.0)


def _transform(weight: Array | Complex, turn: Array, j: Array) -> Complex:
    """Return Σ_l weight_l exp(i l turn j), of shape (m, g, frequencies), by Horner's rule."""
    steps = np.repeat(np.exp(1j * turn)[..., np.newaxis], int(j[-1]), axis=-1)
    z = np.concatenate([np.ones_like(steps[..., :1]), np.cumprod(steps, axis=-1)], axis=-1)
    if j[0] < 0:
        z = np.concatenate([z[..., :0:-1].conj(), z], axis=-1)
    value = np.zeros_like(z)
    for term in weight[::-1]:
        value *= z
        value += term[..., np.newaxis]
    return value


def _product(values: Complex, counts: Array) -> Complex:
    """Return the product over cells (axis 1) of numbers in the unit disc."""
    if (counts == 1).all():
        plain: Complex = np.multiply.reduce(values, axis=1)
        return plain
    with np.errstate(divide="ignore"):  # log 0 = -inf makes the product 0
        log_size = counts @ np.log(np.abs(values))
    turn = counts @ np.angle(values)
    product: Complex = np.exp(log_size) * (np.cos(turn) + 1j * np.sin(turn))
    return product


def _newton(tilt: Array, step: Array, below: Array, above: Array) -> Array:
    """Return the tilt a step lower, or the middle of its bracket, which the step narrows."""
    np.copyto(below, tilt, where=step < 0)
    np.copyto(above, tilt, where=step > 0)
    inside = (tilt - step > below) & (tilt - step < above)
    with np.errstate(invalid="ignore"):  # inf - inf where a bracket is open, and not taken
        middle = below / 2 + above / 2
    return np.where(inside, tilt - step, middle)


def _sum(values: Array, cells: Cells) -> Array:
    """Return sums over all cells, of shape (m, 1)."""
    total: Array = values @ cells.counts[:, np.newaxis]
    return total


def _without_largest(variance: Array, cells: Cells) -> Array:
    """Return the variance of all cells but the one that has the largest."""
    rest = _sum(variance, cells) - variance.max(axis=1, keepdims=True)
    others: Array = np.maximum(rest, 0.0)
    return others
