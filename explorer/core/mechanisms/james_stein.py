"""Normal noise, then James–Stein shrinkage.

One rule serves all: of a release with noise on a space of dimension d, a subspace of
dimension q is left alone and the part orthogonal to it is multiplied by
1 - (d - q - 2)σ²/‖part‖². Here q is 0 or 1.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core import average_cost, shrinkage
from explorer.core._random import Randomness
from explorer.core.mechanisms.gaussian import Gaussian
from explorer.core.parameter import Argument
from explorer.core.sensitivity import check_cells

DIRECTION = Argument("direction", "w", "unshrunk direction")
SPAN_TOLERANCE = 1e-9
CENTRE_TOLERANCE = 1e-9  # length of a shrunk part that is rounding, over the root of (d - q - 2)σ²
SHORTEST = 1e-150  # in units of σ; the length of a part that counts as 0


@dataclass(frozen=True)
class JamesStein(Gaussian):
    """What the James–Stein mechanisms share; not a mechanism of its own.

    Its privacy is that of the noise, because shrinkage uses nothing but the release. With
    d - q ≤ 2 nothing is shrunk; otherwise it costs less than the unshrunk release at
    every θ. The point it shrinks to and the subspace it leaves alone must be public: chosen
    from the table they have no known privacy level.

    Attributes
    ----------
    positive_part : bool
        Whether the factor is never allowed to fall below 0, which always costs less still.
    """

    positive_part: bool = False

    @cached_property
    def unshrunk(self) -> NDArray[np.float64] | None:
        """The unit vector of shape (p,) that is left alone, if there is one."""
        return None

    @property
    def shrunk_dimension(self) -> int:
        """Dimension d - q of the part that is shrunk."""
        return self.dimension - (self.unshrunk is not None)

    def half_width(self, level: float) -> float | None:
        """Return that of the noise where nothing is shrunk, as `Mechanism.half_width`."""
        unshrunk = Gaussian.half_width(self, level)
        return None if self.shrunk_dimension > 2 else unshrunk

    def simulate(
        self, theta: ArrayLike, rng: Randomness, size: int | None = None
    ) -> NDArray[np.float64]:
        """Draw noisy tables and `shrink` them, as `Mechanism.simulate`."""
        return self.shrink(Gaussian.simulate(self, theta, rng, size))

    def shrink(self, release: ArrayLike) -> NDArray[np.float64]:
        """Shrink tables that already carry the noise: post-processing.

        Parameters
        ----------
        release : array_like of shape (..., p)
            Noisy tables.

        Returns
        -------
        ndarray of shape (..., p)
            Shrunk tables.

        Raises
        ------
        ParameterError
            If `release` does not have p cells within ±1e100 on its last axis.
        """
        noisy = check_cells("release", "M", release, self.statistic.p)
        part = self._part(noisy)
        norm = np.linalg.norm(part, axis=-1, keepdims=True)
        ratio = self.scale / np.maximum(norm, SHORTEST * self.scale)
        removed: NDArray[np.float64] = max(self.shrunk_dimension - 2, 0) * ratio * ratio
        if self.positive_part:
            removed = np.minimum(removed, 1.0)
        return noisy - removed * part

    def unshrink(self, release: ArrayLike, *, shorter: bool = False) -> NDArray[np.float64]:
        """Return the noisy tables that `shrink` maps to releases.

        A shrunk part of length m was r before, with m = |r - c/r| and c = (d - q - 2)σ².

        Parameters
        ----------
        release : array_like of shape (..., p)
            Shrunk tables.
        shorter : bool
            Without the positive part two tables have the same release, one with r² > c and one with
            r² < c, whose part is turned round. Whether to return the second.

        Returns
        -------
        ndarray of shape (..., p)
            Noisy tables. A release at its centre comes back as it is, see `is_centre`.

        Raises
        ------
        ParameterError
            If `release` does not have p cells within ±1e100 on its last axis.
        """
        shrunk = check_cells("release", "M", release, self.statistic.p)
        part = self._part(shrunk)
        length = np.linalg.norm(part, axis=-1, keepdims=True)
        whole = length > self._shortest
        length = np.where(whole, length, 1.0)
        removed = self._removed
        longer = (length + np.hypot(length, 2 * math.sqrt(removed))) / 2
        before = -removed / longer if shorter else longer
        return shrunk + np.where(whole, before / length - 1, 0.0) * part

    def is_centre(self, release: ArrayLike) -> NDArray[np.bool_]:
        """Return which releases (..., p) have nothing left, but rounding, of the part that is shrunk.

        With the positive part every noisy table with r² ≤ c is released like that.
        """
        return self.shrunk_length(release) <= self._shortest

    def shrunk_length(self, tables: ArrayLike) -> NDArray[np.float64]:
        """Return the lengths, of shape (...), of the part of tables (..., p) that is shrunk."""
        cells = check_cells("tables", "M", tables, self.statistic.p)
        return np.linalg.norm(self._part(cells), axis=-1)

    @property
    def _removed(self) -> float:
        """The c of the factor 1 - c/‖part‖²."""
        return max(self.shrunk_dimension - 2, 0) * self.variance

    @property
    def _shortest(self) -> float:
        """Length of a shrunk part below which it is rounding."""
        return CENTRE_TOLERANCE * math.sqrt(self._removed)

    def l2_cost(self, theta: ArrayLike) -> NDArray[np.float64]:
        """Return the exact cost σ²{q + R(d - q, τ)}, as `Mechanism.l2_cost`.

        Here R is `shrinkage.risk` and τ the squared length of the shrunk part of θ over σ².
        """
        part = self._part(self._check(theta))
        distance = np.linalg.norm(part, axis=-1) / self.scale
        risk = shrinkage.risk(self.shrunk_dimension, distance * distance, self.positive_part)
        return self.variance * (self.dimension - self.shrunk_dimension + risk)

    def expected_l2_cost(self, n: ArrayLike, probabilities: ArrayLike) -> NDArray[np.float64]:
        """Return the mean cost σ²{q + E R(d - q, τ)}, as `Mechanism.expected_l2_cost`.

        No simulation; relative error about 1e-11 against enumeration of small tables.
        """
        records, distributions = self._check_distribution(n, probabilities)
        w = self.unshrunk
        # A part without the mean of the cells is the distance from the uniform table.
        ones = w is not None and bool(np.ptp(w) <= SPAN_TOLERANCE * np.abs(w).max())
        centred = ones or self.dimension < self.statistic.p
        risks = [
            average_cost.risk(
                self.shrunk_dimension,
                self.scale,
                float(count),
                cells,
                centred=centred,
                unshrunk=None if ones else w,
                positive_part=self.positive_part,
            )
            for count, cells in zip(
                records.ravel(), distributions.reshape(-1, self.statistic.p), strict=True
            )
        ]
        unshrunk = self.dimension - self.shrunk_dimension
        return self.variance * (unshrunk + np.array(risks).reshape(records.shape))

    def _part(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the part of tables that is shrunk."""
        part = self._restrict(x)
        w = self.unshrunk
        return part if w is None else part - (part @ w)[..., np.newaxis] * w


@dataclass(frozen=True)
class JamesSteinZero(JamesStein):
    """`Gaussian`, shrunk to zero, M_JS0: d = p, q = 0."""

    key = "james-stein-zero"


@dataclass(frozen=True)
class JamesSteinMean(JamesStein):
    """`Gaussian`, shrunk to the mean of its cells, M_JS: d = p, q = 1.

    References
    ----------
    Kim, Lee, Kwak and Jung, arXiv 2211.15019, equation (15), for the cost.
    """

    key = "james-stein-mean"

    @cached_property
    def unshrunk(self) -> NDArray[np.float64] | None:
        """The direction of the mean, 1/√p."""
        p = self.statistic.p
        return np.full(p, 1 / math.sqrt(p))


@dataclass(frozen=True)
class RankDeficientJamesSteinZero(JamesStein):
    """`RankDeficientGaussian`, its part in the span shrunk to zero, M_rJS0: q = 0.

    For a table with public total that is shrinkage to the uniform table, and costs σ²
    less than `JamesSteinMean`. `JamesSteinZero` where the span is everything.
    """

    key = "rank-deficient-james-stein-zero"
    on_span = True


@dataclass(frozen=True)
class RankDeficientJamesStein(JamesStein):
    """`RankDeficientGaussian`, shrunk in the span but for one direction, M_rJS: q = 1.

    Attributes
    ----------
    direction : tuple of float, optional
        The p coordinates of the vector w that is left alone, of any length. It must be public:
        see the warning. If omitted w = U1/√d for the statistic's own basis U, the
        mechanism of the paper, which is `JamesSteinMean` where the span is everything.

    Raises
    ------
    ParameterError
        If `direction` is zero or not in the span.

    Warnings
    --------
    A direction that is chosen from the table itself has no known privacy level: μ holds only
    for one that is fixed before the data are seen. The same goes for a target to shrink to.
    `explorer.paper.chosen_direction` shows an attack.

    Notes
    -----
    The paper shrinks Uᵀ(release) to the mean of its d coordinates. That leaves w = U1/√d
    alone and depends on U through w only: choosing a basis is choosing w.

    References
    ----------
    Kim, Lee, Kwak and Jung, arXiv 2211.15019, section 4.
    """

    key = "rank-deficient-james-stein"
    on_span = True

    direction: ArrayLike | None = None

    def __post_init__(self) -> None:
        """Check the fields and keep the direction as a tuple, which has a hash."""
        JamesStein.__post_init__(self)
        if self.direction is None:
            return
        w = check_cells("direction", "w", self.direction, self.statistic.p)
        length = np.linalg.norm(w)
        outside = np.linalg.norm(w - self.statistic.project(w))
        if w.ndim != 1 or length == 0 or outside > SPAN_TOLERANCE * length:
            rule = "must be one nonzero vector in the span of the sensitivity space"
            raise DIRECTION.refuse(w, rule)
        object.__setattr__(self, "direction", tuple(w.tolist()))

    @cached_property
    def unshrunk(self) -> NDArray[np.float64] | None:
        """The direction w, of length 1."""
        given = self.direction
        w = self.statistic.basis_sum() if given is None else self.statistic.project(given)
        return w / np.linalg.norm(w)
