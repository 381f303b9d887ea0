"""Section 6 of the paper: shrunk releases in a test for the uniform law."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from explorer.core import chisq, population
from explorer.core.mechanisms import (
    Gaussian,
    JamesSteinMean,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.paper._shown import Array, Shown, head
from explorer.paper.ten_cells import (
    LEVEL,
    TABLE,
    N,
    P,
    critical_value,
    law_of,
    pearson,
    projected,
    tables,
)

UNIFORM = law_of(0.0)


@dataclass(frozen=True, eq=False, repr=False)
class Decisions(Shown):
    """Tests of a uniform null hypothesis on the same releases.

    Attributes
    ----------
    name : tuple of str
        What is tested and by which statistic.
    power : ndarray of shape (m,)
        Share of rejected alternatives.
    unlike : ndarray of shape (m,)
        Share of the alternatives in which the decision is not that of M_r.
    monotone : tuple of bool
        Whether a release with a larger statistic of M_r never has a smaller one here.
    formula : float
        Largest difference between the statistic of M_rJS0 and T(1 - 7λ/T)₊², T that of M_r and λ the
        noise variance over the expected count; relative to 1 + T.
    """

    name: tuple[str, ...] = field(metadata=head("release; statistic"))
    power: Array = field(metadata=head("power"))
    unlike: Array = field(metadata=head("decides unlike M_r"))
    monotone: tuple[bool, ...] = field(metadata=head("monotone in that of M_r"))
    formula: float = field(metadata=head("statistic of M_rJS0 less T(1 − 7λ/T)₊²"))

    def unlike_of(self, name: str) -> float:
        """Return the share of decisions unlike those of M_r by the name of a test."""
        return float(self.unlike[self.name.index(name)])


UNSHRUNK, SHRUNK, PLAIN = "M_r", "M_rJS0", "M_rJS0 without positive part"
MEAN, ORDINARY = "M_JS", "M_G"
MEAN_CENTRED, ORDINARY_CENTRED = "M_JS, projected", "M_G, projected"


def decisions(mu: float = 0.1, strength: float = 0.3, draws: int = 40_000) -> Decisions:
    """Test the same noisy tables, shrunk and not, for a uniform null hypothesis.

    Every release is made of the same M_G: M_r is that with its total put right.

    Parameters
    ----------
    mu : float
        GDP parameter.
    strength : float
        Of the alternative, Cohen's w: 0.3 moves five cells by 3% of the records up and five down.
    draws : int
        Releases of the null hypothesis, and of the alternative.
    """
    rng = np.random.default_rng(18)
    ordinary = Gaussian(TABLE, mu)
    shrunk = RankDeficientJamesSteinZero(TABLE, mu, positive_part=True)
    mean = JamesSteinMean(TABLE, mu, positive_part=True)
    theta = N * UNIFORM
    values: dict[str, list[Array]] = {}
    for probabilities in (UNIFORM, law_of(strength, "split")):
        noisy = ordinary.simulate(tables(probabilities, rng, draws), rng)
        kept = theta + TABLE.project(noisy)
        found = {
            UNSHRUNK: pearson(kept, theta),
            SHRUNK: pearson(shrunk.shrink(kept), theta),
            PLAIN: pearson(replace(shrunk, positive_part=False).shrink(kept), theta),
            ORDINARY: pearson(noisy, theta),
            MEAN: pearson(mean.shrink(noisy), theta),
            ORDINARY_CENTRED: projected(noisy, theta, ordinary.variance),
            MEAN_CENTRED: projected(mean.shrink(noisy), theta, ordinary.variance),
        }
        for name, one in found.items():
            values.setdefault(name, []).append(one)
    rejected = {name: draw > critical_value(null) for name, (null, draw) in values.items()}
    order = np.argsort(values[UNSHRUNK][1])
    monotone = [bool(_ascends(draw[order])) for _, draw in values.values()]
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
class Directions(Shown):
    """Power of M_rJS for a uniform null hypothesis, by the direction that it leaves alone.

    Attributes
    ----------
    name : tuple of str
        Mechanism and direction.
    trend_cosine, split_cosine : ndarray of shape (m,)
        Squared cosines between the direction and the two alternatives; 0 where there is none.
    trend, split, error : ndarray of shape (m,)
        Powers against the alternatives, and the larger of their standard errors.
    """

    name: tuple[str, ...] = field(metadata=head("unshrunk direction"))
    trend_cosine: Array = field(metadata=head("cos², trend"))
    split_cosine: Array = field(metadata=head("cos², split"))
    trend: Array = field(metadata=head("power, trend"))
    split: Array = field(metadata=head("power, split"))
    error: Array = field(metadata=head("standard error"))


def directions(mu: float = 0.1, strength: float = 0.3, replicates: int = 10_000) -> Directions:
    """Test for the uniform law with several public directions.

    Parameters
    ----------
    mu : float
        GDP parameter.
    strength : float
        Of both alternatives, Cohen's w.
    replicates : int
        Releases of each alternative.
    """
    patterns = "trend", "split"
    alternatives = np.array([law_of(strength, pattern) for pattern in patterns])
    units = np.array([population.direction((P,), pattern) for pattern in patterns])
    across = TABLE.project(np.array([1.0, -1, 0, 0, 0, 0, 0, 0, -1, 1]))
    chosen: dict[str, ArrayLike | None] = {
        "Helmert": None,
        "along the trend": units[0],
        "along the split": units[1],
        "across both": across,
    }
    mechanisms: dict[str, Any] = {
        "none: M_r": RankDeficientGaussian(TABLE, mu),
        "none: M_rJS0": RankDeficientJamesSteinZero(TABLE, mu, positive_part=True),
    }
    for name, direction in chosen.items():
        mechanisms[name] = RankDeficientJamesStein(TABLE, mu, True, direction)
    rng = np.random.default_rng(20)
    rows = []
    for mechanism in mechanisms.values():
        w = getattr(mechanism, "unshrunk", None)
        cosines = np.zeros(2) if w is None else np.square(units @ w)
        found = chisq.power(
            mechanism,
            UNIFORM,
            N,
            alternatives,
            LEVEL,
            rng,
            statistic="pearson",
            replicates=replicates,
        )
        rows.append([*cosines, *found.power, found.error.max()])
    return Directions(tuple(mechanisms), *np.array(rows).T)


def _ascends(values: Array) -> bool:
    return bool((np.diff(values) >= -1e-9 * (1 + values[1:])).all())
