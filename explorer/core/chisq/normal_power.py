"""Power when multinomial tables are taken for normal ones: fast enough to follow a slider."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.chisq import _checks, _contour_integral, statistics, weighted_chi2
from explorer.core.chisq._control_variate import Sample, controlled
from explorer.core.chisq._normal_samples import SAMPLES, NormalSamples, random_numbers
from explorer.core.chisq._power import Power, PowerMethod
from explorer.core.chisq._release_transform import release_transform
from explorer.core.mechanisms import JamesStein, Laplace, Mechanism, RankDeficientJamesSteinZero

Array = NDArray[np.float64]

NUMBERS = 1 << 14  # cells at once, each at sixteen complex points


def asymptotic_power(
    mechanism: Mechanism | None,
    null: ArrayLike,
    n: int,
    alternatives: ArrayLike,
    level: float,
    *,
    statistic: str = "ridge",
) -> Power:
    """Return the power of `goodness_of_fit` for normal tables with the multinomial's moments.

    Parameters
    ----------
    mechanism : Mechanism or None
        What releases the table, its statistic a `Table`; None for the table itself, as
        `without_noise`.
    null, n, alternatives, level, statistic
        As in `power`.

    Returns
    -------
    Power
        With an `error` of 0 and the method "weighted-chi2" where the statistic is Σ λ χ²₁(δ): without noise,
        with normal noise, and for a release that is shrunk to the uniform table with the positive
        part, if that is the null hypothesis and α < 1/2, because its statistic then grows with that
        of the unshrunk release. Otherwise from fixed samples of normal tables, 2 048 of up to 256 cells and
        some more of the null hypothesis, with their standard error and the method "normal-tables".

    Raises
    ------
    ParameterError
        As in `power`.

    Notes
    -----
    The first two moments under each alternative are exact, those of the noise too. What is left out
    is the discreteness and skewness of the table, which matter where expected counts are small
    against √(count + σ²). Without samples the relative error is below 1e-6. The samples use the power of the unshrunk
    release (for Laplace noise, of normal noise of its variance), which is known, as a control
    variate. A test of a release that the positive part sets to its centre with a probability above
    1 - α is conservative, because such releases are ties.
    """
    chosen = statistics.find(statistic)
    alpha = _checks.LEVEL.check_scalar(level)
    records = _checks.RECORDS.check_scalar(n)
    cells = np.size(null) if mechanism is None else _checks.check_table(mechanism).p
    probabilities = _checks.check_null(null, cells, chosen, noise=mechanism is not None)
    tables = _checks.check_alternatives(alternatives, cells)
    variance = 0.0 if mechanism is None else mechanism.variance
    question = _Normal(
        np.concatenate([probabilities[np.newaxis, :], tables]).tobytes(),
        cells,
        records,
        chosen.name,
        variance,
    )
    centred = mechanism is not None and mechanism.is_rank_deficient
    critical, curve = _unshrunk_power(question, alpha, centred)
    if mechanism is None or _is_weighted_chi2(mechanism, probabilities, alpha):
        error = np.zeros(len(tables))
        return Power(curve[1:], error, critical, False, PowerMethod.WEIGHTED_CHI2)
    null_sample = _sample(mechanism, question.of_null(), critical)
    return controlled(null_sample, _sample(mechanism, question, critical), curve, alpha)


def without_noise(
    null: ArrayLike, n: int, alternatives: ArrayLike, level: float, *, statistic: str = "ridge"
) -> Power:
    """Return the power that the true table would have: for a uniform null the ceiling of all.

    The same distribution with σ² = 0, where all statistics are Pearson's: `asymptotic_power` without a
    mechanism. The null hypothesis may not give a cell the probability 0.
    """
    return asymptotic_power(None, null, n, alternatives, level, statistic=statistic)


def power_of_independence_without_noise(n: int, alternatives: ArrayLike, level: float) -> Power:
    """Return the power of Pearson's test of independence on the true table, for many records.

    The statistic has the noncentral χ² distribution of (r - 1)(c - 1) degrees and noncentrality
    n Σ (π - π_row π_column)²/(π_row π_column).

    Parameters
    ----------
    n : int
        Number of records, from 1 to 1e9.
    alternatives : array_like of shape (m, rows, columns) or (rows, columns)
        Cell probabilities, of at least two rows and two columns.
    level : float
        Level α of the test, in (0, 1).

    Returns
    -------
    Power
        Without an error, and not `exact`.

    Raises
    ------
    ParameterError
        If an argument lies outside its domain.
    """
    alpha = _checks.LEVEL.check_scalar(level)
    records = _checks.RECORDS.check_scalar(n)
    shape = np.shape(alternatives)[-2:]
    if len(shape) < 2 or min(shape) < 2:
        rule = "must have at least two rows and two columns"
        raise _checks.ALTERNATIVES.refuse(np.shape(alternatives), rule)
    flat = _checks.check_two_way(alternatives, shape, by_group=False)
    tables = flat.reshape(-1, *shape)
    product = tables.sum(axis=2, keepdims=True) * tables.sum(axis=1, keepdims=True)
    terms = (tables - product) ** 2 / np.where(product > 0, product, 1)
    weights = np.ones((shape[0] - 1) * (shape[1] - 1))
    critical = float(weighted_chi2.isf(alpha, weights))
    noncentrality = records * terms.sum(axis=(1, 2)) / len(weights)
    power = np.array([float(weighted_chi2.sf(critical, weights, each)) for each in noncentrality])
    return Power(power, np.zeros(len(power)), critical, False, PowerMethod.WEIGHTED_CHI2)


@dataclass(frozen=True)
class _Normal:
    """What the distribution of normal tables depends on, but for the projection: a cache key.

    Attributes
    ----------
    probabilities : bytes
        Of the null hypothesis, then of the alternatives.
    """

    probabilities: bytes
    p: int
    n: float
    statistic: str
    variance: float

    @property
    def projected(self) -> bool:
        """Whether the statistic is the projected one."""
        return self.statistic == "projected" and self.variance > 0

    def tables(self) -> Array:
        """Return the probabilities, of shape (1 + m, p)."""
        return np.frombuffer(self.probabilities).reshape(-1, self.p)

    def of_null(self) -> "_Normal":
        """Return the same without alternatives, for which there are more samples."""
        return replace(self, probabilities=self.probabilities[: 8 * self.p])


@lru_cache(maxsize=16)
def _unshrunk_power(question: _Normal, level: float, centred: bool) -> tuple[float, Array]:
    """Return the critical value and the powers for normal noise, that of the null first."""
    tables = question.tables()
    chosen = statistics.find(question.statistic)

    def transform(some: Array) -> _contour_integral.Transform:
        return release_transform(
            tables[0], question.n, some, chosen, question.variance, centred=centred
        )

    critical = _contour_integral.upper_quantile(
        transform(tables[:1]), np.array([level]), _contour_integral.COARSE
    )
    rows = max(1, NUMBERS // question.p)
    parts = (tables[start : start + rows] for start in range(0, len(tables), rows))
    powers = np.concatenate(
        [
            _contour_integral.tails(
                transform(part), np.full(len(part), critical[0]), _contour_integral.COARSE
            )[1]
            for part in parts
        ]
    )
    powers.setflags(write=False)
    return float(critical[0]), powers


def _sample(mechanism: Mechanism, question: _Normal, critical: float) -> Sample:
    """Return the mechanism's statistic, and which samples the unshrunk or normal one rejects."""
    form = {"centred": mechanism.is_rank_deficient, "projected": question.projected}
    normal = _tables(question, heavy=False)
    known = normal.unshrunk(**form) > critical
    if isinstance(mechanism, JamesStein):
        return Sample(normal.shrunk(mechanism, **form), known)
    return Sample(_tables(question, heavy=True).unshrunk(**form), known)


@lru_cache(maxsize=4)
def _tables(question: _Normal, *, heavy: bool) -> NormalSamples:
    tables = question.tables()
    z, normal, laplace = random_numbers(question.p)
    if len(tables) > 1:
        z, normal, laplace = z[:SAMPLES], normal[:SAMPLES], laplace[:SAMPLES]
    expected = question.n * tables[0]
    ridge = question.statistic != "pearson"
    return NormalSamples(
        expected=expected,
        e=expected + ridge * question.variance,
        probabilities=tables,
        n=question.n,
        sigma=question.variance**0.5,
        z=z,
        noise=laplace if heavy else normal,
        same_tables=_tables(question, heavy=False) if heavy else None,
    )


def _is_weighted_chi2(mechanism: Mechanism, null: Array, level: float) -> bool:
    if isinstance(mechanism, Laplace):
        return False
    if not isinstance(mechanism, JamesStein) or mechanism.shrunk_dimension <= 2:
        return True
    # Under the null hypothesis the squared length over its variance is χ² of d degrees at least, and the
    # release is the uniform table below d - 2, with probability below 1/2.
    to_uniform = isinstance(mechanism, RankDeficientJamesSteinZero) and mechanism.is_rank_deficient
    uniform = bool(np.ptp(null) <= 1e-12 * null.max())
    return to_uniform and uniform and mechanism.positive_part and level < 0.5
