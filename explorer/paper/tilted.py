"""Section 6 of the paper: shrunk releases in a test for an uneven law.

With Y = M_r - θ the noisy deviation from the table θ = nπ₀ under the null hypothesis, c the uniform
table, a = θ - c and f the factor of the shrinkage, the release of M_rJS0 is c + f(M_r - c), so that it
deviates by fY - (1 - f)a. Pearson's statistic is therefore

    f² ΣY²/θ - 2f(1 - f) ΣYa/θ + (1 - f)² Σa²/θ.

For a uniform null hypothesis a = 0; otherwise the middle term is large where Y points to c.
"""

from dataclasses import dataclass, field

import numpy as np

from explorer.core.mechanisms import RankDeficientGaussian, RankDeficientJamesSteinZero
from explorer.paper._shown import Array, Shown, head
from explorer.paper.ten_cells import (
    HALFWAY,
    LAWS,
    LINEAR,
    STEEPER,
    TABLE,
    N,
    P,
    critical_value,
    law_of,
    pearson,
    tables,
)
from explorer.paper.tested import Columns, powers


@dataclass(frozen=True, eq=False, repr=False)
class Tilt(Shown):
    """The terms of Pearson's statistic of M_rJS0, on average.

    Attributes
    ----------
    name : tuple of str
        Law of the table.
    identity : float
        Largest difference between the statistic and the sum of its terms, relative to 1 + both.
    factor : ndarray of shape (3,)
        Mean of the factor f.
    square, cross, constant : ndarray of shape (3,)
        Means of f² ΣY²/θ, -2f(1 - f) ΣYa/θ and (1 - f)² Σa²/θ.
    statistic : ndarray of shape (3,)
        Mean of the statistic.
    unshrunk, shrunk : ndarray of shape (3,)
        Power of the tests of M_r and M_rJS0 on the same releases.
    """

    name: tuple[str, ...] = field(metadata=head("table"))
    identity: float
    factor: Array = field(metadata=head("f"))
    square: Array = field(metadata=head("f² ΣY²/θ"))
    cross: Array = field(metadata=head("−2f(1 − f) ΣYa/θ"))
    constant: Array = field(metadata=head("(1 − f)² Σa²/θ"))
    statistic: Array = field(metadata=head("statistic"))
    unshrunk: Array = field(metadata=head("M_r rejects"))
    shrunk: Array = field(metadata=head("M_rJS0 rejects"))


def tilt(
    null: float = LINEAR,
    nearer: float = HALFWAY,
    farther: float = STEEPER,
    mu: float = 0.1,
    draws: int = 40_000,
) -> Tilt:
    """Take the statistic apart under a null hypothesis and on both sides of it.

    Parameters
    ----------
    null, nearer, farther : float
        Strengths of the null hypothesis and of alternatives nearer to the uniform law and farther.
    mu : float
        GDP parameter.
    draws : int
        Releases of each law.
    """
    rng = np.random.default_rng(19)
    theta, centre = N * law_of(null), N * law_of(0)
    plain = RankDeficientGaussian(TABLE, mu)
    shrunk = RankDeficientJamesSteinZero(TABLE, mu, positive_part=True)
    names, rows, identity, thresholds = [], [], 0.0, None
    roles = {"null": null, "nearer": nearer, "farther": farther}
    for role, strength in roles.items():
        release = plain.simulate(tables(law_of(strength), rng, draws), rng)
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
        names.append(f"{role}: {LAWS[strength]}")
        rows.append([f.mean(), *terms.mean(axis=1), other.mean(), *shares])
    return Tilt(tuple(names), identity, *np.array(rows).T)


@dataclass(frozen=True, eq=False, repr=False)
class UniformTable(Shown):
    """Whether the uniform table would be rejected, and what shrinking to it does to the power.

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

    name: tuple[str, ...] = field(metadata=head("null; alternative; n; μ"))
    statistic: Array = field(metadata=head("statistic of the uniform table"))
    critical: Array = field(metadata=head("critical value"))
    unshrunk: Array = field(metadata=head("power, M_r"))
    shrunk: Array = field(metadata=head("power, M_rJS0"))
    gain: Array = field(metadata=head("gain in standard errors"))


def uniform_table(many: Columns, few: Columns, draws: int = 40_000) -> UniformTable:
    """Compare gain and loss against alternatives nearer to the uniform law with one number.

    Parameters
    ----------
    many, few : mapping
        Columns of the studies with 500 and with 30 records.
    draws : int
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
        theta = n * law_of(null)
        statistic = float(np.square(theta - n / P) @ (1 / theta))
        found = powers(study, null, alternative)
        for mu, unshrunk, shrunk, gain in zip(
            found.mu,
            found.of(RankDeficientGaussian),
            found.of(RankDeficientJamesSteinZero),
            found.gain(RankDeficientJamesSteinZero, over=RankDeficientGaussian),
            strict=True,
        ):
            mechanism = RankDeficientJamesSteinZero(TABLE, mu, positive_part=True)
            release = mechanism.simulate(tables(law_of(null), rng, draws, n), rng)
            critical = critical_value(pearson(release, theta))
            names.append(f"{LAWS[null]}; {LAWS[alternative]}; {n}; {mu:g}")
            rows.append([statistic, critical, unshrunk, shrunk, gain])
    return UniformTable(tuple(names), *np.array(rows).T)
