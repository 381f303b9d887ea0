"""Normal noise, on the whole space or on the span of the sensitivity space."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from explorer.core import tradeoff
from explorer.core.mechanisms.base import Mechanism
from explorer.core.quantities import CONFIDENCE
from explorer.core.sensitivity import Isotropic


@dataclass(frozen=True)
class Gaussian(Mechanism):
    """Independent normal noise of σ = Δ₂/μ in every cell, M_G.

    References
    ----------
    Kim, Lee, Kwak and Jung, arXiv 2211.15019, equation (7).
    """

    key = "gaussian"

    @property
    def scale(self) -> float:
        """Standard deviation σ = Δ₂/μ."""
        return self.statistic.l2 / self.mu

    @property
    def variance(self) -> float:
        """Variance σ²."""
        return self.scale * self.scale

    def tradeoff(self, alpha: ArrayLike) -> NDArray[np.float64]:
        """Return G_μ, as `Mechanism.tradeoff`."""
        return tradeoff.gaussian(alpha, self.mu)

    def half_width(self, level: float) -> float | None:
        """Return the normal quantile times `cell_deviation`, as `Mechanism.half_width`.

        None where the cells differ: on the span of a statistic that is not `Isotropic`.
        """
        outside = 1 - CONFIDENCE.check_scalar(level)
        if self.on_span and not isinstance(self.statistic, Isotropic):
            return None
        return -float(ndtri(outside / 2)) * self.cell_deviation

    def _independent(self, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
        return self.scale * rng.standard_normal(shape)


@dataclass(frozen=True)
class RankDeficientGaussian(Gaussian):
    """Normal noise of σ = Δ₂/μ on the span of the sensitivity space, M_r.

    A table with public total keeps it. `Gaussian` where the span is everything.

    References
    ----------
    Kim, Lee, Kwak and Jung, arXiv 2211.15019, section 3.
    """

    key = "rank-deficient"
    on_span = True
