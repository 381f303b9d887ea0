"""What every mechanism is, and its units."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core import average_cost, quantities
from explorer.core._random import Randomness, generator
from explorer.core.sensitivity import Statistic, Table, check_cells

MU = quantities.MU.within(1e-50, 1e50)  # noise and costs stay finite


@dataclass(frozen=True)
class Mechanism(ABC):
    """A statistic plus noise that is just large enough for μ-GDP.

    θ, the noise and `scale` are in the unit of the statistic (records, for a table of
    counts), costs in its square; μ is a pure number. Tables are arrays of shape (..., p),
    stacked tables are released independently, and every method takes O(p) time a table.

    Attributes
    ----------
    statistic : Statistic
        What is released, with its sensitivity space.
    mu : float
        GDP parameter in [1e-50, 1e50]: sensitivity over noise standard deviation.
    key : str
        Stable name of the mechanism in links, files and style sheets; it never changes.
    on_span : bool
        Whether the noise lies in the span of the sensitivity space, so that what one
        person cannot change (the total of a table with public n) is released as it is.

    Raises
    ------
    ParameterError
        If a field lies outside its domain.
    """

    key: ClassVar[str]
    on_span: ClassVar[bool] = False

    statistic: Statistic
    mu: float

    def __post_init__(self) -> None:
        """Check μ."""
        object.__setattr__(self, "mu", MU.check_scalar(self.mu))

    @property
    @abstractmethod
    def scale(self) -> float:
        """Scale of the independent noise: σ of normal, b of Laplace noise."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """Variance of the independent noise in one coordinate, before any projection."""

    @abstractmethod
    def tradeoff(self, alpha: ArrayLike) -> NDArray[np.float64]:
        """Return what the mechanism guarantees.

        Parameters
        ----------
        alpha : array_like of shape (...)
            Type I errors in [0, 1].

        Returns
        -------
        ndarray of shape (...)
            Least type II error of the best attacker over all pairs of neighbours: exact
            for the independent noise, hence a lower bound once the release is projected
            or shrunk.
        """

    @abstractmethod
    def half_width(self, level: float) -> float | None:
        """Return the half width of the central interval of the noise in one cell.

        Parameters
        ----------
        level : float
            Probability of the interval, in [0, 1).

        Returns
        -------
        float or None
            In the unit of the statistic. None where there is no closed form: for
            projected Laplace noise, a weighted sum of p Laplace variables, and for a
            shrunk release, whose error depends on θ.

        Raises
        ------
        ParameterError
            If `level` lies outside its domain.
        """

    @abstractmethod
    def _independent(self, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """Draw independent noise in every coordinate."""

    @property
    def dimension(self) -> int:
        """Dimension of the space the noise lives in: the rank or p."""
        return self.statistic.rank if self.on_span else self.statistic.p

    @property
    def is_rank_deficient(self) -> bool:
        """Whether some direction carries no noise: for a `Table`, whether its total is kept."""
        return self.dimension < self.statistic.p

    @property
    def cell_deviation(self) -> float:
        """Standard deviation of the noise in one cell, before any shrinkage.

        The root mean square over the cells, which for a `Table` are all alike.
        """
        return math.sqrt(self.dimension / self.statistic.p) * math.sqrt(self.variance)

    def noise(self, rng: Randomness, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """Draw the noise that is added, before any shrinkage.

        Parameters
        ----------
        rng : numpy.random.Generator, int or None
            Source of randomness, as in `numpy.random.default_rng`.
        shape : tuple of int
            Shape (..., p) of the draw.

        Returns
        -------
        ndarray of shape (..., p)
            Noise; in the span if `on_span`.
        """
        return self._restrict(self._independent(generator(rng), shape))

    def simulate(
        self, theta: ArrayLike, rng: Randomness, size: int | None = None
    ) -> NDArray[np.float64]:
        """Draw releases in floating point, for teaching; never a release.

        Parameters
        ----------
        theta : array_like of shape (..., p)
            Tables.
        rng : numpy.random.Generator, int or None
            Source of randomness, as in `numpy.random.default_rng`.
        size : int, optional
            Number of draws of each table.

        Returns
        -------
        ndarray of shape (size, ..., p), or (..., p) without `size`
            Noisy tables: real numbers, negative ones among them.

        Raises
        ------
        ParameterError
            If `theta` does not have p cells within ±1e100 on its last axis.
        """
        cells = self._check(theta)
        shape = cells.shape if size is None else (size, *cells.shape)
        return cells + self.noise(rng, shape)

    def l2_cost(self, theta: ArrayLike) -> NDArray[np.float64]:
        """Return the expected squared error of the release, E‖M - θ‖².

        Parameters
        ----------
        theta : array_like of shape (..., p)
            Tables.

        Returns
        -------
        ndarray of shape (...)
            Cost summed over the cells, in squared units of the statistic.

        Raises
        ------
        ParameterError
            If `theta` does not have p cells within ±1e100 on its last axis.
        """
        return np.full(self._check(theta).shape[:-1], self.variance * self.dimension)

    def expected_l2_cost(self, n: ArrayLike, probabilities: ArrayLike) -> NDArray[np.float64]:
        """Return the mean of `l2_cost` over tables drawn from Multinomial(n, π).

        Parameters
        ----------
        n : array_like of shape (...)
            Whole numbers of records in [0, 1e9].
        probabilities : array_like of shape (..., p)
            Cell probabilities π, broadcast against `n`.

        Returns
        -------
        ndarray of shape (...)
            Expected cost summed over the cells, in records squared.

        Raises
        ------
        ParameterError
            If `n` or `probabilities` lies outside its domain, or the statistic is no `Table`.
        """
        records, _ = self._check_distribution(n, probabilities)
        return np.full(records.shape, self.variance * self.dimension)

    def _check_distribution(
        self, n: ArrayLike, probabilities: ArrayLike
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if not isinstance(self.statistic, Table):
            rule = "must be a Table for an expected cost over multinomial tables"
            raise quantities.STATISTIC.refuse(self.statistic, rule)
        return average_cost.check_distribution(n, probabilities, self.statistic.p)

    def _check(self, theta: ArrayLike) -> NDArray[np.float64]:
        return check_cells("theta", "θ", theta, self.statistic.p)

    def _restrict(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.statistic.project(x) if self.on_span else x
