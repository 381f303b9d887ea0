"""Section 3 of the paper, continued: noise on the span of the sensitivity space only."""

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
from explorer.paper._shown import Array, Shown, head
from explorer.paper._simulated import Simulated, compare


@dataclass(frozen=True, eq=False, repr=False)
class SensitivitySpace(Shown):
    """What one record changes in a table, by going through all data sets.

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

    pairs: int = field(metadata=head("pairs of neighbours"))
    l1: float = field(metadata=head("Δ₁"))
    l2: float = field(metadata=head("Δ₂"))
    rank: int = field(metadata=head("rank d"))
    differences: Array
    projection: Array


def sensitivity_space(p: int = 4, n: int = 3) -> SensitivitySpace:
    """Go through all p^n data sets of n records in p cells and all their neighbours.

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
class Savings(Shown):
    """The ordinary and the rank-deficient Gaussian mechanism on tables.

    Attributes
    ----------
    p : ndarray of shape (m,)
        Number of cells.
    ordinary, rank_deficient : ndarray of shape (m,)
        Costs by the formulas pΔ₂²/μ² and dΔ₂²/μ².
    total : ndarray of shape (m,)
        Largest change of a table's total over all releases.
    at, below : ndarray of shape (m,)
        Exact μ of the noise, and of noise whose σ is a hundredth smaller.
    simulated : Simulated
        Mean squared errors of the releases of both mechanisms.
    """

    p: Array = field(metadata=head("p"))
    ordinary: Array = field(metadata=head("cost of M_G"))
    rank_deficient: Array = field(metadata=head("cost of M_r"))
    total: Array = field(metadata=head("change of the total"))
    at: Array = field(metadata=head("exact μ"))
    below: Array = field(metadata=head("of 0.99 σ"))
    simulated: Simulated


def savings(mu: float = 0.5, draws: int = 20_000) -> Savings:
    """Release tables of several sizes by both mechanisms.

    Parameters
    ----------
    mu : float
        GDP parameter, to which the noise is calibrated.
    draws : int
        Releases of each table.
    """
    rng = np.random.default_rng(4)
    cells = np.array([2, 3, 4, 9, 25])
    studies, rows = {}, []
    for p in cells.tolist():
        table, theta = Table((p,)), np.arange(1.0, p + 1)
        ordinary, deficient = Gaussian(table, mu), RankDeficientGaussian(table, mu)
        errors = deficient.simulate(theta, rng, draws) - theta
        others = ordinary.simulate(theta, rng, draws) - theta
        costs = [float(mechanism.l2_cost(theta)) for mechanism in (ordinary, deficient)]
        studies[f"M_G, p = {p}"] = costs[0], np.square(others).sum(axis=1)
        studies[f"M_r, p = {p}"] = costs[1], np.square(errors).sum(axis=1)
        covariance = deficient.variance * table.project(np.eye(p))
        exact = [AdditiveGaussian(table, share**2 * covariance).mu for share in (1.0, 0.99)]
        rows.append((*costs, np.abs(errors.sum(axis=1)).max(), *exact))
    cost, deficient_cost, total, at, below = np.array(rows).T
    return Savings(cells, cost, deficient_cost, total, at, below, compare(studies))


@dataclass(frozen=True, eq=False, repr=False)
class Missing(Shown):
    """Noise that leaves one direction out.

    Attributes
    ----------
    direction : tuple of str
    mu : ndarray of shape (m,)
        Exact μ of noise of σ = Δ₂ on everything but this direction.
    """

    direction: tuple[str, ...] = field(metadata=head("direction without noise"))
    mu: Array = field(metadata=head("exact μ"))


def missing(p: int = 4) -> Missing:
    """Leave out the direction of the total, which is public, and others, which are not.

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
    return Missing(tuple(directions), np.array(mus))


@dataclass(frozen=True, eq=False, repr=False)
class Optimal(Shown):
    """The cheapest additive normal noise next to that of the paper.

    Attributes
    ----------
    name : tuple of str
        What is released.
    ordinary, rank_deficient, optimal : ndarray of shape (m,)
        Costs times μ².
    bound : ndarray of shape (m,)
        What any μ-GDP additive normal noise costs at least.
    """

    name: tuple[str, ...] = field(metadata=head("statistic"))
    ordinary: Array = field(metadata=head("M_G"))
    rank_deficient: Array = field(metadata=head("M_r"))
    optimal: Array = field(metadata=head("best normal noise"))
    bound: Array = field(metadata=head("lower bound for any"))


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
    rows = []
    for statistic in STATISTICS.values():
        best = OptimalGaussian(statistic, 1.0)
        theta = np.zeros(statistic.p)
        others = [kind(statistic, 1.0).l2_cost(theta) for kind in (Gaussian, RankDeficientGaussian)]
        rows.append((*others, best.l2_cost(theta), best.lower_bound))
    return Optimal(tuple(STATISTICS), *np.array(rows).T)
