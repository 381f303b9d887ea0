r"""Statistics of simulated normal tables with noise, for releases that are not normal.

All draws of all alternatives come from one fixed set of random numbers, so that curves are smooth and
a picture does not flicker. A draw is Y = δ + g∘z - h(√π·z) + σζ, the release less the null table before
any projection or shrinkage, with g = √(nπ), h = √n π and z, ζ the random numbers. What the mechanisms
do to it changes the statistic only through a few quadratic and linear forms of Y, which are matrix
products over the cells for all draws and alternatives at once.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from explorer.core.mechanisms import JamesStein, Mechanism

Array = NDArray[np.float64]

DRAWS, FEWEST = 2_048, 512
NUMBERS = 1 << 21  # of one kind at most, for tables of more than 1024 cells
SEED = 20_221_115


@lru_cache(maxsize=2)
def random_numbers(p: int) -> tuple[Array, Array]:
    """Return fixed normal numbers for the tables and for the noise, each of shape (draws, p)."""
    count = int(np.clip(NUMBERS // p, FEWEST, DRAWS))
    z, noise = np.random.default_rng(SEED).standard_normal((2, count, p))
    z.setflags(write=False)
    noise.setflags(write=False)
    return z, noise


def laplace(normal: Array) -> Array:
    """Return the Laplace numbers of variance 1 at the same quantiles as normal ones."""
    numbers: Array = -np.sign(normal) * (math.log(2) + log_ndtr(-np.abs(normal))) / math.sqrt(2)
    return numbers


@dataclass(frozen=True, eq=False)
class NormalTables:
    """Draws of tables with noise under m laws.

    Attributes
    ----------
    expected, e : ndarray of shape (p,)
        Expected table θ under the null hypothesis, and denominators of the statistic.
    laws : ndarray of shape (m, p)
        Cell probabilities.
    n, sigma : float
        Number of records and standard deviation of the noise.
    z, noise : ndarray of shape (draws, p)
        Random numbers of mean 0 and variance 1.
    """

    expected: Array
    e: Array
    laws: Array
    n: float
    sigma: float
    z: Array
    noise: Array
    _forms: dict[bytes, Array] = field(default_factory=dict)

    def statistics(self, mechanism: Mechanism, *, shrink: bool, projected: bool) -> Array:
        """Return the statistic of the mechanism's releases, of shape (draws, m).

        With the factor 1 - r of the shrinkage, its unshrunk direction w and the means taken out,
        the release less θ is X = (1 - r)Y - rθ + c1 + aw.
        """
        weights, theta, p = 1 / self.e, self.expected, len(self.e)
        centred = mechanism.on_span and mechanism.statistic.rank < p
        sums = self.sigma * self.noise.sum(axis=1)[:, np.newaxis]  # of Y
        r: Array = np.zeros((1, 1))
        c = -sums / p if centred else r
        a, w = r, np.zeros(p)
        if shrink and isinstance(mechanism, JamesStein) and mechanism.shrunk_dimension > 2:
            length = self.quadratic(np.ones(p)) + 2 * self.linear(theta) + theta @ theta
            mean = (sums + theta.sum()) / p if centred else np.zeros((1, 1))
            length = length - p * mean * mean
            if mechanism.unshrunk is not None:
                w = mechanism.unshrunk
                a = self.linear(w) + theta @ w
                length = length - a * a
            r = (mechanism.shrunk_dimension - 2) * self.sigma**2 / np.maximum(length, 1e-300)
            if mechanism.positive_part:
                r = np.minimum(r, 1.0)
            c, a = c + r * mean, r * a
        rest = 1 - r
        ones, along = weights.sum(), weights @ theta
        mixed = weights * w
        alone = self.linear(weights)
        with_theta = self.linear(weights * theta)
        value = rest * rest * self.quadratic(weights)
        value += 2 * rest * (c * alone - r * with_theta)
        value += c * c * ones - 2 * r * c * along + r * r * (weights @ theta**2)
        if w.any():
            value += 2 * rest * a * self.linear(mixed) + a * a * (mixed @ w)
            value += 2 * a * (c * mixed.sum() - r * (mixed @ theta))
        if projected:
            middle = (rest * sums - r * theta.sum() + c * p + a * w.sum()) / p
            weighed = rest * alone - r * along + c * ones + a * mixed.sum()
            value += middle * (middle * ones - 2 * weighed)
            weighed = rest * with_theta - r * (weights @ theta**2) + c * along + a * (mixed @ theta)
            value += (weighed - middle * along) ** 2 / (self.sigma**2 * along)
        return value

    def linear(self, weights: Array) -> Array:
        """Return Σ wY of shape (draws, m) for weights (p,)."""
        key = b"1" + weights.tobytes()
        if key not in self._forms:
            value = self.z @ (weights * self._g).T
            value -= self._along * (self._h @ weights)
            value += (self.sigma * (self.noise @ weights))[:, np.newaxis]
            self._forms[key] = value + self._delta @ weights
        return self._forms[key]

    def quadratic(self, weights: Array) -> Array:
        """Return Σ wY² of shape (draws, m) for weights (p,)."""
        key = b"2" + weights.tobytes()
        if key not in self._forms:
            g, h, delta, s = self._g * weights, self._h * weights, self._delta, self._along
            value = self._squares @ (g * self._g).T
            value += self.z @ (2 * g * delta).T
            value += self._products @ (2 * self.sigma * g).T
            value += self.noise @ (2 * self.sigma * weights * delta).T
            value += (self.sigma**2 * ((self.noise * self.noise) @ weights))[:, np.newaxis]
            value += (weights * delta * delta).sum(axis=1)
            across = self.z @ (2 * g * self._h).T + self.noise @ (2 * self.sigma * h).T
            value += s * (s * (h * self._h).sum(axis=1) - across - 2 * (h * delta).sum(axis=1))
            self._forms[key] = value
        return self._forms[key]

    @cached_property
    def _delta(self) -> Array:
        return self.n * self.laws - self.expected

    @cached_property
    def _g(self) -> Array:
        return np.sqrt(self.n * self.laws)

    @cached_property
    def _h(self) -> Array:
        return math.sqrt(self.n) * self.laws

    @cached_property
    def _along(self) -> Array:
        """√π·z, of shape (draws, m)."""
        return self.z @ np.sqrt(self.laws).T

    @cached_property
    def _squares(self) -> Array:
        return self.z * self.z

    @cached_property
    def _products(self) -> Array:
        return self.z * self.noise
