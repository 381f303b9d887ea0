"""Section 3 of the paper, continued: noise on the sensitivity space only."""

import itertools
from dataclasses import dataclass, field

import numpy as np

from explorer.core.mechanisms import (
    AdditiveGaussian,
    Gaussian,
    OptimalGaussian,
    RankDeficientGaussian,
)
from explorer.core.sensitivity import CumulativeCounts, Marginals, Statistic, Table
from explorer.paper._mechanisms import ByMechanism, MechanismClass, collect
from explorer.paper._result import Array, Result, heading
from explorer.paper._simulation import Simulated, compare


@dataclass(frozen=True, eq=False, repr=False)
class SensitivitySpace(Result):
    """What one record changes in a table, by enumeration of all data sets.

    Attributes
    ----------
    pairs : int
        Number of pairs of neighbours among all data sets.
    differences : ndarray of shape (m, p)
        The distinct differences of their tables, without zero.
    l1, l2 : float
        Their largest norms.
    rank : int
        Dimension of their span.
    projection : ndarray of shape (p, p)
        Orthogonal projection on it, from the singular vectors of the differences.
    """

    pairs: int = field(metadata=heading("pairs of neighbours"))
    l1: float = field(metadata=heading("Δ₁"))
    l2: float = field(metadata=heading("Δ₂"))
    rank: int = field(metadata=heading("rank d"))
    differences: Array
    projection: Array


def sensitivity_space(p: int = 4, n: int = 3) -> SensitivitySpace:
    """Enumerate all p^n data sets of n records in p cells and all their neighbours.

    Parameters
    ----------
    p, n : int
        Number of cells and of records; small ones.
    """
    units = np.eye(p)
    changes = [
        units[list(records)].sum(axis=0) - units[list(others)].sum(axis=0)
        for records in itertools.product(range(p), repeat=n)
        for place, cell in itertools.product(range(n), range(p))
        if records[place] != cell
        for others in [(*records[:place], cell, *records[place + 1 :])]
    ]
    differences = np.unique(changes, axis=0)
    differences = differences[np.abs(differences).sum(axis=1) > 0]
    _, sizes, axes = np.linalg.svd(differences)
    span = axes[: np.count_nonzero(sizes > 1e-9)]
    l1, l2 = (float(np.linalg.norm(differences, order, axis=1).max()) for order in (1, 2))
    return SensitivitySpace(len(changes), l1, l2, len(span), differences, span.T @ span)


@dataclass(frozen=True, eq=False, repr=False)
class Savings(Result):
    """The ordinary and the rank-deficient Gaussian mechanism on tables.

    Attributes
    ----------
    p : ndarray of shape (m,)
        Number of cells.
    cost : mapping of mechanism to ndarray of shape (m,)
        Costs of M_G and M_r by the formulas pΔ₂²/μ² and dΔ₂²/μ².
    total : ndarray of shape (m,)
        Largest change of a table's total over all releases.
    at, below : ndarray of shape (m,)
        Exact μ of the noise of M_r, and of noise whose σ is one per cent smaller.
    simulated : Simulated
        Mean squared errors of the releases of both mechanisms.
    """

    p: Array = field(metadata=heading("p"))
    cost: ByMechanism = field(metadata=heading("cost of {}"))
    total: Array = field(metadata=heading("change of the total"))
    at: Array = field(metadata=heading("exact μ"))
    below: Array = field(metadata=heading("of 0.99 σ"))
    simulated: Simulated


def savings(mu: float = 0.5, samples: int = 20_000) -> Savings:
    """Release tables of several sizes by both mechanisms.

    Parameters
    ----------
    mu : float
        GDP parameter, to which the noise is calibrated.
    samples : int
        Releases of each table.
    """
    rng = np.random.default_rng(4)
    cells = np.array([2, 3, 4, 9, 25])
    losses, costs, rows = {}, [], []
    for p in cells.tolist():
        table, theta = Table((p,)), np.arange(1.0, p + 1)
        ordinary, deficient = Gaussian(table, mu), RankDeficientGaussian(table, mu)
        errors = deficient.simulate(theta, rng, samples) - theta
        others = ordinary.simulate(theta, rng, samples) - theta
        cost: dict[MechanismClass, float] = {
            type(one): float(one.l2_cost(theta)) for one in (ordinary, deficient)
        }
        costs.append(cost)
        losses[f"M_G, p = {p}"] = cost[Gaussian], np.square(others).sum(axis=1)
        losses[f"M_r, p = {p}"] = cost[RankDeficientGaussian], np.square(errors).sum(axis=1)
        covariance = deficient.variance * table.project(np.eye(p))
        exact = [AdditiveGaussian(table, share**2 * covariance).mu for share in (1.0, 0.99)]
        rows.append((np.abs(errors.sum(axis=1)).max(), *exact))
    total, at, below = np.array(rows).T
    return Savings(cells, collect(costs), total, at, below, compare(losses))


@dataclass(frozen=True, eq=False, repr=False)
class WithoutDirection(Result):
    """Noise that leaves one direction out.

    Attributes
    ----------
    direction : tuple of str
    mu : ndarray of shape (m,)
        Exact μ of noise of σ = Δ₂ on everything but this direction.
    """

    direction: tuple[str, ...] = field(metadata=heading("direction without noise"))
    mu: Array = field(metadata=heading("exact μ"))


def without_direction(p: int = 4) -> WithoutDirection:
    """Add no noise in the direction of the total, which is public, or in others, which are not.

    Parameters
    ----------
    p : int
        Number of cells.
    """
    table = Table((p,))
    first = np.eye(p)[0]
    directions = {
        "all cells alike (the total)": np.ones(p),
        "first cell against the second": first - np.eye(p)[1],
        "first cell": first,
    }
    projections = [np.eye(p) - np.outer(v, v) / (v @ v) for v in directions.values()]
    mus = [AdditiveGaussian(table, 2 * projection).mu for projection in projections]
    return WithoutDirection(tuple(directions), np.array(mus))


@dataclass(frozen=True, eq=False, repr=False)
class Optimal(Result):
    """The cheapest additive normal noise beside that of the paper.

    Attributes
    ----------
    name : tuple of str
        What is released.
    cost : mapping of mechanism to ndarray of shape (m,)
        Costs of M_G and M_r, times μ².
    optimal : ndarray of shape (m,)
        Cost of the best normal noise, times μ².
    bound : ndarray of shape (m,)
        Lower bound on the cost of any μ-GDP additive normal noise.
    """

    name: tuple[str, ...] = field(metadata=heading("statistic"))
    cost: ByMechanism = field(metadata=heading("{}"))
    optimal: Array = field(metadata=heading("best normal noise"))
    bound: Array = field(metadata=heading("lower bound for any"))


TABLE = "table of 5 cells"
STATISTICS: dict[str, Statistic] = {
    TABLE: Table((5,)),
    "3 × 4 table": Table((3, 4)),
    "2 × 3 table, both margins": Marginals((2, 3), ((0,), (1,))),
    "2 × 2 × 2 table, all two-way margins": Marginals((2, 2, 2), ((0, 1), (0, 2), (1, 2))),
    "3 × 3 table, with its margins": Marginals((3, 3), ((0, 1), (0,), (1,))),
    "cumulative counts of 5 bins": CumulativeCounts(5),
}


def optimal() -> Optimal:
    """Find the cheapest normal noise of several statistics."""
    costs, rows = [], []
    for statistic in STATISTICS.values():
        best = OptimalGaussian(statistic, 1.0)
        theta = np.zeros(statistic.p)
        cost: dict[MechanismClass, float] = {
            one: float(one(statistic, 1.0).l2_cost(theta))
            for one in (Gaussian, RankDeficientGaussian)
        }
        costs.append(cost)
        rows.append((best.l2_cost(theta), best.lower_bound))
    return Optimal(tuple(STATISTICS), collect(costs), *np.array(rows).T)
