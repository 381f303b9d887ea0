r"""Tail probabilities of a positive variable from its transform, by one contour integral.

With K(s) = log E e^{sQ}, analytic off a cut [b, inf) of the positive axis,

.. math:: P(Q > x) = \frac{1}{2\pi i} \int e^{K(s) - sx} \frac{ds}{s}

along any line that crosses the axis between 0 and b, and minus that for P(Q ≤ x) along a line
that crosses left of 0. The line may be bent to the right, around the cut, where e^{-sx} decays:
here to the branch s = c + A(cosh(v + iθ) - cos θ) of a hyperbola, c the saddle point of the
integrand on the axis and A twice the width of that saddle. The trapezoid rule in v then converges
geometrically. For Q = Σ λ χ²₁(δ) write K = Σ Kⱼ. Since K′(c) = x + 1/c, the integrand is e^{s/c}/s
times one factor exp{Kⱼ(s) - sKⱼ′(c)} for each variable, and the modulus of every such factor
decreases along a ray that leaves c at 45° or more, however different the weights are: nothing
cancels, and the probability has the relative accuracy of the integrand. With θ = 3π/8 the strip
between these rays and the vertical is free of growth on both sides, whence an error of about
e^{-2π(π/8)/step}.
"""

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainccinv

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

ANGLE = 3 * math.pi / 8
FINE, COARSE = 0.09, 0.16  # steps, for about 1e-12 and 1e-7
BLOCK = 16
MOST_BLOCKS = 200
ROUNDS = 100
PATIENCE = 6
NEAREST, FARTHEST = 14.0, 330.0  # nothing lies nearer to b down to 1e-300; squares of c stay finite
IMAGINARY = 1e-25  # step of a derivative without a difference
NEARBY = 1e-5
UNDERFLOW = -800.0  # log of a probability that counts as 0
LAST_STEP = 1e-7  # relative; what Newton's method then misses is about its square


class Transform(Protocol):
    """Distributions of m positive variables."""

    @property
    def mean(self) -> Array:
        """Means, of shape (m,)."""

    @property
    def bound(self) -> Array:
        """Points b > 0, of shape (m,), that the end of the cut does not exceed."""

    def is_analytic(self, s: Array) -> NDArray[np.bool_]:
        """Whether points of the axis, of shape (m,), lie below the cut."""

    def log(self, s: Complex) -> Complex:
        """K at s of shape (m, k), continuous in the upper half plane and real on the axis."""


def tails(transform: Transform, x: Array, step: float = FINE) -> tuple[Array, Array, Array]:
    """Return P(Q ≤ x), P(Q > x) and the density at x.

    Parameters
    ----------
    transform : Transform
        Of m variables.
    x : ndarray of shape (m,)
        Positive numbers.
    step : float
        Of the trapezoid rule.

    Returns
    -------
    tuple of ndarray of shape (m,)
        The smaller of the two probabilities is computed and has a small relative error.
    """
    upper = x >= transform.mean
    side = np.where(upper, 1.0, -1.0)
    c, width = _saddle(transform, x, side)
    scale = 2 * width
    height = _exponent(transform, x, c[:, np.newaxis].astype(np.complex128)).real[:, 0]
    tail, density = np.zeros(len(x)), np.zeros(len(x))
    done = height < UNDERFLOW + 20
    negligible = 1e-15 if step <= FINE else 1e-9
    for block in range(MOST_BLOCKS):
        v = step * np.arange(block * BLOCK, (block + 1) * BLOCK)
        along = scale[:, np.newaxis] * (np.cosh(v + 1j * ANGLE) - math.cos(ANGLE))
        along[done] = 0.0  # where the integrand has vanished, only rounding is left
        s = c[:, np.newaxis] + along
        slope = scale[:, np.newaxis] * np.sinh(v + 1j * ANGLE)
        values = np.exp(_exponent(transform, x, s) - height[:, np.newaxis]) * slope
        values[done] = 0.0
        if block == 0:
            values[:, 0] /= 2
        tail += (values / s).imag.sum(axis=1)
        density += values.imag.sum(axis=1)
        done |= np.abs(values[:, -1]) <= negligible * np.abs(density)
        if done.all():
            break
    factor = np.exp(np.maximum(height, 2 * UNDERFLOW)) * step / math.pi
    small = np.clip(side * factor * tail, 0.0, 1.0)
    return (
        np.where(upper, 1 - small, small),
        np.where(upper, small, 1 - small),
        np.maximum(factor * density, 0.0),
    )


def _exponent(transform: Transform, x: Array, s: Complex) -> Complex:
    exponent: Complex = transform.log(s) - s * x[:, np.newaxis]
    return exponent


def _saddle(transform: Transform, x: Array, side: Array) -> tuple[Array, Array]:
    """Return where e^{K(s) - sx}/s is least on one side of 0, and one over the root of φ″ there.

    φ = K - sx - log|s| is convex. A point of the axis is written as c = b/(1 + e^{-t}) above 0 and
    as -b e^{t} below; Newton's step is taken in c where it stays in the bracket of t.
    """
    b = transform.bound
    low, high = np.full(len(x), -np.inf), np.full(len(x), np.inf)
    t = np.zeros(len(x))
    for round_ in range(ROUNDS):
        c = _place(t, b, side)
        room = np.where(side > 0, np.minimum(c, b - c), -c)
        near = c + NEARBY * room
        points = np.stack([c, near], axis=1)
        height = IMAGINARY * np.abs(points)
        values = transform.log(points + 1j * height)
        slopes = values.imag / height - x[:, np.newaxis] - 1 / points
        slopes[~transform.is_analytic(near), 0] = np.inf  # the saddle lies between 0 and the cut
        slope = slopes[:, 0]
        with np.errstate(invalid="ignore"):  # beyond the cut; the bracket is then halved
            curvature = np.maximum((slopes[:, 1] - slope) / (near - c), 1 / (c * c))
        rises = side * slope > 0  # t increases with c above 0 and decreases below
        low, high = np.where(rises, low, t), np.where(rises, t, high)
        move = -slope / curvature
        width = 1 / np.sqrt(curvature)
        lost = (values.real[:, 0] - c * x < UNDERFLOW) & np.isfinite(
            slope
        )  # a bound of the log of the probability
        settled = lost | (np.abs(move) <= 0.2 * width)
        if settled.all():
            break
        with np.errstate(all="ignore"):  # a place outside the domain is not taken
            new = _back(c + move, b, side)
        inside = (new > low) & (new < high)  # false for NaN
        if round_ > PATIENCE:
            inside &= round_ % 2 == 0
        further = t + np.where(rises, -1, 1) * np.maximum(2, np.abs(t) / 2)
        open_ = np.isinf(low) | np.isinf(high)
        with np.errstate(invalid="ignore"):  # inf - inf in an open bracket, and not taken
            middle = np.where(open_, further, (low + high) / 2)
        new = np.clip(
            np.where(inside, new, middle), -FARTHEST, np.where(side > 0, NEAREST, FARTHEST)
        )
        t = np.where(settled, t, new)
    return c, width


def _place(t: Array, b: Array, side: Array) -> Array:
    return np.where(side > 0, b / (1 + np.exp(-t)), -b * np.exp(t))


def _back(c: Array, b: Array, side: Array) -> Array:
    t: Array = np.where(side > 0, np.log(c) - np.log(b - c), np.log(-c) - np.log(b))
    return t


def upper_quantile(transform: Transform, level: Array, step: float = FINE) -> Array:
    """Return x with P(Q > x) = level in (0, 1).

    Newton's method for the logarithm of the smaller tail, above the mean in x and below it in
    log x, where it is nearly straight; half the bracket where a step would leave it. It begins at
    the quantile of the gamma distribution of the same mean and variance.
    """
    mean = transform.mean
    shape = mean * mean / _variance(transform)
    x = mean / shape * gammainccinv(shape, level)
    x = np.where((x > 1e-3 * mean) & np.isfinite(x), x, mean)
    low, high = np.zeros_like(mean), np.full_like(mean, np.inf)
    done = np.zeros(len(mean), dtype=bool)
    for _ in range(ROUNDS):
        below, above, density = tails(transform, x, step)
        short = above > level  # x is below the quantile
        low, high = np.where(short, x, low), np.where(short, high, x)
        with np.errstate(all="ignore"):  # a tail that underflows; the step is then not taken
            rise = above / density * np.log(above / level)
            fall = np.log1p(-level) - np.log(below)
            newton = np.where(x >= mean, x + rise, x * np.exp(below / (density * x) * fall))
            middle = np.where(np.isinf(high), 2 * x, low / 2 + high / 2)
        last = np.abs(newton - x) <= LAST_STEP * x
        new = np.where(last | ((newton > low) & (newton < high)), newton, middle)
        x, done = np.where(done, x, new), done | last
        if done.all():
            break
    return x


def _variance(transform: Transform) -> Array:
    """Return about the variances, or less: a difference of K′ left of 0, where K is analytic."""
    step = NEARBY * transform.bound
    height = IMAGINARY * transform.bound
    points = np.stack([-step, np.zeros_like(step)], axis=1) + 1j * height[:, np.newaxis]
    slopes = transform.log(points).imag / height[:, np.newaxis]
    variance: Array = np.maximum((slopes[:, 1] - slopes[:, 0]) / step, NEARBY * transform.mean**2)
    return variance
