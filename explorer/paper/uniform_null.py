"""Section 6 of the paper: tests of shrunk releases whose null hypothesis is the uniform distribution."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from explorer.core import chisq, population
from explorer.core.mechanisms import (
    Gaussian,
    JamesStein,
    JamesSteinMean,
    Mechanism,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.paper._result import Array, Result, heading
from explorer.paper.ten_cells import (
    LEVEL,
    TABLE,
    N,
    P,
    critical_value,
    pearson,
    probabilities_of,
    projected,
    tables,
)

UNIFORM = probabilities_of(0.0)


@dataclass(frozen=True, eq=False, repr=False)
class Decisions(Result):
    """Tests of a uniform null hypothesis on the same releases.

    Attributes
    ----------
    name : tuple of str
        Mechanism of the release and statistic of the test.
    power : ndarray of shape (m,)
        Share of rejected alternatives.
    differs : ndarray of shape (m,)
        Share of the alternatives in which the decision differs from that of M_r.
    monotone : tuple of bool
        Whether a release with a larger statistic of M_r never has a smaller one here.
    formula : float
        Largest difference between the statistic of M_rJS0 and T(1 - 7λ/T)₊², T that of M_r and λ the
        noise variance over the expected count; relative to 1 + T.
    """

    name: tuple[str, ...] = field(metadata=heading("release; statistic"))
    power: Array = field(metadata=heading("power"))
    differs: Array = field(metadata=heading("differs from M_r"))
    monotone: tuple[bool, ...] = field(metadata=heading("monotone in that of M_r"))
    formula: float = field(metadata=heading("statistic of M_rJS0 minus T(1 − 7λ/T)₊²"))

    def differs_of(self, name: str) -> float:
        """Return the share of decisions that differ from those of M_r, by the name of a test."""
        return float(self.differs[self.name.index(name)])


UNSHRUNK, SHRUNK, PLAIN = "M_r", "M_rJS0", "M_rJS0 without positive part"
MEAN, ORDINARY = "M_JS", "M_G"
MEAN_CENTRED, ORDINARY_CENTRED = "M_JS, projected", "M_G, projected"


def decisions(mu: float = 0.1, strength: float = 0.3, samples: int = 40_000) -> Decisions:
    """Test the same noisy tables, shrunk and not, for a uniform null hypothesis.

    Every release is computed from the same M_G; M_r is M_G with its total corrected.

    Parameters
    ----------
    mu : float
        GDP parameter.
    strength : float
        Cohen's w of the alternative: 0.3 moves five cells up by 3% of the records and five down.
    samples : int
        Releases of the null hypothesis, and of the alternative.
    """
    rng = np.random.default_rng(18)
    ordinary = Gaussian(TABLE, mu)
    shrunk = RankDeficientJamesSteinZero(TABLE, mu, positive_part=True)
    mean = JamesSteinMean(TABLE, mu, positive_part=True)
    theta = N * UNIFORM
    values: dict[str, list[Array]] = {}
    for probabilities in (UNIFORM, probabilities_of(strength, "split")):
        noisy = ordinary.simulate(tables(probabilities, rng, samples), rng)
        corrected = theta + TABLE.project(noisy)
        by_test = {
            UNSHRUNK: pearson(corrected, theta),
            SHRUNK: pearson(shrunk.shrink(corrected), theta),
            PLAIN: pearson(replace(shrunk, positive_part=False).shrink(corrected), theta),
            ORDINARY: pearson(noisy, theta),
            MEAN: pearson(mean.shrink(noisy), theta),
            ORDINARY_CENTRED: projected(noisy, theta, ordinary.variance),
            MEAN_CENTRED: projected(mean.shrink(noisy), theta, ordinary.variance),
        }
        for name, one in by_test.items():
            values.setdefault(name, []).append(one)
    rejected = {
        name: alternative > critical_value(null) for name, (null, alternative) in values.items()
    }
    order = np.argsort(values[UNSHRUNK][1])
    monotone = [_ascends(alternative[order]) for _, alternative in values.values()]
    own, other = values[UNSHRUNK][1], values[SHRUNK][1]
    ratio = 7 * ordinary.variance / theta[0]
    formula = own * np.square(np.maximum(1 - ratio / own, 0))
    return Decisions(
        tuple(values),
        np.array([share.mean() for share in rejected.values()]),
        np.array([(share != rejected[UNSHRUNK]).mean() for share in rejected.values()]),
        tuple(monotone),
        float((np.abs(other - formula) / (1 + own)).max()),
    )


@dataclass(frozen=True, eq=False, repr=False)
class Directions(Result):
    """Power of M_rJS for a uniform null hypothesis, by its unshrunk direction.

    Attributes
    ----------
    name : tuple of str
        Mechanism and direction.
    trend_cosine, split_cosine : ndarray of shape (m,)
        Squared cosines between the direction and the two alternatives; 0 where there is none.
    trend, split, error : ndarray of shape (m,)
        Powers against the alternatives, and the larger of their standard errors.
    """

    name: tuple[str, ...] = field(metadata=heading("unshrunk direction"))
    trend_cosine: Array = field(metadata=heading("cos², trend"))
    split_cosine: Array = field(metadata=heading("cos², split"))
    trend: Array = field(metadata=heading("power, trend"))
    split: Array = field(metadata=heading("power, split"))
    error: Array = field(metadata=heading("standard error"))


def directions(mu: float = 0.1, strength: float = 0.3, replicates: int = 10_000) -> Directions:
    """Test the uniform distribution with several public directions.

    Parameters
    ----------
    mu : float
        GDP parameter.
    strength : float
        Cohen's w of both alternatives.
    replicates : int
        Releases of each alternative.
    """
    patterns = "trend", "split"
    alternatives = np.array([probabilities_of(strength, pattern) for pattern in patterns])
    units = np.array([population.direction((P,), pattern) for pattern in patterns])
    across = TABLE.project(np.array([1.0, -1, 0, 0, 0, 0, 0, 0, -1, 1]))
    public_directions: dict[str, ArrayLike | None] = {
        "Helmert": None,
        "along the trend": units[0],
        "along the split": units[1],
        "across both": across,
    }
    mechanisms: dict[str, Mechanism] = {
        "none: M_r": RankDeficientGaussian(TABLE, mu),
        "none: M_rJS0": RankDeficientJamesSteinZero(TABLE, mu, positive_part=True),
    }
    for name, direction in public_directions.items():
        mechanisms[name] = RankDeficientJamesStein(TABLE, mu, True, direction)
    rng = np.random.default_rng(20)
    rows = []
    for mechanism in mechanisms.values():
        w = mechanism.unshrunk if isinstance(mechanism, JamesStein) else None
        cosines = np.zeros(2) if w is None else np.square(units @ w)
        estimate = chisq.power(
            mechanism,
            UNIFORM,
            N,
            alternatives,
            LEVEL,
            rng,
            statistic="pearson",
            replicates=replicates,
        )
        rows.append([*cosines, *estimate.power, estimate.error.max()])
    return Directions(tuple(mechanisms), *np.array(rows).T)


def _ascends(values: Array) -> bool:
    return bool((np.diff(values) >= -1e-9 * (1 + values[1:])).all())
