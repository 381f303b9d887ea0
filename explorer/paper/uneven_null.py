"""Section 6 of the paper: tests of shrunk releases whose null hypothesis is uneven.

With Y = M_r - θ the noisy deviation from the table θ = nπ₀ under the null hypothesis, c the uniform
table, a = θ - c and f the shrinkage factor, the release of M_rJS0 is c + f(M_r - c) and deviates from
θ by fY - (1 - f)a. Pearson's statistic is therefore

    f² ΣY²/θ - 2f(1 - f) ΣYa/θ + (1 - f)² Σa²/θ.

For a uniform null hypothesis a = 0; otherwise the middle term is large where Y points to c.
"""

from dataclasses import dataclass, field

import numpy as np

from explorer.core.mechanisms import RankDeficientGaussian, RankDeficientJamesSteinZero
from explorer.paper._result import Array, Result, heading
from explorer.paper.level_and_power import Columns, powers
from explorer.paper.ten_cells import (
    DISTRIBUTIONS,
    HALFWAY,
    LINEAR,
    STEEPER,
    TABLE,
    N,
    P,
    critical_value,
    pearson,
    probabilities_of,
    tables,
)


@dataclass(frozen=True, eq=False, repr=False)
class Tilt(Result):
    """Means of the terms of Pearson's statistic of M_rJS0.

    Attributes
    ----------
    name : tuple of str
        Distribution of the table.
    identity : float
        Largest difference between the statistic and the sum of its terms, relative to 1 + the statistic.
    factor : ndarray of shape (3,)
        Mean of the factor f.
    square, cross, constant : ndarray of shape (3,)
        Means of f² ΣY²/θ, -2f(1 - f) ΣYa/θ and (1 - f)² Σa²/θ.
    statistic : ndarray of shape (3,)
        Mean of the statistic.
    unshrunk, shrunk : ndarray of shape (3,)
        Power of the tests of M_r and M_rJS0 on the same releases.
    """

    name: tuple[str, ...] = field(metadata=heading("table"))
    identity: float
    factor: Array = field(metadata=heading("f"))
    square: Array = field(metadata=heading("f² ΣY²/θ"))
    cross: Array = field(metadata=heading("−2f(1 − f) ΣYa/θ"))
    constant: Array = field(metadata=heading("(1 − f)² Σa²/θ"))
    statistic: Array = field(metadata=heading("statistic"))
    unshrunk: Array = field(metadata=heading("M_r rejects"))
    shrunk: Array = field(metadata=heading("M_rJS0 rejects"))


def tilt(
    null: float = LINEAR,
    nearer: float = HALFWAY,
    farther: float = STEEPER,
    mu: float = 0.1,
    samples: int = 40_000,
) -> Tilt:
    """Decompose the statistic under a null hypothesis and on both sides of it.

    Parameters
    ----------
    null, nearer, farther : float
        Strengths of the null hypothesis and of alternatives nearer to and farther from uniform.
    mu : float
        GDP parameter.
    samples : int
        Releases of each distribution.
    """
    rng = np.random.default_rng(19)
    theta, centre = N * probabilities_of(null), N * probabilities_of(0)
    plain = RankDeficientGaussian(TABLE, mu)
    shrunk = RankDeficientJamesSteinZero(TABLE, mu, positive_part=True)
    names, rows, identity, thresholds = [], [], 0.0, None
    roles = {"null": null, "nearer": nearer, "farther": farther}
    for role, strength in roles.items():
        release = plain.simulate(tables(probabilities_of(strength), rng, samples), rng)
        shorter = shrunk.shrink(release)
        longest = np.square(release - centre).sum(axis=1)
        f = np.maximum(1 - 7 * plain.variance / longest, 0)
        y, a = release - theta, theta - centre
        terms = np.array(
            [
                f * f * (y * y / theta).sum(axis=1),
                -2 * f * (1 - f) * (y * a / theta).sum(axis=1),
                (1 - f) ** 2 * (a * a / theta).sum(),
            ]
        )
        own, other = pearson(release, theta), pearson(shorter, theta)
        identity = max(identity, float((np.abs(other - terms.sum(axis=0)) / (1 + other)).max()))
        thresholds = thresholds or (critical_value(own), critical_value(other))
        shares = (own > thresholds[0]).mean(), (other > thresholds[1]).mean()
        names.append(f"{role}: {DISTRIBUTIONS[strength]}")
        rows.append([f.mean(), *terms.mean(axis=1), other.mean(), *shares])
    return Tilt(tuple(names), identity, *np.array(rows).T)


@dataclass(frozen=True, eq=False, repr=False)
class UniformTable(Result):
    """The statistic of the uniform table, and the gain in power from shrinking to it.

    Attributes
    ----------
    name : tuple of str
        Null hypothesis, alternative, number of records and μ.
    statistic : ndarray of shape (m,)
        Pearson's statistic of the uniform table, Σa²/θ.
    critical : ndarray of shape (m,)
        Simulated critical value of the test of M_rJS0.
    unshrunk, shrunk : ndarray of shape (m,)
        Powers of M_r and M_rJS0 in the studies.
    gain : ndarray of shape (m,)
        Difference of the powers in standard errors.
    """

    name: tuple[str, ...] = field(metadata=heading("null; alternative; n; μ"))
    statistic: Array = field(metadata=heading("statistic of the uniform table"))
    critical: Array = field(metadata=heading("critical value"))
    unshrunk: Array = field(metadata=heading("power, M_r"))
    shrunk: Array = field(metadata=heading("power, M_rJS0"))
    gain: Array = field(metadata=heading("gain in standard errors"))


def uniform_table(many: Columns, few: Columns, samples: int = 40_000) -> UniformTable:
    """Compare the gain against alternatives nearer to uniform with the statistic of the uniform table.

    Parameters
    ----------
    many, few : mapping
        Columns of the studies with 500 and with 30 records.
    samples : int
        Releases of each null hypothesis, for the critical value.
    """
    rng = np.random.default_rng(22)
    cases = (
        (many, LINEAR, HALFWAY),
        (many, HALFWAY, 0.0),
        (few, LINEAR, 0.0),
    )
    names, rows = [], []
    for study, null, alternative in cases:
        n = int(study["n"][0])
        theta = n * probabilities_of(null)
        statistic = float(np.square(theta - n / P) @ (1 / theta))
        by_mechanism = powers(study, null, alternative)
        for mu, unshrunk, shrunk, gain in zip(
            by_mechanism.mu,
            by_mechanism.of(RankDeficientGaussian),
            by_mechanism.of(RankDeficientJamesSteinZero),
            by_mechanism.gain(RankDeficientJamesSteinZero, over=RankDeficientGaussian),
            strict=True,
        ):
            mechanism = RankDeficientJamesSteinZero(TABLE, mu, positive_part=True)
            release = mechanism.simulate(tables(probabilities_of(null), rng, samples, n), rng)
            critical = critical_value(pearson(release, theta))
            names.append(f"{DISTRIBUTIONS[null]}; {DISTRIBUTIONS[alternative]}; {n}; {mu:g}")
            rows.append([statistic, critical, unshrunk, shrunk, gain])
    return UniformTable(tuple(names), *np.array(rows).T)
