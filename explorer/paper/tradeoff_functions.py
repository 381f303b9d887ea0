"""Section 2 of the paper, continued: f-DP, the family G_μ and Gaussian noise."""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtr

from explorer.core import gdp, tradeoff
from explorer.core.mechanisms import Gaussian
from explorer.core.sensitivity import Table
from explorer.paper._discrete import fine_cuts, rounded_normals
from explorer.paper._plot import Plot, line, plot
from explorer.paper._result import Array, Result, heading
from explorer.paper._simulation import FALSE_ALARM

LEVELS = np.array([1e-6, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9])
GRID = ndtr(np.linspace(-6, 6, 2401))


@dataclass(frozen=True, eq=False, repr=False)
class Tangents(Result):
    """Where the trade-off functions of (ε, δ) touch that of μ-GDP from below.

    Attributes
    ----------
    epsilon, delta : ndarray of shape (m,)
        Pairs with the least δ for which every μ-GDP mechanism is (ε, δ)-DP.
    touching : ndarray of shape (m,)
        The level α at which G_μ is nearest to f of (ε, δ).
    distance : ndarray of shape (m,)
        Least G_μ(α) - f(α).
    distance_smaller : ndarray of shape (m,)
        The same for a δ that is one per cent smaller.
    """

    epsilon: Array = field(metadata=heading("ε"))
    delta: Array = field(metadata=heading("δ"))
    touching: Array = field(metadata=heading("touches at α"))
    distance: Array = field(metadata=heading("least G − f"))
    distance_smaller: Array = field(metadata=heading("least G − f, δ 1% smaller"))


def tangents(mu: float = 1.0) -> Tangents:
    """Compare the least δ of some ε with the trade-off functions, on a fine grid of levels.

    Parameters
    ----------
    mu : float
        GDP parameter μ.
    """
    epsilon = np.array([0.0, 0.5, 1.0, 2.0, 3.0])
    delta = gdp.delta(epsilon, mu)
    gap, less = (
        tradeoff.gaussian(GRID, mu)
        - tradeoff.approximate(GRID, epsilon[:, np.newaxis], share * delta[:, np.newaxis])
        for share in (1.0, 0.99)
    )
    touching = GRID[np.argmin(gap, axis=1)]
    return Tangents(epsilon, delta, touching, gap.min(axis=1), less.min(axis=1))


@dataclass(frozen=True, eq=False, repr=False)
class Envelope(Result):
    """Two single pairs (ε, δ), and all pairs together.

    Attributes
    ----------
    level : ndarray of shape (m,)
        Type I errors α.
    gaussian : ndarray of shape (m,)
        G_μ(α).
    first, second : ndarray of shape (m,)
        f(α) of the pair with δ = 0.01 and of that with δ = 1e-6.
    all_pairs : ndarray of shape (m,)
        The largest f(α) of 4000 pairs.
    mu : float
    epsilons : ndarray of shape (2,)
        The ε of the two pairs.
    """

    level: Array = field(metadata=heading("α"))
    gaussian: Array = field(metadata=heading("G(α)"))
    first: Array = field(metadata=heading("f(α), δ = 0.01"))
    second: Array = field(metadata=heading("f(α), δ = 1e-6"))
    all_pairs: Array = field(metadata=heading("largest f(α) of 4000 pairs"))
    mu: float
    epsilons: Array

    def figure(self) -> Plot:
        """Return a plot of the function of μ and those of the two pairs."""
        grid = np.linspace(0, 1, 401)
        first, second = (
            tradeoff.approximate(grid, epsilon, delta)
            for epsilon, delta in zip(self.epsilons, (0.01, 1e-6), strict=True)
        )
        return plot(
            [
                line(
                    grid, tradeoff.gaussian(grid, self.mu), f"G, μ = {self.mu:g}", color="#4D4D4D"
                ),
                line(grid, first, f"ε = {self.epsilons[0]:.2f}, δ = 0.01", color="#0072B2"),
                line(grid, second, f"ε = {self.epsilons[1]:.2f}, δ = 1e-6", color="#D55E00"),
                line([0, 1], [1, 0], "blind guessing", color="#999999", dash="dot"),
            ],
            "type I error α",
            "type II error β",
        )


def envelope(mu: float = 1.0) -> Envelope:
    """Compare G_μ with what single pairs (ε, δ) of a μ-GDP mechanism guarantee.

    Parameters
    ----------
    mu : float
        GDP parameter μ.
    """
    epsilons = gdp.epsilon([0.01, 1e-6], mu)
    first, second = (
        tradeoff.approximate(LEVELS, epsilon, gdp.delta(epsilon, mu)) for epsilon in epsilons
    )
    many = np.linspace(0, 8 * mu, 4000)[:, np.newaxis]
    best = tradeoff.approximate(LEVELS, many, gdp.delta(many, mu)).max(axis=0)
    gaussian = tradeoff.gaussian(LEVELS, mu)
    return Envelope(LEVELS, gaussian, first, second, best, mu, epsilons)


@dataclass(frozen=True, eq=False, repr=False)
class Family(Result):
    """G_μ for three μ, and once more from the likelihood ratio of finely rounded normal variables.

    Attributes
    ----------
    level : ndarray of shape (m,)
        Type I errors α.
    half, one, two : ndarray of shape (m,)
        G_μ(α) for μ = 1/2, 1 and 2.
    rounded : ndarray of shape (m,)
        T(P, Q)(α) by sorting, with P and Q the distributions N(0, 1) and N(1, 1) on 40,000 cells.
    """

    level: Array = field(metadata=heading("α"))
    half: Array = field(metadata=heading("G, μ = 1/2"))
    one: Array = field(metadata=heading("G, μ = 1"))
    two: Array = field(metadata=heading("G, μ = 2"))
    rounded: Array = field(metadata=heading("by sorting, μ = 1"))


def family() -> Family:
    """Evaluate G_μ, and compute it a second time without a normal quantile."""
    half, one, two = (tradeoff.gaussian(LEVELS, mu) for mu in (0.5, 1.0, 2.0))
    rounded = tradeoff.discrete(LEVELS, *rounded_normals(1.0, fine_cuts(1.0)))
    return Family(LEVELS, half, one, two, rounded)


@dataclass(frozen=True, eq=False, repr=False)
class Attack(Result):
    """An attack on releases of a table by the ordinary Gaussian mechanism.

    Attributes
    ----------
    level : ndarray of shape (m,)
        Type I errors α.
    guaranteed : ndarray of shape (m,)
        G_μ(α).
    lower, upper : ndarray of shape (m,)
        Simultaneous band for the least type II error of the best linear attack; a simulation like
        this one leaves it once in 10⁶.
    one_cell : ndarray of shape (m,)
        Lower end of the band for an attacker who looks at one cell only.
    """

    level: Array = field(metadata=heading("α"))
    guaranteed: Array = field(metadata=heading("G(α)"))
    lower: Array = field(metadata=heading("best attack, from"))
    upper: Array = field(metadata=heading("to"))
    one_cell: Array = field(metadata=heading("attack on one cell, from"))


def attack(mu: float = 1.0, samples: int = 20_000) -> Attack:
    """Release two neighbouring tables many times and measure how well an attacker tells them apart.

    Parameters
    ----------
    mu : float
        GDP parameter, to which the noise is calibrated.
    samples : int
        Releases of each table.
    """
    rng = np.random.default_rng(1)
    mechanism = Gaussian(Table((5,)), mu)
    tables = np.array([[4.0, 3, 2, 1, 0], [3.0, 3, 2, 1, 1]])
    here, there = (mechanism.simulate(theta, rng, samples) for theta in tables)
    towards = tables[1] - tables[0]
    best, one_cell = (
        tradeoff.empirical(here @ weights, there @ weights, 1 - FALSE_ALARM)
        for weights in (towards, np.eye(5)[4])
    )
    return Attack(
        LEVELS,
        tradeoff.gaussian(LEVELS, mu),
        best.lower(LEVELS),
        best.upper(LEVELS),
        one_cell.lower(LEVELS),
    )
