r"""The distribution of the privacy loss of Laplace noise for any shifts, by sums of positive terms.

The loss of one shift a has, under the unshifted distribution, the atoms 1/2 at a and
:math:`e^{-a}/2` at -a and the density :math:`e^{(l - a)/2}/4` between. So
:math:`P(L \in dl) = e^{(l - A)/2} \nu(dl)` with A the sum of the shifts and ν the convolution of
the measures

.. math:: \nu_a = \tfrac12 (\delta_{-a} + \delta_a) + \tfrac14 \mathbf 1_{(-a, a)}\,dl;

under the shifted distribution it is :math:`e^{-(l + A)/2} \nu(dl)`. Between its knots, the sums
±a₁ … ±aₘ, ν has a polynomial density. It is stored by its Bernstein coefficients, which are
nonnegative: convolution with :math:`\nu_a` translates, cuts (de Casteljau), adds and integrates (sums
coefficients). Nothing is ever subtracted, so each shift costs a relative error of a few units in the last place; the alternating
sums of the usual formula for such a density lose all digits at a few dozen shifts. Integrals against
the exponentials are taken by a Gauss-Legendre rule long enough for the degree.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from explorer.core._quadrature import gauss_legendre
from explorer.core._typing import Array, Indices
from explorer.core.parameter import Parameter, ParameterError

SHIFT = Parameter("shifts", "a", "difference over noise scale", 0, np.inf)

BLOCK = 1 << 18  # numbers held at once in one array: 2 MiB
LARGEST = 256  # intervals: eight distinct shifts, or as many equal ones

# The two distributions of the loss, and the positive part P - Q.
SHIFTED, DIFFERENCE, UNSHIFTED = 0, 1, 2


@dataclass(frozen=True, eq=False)
class LossDistribution:
    """The measure ν of some shifts, scaled to mass one.

    Attributes
    ----------
    knots : ndarray of shape (n + 1,)
        Increasing, symmetric about zero; the last is A.
    atoms : ndarray of shape (n + 1,)
        Masses at the knots.
    densities : ndarray of shape (n, d)
        Bernstein coefficients of the density between the knots, of degree d - 1.
    log_mass : float
        Log of the mass of ν.
    """

    knots: Array
    atoms: Array
    densities: Array
    log_mass: float

    @cached_property
    def jumps(self) -> Array:
        """Probabilities of the atoms, of shape (3, n + 1), a row for each of `SHIFTED`, …."""
        return np.array([self.atoms * self.weight(self.knots, which) for which in range(3)])

    @cached_property
    def beyond(self) -> Array:
        """Probabilities of a loss above each knot, as `jumps`."""
        index = np.arange(len(self.densities))
        steps = [self.piece(self.knots[:-1], index, which) for which in range(3)] + self.jumps[
            :, 1:
        ]
        sums: Array = np.cumsum(steps[:, ::-1], axis=1)[:, ::-1]
        return np.append(sums, np.zeros((3, 1)), axis=1)

    @cached_property
    def reached(self) -> Array:
        """Probabilities of a loss at or above each knot, as `jumps`."""
        return self.beyond + self.jumps

    def weight(self, loss: Array, which: int) -> Array:
        """Density of a distribution with respect to ν."""
        if which == SHIFTED:
            loss = -loss
        density: Array = np.exp((loss - self.knots[-1]) / 2 + self.log_mass)
        return -np.expm1(-np.maximum(loss, 0.0)) * density if which == DIFFERENCE else density

    def density(self, loss: Array, index: Indices) -> Array:
        """Density of ν at losses of shape (..., k) in the intervals `index` of shape (...)."""
        left, right = self.knots[index], self.knots[index + 1]
        local = (loss - left[..., np.newaxis]) / (right - left)[..., np.newaxis]
        return _bernstein(self.densities[index], np.clip(local, 0.0, 1.0))

    def piece(self, start: Array, index: Indices, which: int) -> Array:
        """Probability of a loss between `start`, of shape (...), and the end of its interval."""
        points, length = self._points(start, index, which)
        values = self.density(points, index) * self.weight(points, which)
        return length * (values @ self._rule[1])

    def tail(self, loss: Array, index: Indices, which: int) -> Array:
        """Probability of a loss above `loss`, which lies in the interval `index`."""
        later: Array = self.reached[which, index + 1]
        return self.piece(loss, index, which) + later

    def delta(self, epsilon: Array) -> Array:
        r"""Privacy profile at ε of shape (...), at most A.

        With k the knot above ε, beyond which :math:`1 - e^{\varepsilon - l} = (1 - e^{\varepsilon - k}) +
        e^{\varepsilon - k} (1 - e^{k - l})`, the profile at ε is the integral up to k and two positive
        multiples of numbers that belong to the knot.
        """
        flat = epsilon.ravel()
        delta = np.empty_like(flat)
        rows = max(1, BLOCK // len(self._rule[0]))
        for first in range(0, len(flat), rows):
            part = flat[first : first + rows]
            after = np.clip(np.searchsorted(self.knots, part, side="right"), 1, len(self.densities))
            delta[first : first + rows] = self._from_knot(part, after, self._at_knots[after])
        return delta.reshape(epsilon.shape)

    @cached_property
    def _at_knots(self) -> Array:
        """The privacy profile at the knots, of shape (n + 1,), from the last one down."""
        delta = np.zeros(len(self.knots))
        for after in range(len(self.densities), 0, -1):
            index, epsilon = np.array([after]), self.knots[[after - 1]]
            delta[after - 1] = self._from_knot(epsilon, index, delta[index])[0]
        return delta

    def _from_knot(self, epsilon: Array, after: Indices, delta: Array) -> Array:
        """Return the profile at ε, of shape (m,), from that at the next knots."""
        index = after - 1
        points, length = self._points(epsilon, index, UNSHIFTED)
        # Where the rule leaves out the start of a long interval its points begin above ε.
        excess = -np.expm1(np.minimum(epsilon[:, np.newaxis] - points, 0.0))
        values = self.density(points, index) * self.weight(points, UNSHIFTED) * excess
        between = length * (values @ self._rule[1])
        step = np.minimum(epsilon - self.knots[after], 0.0)
        return between - np.expm1(step) * self.reached[UNSHIFTED, after] + np.exp(step) * delta

    def _points(self, start: Array, index: Indices, which: int) -> tuple[Array, Array]:
        end = self.knots[index + 1]
        # Beyond this length the exponential has won over the polynomial.
        length = np.minimum(end - start, 100 + 4 * self.densities.shape[1])
        start = start if which == SHIFTED else end - length
        return start[..., np.newaxis] + length[..., np.newaxis] * self._rule[0], length

    @cached_property
    def _rule(self) -> tuple[Array, Array]:
        degree = self.densities.shape[1]
        span = min(np.diff(self.knots).max() / 2, 50 + 2 * degree)
        return gauss_legendre(int(12 + 0.5 * degree + 0.7 * span))


@lru_cache(maxsize=64)
def loss_distribution(shifts: tuple[float, ...]) -> LossDistribution:
    r"""Convolve the measures of positive shifts.

    In increasing order no interval is longer than 2a when :math:`\nu_a` comes, so the two ends of its
    window never lie in one interval, where the integral would be a difference.

    Raises
    ------
    ParameterError
        If the density would have more than `LARGEST` pieces.
    """
    first, *others = sorted(shifts)
    mass = 1 + first / 2
    knots, atoms = np.array([-first, first]), np.array([0.5, 0.5])
    distribution = LossDistribution(knots, atoms / mass, np.array([[0.25 / mass]]), np.log(mass))
    for shift in others:
        distribution = _convolve(distribution, shift)
        if len(distribution.densities) > LARGEST:
            rule = f"must give a loss distribution of at most {LARGEST} pieces"
            raise ParameterError(SHIFT.name, SHIFT.symbol, SHIFT.meaning, rule, shifts)
    return distribution


def _convolve(distribution: LossDistribution, a: float) -> LossDistribution:
    old, degree = distribution.knots, distribution.densities.shape[1]
    tolerance = 2**-48 * (old[-1] + a)
    knots = np.sort(np.concatenate([old - a, old + a]))
    knots = knots[np.diff(knots, prepend=-np.inf) > tolerance]
    knots = (knots - knots[::-1]) / 2

    # The window (x - a, x + a) begins in the old interval p and ends in q, for all x between two knots.
    middle, width = (knots[1:] + knots[:-1]) / 2, np.diff(knots)[:, np.newaxis]
    p, q = np.searchsorted(old, middle - a) - 1, np.searchsorted(old, middle + a) - 1
    _, first, after = _cut(distribution, knots - a, p, tolerance)
    before, last, _ = _cut(distribution, knots + a, q, tolerance)
    inner = np.arange(len(old) - 1)
    whole = np.diff(old) * distribution.densities.mean(axis=1)
    constant = after + before
    constant += ((inner > p[:, np.newaxis]) & (inner < q[:, np.newaxis])) @ whole
    number = np.arange(len(old))
    constant += ((number > p[:, np.newaxis]) & (number <= q[:, np.newaxis])) @ distribution.atoms

    integral = np.repeat(constant[:, np.newaxis], degree + 1, axis=1)
    integral[:, :-1] += width / degree * np.cumsum(first[:, ::-1], axis=1)[:, ::-1]
    integral[:, 1:] += width / degree * np.cumsum(last, axis=1)
    share = np.arange(1, degree + 1) / degree
    moved = np.zeros_like(integral)  # raised by one degree
    moved[:, 1:] += share * (first + last) / 2
    moved[:, :-1] += share[::-1] * (first + last) / 2

    atoms = np.zeros(len(knots))
    for place in (old - a, old + a):
        np.add.at(atoms, np.searchsorted(middle, place), distribution.atoms / 2)
    mass = 1 + a / 2
    return LossDistribution(
        knots, atoms / mass, (moved + integral / 4) / mass, distribution.log_mass + np.log1p(a / 2)
    )


def _cut(
    distribution: LossDistribution, ends: Array, index: Indices, tolerance: float
) -> tuple[Array, Array, Array]:
    """Cut ``ends[i], ends[i + 1]`` out of the interval ``index[i]``, which contains it.

    Returns the mass before it, the Bernstein coefficients in it and the mass after it; zeros if there is
    no such interval.
    """
    inside = np.clip(index, 0, len(distribution.densities) - 1)
    outside = inside != index
    densities = np.where(outside[:, np.newaxis], 0.0, distribution.densities[inside])
    left, width = distribution.knots[inside], np.diff(distribution.knots)[inside]
    low, high = (ends[:-1] - left) / width, (ends[1:] - left) / width
    low = np.where(outside | (low * width <= 2 * tolerance), 0.0, low)
    high = np.where(outside | ((1 - high) * width <= 2 * tolerance), 1.0, high)
    zero, one = np.zeros_like(low), np.ones_like(high)
    before = _restrict(densities, zero, low).mean(axis=1) * low * width if low.any() else zero
    after = (
        _restrict(densities, high, one).mean(axis=1) * (1 - high) * width
        if (high < 1).any()
        else zero
    )
    return before, _restrict(densities, low, high), after


def _restrict(coefficients: Array, low: Array, high: Array) -> Array:
    """Bernstein coefficients on the parts [low, high] of the unit interval, by de Casteljau."""
    if not low.any() and (high == 1).all():
        return coefficients
    coefficients = coefficients.copy()
    degree = coefficients.shape[1] - 1
    high, ratio = high[:, np.newaxis], (low / np.maximum(high, 1e-300))[:, np.newaxis]
    for r in range(degree):
        tail = coefficients[:, r:]
        tail[:, 1:] = (1 - high) * tail[:, :-1] + high * tail[:, 1:]
    for r in range(degree):
        head = coefficients[:, : degree + 1 - r]
        head[:, :-1] = (1 - ratio) * head[:, :-1] + ratio * head[:, 1:]
    return coefficients


def _bernstein(coefficients: Array, s: Array) -> Array:
    """Evaluate polynomials of coefficients (..., d) at places (..., k)."""
    degree = coefficients.shape[-1] - 1
    c = coefficients[..., np.newaxis]
    if degree == 0:
        return np.broadcast_to(c[..., 0, :], s.shape)
    value, power, binomial = c[..., 0, :] * (1 - s), np.ones_like(s), 1.0
    for j in range(1, degree):
        power = power * s
        binomial *= (degree - j + 1) / j
        value = (value + binomial * power * c[..., j, :]) * (1 - s)
    value += power * s * c[..., degree, :]
    return value
