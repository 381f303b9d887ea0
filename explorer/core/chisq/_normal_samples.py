r"""Statistics of simulated normal tables with noise, for releases that are not normal.

All samples of all alternatives come from one fixed set of random numbers, so that curves are smooth and
a picture does not flicker. A sample is Y = δ + g∘z - h(√π·z) + σζ, the release less the null table before
any projection or shrinkage, with g = √(nπ), h = √n π and z, ζ the random numbers. What the mechanisms
do to it changes the statistic only through a few quadratic and linear forms of Y, which are matrix
products over the cells for all samples and alternatives at once.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from explorer.core.mechanisms import JamesStein

Array = NDArray[np.float64]

SAMPLES = 2_048  # of each alternative
FEWEST, MOST = 256, 8_192  # of the null hypothesis, whose critical value all alternatives share
NUMBERS = 1 << 19  # of one kind: fewer samples of larger tables
SEED = 20_221_115


@lru_cache(maxsize=2)
def random_numbers(p: int) -> tuple[Array, Array, Array]:
    """Return fixed numbers of mean 0 and variance 1, each of shape (samples, p).

    Normal ones for the tables, normal and Laplace ones for the noise, these at the same quantiles.
    """
    count = int(np.clip(NUMBERS // p, FEWEST, MOST))
    z, normal = np.random.default_rng(SEED).standard_normal((2, count, p))
    laplace = -np.sign(normal) * (math.log(2) + log_ndtr(-np.abs(normal))) / math.sqrt(2)
    for numbers in (z, normal, laplace):
        numbers.setflags(write=False)
    return z, normal, laplace


@dataclass(frozen=True, eq=False)
class NormalSamples:
    """Samples of tables with noise under m alternatives.

    Attributes
    ----------
    expected, e : ndarray of shape (p,)
        Expected table θ under the null hypothesis, and denominators of the statistic.
    probabilities : ndarray of shape (m, p)
        Cell probabilities.
    n, sigma : float
        Number of records and standard deviation of the noise.
    z, noise : ndarray of shape (samples, p)
        Random numbers of mean 0 and variance 1.
    same_tables : NormalSamples, optional
        Samples with other noise, whose work for the tables need not be done again.
    """

    expected: Array
    e: Array
    probabilities: Array
    n: float
    sigma: float
    z: Array
    noise: Array
    same_tables: "NormalSamples | None" = None
    _forms: dict[object, Array] = field(default_factory=dict)

    def unshrunk(self, *, centred: bool, projected: bool) -> Array:
        """Return the statistic of Y, of shape (m, samples), with the noise centred or not."""
        change = _Change.none(self._sums, len(self.e), centred)
        return self.memoised((centred, projected), lambda: self._statistic(change, projected))

    def shrunk(self, mechanism: JamesStein, *, centred: bool, projected: bool) -> Array:
        """Return the statistic of shrunk releases, of shape (m, samples)."""
        theta, p = self.expected, len(self.e)
        length = self.quadratic(np.ones(p)) + 2 * self.linear(theta) + theta @ theta
        change = _Change.none(self._sums, p, centred)
        if centred:
            mean = (self._sums + theta.sum()) / p
            length -= p * mean * mean
        if mechanism.unshrunk is not None:
            change.w = mechanism.unshrunk
            along = self.linear(change.w) + theta @ change.w
            length -= along * along
        r = (mechanism.shrunk_dimension - 2) * self.sigma**2 / np.maximum(length, 1e-300)
        if mechanism.positive_part:
            r = np.minimum(r, 1.0)
        change.r = r
        if centred:
            change.c = change.c + r * mean
        if mechanism.unshrunk is not None:
            change.a = r * along
        return self._statistic(change, projected)

    def _statistic(self, change: "_Change", projected: bool) -> Array:
        weights, theta, p = 1 / self.e, self.expected, len(self.e)
        r, c, a, w = change.r, change.c, change.a, change.w
        rest = 1 - r
        mixed = weights * w
        first = rest * self.quadratic(weights)  # the parts with Y, then those without
        second = c * c * weights.sum()
        if r.any():
            first -= 2 * r * self.linear(weights * theta)
            second = second + r * (r * (weights @ theta**2) - 2 * c * (weights @ theta))
        if c.any():
            first += 2 * c * self.linear(weights)
        if w.any():
            first += 2 * a * self.linear(mixed)
            second += a * (a * (mixed @ w) + 2 * (c * mixed.sum() - r * (mixed @ theta)))
        value: Array = rest * first + second
        if projected:
            middle = (rest * self._sums - r * theta.sum() + c * p + a * w.sum()) / p
            ones, along = weights.sum(), weights @ theta
            weighed = rest * self.linear(weights) - r * along + c * ones + a * mixed.sum()
            value += middle * (middle * ones - 2 * weighed)
            weighed = rest * self.linear(weights * theta) - r * (weights @ theta**2)
            weighed += c * along + a * (mixed @ theta) - middle * along
            value += weighed * weighed / (self.sigma**2 * along)
        return value

    def linear(self, weights: Array) -> Array:
        """Return Σ wY for weights (p,), of shape (m, samples), or (1, samples) if they are equal."""
        if (weights == weights[0]).all():
            same: Array = weights[0] * self._sums
            return same
        return self.memoised(("linear", weights.tobytes()), lambda: self._linear(weights))

    def quadratic(self, weights: Array) -> Array:
        """Return Σ wY² of shape (m, samples) for weights (p,)."""
        if weights[0] != 1 and (weights == weights[0]).all():
            multiple: Array = weights[0] * self.quadratic(np.ones(len(weights)))
            return multiple
        return self.memoised(("quadratic", weights.tobytes()), lambda: self._quadratic(weights))

    def _linear(self, weights: Array) -> Array:
        value: Array = (weights * self._g) @ self.z.T
        value -= self.scores * (self._h @ weights)[:, np.newaxis]
        value += self.sigma * (self.noise @ weights)
        value += (self._delta @ weights)[:, np.newaxis]
        return value

    def _quadratic(self, weights: Array) -> Array:
        g, h, sigma = self._g * weights, self._h * weights, self.sigma
        value: Array = (2 * sigma * g) @ (self.z * self.noise).T
        value += (2 * sigma * weights * self._delta) @ self.noise.T
        value -= self.scores * ((2 * sigma * h) @ self.noise.T)
        value += sigma**2 * ((self.noise * self.noise) @ weights)
        source = self if self.same_tables is None else self.same_tables
        key = "tables", weights.tobytes()
        value += source.memoised(key, lambda: self._quadratic_of_table(weights))
        return value

    def _quadratic_of_table(self, weights: Array) -> Array:
        """Return Σ w(Y - σζ)²."""
        g, h, delta = self._g * weights, self._h * weights, self._delta
        value: Array = (g * self._g) @ (self.z * self.z).T + (2 * g * delta) @ self.z.T
        value += (weights * delta * delta).sum(axis=1, keepdims=True)
        across = (2 * g * self._h) @ self.z.T
        across += 2 * (h * delta).sum(axis=1, keepdims=True)
        across -= self.scores * (h * self._h).sum(axis=1, keepdims=True)
        value -= self.scores * across
        return value

    def memoised(self, key: object, make: Callable[[], Array]) -> Array:
        """Return the array of a key; mechanisms with the same noise share it."""
        if key not in self._forms:
            self._forms[key] = make()
        return self._forms[key]

    @cached_property
    def _sums(self) -> Array:
        """ΣY, the noise alone, of shape (1, samples)."""
        sums: Array = self.sigma * self.noise.sum(axis=1)[np.newaxis, :]
        return sums

    @cached_property
    def _delta(self) -> Array:
        return self.n * self.probabilities - self.expected

    @cached_property
    def _g(self) -> Array:
        return np.sqrt(self.n * self.probabilities)

    @cached_property
    def _h(self) -> Array:
        return math.sqrt(self.n) * self.probabilities

    @cached_property
    def scores(self) -> Array:
        """√π·z, of shape (m, samples)."""
        if self.same_tables is not None:
            return self.same_tables.scores
        return np.sqrt(self.probabilities) @ self.z.T


@dataclass
class _Change:
    """A mechanism's change of Y: (1 - r)Y - rθ + c1 + aw.

    Attributes
    ----------
    r, c, a : ndarray of shape (1 or m, 1 or samples)
    w : ndarray of shape (p,)
    """

    r: Array
    c: Array
    a: Array
    w: Array

    @classmethod
    def none(cls, sums: Array, p: int, centred: bool) -> "_Change":
        """Return what centring alone does."""
        zero = np.zeros((1, 1))
        return cls(zero, -sums / p if centred else zero, zero, np.zeros(p))
