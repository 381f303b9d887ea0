"""Section 6 of the paper: the noise in the null distribution of a test of goodness of fit."""

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
from explorer.paper._mechanisms import MechanismClass, symbol
from explorer.paper._result import Array, Result, heading
from explorer.paper.ten_cells import (
    LEVEL,
    LINEAR,
    MUS,
    TABLE,
    N,
    P,
    critical_value,
    pearson,
    probabilities_of,
    tables,
)


@dataclass(frozen=True, eq=False, repr=False)
class CriticalValues(Result):
    """Critical values with and without the noise in the null distribution, and the sizes they give.

    Attributes
    ----------
    name : tuple of str
        Null hypothesis and μ.
    without, with_noise, simulated : ndarray of shape (m,)
        Critical values of level 5%: of the classical test, of the distribution for normal tables
        with the noise, and of simulated releases.
    size_without : ndarray of shape (m,)
        Size of a test that compares the noisy statistic with the classical critical value.
    size_with_noise : ndarray of shape (m,)
        Size of a test that uses the distribution for normal tables with the noise.
    """

    name: tuple[str, ...] = field(metadata=heading("null; μ"))
    without: Array = field(metadata=heading("classical"))
    with_noise: Array = field(metadata=heading("noise included"))
    simulated: Array = field(metadata=heading("simulated"))
    size_without: Array = field(metadata=heading("size, noise neglected"))
    size_with_noise: Array = field(metadata=heading("size, noise included"))


def critical_values(samples: int = 40_000) -> CriticalValues:
    """Compare critical values of M_r for a uniform and a linear null hypothesis.

    Parameters
    ----------
    samples : int
        Simulated releases of each null hypothesis.
    """
    rng = np.random.default_rng(17)
    names, rows = [], []
    classical = float(weighted_chi2.isf(LEVEL, np.ones(P - 1)))
    for name, null in (("uniform", probabilities_of(0)), ("linear", probabilities_of(LINEAR))):
        for mu in MUS:
            mechanism = RankDeficientGaussian(TABLE, mu)
            theta = N * null
            covariance = np.diag(theta) - np.outer(theta, theta) / N
            covariance += mechanism.variance * (np.eye(P) - 1 / P)
            scaled = covariance / np.sqrt(np.outer(theta, theta))
            weights = np.maximum(np.linalg.eigvalsh(scaled), 0)
            noisy = float(weighted_chi2.isf(LEVEL, weights))
            values = pearson(mechanism.simulate(tables(null, rng, samples), rng), theta)
            names.append(f"{name}; {mu:g}")
            shares = [(values > threshold).mean() for threshold in (classical, noisy)]
            rows.append([classical, noisy, critical_value(values), *shares])
    return CriticalValues(tuple(names), *np.array(rows).T)


@dataclass(frozen=True, eq=False, repr=False)
class ByStatistic(Result):
    """Power of mechanisms by the statistic of the test.

    Attributes
    ----------
    mechanisms : tuple of type
        Mechanisms of the releases.
    name : tuple of str
        Their symbols.
    pearson, ridge, projected : ndarray of shape (m,)
        Powers.
    error : ndarray of shape (m,)
        Largest standard error of the three.
    """

    mechanisms: tuple[MechanismClass, ...]
    name: tuple[str, ...] = field(metadata=heading("mechanism"))
    pearson: Array = field(metadata=heading("Pearson"))
    ridge: Array = field(metadata=heading("ridge"))
    projected: Array = field(metadata=heading("projected"))
    error: Array = field(metadata=heading("standard error"))

    def powers(self, mechanism_class: MechanismClass) -> Array:
        """Return the powers of a mechanism by the three statistics."""
        row = self.mechanisms.index(mechanism_class)
        return np.array([self.pearson[row], self.ridge[row], self.projected[row]])


def by_statistic(mu: float = 0.1, replicates: int = 8_000) -> ByStatistic:
    """Test the linear distribution when 5% of the records have moved from the last cell to the first.

    Parameters
    ----------
    mu : float
        GDP parameter.
    replicates : int
        Releases of the alternative; ten times as many of the null hypothesis.
    """
    null = probabilities_of(LINEAR)
    moved = null.copy()
    moved[[0, -1]] += 0.05, -0.05
    rng = np.random.default_rng(21)
    mechanisms: tuple[Mechanism, ...] = (
        RankDeficientGaussian(TABLE, mu),
        RankDeficientJamesSteinZero(TABLE, mu, positive_part=True),
        RankDeficientJamesStein(TABLE, mu, positive_part=True),
        Laplace(TABLE, mu),
    )
    estimates = [
        [
            chisq.power(m, null, N, moved, LEVEL, rng, statistic=name, replicates=replicates)
            for name in ("pearson", "ridge", "projected")
        ]
        for m in mechanisms
    ]
    powers = np.array([[float(one.power[0]) for one in row] for row in estimates])
    error = np.array([max(float(one.error[0]) for one in row) for row in estimates])
    classes = tuple(type(m) for m in mechanisms)
    names = tuple(symbol(one) for one in classes)
    return ByStatistic(classes, names, powers[:, 0], powers[:, 1], powers[:, 2], error)
