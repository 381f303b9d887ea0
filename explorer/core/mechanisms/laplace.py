"""Laplace noise, on the whole space or projected on the span of the sensitivity space."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core import laplace as calibration
from explorer.core import tradeoff
from explorer.core.mechanisms.base import Mechanism
from explorer.core.quantities import CONFIDENCE
from explorer.core.sensitivity import Statistic


@lru_cache(maxsize=64)
def _least_scale(mu: float, statistic: Statistic) -> float:
    """Return the scale, searched for once for the mechanisms that share it."""
    return float(calibration.scale(mu, statistic))


@dataclass(frozen=True)
class Laplace(Mechanism):
    """Independent Laplace noise of the least scale b that is μ-GDP for the statistic."""

    key = "laplace"

    @property
    def scale(self) -> float:
        """Scale b; the noise of one coordinate has variance 2b²."""
        return _least_scale(self.mu, self.statistic)

    @property
    def variance(self) -> float:
        """Variance 2b²."""
        return 2 * self.scale * self.scale

    def tradeoff(self, alpha: ArrayLike) -> NDArray[np.float64]:
        """Return that of the worst difference, as `Mechanism.tradeoff`."""
        return tradeoff.laplace(alpha, self.statistic.extreme_difference / self.scale)

    def half_width(self, level: float) -> float | None:
        """Return -b log(1 - level) for unprojected noise, as `Mechanism.half_width`."""
        half = -self.scale * math.log1p(-CONFIDENCE.check_scalar(level))
        return half if self.dimension == self.statistic.p else None

    def _independent(self, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
        return rng.laplace(scale=self.scale, size=shape)


@dataclass(frozen=True)
class ProjectedLaplace(Laplace):
    """`Laplace` with its noise projected on the span of the sensitivity space.

    A table with public total keeps it. `Laplace` where the span is everything.
    """

    key = "projected-laplace"
    on_span = True
