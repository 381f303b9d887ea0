"""Section 4 of the paper, continued: shrinkage within the sensitivity space, and its basis."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from explorer.core.mechanisms import (
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.core.sensitivity import Table
from explorer.paper._plot import Plot, line, plot, points
from explorer.paper._result import Array, Result, heading
from explorer.paper._simulation import Simulated, compare
from explorer.paper.james_stein import TABLES, shrink_to_mean

ONE_LARGE = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 55.0])


def shrink_in_span(release: Array, basis: Array, sigma: float) -> Array:
    """Return M_rJS of rank-deficient releases of shape (..., p), as the paper defines it.

    Parameters
    ----------
    release : ndarray of shape (..., p)
    basis : ndarray of shape (p, d)
        Orthonormal columns U that span the sensitivity space.
    sigma : float
        Standard deviation of the noise.
    """
    inside = release @ basis
    return release - inside @ basis.T + shrink_to_mean(inside, sigma) @ basis.T


def rotated_basis(table: Table, rng: np.random.Generator) -> Array:
    """Return a uniformly random orthonormal basis of the span, of shape (p, d).

    Parameters
    ----------
    table : Table
        Its sensitivity space of rank d is meant.
    rng : numpy.random.Generator
        Source of randomness.
    """
    rotation, triangle = np.linalg.qr(rng.standard_normal((table.rank, table.rank)))
    basis: Array = table.basis() @ (rotation * np.sign(np.diag(triangle)))
    return basis


@dataclass(frozen=True, eq=False, repr=False)
class OneDirection(Result):
    """M_rJS from a basis, and from the one direction through which the basis matters.

    Attributes
    ----------
    difference : float
        Largest distance between the paper's U m_a(Uᵀ M_r) + U₁U₁ᵀ M_r and the release that leaves
        w = U1/√d alone, over random bases and releases.
    same_direction : float
        Largest distance between the releases of two different bases with the same w.
    other_direction : float
        The same for two bases with different w.
    change_outside : float
        Largest change of the total, which is public and outside the sensitivity space.
    """

    difference: float = field(metadata=heading("basis against its direction"))
    same_direction: float = field(metadata=heading("two bases, one direction"))
    other_direction: float = field(metadata=heading("two bases, two directions"))
    change_outside: float = field(metadata=heading("change of the total"))


def one_direction(p: int = 8, mu: float = 0.3) -> OneDirection:
    """Shrink the same releases in many bases.

    Parameters
    ----------
    p : int
        Number of cells.
    mu : float
        GDP parameter, to which the noise is calibrated.
    """
    rng = np.random.default_rng(7)
    table, theta = Table((p,)), np.arange(1.0, p + 1)
    plain = RankDeficientGaussian(table, mu)
    release = plain.simulate(theta, rng, 1000)
    largest = np.zeros(4)
    for _ in range(20):
        basis, other = rotated_basis(table, rng), rotated_basis(table, rng)
        shrunk = shrink_in_span(release, basis, plain.scale)
        by_direction = RankDeficientJamesStein(table, mu, direction=basis.sum(axis=1))
        # A rotation of the coordinates that leaves (1, ..., 1) alone.
        centred = np.eye(p - 1) - 1 / (p - 1)
        axes, _ = np.linalg.qr(centred @ rng.standard_normal((p - 1, p - 2)))
        turned = basis @ (np.eye(p - 1) - 2 * np.outer(axes[:, 0], axes[:, 0]))
        distances = (
            shrunk - by_direction.shrink(release),
            shrunk - shrink_in_span(release, turned, plain.scale),
            shrunk - shrink_in_span(release, other, plain.scale),
            shrunk.sum(axis=1) - theta.sum(),
        )
        largest = np.maximum(largest, [np.abs(distance).max() for distance in distances])
    return OneDirection(*largest.tolist())


def proposition_b1(mu: float = 0.2, samples: int = 50_000) -> Simulated:
    """Shrink rank-deficient releases of 16 cells in two bases and compare with their costs.

    Parameters
    ----------
    mu : float
        GDP parameter, to which the noise is calibrated.
    samples : int
        Releases of each table.
    """
    rng = np.random.default_rng(8)
    table = Table((16,))
    plain = RankDeficientGaussian(table, mu)
    bases = {"Helmert basis": table.basis(), "a random basis": rotated_basis(table, rng)}
    losses = {}
    for name, theta in TABLES.items():
        release = plain.simulate(theta, rng, samples)
        for basis_name, basis in bases.items():
            errors = np.square(shrink_in_span(release, basis, plain.scale) - theta).sum(axis=1)
            by_direction = RankDeficientJamesStein(table, mu, direction=basis.sum(axis=1))
            losses[f"{basis_name}, {name}"] = float(by_direction.l2_cost(theta)), errors
    return compare(losses)


@dataclass(frozen=True, eq=False, repr=False)
class Bases(Result):
    """Costs of M_rJS for one table in many bases.

    Attributes
    ----------
    name : tuple of str
        Mechanism and basis.
    cost : ndarray of shape (m,)
        In squared records.
    alignment : ndarray of shape (300,)
        Squared cosine between the table's departure from uniform and the unshrunk direction of each
        of 300 random bases.
    random : ndarray of shape (300,)
        Costs in these bases.
    """

    name: tuple[str, ...] = field(metadata=heading("mechanism"))
    cost: Array = field(metadata=heading("cost"))
    alignment: Array
    random: Array

    def cost_of(self, name: str) -> float:
        """Return the cost of a mechanism by its name."""
        return float(self.cost[self.name.index(name)])

    def figure(self) -> Plot:
        """Return a plot of the costs of the random bases."""
        uniform, unshrunk = self.cost_of(TO_UNIFORM), self.cost_of(UNSHRUNK)
        return plot(
            [
                points(self.alignment, self.random, "M_rJS in a random basis"),
                line([0, 1], [uniform, uniform], TO_UNIFORM, color="#009E73"),
                line([0, 1], [unshrunk, unshrunk], UNSHRUNK, color="#0072B2"),
            ],
            "squared cosine between direction and table",
            "cost in squared records",
        )


UNSHRUNK, TO_UNIFORM = "M_r", "M_rJS0, which needs no basis"
HELMERT, ALONG, ACROSS = "M_rJS, Helmert basis", "M_rJS, along the table", "M_rJS, across the table"


def bases(theta: ArrayLike = ONE_LARGE, mu: float = 0.2) -> Bases:
    """Evaluate the cost for one table in 300 random bases and in three special ones.

    Parameters
    ----------
    theta : array_like of shape (p,)
        The table.
    mu : float
        GDP parameter, to which the noise is calibrated.
    """
    rng = np.random.default_rng(9)
    theta = np.asarray(theta, dtype=float)
    table = Table((len(theta),))
    departure = table.project(theta)
    across = table.project(rng.standard_normal(table.p))
    across -= (across @ departure) / (departure @ departure) * departure
    mechanisms = {
        UNSHRUNK: RankDeficientGaussian(table, mu),
        TO_UNIFORM: RankDeficientJamesSteinZero(table, mu),
        HELMERT: RankDeficientJamesStein(table, mu),
        ALONG: RankDeficientJamesStein(table, mu, direction=departure),
        ACROSS: RankDeficientJamesStein(table, mu, direction=across),
    }
    cost = np.array([mechanism.l2_cost(theta) for mechanism in mechanisms.values()])
    directions = [rotated_basis(table, rng).sum(axis=1) for _ in range(300)]
    cosines = np.array(directions) @ departure / table.rank**0.5 / np.linalg.norm(departure)
    random = [RankDeficientJamesStein(table, mu, direction=w).l2_cost(theta) for w in directions]
    return Bases(tuple(mechanisms), cost, cosines**2, np.array(random))
