"""Section 3 of the paper: sensitivity, and which normal noise is best when only Δ₂ is known."""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtr

from explorer.core import gdp
from explorer.core.mechanisms import AdditiveGaussian, Gaussian
from explorer.core.sensitivity import BoundedMean, CumulativeCounts, Marginals, Statistic, Table
from explorer.paper._discrete import events
from explorer.paper._plot import Plot, line, plot, points
from explorer.paper._result import Array, Result, heading


@dataclass(frozen=True, eq=False, repr=False)
class Profile(Result):
    """The pairs (ε, δ) of normal noise.

    Attributes
    ----------
    epsilon : ndarray of shape (m,)
    printed : ndarray of shape (m,)
        The least δ by the formula as the paper prints it, in σ and Δ₂.
    delta : ndarray of shape (m,)
        The same by `gdp.delta` from μ = Δ₂/σ.
    log10_delta : ndarray of shape (m,)
        Its logarithm, which does not underflow.
    """

    epsilon: Array = field(metadata=heading("ε"))
    printed: Array = field(metadata=heading("δ as printed"))
    delta: Array = field(metadata=heading("δ from μ"))
    log10_delta: Array = field(metadata=heading("log₁₀ δ"))


def profile(mu: float = 1.0) -> Profile:
    """Compare the two formulas for normal noise on a 2 × 2 table.

    Parameters
    ----------
    mu : float
        GDP parameter, to which the noise is calibrated.
    """
    mechanism = Gaussian(Table((2, 2)), mu)
    sigma, sensitivity = mechanism.scale, mechanism.statistic.l2
    epsilon = np.array([0.0, 0.1, 1.0, 5.0, 20.0, 100.0, 500.0])
    centre, shift = sensitivity / (2 * sigma), epsilon * sigma / sensitivity
    printed = ndtr(centre - shift) - np.exp(epsilon) * ndtr(-centre - shift)
    log10 = gdp.log_delta(epsilon, mu) / np.log(10)
    return Profile(epsilon, printed, gdp.delta(epsilon, mu), log10)


@dataclass(frozen=True, eq=False, repr=False)
class Norms(Result):
    """L_r sensitivities of a mean of records in [0, 1]^p.

    Attributes
    ----------
    r : ndarray of shape (m,)
    formula : ndarray of shape (m,)
        p^{1/r}/n.
    corners, inner : ndarray of shape (m,)
        Largest ℓ_r norm of a change of the mean: one record moves from a corner of the cube to a
        corner, and from one random place to another.
    """

    r: Array = field(metadata=heading("r"))
    formula: Array = field(metadata=heading("Δ by the formula"))
    corners: Array = field(metadata=heading("largest, corner to corner"))
    inner: Array = field(metadata=heading("largest of 10,000 random moves"))


def norms(p: int = 4, n: int = 10) -> Norms:
    """Compute L_r sensitivities of a mean by moving one record.

    Parameters
    ----------
    p, n : int
        Number of coordinates, at most 10 or so, and of records.
    """
    rng = np.random.default_rng(2)
    places = events(p)
    corners = (places[:, np.newaxis] - places).reshape(-1, p) / n
    inner = (rng.random((10_000, p)) - rng.random((10_000, p))) / n
    r = np.array([0.5, 1.0, 2.0, 3.0, np.inf])
    largest = [[_norm(moves, power).max() for power in r] for moves in (corners, inner)]
    return Norms(r, p ** (1 / r) / n, np.array(largest[0]), np.array(largest[1]))


@dataclass(frozen=True, eq=False, repr=False)
class Covariances(Result):
    """Random covariances Σ, each scaled to the least noise that is μ-GDP.

    Attributes
    ----------
    condition : ndarray of shape (m,)
        Largest over least eigenvalue of Σ; 1 for independent noise of equal size.
    tried : ndarray of shape (m,)
        Largest μ over many differences of length Δ₂, the root of vᵀΣ⁻¹v.
    exact : ndarray of shape (m,)
        Δ₂ over the root of the least eigenvalue.
    cost : ndarray of shape (m,)
        Trace of Σ over pΔ₂²/μ².
    """

    condition: Array = field(metadata=heading("condition of Σ"))
    tried: Array = field(metadata=heading("largest μ of the differences tried"))
    exact: Array = field(metadata=heading("exact μ"))
    cost: Array = field(metadata=heading("cost over that of the Gaussian mechanism"))

    def figure(self) -> Plot:
        """Return a plot of the cost against the condition."""
        return plot(
            [
                points(self.condition, self.cost, "a random Σ"),
                line([1, self.condition.max()], [1, 1], "ordinary Gaussian", color="#4D4D4D"),
            ],
            "condition of Σ",
            "cost over that of ordinary noise",
            scale="log",
        )


def covariances(p: int = 4, mu: float = 1.0, count: int = 200) -> Covariances:
    """Scale random covariances until they are just μ-GDP for every statistic with Δ₂ = √2.

    The first is the identity. The differences are 2000 random ones and the eigenvectors, which
    attain the maximum.

    Parameters
    ----------
    p : int
        Number of coordinates.
    mu : float
        GDP parameter that all have.
    count : int
        Number of covariances.
    """
    rng = np.random.default_rng(3)
    sensitivity = Table((p,)).l2
    lines = rng.standard_normal((2000, p))
    rows = []
    for spread in np.append(0, np.linspace(0.02, 2, count - 1)):
        axes, _ = np.linalg.qr(rng.standard_normal((p, p)))
        variances = np.exp(spread * rng.standard_normal(p))
        variances *= (sensitivity / mu) ** 2 / variances.min()
        sigma = (axes * variances) @ axes.T
        differences = np.concatenate([lines, axes.T])
        differences *= sensitivity / np.linalg.norm(differences, axis=1, keepdims=True)
        lengths = np.einsum("ij,ij->i", differences, np.linalg.solve(sigma, differences.T).T)
        exact = AdditiveGaussian(Table((p,)), sigma).mu_of_sensitivity
        cost = np.trace(sigma) * mu**2 / (p * sensitivity**2)
        rows.append((variances.max() / variances.min(), lengths.max() ** 0.5, exact, cost))
    return Covariances(*np.array(rows).T)


@dataclass(frozen=True, eq=False, repr=False)
class Isotropic(Result):
    """Independent noise of equal size on several statistics.

    Attributes
    ----------
    name : tuple of str
        Statistic that is released.
    sigma : ndarray of shape (m,)
        Δ₂/μ.
    at, below, above : ndarray of shape (m,)
        Exact μ, from all extreme differences, of that σ and of one that is one per cent smaller or
        larger.
    cost : ndarray of shape (m,)
        pσ².
    """

    name: tuple[str, ...] = field(metadata=heading("statistic"))
    sigma: Array = field(metadata=heading("σ = Δ₂/μ"))
    at: Array = field(metadata=heading("exact μ of σ"))
    below: Array = field(metadata=heading("of 0.99 σ"))
    above: Array = field(metadata=heading("of 1.01 σ"))
    cost: Array = field(metadata=heading("cost"))


STATISTICS: dict[str, Statistic] = {
    "table of 4 cells": Table((4,)),
    "2 × 2 × 2 table, all two-way margins": Marginals((2, 2, 2), ((0, 1), (0, 2), (1, 2))),
    "mean of 20 records in [0, 1]³": BoundedMean(3, 20),
    "cumulative counts of 5 bins": CumulativeCounts(5),
}


def isotropic(mu: float = 1.0) -> Isotropic:
    """Compute the exact μ of independent noise on several statistics.

    Parameters
    ----------
    mu : float
        GDP parameter, to which the noise is calibrated.
    """
    sigma = np.array([statistic.l2 / mu for statistic in STATISTICS.values()])
    at, below, above = (
        np.array(
            [
                AdditiveGaussian(statistic, (share * scale) ** 2 * np.eye(statistic.p)).mu
                for statistic, scale in zip(STATISTICS.values(), sigma, strict=True)
            ]
        )
        for share in (1.0, 0.99, 1.01)
    )
    cost = sigma**2 * [statistic.p for statistic in STATISTICS.values()]
    return Isotropic(tuple(STATISTICS), sigma, at, below, above, cost)


def _norm(moves: Array, r: float) -> Array:
    """Return the ℓ_r norm of rows; for r below 1 it is not a norm."""
    size = np.abs(moves)
    largest: Array = size.max(axis=1) if r == np.inf else (size**r).sum(axis=1) ** (1 / r)
    return largest
