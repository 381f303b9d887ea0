"""Beyond the paper: Laplace noise calibrated to the same μ."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from scipy.special import ndtr

from explorer.core import gdp, laplace, tradeoff
from explorer.core.mechanisms import Gaussian, Mechanism, RankDeficientGaussian
from explorer.core.sensitivity import Statistic, Table
from explorer.paper._mechanisms import style
from explorer.paper._plot import Plot, line, plot
from explorer.paper._result import Array, Result, heading

GRID = ndtr(np.linspace(-8, 8, 3201))
TABLE = Table((4, 4))
Scale = Callable[[float], Array]


@dataclass(frozen=True, eq=False, repr=False)
class Scales(Result):
    """Scales of Laplace noise on a table, and the μ that they guarantee.

    Attributes
    ----------
    mu : ndarray of shape (m,)
    least, sensitivity, pure : ndarray of shape (m,)
        The least b that is μ-GDP for a table, the least when only Δ₁ is known, and the b of the
        largest ε for which every ε-DP mechanism is μ-GDP.
    by_curve : ndarray of shape (m,)
        The exact μ of noise of the least b, from the break points and slopes of its trade-off function.
    slack, slack_smaller : ndarray of shape (m,)
        Least T(α) - G_μ(α) over 3201 levels, for the least b and for a b that is one per cent smaller.
    ratio : ndarray of shape (m,)
        Cost of the least Laplace noise over that of M_G.
    """

    mu: Array = field(metadata=heading("μ"))
    least: Array = field(metadata=heading("least b, table"))
    sensitivity: Array = field(metadata=heading("b from Δ₁"))
    pure: Array = field(metadata=heading("b from ε-DP"))
    by_curve: Array = field(metadata=heading("exact μ of least b"))
    slack: Array = field(metadata=heading("least T − G"))
    slack_smaller: Array = field(metadata=heading("least T − G of 0.99 b"))
    ratio: Array = field(metadata=heading("cost over M_G"))


def scales() -> Scales:
    """Calibrate Laplace noise for a 4 × 4 table in three ways."""
    mu = np.array([0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0])
    least = laplace.scale(mu, TABLE)
    slack, slack_smaller = (
        np.array([_slack(share * b, level) for b, level in zip(least, mu, strict=True)])
        for share in (1.0, 0.99)
    )
    curves = [partial(tradeoff.laplace, shifts=TABLE.extreme_difference / b) for b in least]
    return Scales(
        mu,
        least,
        laplace.scale_l1(mu, TABLE.l1),
        laplace.scale_pure(mu, TABLE.l1),
        np.array([tradeoff.gdp_parameter(curve) for curve in curves]),
        slack,
        slack_smaller,
        2 * least**2 / (TABLE.l2 / mu) ** 2,
    )


@dataclass(frozen=True, eq=False)
class _Difference:
    extreme_difference: Array


@dataclass(frozen=True, eq=False, repr=False)
class Differences(Result):
    """Differences with equal norms that need different scales.

    Attributes
    ----------
    name : tuple of str
    l1, l2 : ndarray of shape (m,)
        Norms.
    scale : ndarray of shape (m,)
        Least b that is μ-GDP.
    gaussian : ndarray of shape (m,)
        Standard deviation of normal noise for the same μ.
    """

    name: tuple[str, ...] = field(metadata=heading("difference"))
    l1: Array = field(metadata=heading("Δ₁"))
    l2: Array = field(metadata=heading("Δ₂"))
    scale: Array = field(metadata=heading("least b"))
    gaussian: Array = field(metadata=heading("σ of normal noise"))


def differences(mu: float = 1.0) -> Differences:
    """Calibrate Laplace noise for differences that have the same sensitivity.

    Parameters
    ----------
    mu : float
        GDP parameter.
    """
    vectors = {
        "(2)": [2.0],
        "(1, 1), a table": [1.0, 1.0],
        "(1/2, 1/2, 1/2, 1/2)": [0.5] * 4,
        "(√2)": [2**0.5],
        "(1/√2, 1/√2, 1/√2, 1/√2)": [0.5**0.5] * 4,
    }
    l1, l2 = (np.array([np.linalg.norm(v, order) for v in vectors.values()]) for order in (1, 2))
    scale = [laplace.scale(mu, _Difference(np.array(v))) for v in vectors.values()]
    return Differences(tuple(vectors), l1, l2, np.array(scale), l2 / mu)


@dataclass(frozen=True, eq=False, repr=False)
class Crossings(Result):
    """The μ from which Laplace noise costs less than normal noise.

    Attributes
    ----------
    name : tuple of str
        Statistic and mechanism compared with.
    mu : ndarray of shape (m,)
    epsilon : ndarray of shape (m,)
        Pure privacy loss Δ₁/b of the Laplace noise there.
    power : ndarray of shape (m,)
        Largest power of an attack of level 0.05 on any μ-GDP mechanism.
    """

    name: tuple[str, ...] = field(metadata=heading("comparison"))
    mu: Array = field(metadata=heading("Laplace wins from μ"))
    epsilon: Array = field(metadata=heading("its ε"))
    power: Array = field(metadata=heading("power of an attack at 5%"))

    def mu_of(self, name: str) -> float:
        """Return the μ of a comparison by its name."""
        return float(self.mu[self.name.index(name)])


ONE_COUNT = "counts, a person added or removed; M_G"
TIGHT, TOTAL_KEPT = "table; M_G", "table, total kept; M_r"
FEW, SOME, MANY = "table of 4 cells; M_r", "table of 16 cells; M_r", "table of 100 cells; M_r"
FROM_L1, FROM_PURE = "table, b from Δ₁; M_G", "table, b from ε-DP; M_G"


def crossings() -> Crossings:
    """Compute the μ at which Laplace and normal noise cost the same, by bisection.

    Laplace noise has the least scale, unless its name says otherwise.
    """
    count, four, some, many = (
        Table((16,), neighbours="add-remove"),
        Table((4,)),
        TABLE,
        Table((100,)),
    )
    comparisons: dict[str, tuple[Statistic, type[Mechanism], Scale, float]] = {
        ONE_COUNT: (count, Gaussian, partial(laplace.scale, statistic=count), 16),
        TIGHT: (some, Gaussian, partial(laplace.scale, statistic=some), 16),
        TOTAL_KEPT: (some, RankDeficientGaussian, partial(laplace.scale, statistic=some), 15),
        FEW: (four, RankDeficientGaussian, partial(laplace.scale, statistic=four), 4),
        SOME: (some, RankDeficientGaussian, partial(laplace.scale, statistic=some), 16),
        MANY: (many, RankDeficientGaussian, partial(laplace.scale, statistic=many), 100),
        FROM_L1: (some, Gaussian, partial(laplace.scale_l1, l1=some.l1), 16),
        FROM_PURE: (some, Gaussian, partial(laplace.scale_pure, l1=some.l1), 16),
    }
    mu = np.array([_crossing(*comparison) for comparison in comparisons.values()])
    epsilon = [
        statistic.l1 / float(scale(level))
        for (statistic, _, scale, _), level in zip(comparisons.values(), mu, strict=True)
    ]
    return Crossings(tuple(comparisons), mu, np.array(epsilon), gdp.power(0.05, mu))


def cost_figure() -> Plot:
    """Return a plot of the cost of Laplace noise over that of M_G, against μ."""
    mu = np.linspace(0.05, 8, 160)
    normal = (TABLE.l2 / mu) ** 2
    curves = {
        "the least b": laplace.scale(mu, TABLE),
        "b from Δ₁": laplace.scale_l1(mu, TABLE.l1),
        "b from ε-DP": laplace.scale_pure(mu, TABLE.l1),
    }
    styles = ("solid", "dash", "dot")
    lines = [
        line(mu, 2 * b**2 / normal, name, color="#7A5CCF", dash=dash)
        for (name, b), dash in zip(curves.items(), styles, strict=True)
    ]
    lines.append(line([0, 8], [1, 1], "ordinary Gaussian", color=style(Gaussian).colour))
    return plot(lines, "μ", "cost of Laplace noise over that of M_G")


def _crossing(
    statistic: Statistic, rival: type[Mechanism], scale: Scale, dimension: float
) -> float:
    """Return the μ at which Laplace noise in `dimension` coordinates costs as much as the rival."""
    low, high = 1.0, 64.0
    theta = np.zeros(statistic.p)
    for _ in range(60):
        middle = (low + high) / 2
        cheaper = 2 * dimension * scale(middle) ** 2 < rival(statistic, middle).l2_cost(theta)
        low, high = (low, middle) if cheaper else (middle, high)
    return high


def _slack(b: float, mu: float) -> float:
    """Return the least distance of the trade-off function of noise on a table from G_μ."""
    shifts = TABLE.extreme_difference / b
    return float(np.min(tradeoff.laplace(GRID, shifts) - tradeoff.gaussian(GRID, mu)))
