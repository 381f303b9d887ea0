r"""Mean of a Gaussian function of a multinomial table, exact to rounding.

For X ~ Multinomial(n, π), centres c and a complex s with real part a > 0,

.. math:: E\,e^{-s \sum (X_i - c_i)^2} = \frac{[z^n] \prod_i \sum_k w_i(k) z^k}{P(N = n)},
          \qquad w_i(k) = e^{-s (k - c_i)^2} P(K_i = k),

with N and K_i Poisson of means n and nπ_i. The coefficient is a Fourier sum over θ on the circle
z = e^{η + iθ} through the saddle point (see `_saddle`), so that nothing cancels.

Truncation rests on one fact: a tilted cell with real s is a sum of independent
Bernoulli variables. Multiplying the coefficient of z^k by c - k and by c + k are the operators
c - z d/dz and c + z d/dz. On polynomials of degree below c both keep the property that all zeros
are negative, by Rolle's theorem for z^{∓c} f(z). The two in turn, N times with c² = N/s, tend to
multiplication by e^{-sk²}; and e^z is the limit of such polynomials. Hence, with v_i the variance
of a cell and V their sum:

- The characteristic function is below exp(-V(1 - cos θ)), which ends the Fourier sum.
- Bernstein's tails exp(-d²/(2V + 2d/3)) bound the period and the counts that matter. For one cell
  two tails apply, its own and that of the others with V - v_i, as X_i is n minus the others.
- A large cell needs every h-th count only. The sum then has an additional alias at 2π/h, below
  exp(-v_i(1 - cos(2π/h - θ))).

With complex s the weights are no larger, which leaves the tails. The decay in θ is taken from the
normal approximation, whose variance 1/(2s + 1/m) has a smaller real part.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from explorer.core._typing import Array, Complex, Numbers
from explorer.core.average_cost._saddle import (
    MOST_STEPS,
    Cells,
    Saddle,
    narrowed_step,
    smooth_saddle,
    tilted,
)

CUT = 34.0  # terms below e^-34 = 2e-15 are omitted
BLOCK = 1 << 17  # numbers held at once in one array: 1 MiB
CACHE = 1 << 17  # numbers of one group of cells, so that they stay in the cache
SMALLEST = 1e-30  # s below it makes no difference to any table
SMOOTH = 6.0  # variance of a cell whose characteristic function is that of a normal distribution
_SMALL = np.arange(17.0)
_STIRLING = special.gammaln(_SMALL + 1) - special.xlogy(_SMALL, _SMALL) + _SMALL


class Sweep(NamedTuple):
    """Centres c + δw: the direction w of shape (g,) and ascending offsets δ of shape (m, b)."""

    direction: Array
    offsets: Array


def mean_exponential(
    cells: Cells, s: Complex, centres: Array, tilt: Array, sweep: Sweep | None = None
) -> Complex:
    """Return E exp(-s Σ (X_i - c_i - δw_i)²) for many s, centres c and offsets δ.

    Parameters
    ----------
    cells : Cells
        Distribution of the table, with g distinct cells.
    s : ndarray of shape (m,)
        Complex numbers with a positive real part.
    centres : ndarray of shape (m, g)
        Centres c, one for each distinct cell.
    tilt : ndarray of shape (m,)
        Initial tilts of the search for the saddle points.
    sweep : Sweep, optional
        Directions and offsets; without it δ = 0 only. They serve Re s ≤ 1, where the saddle
        points of all offsets are those of a smooth table.

    Returns
    -------
    ndarray of shape (m, b)
        Means, of absolute error at most about 1e-12.
    """
    if sweep is None:
        sweep = Sweep(np.zeros(len(cells.means)), np.zeros((len(s), 1)))
    values = np.empty(sweep.offsets.shape, dtype=np.complex128)
    a, y = np.maximum(s.real, SMALLEST)[:, np.newaxis], s.imag[:, np.newaxis]
    rows = max(1, BLOCK // (40 * len(cells.means)))
    for first in range(0, len(s), rows):
        part = slice(first, first + rows)
        offsets = Sweep(sweep.direction, sweep.offsets[part])
        tasks = _Tasks(cells, a[part], y[part], centres[part], offsets)
        values[part] = _means(tasks, tilt[part, np.newaxis])
    return values


def log_poisson(k: Array, means: Array) -> Array:
    """Return the logarithm of Poisson densities.

    Written with k log(k/λ) - (k - λ) and Stirling's remainder; log k! itself would lose nine
    digits at k = 1e6.
    """
    difference = k - means
    return difference - special.xlog1py(k, difference / means) - _log_stirling(k)


class _Tasks(NamedTuple):
    """A batch: s = a + iy of shape (m, 1), centres of shape (m, g)."""

    cells: Cells
    a: Array
    y: Array
    centres: Array
    sweep: Sweep

    def at(self, index: NDArray[np.intp]) -> "_Tasks":
        """Return some of them."""
        sweep = Sweep(self.sweep.direction, self.sweep.offsets[index])
        return _Tasks(self.cells, self.a[index], self.y[index], self.centres[index], sweep)


class _Lattices(NamedTuple):
    """Tilted cells at δ = 0 on the lattices low + stride·l, l < length.

    Arrays of shape (m, g), but for the weights, of shape (length, m, g) and sum 1; `reach` is how
    far counts lie from their mean, whatever the offset.
    """

    saddle: Saddle
    reach: Array
    low: Array
    stride: Array
    weight: Array
    log_scale: Array
    variance: Array


def _means(tasks: _Tasks, tilt: Array) -> Complex:
    """Return the means of shape (m, b)."""
    cells, a, y, centres, (direction, offsets) = tasks
    saddles = [smooth_saddle(cells, a, centres, tilt)]
    if offsets.shape[1] > 1:
        ends = (centres + offsets[:, [end]] * direction for end in (0, -1))
        saddles += [smooth_saddle(cells, a, end, saddles[0].tilt) for end in ends]
    smooth = np.minimum.reduce([_smooth_variance(saddle, a, y) for saddle in saddles])
    lattices = _tilted_lattices(tasks, saddles, smooth)
    period, j = _frequencies(tasks, lattices, saddles, smooth)

    s = a + 1j * y if y.any() else a
    retilt = _parabola(offsets, *(saddle.tilt for saddle in saddles))
    pull = 2 * s[..., np.newaxis] * offsets[:, np.newaxis] * direction[:, np.newaxis]
    pull = pull + retilt[:, np.newaxis]
    product, log_sum = _product(tasks, lattices, pull, 2 * np.pi * lattices.stride / period, j)
    turns = (cells.total(lattices.low) - cells.n) * j % period
    share = np.where(2 * np.abs(j) == period, 0.5, 2 * np.abs(j) < period) / period
    if j[0] == 0:  # real s: the other half is the conjugate
        share *= np.where(j == 0, 1, 2)
    product *= (share * np.exp(2j * np.pi * turns / period))[:, np.newaxis]
    coefficient = product.sum(axis=-1)
    if j[0] == 0:
        coefficient = coefficient.real

    mean = lattices.saddle.mean
    log_size: Numbers = cells.total(lattices.log_scale + np.log(lattices.stride))
    log_size += lattices.saddle.tilt * (cells.total(mean) - cells.n)
    log_size += _log_stirling(np.array([cells.n]))
    log_size = log_size + retilt * (cells.total(mean) - cells.n)
    log_size = log_size + 2 * s * offsets * cells.total(direction * (mean - centres))
    log_size = log_size - s * offsets**2 * cells.total(direction**2)
    log_size = log_size + log_sum
    return coefficient * np.exp(log_size)


def _tilted_lattices(tasks: _Tasks, saddles: list[Saddle], smooth: Array) -> _Lattices:
    """Return the tilted cells at δ = 0, with the sum of their means at n.

    The means of a smooth table are near enough unless s is large. Only the tasks whose sum is
    wrong are tilted again.
    """
    lattices, step = _lattices(tasks, saddles, smooth)
    at = np.flatnonzero(step)
    if not len(at):
        return lattices
    cells, a, _, centres, _ = tasks
    tilt, mean, variance = (values.copy() for values in saddles[0])
    below, above = np.full_like(a, -np.inf), np.full_like(a, np.inf)
    step = step[at]
    for _ in range(MOST_STEPS):
        low, high = below[at], above[at]
        tilt[at] = narrowed_step(tilt[at], step, low, high)
        below[at], above[at] = low, high
        middle = tilted(cells, a[at], centres[at], tilt[at])
        mean[at], variance[at] = middle.mean, middle.variance
        ends = [Saddle(*(values[at] for values in end)) for end in saddles[1:]]
        _, step = _lattices(tasks.at(at), [middle, *ends], smooth[at])
        wrong = step[:, 0] != 0
        at, step = at[wrong], step[wrong]
        if not len(at):
            break
    return _lattices(tasks, [Saddle(tilt, mean, variance), *saddles[1:]], smooth)[0]


def _lattices(tasks: _Tasks, saddles: list[Saddle], smooth: Array) -> tuple[_Lattices, Array]:
    """Return the tilted cells of the first saddle, and how far to tilt back; 0 is near enough."""
    cells, a, _, centres, _ = tasks
    middle = saddles[0]
    reach = [np.minimum(_reach(cells, end), np.sqrt(CUT / a)) + 1 for end in saddles]
    pairs = list(zip(saddles, reach, strict=True))
    least = np.minimum.reduce([np.ceil(end.mean - d) for end, d in pairs])
    most = np.maximum.reduce([np.floor(end.mean + d) for end, d in pairs])
    low = np.maximum(least, 0)
    stride = _stride(cells, smooth)
    length = 1 + int(((most - low) // stride).max())
    k = low + stride * np.arange(length).reshape(-1, 1, 1)
    log_weight = log_poisson(k, cells.means) + middle.tilt * (k - middle.mean)
    log_weight -= a * (k - centres) ** 2
    largest = log_weight.max(axis=0)
    weight = np.exp(log_weight - largest)
    total = weight.sum(axis=0)
    weight /= total
    k -= middle.mean
    shift = (weight * k).sum(axis=0)
    variance = np.maximum((weight * k * k).sum(axis=0) - shift * shift, 0.0)
    excess = cells.total(middle.mean + shift) - cells.n
    spread = cells.total(variance)
    wrong = np.abs(excess) > 0.5 * np.sqrt(spread) + 0.05
    step = np.where(wrong, np.clip(excess / np.maximum(spread, 1e-300), -1 - a, 1 + a), 0.0)
    reached = most - least - np.minimum.reduce(reach)
    lattices = _Lattices(middle, reached, low, stride, weight, largest + np.log(total), variance)
    return lattices, step


def _parabola(
    x: Array, middle: Array, left: Array | None = None, right: Array | None = None
) -> Array:
    """Return values less the middle's, by the parabola through x = 0 and both ends of `x`."""
    if left is None or right is None:
        return np.zeros_like(x)
    low, high = x[:, [0]], x[:, [-1]]
    left, right = (left - middle) / low, (right - middle) / high
    return x * (left + (right - left) * (x - low) / (high - low))


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
    u = np.maximum(cells.total(v) - v, 0.0)
    d = _tail(np.minimum(v, u))
    for _ in range(3):
        d = np.sqrt(2 * CUT / (1 / (v + d / 3) + 1 / (u + d / 3)))
    return d


def _stride(cells: Cells, smooth: Array) -> Array:
    """Return the strides of the counts.

    An alias at 2π/h must be below e^-CUT at every θ, where the others have decayed too, and
    beyond twice the θ that matter, as several cells may have their alias at once.
    """
    whole = np.maximum(cells.total(smooth), 1e-300)
    both = smooth * np.maximum(1 - smooth / whole, 0.0)
    nearest = np.maximum(_cutoff(both), 2 * _cutoff(_without_largest(smooth, cells)))
    return np.where(2 * both > CUT, np.maximum(np.floor(2 * np.pi / nearest), 1), 1.0)


def _frequencies(
    tasks: _Tasks, lattices: _Lattices, saddles: list[Saddle], smooth: Array
) -> tuple[Array, Array]:
    """Return the periods and the numbers j of the frequencies θ = 2πj/period."""
    cells, _, y, _, _ = tasks
    variances = [lattices.variance, *(end.variance for end in saddles[1:])]
    others = _without_largest(np.maximum.reduce(variances), cells)
    period = np.ceil(lattices.reach.max(axis=1, keepdims=True) + 2 + _tail(others))
    decay = _without_largest(np.minimum.reduce([smooth, *variances]), cells)
    last = np.minimum(np.ceil(_cutoff(decay) * period / (2 * np.pi)), period // 2)
    j = np.arange(1 + max(1.0, last.max()))
    return period, np.concatenate([-j[:0:-1], j]) if y.any() else j


def _cutoff(decay: Array) -> Array:
    """Return the θ in [0, π] at which exp(-v(1 - cos θ)) has fallen to e^-CUT, or π."""
    return np.arccos(np.maximum(1 - CUT / np.maximum(decay, 1e-300), -1))


def _product(
    tasks: _Tasks, lattices: _Lattices, pull: Numbers, turn: Array, j: Array
) -> tuple[Complex, Numbers]:
    """Return the product of generating functions, of shape (m, b, frequencies), and its log scale.

    A few cells at a time, whose arrays stay in the processor's cache.
    """
    shape = (len(pull), pull.shape[2])
    product = np.ones((*shape, len(j)), dtype=np.complex128)
    log_scale: Numbers = np.zeros(shape, dtype=pull.dtype)
    length = len(lattices.weight)
    size = length + 2 * len(j) if shape[1] == 1 else length * (shape[1] + 2 * len(j))
    few = max(1, CACHE // (len(pull) * size))
    for first in range(0, len(tasks.cells.means), few):
        part = slice(first, first + few)
        counts = tasks.cells.counts[part]
        terms = _terms(tasks, lattices, pull[:, part], part)
        size = (np.abs(terms) if np.iscomplexobj(terms) else terms).sum(axis=0)
        values = _transform(terms, turn[:, part], j) / size[..., np.newaxis]
        lowest = (lattices.low - lattices.saddle.mean)[:, part, np.newaxis]
        log_scale = log_scale + np.einsum(
            "g,mgb->mb", counts, np.log(size) + pull[:, part] * lowest
        )
        if (counts == 1).all():
            product *= np.multiply.reduce(values, axis=1)
            continue
        with np.errstate(divide="ignore"):  # log 0 = -inf makes the product 0
            log_size = np.einsum("g,mgbj->mbj", counts, np.log(np.abs(values)))
        angle = np.einsum("g,mgbj->mbj", counts, np.angle(values))
        product *= np.exp(log_size) * (np.cos(angle) + 1j * np.sin(angle))
    return product, log_scale


def _terms(tasks: _Tasks, lattices: _Lattices, pull: Numbers, part: slice) -> Numbers:
    """Return weights times e^{pull·(k - low)}, of shape (length, m, cells, b)."""
    weight: Numbers = lattices.weight[:, :, part]
    low, stride = lattices.low[:, part], lattices.stride[:, part]
    if tasks.y.any():
        k = low + stride * np.arange(len(weight)).reshape(-1, 1, 1)
        angle = tasks.y * (k - tasks.centres[:, part]) ** 2
        weight = weight * (np.cos(angle) - 1j * np.sin(angle))
    terms = weight[..., np.newaxis]
    if pull.shape[2] > 1:
        terms = terms * _powers(np.exp(pull * stride[..., np.newaxis]), len(weight))
    return terms


def _transform(terms: Numbers, turn: Array, j: Array) -> Complex:
    """Return Σ_l terms_l exp(i l turn j), of shape (m, cells, b, frequencies)."""
    z = np.moveaxis(_powers(np.exp(1j * turn), int(j[-1]) + 1), 0, -1)
    if j[0] < 0:
        z = np.concatenate([z[..., :0:-1].conj(), z], axis=-1)
    if terms.shape[-1] == 1:
        sums = np.zeros_like(z)
        for term in terms[::-1]:
            sums *= z
            sums += term
        return sums[:, :, np.newaxis]
    rows, columns = terms.transpose(1, 2, 3, 0), _powers(z, len(terms)).transpose(1, 2, 0, 3)
    if np.iscomplexobj(rows):
        return rows @ columns
    return (rows @ columns.view(np.float64)).view(np.complex128)


def _powers(x: Numbers, length: int) -> Numbers:
    """Return x⁰, x¹, ... along a new first axis."""
    powers = np.empty((length, *x.shape), dtype=x.dtype)
    powers[0] = 1
    done = 1
    while done < length:
        more = min(done, length - done)
        np.multiply(powers[:more], x, out=powers[done : done + more])
        done += more
        if done < length:
            x = x * x
    return powers


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


def _without_largest(variance: Array, cells: Cells) -> Array:
    """Return the variance of all cells but the one that has the largest."""
    rest: Array = cells.total(variance) - variance.max(axis=1, keepdims=True)
    return np.maximum(rest, 0.0)
