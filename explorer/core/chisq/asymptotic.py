"""Power when multinomial tables are taken for normal ones: fast enough to follow a slider."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.chisq import _checks, _contour, statistics
from explorer.core.chisq._control_variate import Draws, controlled
from explorer.core.chisq._normal_release import normal_release
from explorer.core.chisq._normal_tables import DRAWS, NormalTables, random_numbers
from explorer.core.chisq._power import Power
from explorer.core.mechanisms import JamesStein, Laplace, Mechanism, RankDeficientJamesSteinZero

Array = NDArray[np.float64]

NUMBERS = 1 << 14  # cells of laws at once, each at sixteen complex points


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
        With an `error` of 0 and the method "law" where the statistic is Σ λ χ²₁(δ): without noise,
        with normal noise, and for a release that is shrunk to the uniform table with the positive
        part, if that is the null hypothesis and α < 1/2, because its statistic then grows with that
        of the unshrunk release. Otherwise from fixed draws of normal tables, 2 048 of up to 256 cells and
        some more of the null hypothesis, with their standard error and the method "normal tables".

    Raises
    ------
    ParameterError
        As in `power`.

    Notes
    -----
    The first two moments under each alternative are exact, those of the noise too. What is left out
    is the discreteness and skewness of the table, which matter where expected counts are small
    against √(count + σ²). Laws have an error below 1e-7. The draws use the power of the unshrunk
    release (for Laplace noise, of normal noise of its variance), which is known, as a control
    variate. A test of a release that the positive part sets to its centre with a probability above
    1 - α is conservative, because such releases are ties.
    """
    chosen = statistics.find(statistic)
    alpha = _checks.LEVEL.check_scalar(level)
    records = _checks.RECORDS.check_scalar(n)
    cells = np.size(null) if mechanism is None else _checks.check_table(mechanism).p
    probabilities = _checks.check_null(null, cells, chosen, noise=mechanism is not None)
    laws = _checks.check_alternatives(alternatives, cells)
    variance = 0.0 if mechanism is None else mechanism.variance
    question = _Question(
        np.concatenate([probabilities[np.newaxis, :], laws]).tobytes(),
        cells,
        records,
        chosen.name,
        variance,
    )
    centred = mechanism is not None and mechanism.is_rank_deficient
    critical, curve = _law_power(question, alpha, centred)
    if mechanism is None or _has_law(mechanism, probabilities, alpha):
        return Power(curve[1:], np.zeros(len(laws)), critical, False, "law")
    null_draws = _draws(mechanism, question.of_null(), critical)
    return controlled(null_draws, _draws(mechanism, question, critical), curve, alpha)


def without_noise(
    null: ArrayLike, n: int, alternatives: ArrayLike, level: float, *, statistic: str = "ridge"
) -> Power:
    """Return the power that the true table would have: for a uniform law the ceiling of all.

    The same law with σ² = 0, where all statistics are Pearson's: `asymptotic_power` without a
    mechanism. The null hypothesis may not give a cell the probability 0.
    """
    return asymptotic_power(None, null, n, alternatives, level, statistic=statistic)


@dataclass(frozen=True)
class _Question:
    """What a law depends on, but for the mechanism's projection: a key.

    Attributes
    ----------
    laws : bytes
        Of the null hypothesis, then of the alternatives.
    """

    laws: bytes
    p: int
    n: float
    statistic: str
    variance: float

    @property
    def projected(self) -> bool:
        """Whether the statistic is the projected one."""
        return self.statistic == "projected" and self.variance > 0

    def tables(self) -> Array:
        """Return the laws, of shape (1 + m, p)."""
        return np.frombuffer(self.laws).reshape(-1, self.p)

    def of_null(self) -> "_Question":
        """Return the question without alternatives, of which more draws are made."""
        return replace(self, laws=self.laws[: 8 * self.p])


@lru_cache(maxsize=16)
def _law_power(question: _Question, level: float, centred: bool) -> tuple[float, Array]:
    """Return the critical value and the powers for normal noise, that of the null law first."""
    laws = question.tables()
    chosen = statistics.find(question.statistic)

    def law(tables: Array) -> _contour.Transform:
        return normal_release(
            laws[0], question.n, tables, chosen, question.variance, centred=centred
        )

    critical = _contour.upper_quantile(law(laws[:1]), np.array([level]), _contour.COARSE)
    rows = max(1, NUMBERS // question.p)
    powers = np.concatenate(
        [
            _contour.tails(law(some), np.full(len(some), critical[0]), _contour.COARSE)[1]
            for some in (laws[start : start + rows] for start in range(0, len(laws), rows))
        ]
    )
    powers.setflags(write=False)
    return float(critical[0]), powers


def _draws(mechanism: Mechanism, question: _Question, critical: float) -> Draws:
    """Return the mechanism's statistic, and which draws the unshrunk or normal one rejects."""
    kind = {"centred": mechanism.is_rank_deficient, "projected": question.projected}
    normal = _tables(question, heavy=False)
    known = normal.unshrunk(**kind) > critical
    if isinstance(mechanism, JamesStein):
        return Draws(normal.shrunk(mechanism, **kind), known)
    return Draws(_tables(question, heavy=True).unshrunk(**kind), known)


@lru_cache(maxsize=4)
def _tables(question: _Question, *, heavy: bool) -> NormalTables:
    laws = question.tables()
    z, normal, laplace = random_numbers(question.p)
    if len(laws) > 1:
        z, normal, laplace = z[:DRAWS], normal[:DRAWS], laplace[:DRAWS]
    expected = question.n * laws[0]
    ridge = question.statistic != "pearson"
    return NormalTables(
        expected=expected,
        e=expected + ridge * question.variance,
        laws=laws,
        n=question.n,
        sigma=question.variance**0.5,
        z=z,
        noise=laplace if heavy else normal,
        same_tables=_tables(question, heavy=False) if heavy else None,
    )


def _has_law(mechanism: Mechanism, null: Array, level: float) -> bool:
    if isinstance(mechanism, Laplace):
        return False
    if not isinstance(mechanism, JamesStein) or mechanism.shrunk_dimension <= 2:
        return True
    # Under the null law the squared length over its variance is χ² of d degrees at least, and the
    # release is the uniform table below d - 2, with probability below 1/2.
    to_uniform = isinstance(mechanism, RankDeficientJamesSteinZero) and mechanism.is_rank_deficient
    uniform = bool(np.ptp(null) <= 1e-12 * null.max())
    return to_uniform and uniform and mechanism.positive_part and level < 0.5
