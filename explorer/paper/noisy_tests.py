"""Section 6 of the paper: the noise in the null law of a test of goodness of fit."""

from dataclasses import dataclass, field

import numpy as np

from explorer.core import chisq
from explorer.core.chisq import weighted_chi2
from explorer.core.mechanisms import (
    Laplace,
    Mechanism,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.paper._shown import Array, Shown, head
from explorer.paper.ten_cells import (
    LEVEL,
    LINEAR,
    MUS,
    TABLE,
    N,
    P,
    critical_value,
    law_of,
    pearson,
    tables,
)


@dataclass(frozen=True, eq=False, repr=False)
class NullLaws(Shown):
    """Critical values with and without the noise in the null law, and what neglecting it does.

    Attributes
    ----------
    name : tuple of str
        Null hypothesis and μ.
    without, with_noise, simulated : ndarray of shape (m,)
        Critical values of level 5%: of the classical test, of the law of normal tables with the
        noise, and of simulated releases.
    size_without : ndarray of shape (m,)
        Size of a test that compares the noisy statistic with the classical critical value.
    size_of_law : ndarray of shape (m,)
        Size of a test that uses the law of normal tables.
    """

    name: tuple[str, ...] = field(metadata=head("null; μ"))
    without: Array = field(metadata=head("classical"))
    with_noise: Array = field(metadata=head("law with noise"))
    simulated: Array = field(metadata=head("simulated"))
    size_without: Array = field(metadata=head("size, noise neglected"))
    size_of_law: Array = field(metadata=head("size, law with noise"))


def null_laws(draws: int = 40_000) -> NullLaws:
    """Compare critical values of M_r for a uniform and a linear null hypothesis.

    Parameters
    ----------
    draws : int
        Simulated releases of each null hypothesis.
    """
    rng = np.random.default_rng(17)
    names, rows = [], []
    classical = float(weighted_chi2.isf(LEVEL, np.ones(P - 1)))
    for name, null in (("uniform", law_of(0)), ("linear", law_of(LINEAR))):
        for mu in MUS:
            mechanism = RankDeficientGaussian(TABLE, mu)
            theta = N * null
            covariance = np.diag(theta) - np.outer(theta, theta) / N
            covariance += mechanism.variance * (np.eye(P) - 1 / P)
            scaled = covariance / np.sqrt(np.outer(theta, theta))
            weights = np.maximum(np.linalg.eigvalsh(scaled), 0)
            noisy = float(weighted_chi2.isf(LEVEL, weights))
            values = pearson(mechanism.simulate(tables(null, rng, draws), rng), theta)
            names.append(f"{name}; {mu:g}")
            shares = [(values > threshold).mean() for threshold in (classical, noisy)]
            rows.append([classical, noisy, critical_value(values), *shares])
    return NullLaws(tuple(names), *np.array(rows).T)


@dataclass(frozen=True, eq=False, repr=False)
class ByStatistic(Shown):
    """Power of mechanisms by the statistic of the test.

    Attributes
    ----------
    mechanisms : tuple of type
        What was released.
    name : tuple of str
        Their short names.
    pearson, ridge, projected : ndarray of shape (m,)
        Powers.
    error : ndarray of shape (m,)
        Largest standard error of the three.
    """

    mechanisms: tuple[type[Mechanism], ...]
    name: tuple[str, ...] = field(metadata=head("mechanism"))
    pearson: Array = field(metadata=head("Pearson"))
    ridge: Array = field(metadata=head("ridge"))
    projected: Array = field(metadata=head("projected"))
    error: Array = field(metadata=head("standard error"))

    def powers(self, kind: type[Mechanism]) -> Array:
        """Return the powers of a mechanism by the three statistics."""
        row = self.mechanisms.index(kind)
        return np.array([self.pearson[row], self.ridge[row], self.projected[row]])


def by_statistic(mu: float = 0.1, replicates: int = 8_000) -> ByStatistic:
    """Test for the linear law while 5% of the records have gone from the last cell to the first.

    Parameters
    ----------
    mu : float
        GDP parameter.
    replicates : int
        Releases of the alternative; ten times as many of the null hypothesis.
    """
    null = law_of(LINEAR)
    moved = null.copy()
    moved[[0, -1]] += 0.05, -0.05
    rng = np.random.default_rng(21)
    mechanisms: tuple[Mechanism, ...] = (
        RankDeficientGaussian(TABLE, mu),
        RankDeficientJamesSteinZero(TABLE, mu, positive_part=True),
        RankDeficientJamesStein(TABLE, mu, positive_part=True),
        Laplace(TABLE, mu),
    )
    found = [
        [
            chisq.power(m, null, N, moved, LEVEL, rng, statistic=name, replicates=replicates)
            for name in ("pearson", "ridge", "projected")
        ]
        for m in mechanisms
    ]
    powers = np.array([[float(one.power[0]) for one in row] for row in found])
    error = np.array([max(float(one.error[0]) for one in row) for row in found])
    kinds = tuple(type(m) for m in mechanisms)
    names = tuple(kind.short for kind in kinds)
    return ByStatistic(kinds, names, powers[:, 0], powers[:, 1], powers[:, 2], error)
