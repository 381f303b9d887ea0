"""Normal noise of any covariance, and what it protects."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core import tradeoff
from explorer.core._random import Randomness, generator
from explorer.core._typing import Array
from explorer.core.parameter import Argument
from explorer.core.sensitivity import LARGEST_CELL, Statistic, check_cells

COVARIANCE = Argument("covariance", "Σ", "covariance of the noise")
RANK_TOLERANCE = 1e-12
SPAN_TOLERANCE = 1e-9


@dataclass(frozen=True)
class AdditiveGaussian:
    r"""A statistic plus normal noise of a given covariance, M_Σ.

    Units are those of `Mechanism`. Here μ follows from Σ instead of Σ from μ.

    Attributes
    ----------
    statistic : Statistic
        What is released, with its sensitivity space.
    covariance : array_like of shape (p, p)
        Symmetric and positive semidefinite Σ, within ±1e100; stored as tuples. A singular Σ is
        as good as another if its range holds every difference, and protects nothing if not.

    Raises
    ------
    ParameterError
        If Σ has another shape or is not such a matrix. An eigenvalue counts as negative below
        -1e-12 times the largest.

    Notes
    -----
    Normal distributions of one covariance, centred at θ and θ′, are N(0, 1) against N(m, 1) to the best
    attacker, with :math:`m^2 = v^\top \Sigma^{+} v` and v = θ - θ′ (Kim, Lee, Kwak and Jung,
    arXiv 2211.15019, appendix A), if v is in the range of Σ. Otherwise some combination of the
    coordinates carries no noise and tells θ from θ′ for certain.
    """

    statistic: Statistic
    covariance: ArrayLike = field(repr=False)

    def __post_init__(self) -> None:
        """Check the covariance and keep it as tuples, which have a hash."""
        sigma = check_covariance(self.covariance, self.statistic.p)
        object.__setattr__(self, "covariance", tuple(map(tuple, sigma.tolist())))

    @cached_property
    def mu(self) -> float:
        """The exact GDP parameter: the least μ for which M_Σ is μ-GDP; inf if it protects nothing.

        Relative error about 1e-16 times the ratio of the positive eigenvalues of Σ. Raises
        `ParameterError` if the statistic has too many extreme differences to list them (a
        `Table` of more than 256 cells).
        """
        differences = self.statistic.differences()
        if self._outside(differences).any():
            return math.inf
        values, axes = self._spectrum
        scaled = differences @ axes / np.sqrt(values)
        return float(np.linalg.norm(scaled, axis=1).max())

    @property
    def protects(self) -> bool:
        """Whether there is a finite μ: whether every difference lies in the range of Σ."""
        return self.mu < math.inf

    @cached_property
    def unprotected(self) -> Array | None:
        """A difference, of shape (p,), that the release shows for certain, or None.

        One whose part outside the range of Σ is longer than 1e-9 times its length, where
        eigenvalues up to 1e-12 times the largest count as zero: in doubt there is no protection.
        """
        differences = self.statistic.differences()
        outside = np.flatnonzero(self._outside(differences))
        return differences[outside[0]] if len(outside) else None

    @property
    def mu_of_sensitivity(self) -> float:
        """The least μ for which M_Σ is μ-GDP for every statistic of the same p and Δ₂.

        Δ₂ over the root of the least eigenvalue of Σ, inf if Σ is singular (Kim, Lee, Kwak
        and Jung, arXiv 2211.15019, lemma 1).
        """
        values, _ = self._spectrum
        if len(values) < self.statistic.p:
            return math.inf
        return self.statistic.l2 / math.sqrt(values[0])

    def tradeoff(self, alpha: ArrayLike) -> Array:
        """Return G_μ of the exact μ, the trade-off of the worst difference, as `Mechanism.tradeoff`."""
        return tradeoff.gaussian(alpha, self.mu)

    def l2_cost(self, theta: ArrayLike) -> Array:
        """Return the trace of Σ for every table, as `Mechanism.l2_cost`."""
        cells = check_cells("theta", "θ", theta, self.statistic.p)
        return np.full(cells.shape[:-1], np.trace(self._matrix))

    def noise(self, rng: Randomness, shape: tuple[int, ...]) -> Array:
        """Draw noise of shape (..., p)."""
        values, axes = self._spectrum
        normal = generator(rng).standard_normal((*shape[:-1], len(values)))
        return (normal * np.sqrt(values)) @ axes.T

    def simulate(self, theta: ArrayLike, rng: Randomness, size: int | None = None) -> Array:
        """Draw releases for teaching, as `Mechanism.simulate`."""
        cells = check_cells("theta", "θ", theta, self.statistic.p)
        return cells + self.noise(rng, cells.shape if size is None else (size, *cells.shape))

    @cached_property
    def _matrix(self) -> Array:
        return np.asarray(self.covariance, dtype=np.float64)

    @cached_property
    def _spectrum(self) -> tuple[Array, Array]:
        """Positive eigenvalues in increasing order, and their vectors."""
        values, axes = np.linalg.eigh(self._matrix)
        positive = values > RANK_TOLERANCE * values[-1]
        return values[positive], axes[:, positive]

    def _outside(self, differences: Array) -> NDArray[np.bool_]:
        _, axes = self._spectrum
        rest = differences - differences @ axes @ axes.T
        lengths = np.linalg.norm(differences, axis=1)
        return np.linalg.norm(rest, axis=1) > SPAN_TOLERANCE * lengths


def check_covariance(covariance: ArrayLike, p: int) -> Array:
    """Return a covariance as a symmetric float64 matrix, or raise.

    Parameters
    ----------
    covariance : array_like of shape (p, p)
        Numbers within ±1e100.
    p : int
        Number of coordinates.

    Returns
    -------
    ndarray of shape (p, p)
        The symmetric part, from which it must differ by rounding only.

    Raises
    ------
    ParameterError
        If it is no positive semidefinite matrix of that size.
    """
    raw: NDArray[Any] = np.asarray(covariance)
    if raw.shape != (p, p):
        raise COVARIANCE.refuse(f"array of shape {raw.shape}", f"must be a {p} × {p} matrix")
    if raw.dtype.kind not in "fiub":
        raise COVARIANCE.refuse(raw.dtype.name, "must hold numbers")
    sigma = raw.astype(np.float64)
    inside = np.abs(sigma) <= LARGEST_CELL  # NaN compares false
    if not inside.all():
        raise COVARIANCE.refuse(
            float(sigma[~inside][0]), f"must hold numbers within ±{LARGEST_CELL:g}"
        )
    asymmetry = np.abs(sigma - sigma.T).max()
    if asymmetry > RANK_TOLERANCE * np.abs(sigma).max():
        raise COVARIANCE.refuse(f"entries that differ by {asymmetry:g}", "must be symmetric")
    sigma = sigma / 2 + sigma.T / 2
    values = np.linalg.eigvalsh(sigma)
    if values[0] < -RANK_TOLERANCE * max(values[-1], 0.0):
        raise COVARIANCE.refuse(f"eigenvalue {values[0]:g}", "must be positive semidefinite")
    return sigma
