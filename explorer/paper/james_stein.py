"""Section 4 of the paper: shrinkage of the release of the ordinary Gaussian mechanism."""

from dataclasses import dataclass, field

import numpy as np

from explorer.core import shrinkage, tradeoff
from explorer.core.mechanisms import (
    Gaussian,
    JamesSteinMean,
    JamesSteinZero,
)
from explorer.core.sensitivity import Table
from explorer.paper._discrete import fine_cuts, rounded_normals
from explorer.paper._mechanisms import ByMechanism, MechanismClass, collect, costs, symbol
from explorer.paper._result import Array, Result, heading
from explorer.paper._simulation import Simulated, compare


def shrink_to_zero(x: Array, sigma: float) -> Array:
    """Return m₀(x; σ) of vectors x of shape (..., p), as the paper defines it.

    Parameters
    ----------
    x : ndarray of shape (..., p)
        Releases.
    sigma : float
        Standard deviation of their noise.
    """
    length = np.square(x).sum(axis=-1, keepdims=True)
    shrunk: Array = (1 - (x.shape[-1] - 2) * sigma**2 / length) * x
    return shrunk


def shrink_to_mean(x: Array, sigma: float) -> Array:
    """Return m_a(x; σ) of vectors x of shape (..., p), as the paper defines it.

    Parameters
    ----------
    x : ndarray of shape (..., p)
        Releases.
    sigma : float
        Standard deviation of their noise.
    """
    mean = x.mean(axis=-1, keepdims=True)
    centred = x - mean
    length = np.square(centred).sum(axis=-1, keepdims=True)
    shrunk: Array = mean + (1 - (x.shape[-1] - 3) * sigma**2 / length) * centred
    return shrunk


@dataclass(frozen=True, eq=False, repr=False)
class PostProcessing(Result):
    """The trade-off function of two distributions before and after outcomes are merged.

    Attributes
    ----------
    level : ndarray of shape (m,)
        Type I errors α.
    before : ndarray of shape (m,)
        T(P, Q)(α) of N(0, 1) and N(μ, 1) on many cells.
    least_after, largest_after : ndarray of shape (m,)
        Least and largest value after the cells were merged in some hundred random ways.
    """

    level: Array = field(metadata=heading("α"))
    before: Array = field(metadata=heading("T before"))
    least_after: Array = field(metadata=heading("least T after"))
    largest_after: Array = field(metadata=heading("largest T after"))


def post_processing(mu: float = 1.0, ways: int = 200) -> PostProcessing:
    """Merge the outcomes of two distributions into groups, in many random ways.

    Parameters
    ----------
    mu : float
        Distance μ of the two distributions, N(0, 1) and N(μ, 1).
    ways : int
        Number of ways to merge.
    """
    rng = np.random.default_rng(5)
    distributions = rounded_normals(mu, fine_cuts(mu, cells=1000))
    level = np.array([0.001, 0.01, 0.05, 0.25, 0.5, 0.75])
    after = []
    for groups in rng.integers(2, 400, ways):
        place = rng.integers(0, groups, len(distributions[0]))
        after.append(tradeoff.discrete(level, *(np.bincount(place, one) for one in distributions)))
    before = tradeoff.discrete(level, *distributions)
    return PostProcessing(level, before, np.min(after, axis=0), np.max(after, axis=0))


TABLES = {
    "uniform": np.full(16, 12.5),
    "one large cell": np.array([50.0] + [10.0] * 15),
    "trend": np.arange(5.0, 21.0),
}


def proposition_4(mu: float = 0.2, samples: int = 100_000) -> Simulated:
    """Shrink noisy tables of 16 cells by the paper's definition and compare with its costs.

    With 16 cells the losses have enough moments for their mean to be practically normal. With four
    or fewer dimensions to shrink their variance would be infinite.

    Parameters
    ----------
    mu : float
        GDP parameter, to which the noise is calibrated.
    samples : int
        Releases of each table.
    """
    rng = np.random.default_rng(6)
    table = Table((16,))
    to_zero, to_mean = JamesSteinZero(table, mu), JamesSteinMean(table, mu)
    losses = {}
    for name, theta in TABLES.items():
        noisy = Gaussian(table, mu).simulate(theta, rng, samples)
        shrunk = shrink_to_zero(noisy, to_zero.scale), shrink_to_mean(noisy, to_mean.scale)
        for mechanism, release in zip((to_zero, to_mean), shrunk, strict=True):
            errors = np.square(release - theta).sum(axis=1)
            losses[f"{symbol(type(mechanism))}, {name}"] = float(mechanism.l2_cost(theta)), errors
    return compare(losses)


@dataclass(frozen=True, eq=False, repr=False)
class Gains(Result):
    """Share of the ordinary mechanism's cost that shrinkage saves.

    Attributes
    ----------
    p : ndarray of shape (m,)
        Number of cells.
    near, far : mapping of mechanism to ndarray of shape (m,)
        Shares saved by M_JS0 and M_JS at τ = 0, where shrinkage helps most, and at τ = 10,000.
    least : mapping of mechanism to ndarray of shape (m,)
        The least share saved at any of many τ up to 10,000.
    """

    p: Array = field(metadata=heading("p"))
    near: ByMechanism = field(metadata=heading("{} saves, τ = 0"))
    far: ByMechanism = field(metadata=heading("{} saves, τ = 10⁴"))
    least: ByMechanism


TAU = np.append(0, np.logspace(-2, 4, 241))


def theorem_5() -> Gains:
    """Evaluate the costs of (14) and (15) for p up to 10 and many τ."""
    p = np.arange(2.0, 11.0)
    whole = p[:, np.newaxis]
    saved: dict[MechanismClass, Array] = {
        JamesSteinZero: 1 - shrinkage.risk(whole, TAU) / whole,
        JamesSteinMean: 1 - (1 + shrinkage.risk(whole - 1, TAU)) / whole,
    }
    return Gains(
        p,
        near={one: share[:, 0] for one, share in saved.items()},
        far={one: share[:, -1] for one, share in saved.items()},
        least={one: share.min(axis=1) for one, share in saved.items()},
    )


@dataclass(frozen=True, eq=False, repr=False)
class Costs(Result):
    """Costs of the mechanisms for some tables, in squared records.

    Attributes
    ----------
    name : tuple of str
        Table and μ.
    cost : mapping of mechanism to ndarray of shape (m,)
        Costs of the mechanisms; M_rJS in the Helmert basis.
    positive_mean : ndarray of shape (m,)
        M_JS with the positive part of its factor.
    """

    name: tuple[str, ...] = field(metadata=heading("table; μ"))
    cost: ByMechanism = field(metadata=heading("{}"))
    positive_mean: Array = field(metadata=heading("M_JS, positive part"))


SMALL_AND_UNEVEN = "3, 1, 0, 2, 4; 0.3"
ONE_LARGE = "1, 2, …, 9, 55; 0.2"
UNIFORM = "10 cells of 5; 0.5"
EXAMPLES: dict[str, tuple[list[float], float]] = {
    SMALL_AND_UNEVEN: ([3, 1, 0, 2, 4], 0.3),
    ONE_LARGE: ([1, 2, 3, 4, 5, 6, 7, 8, 9, 55], 0.2),
    UNIFORM: ([5.0] * 10, 0.5),
    "50 and five of 10; 0.1": ([50, 10, 10, 10, 10, 10], 0.1),
    "10, 20, 30, 40; 1": ([10, 20, 30, 40], 1.0),
}


def examples() -> Costs:
    """Evaluate the costs of all mechanisms for tables that favour one or another."""
    rows, positive_mean = [], []
    for theta, mu in EXAMPLES.values():
        table = Table((len(theta),))
        rows.append(costs(table, mu, theta))
        positive_mean.append(JamesSteinMean(table, mu, positive_part=True).l2_cost(theta))
    return Costs(tuple(EXAMPLES), collect(rows), np.array(positive_mean))
