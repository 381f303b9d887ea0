"""Section 4 of the paper: shrinking the release of the ordinary Gaussian mechanism."""

from dataclasses import dataclass, field

import numpy as np

from explorer.core import shrinkage, tradeoff
from explorer.core.mechanisms import (
    Gaussian,
    JamesSteinMean,
    JamesSteinZero,
    Mechanism,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.core.sensitivity import Table
from explorer.paper._finite import fine_cuts, rounded_normals
from explorer.paper._shown import Array, Shown, head
from explorer.paper._simulated import Simulated, compare


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
class PostProcessing(Shown):
    """What merging outcomes does to the trade-off function of two laws.

    Attributes
    ----------
    level : ndarray of shape (m,)
        Type I errors α.
    before : ndarray of shape (m,)
        T(P, Q)(α) of N(0, 1) and N(μ, 1) on many cells.
    least_after, largest_after : ndarray of shape (m,)
        Least and largest value after the cells were merged in some hundred random ways.
    """

    level: Array = field(metadata=head("α"))
    before: Array = field(metadata=head("T before"))
    least_after: Array = field(metadata=head("least T after"))
    largest_after: Array = field(metadata=head("largest T after"))


def post_processing(mu: float = 1.0, ways: int = 200) -> PostProcessing:
    """Merge the outcomes of two laws in random ways, each into one of a few groups.

    Parameters
    ----------
    mu : float
        GDP parameter of the two laws.
    ways : int
        Number of ways to merge.
    """
    rng = np.random.default_rng(5)
    laws = rounded_normals(mu, fine_cuts(mu, cells=1000))
    level = np.array([0.001, 0.01, 0.05, 0.25, 0.5, 0.75])
    after = []
    for groups in rng.integers(2, 400, ways):
        place = rng.integers(0, groups, len(laws[0]))
        after.append(tradeoff.discrete(level, *(np.bincount(place, law) for law in laws)))
    before = tradeoff.discrete(level, *laws)
    return PostProcessing(level, before, np.min(after, axis=0), np.max(after, axis=0))


TABLES = {
    "uniform": np.full(16, 12.5),
    "one large cell": np.array([50.0] + [10.0] * 15),
    "trend": np.arange(5.0, 21.0),
}


def proposition_4(mu: float = 0.2, draws: int = 100_000) -> Simulated:
    """Shrink noisy tables of 16 cells, as the paper defines it, and compare with its costs.

    The losses have so many moments with 16 cells that their mean is as good as normal. With four
    or fewer dimensions to shrink their variance would be infinite.

    Parameters
    ----------
    mu : float
        GDP parameter, to which the noise is calibrated.
    draws : int
        Releases of each table.
    """
    rng = np.random.default_rng(6)
    table = Table((16,))
    to_zero, to_mean = JamesSteinZero(table, mu), JamesSteinMean(table, mu)
    studies = {}
    for name, theta in TABLES.items():
        noisy = Gaussian(table, mu).simulate(theta, rng, draws)
        shrunk = shrink_to_zero(noisy, to_zero.scale), shrink_to_mean(noisy, to_mean.scale)
        for label, mechanism, release in zip(
            ("M_JS0", "M_JS"), (to_zero, to_mean), shrunk, strict=True
        ):
            losses = np.square(release - theta).sum(axis=1)
            studies[f"{label}, {name}"] = float(mechanism.l2_cost(theta)), losses
    return compare(studies)


@dataclass(frozen=True, eq=False, repr=False)
class Gains(Shown):
    """Share of the ordinary mechanism's cost that shrinkage saves.

    Attributes
    ----------
    p : ndarray of shape (m,)
        Number of cells.
    zero_near, zero_far, mean_near, mean_far : ndarray of shape (m,)
        Shares saved by M_JS0 and M_JS where nothing is to be lost by shrinkage, τ = 0, and at
        τ = 10,000.
    zero_least, mean_least : ndarray of shape (m,)
        The least share saved at any of many τ up to 10,000.
    """

    p: Array = field(metadata=head("p"))
    zero_near: Array = field(metadata=head("M_JS0 saves, τ = 0"))
    zero_far: Array = field(metadata=head("M_JS0 saves, τ = 10⁴"))
    mean_near: Array = field(metadata=head("M_JS saves, τ = 0"))
    mean_far: Array = field(metadata=head("M_JS saves, τ = 10⁴"))
    zero_least: Array
    mean_least: Array


TAU = np.append(0, np.logspace(-2, 4, 241))


def theorem_5() -> Gains:
    """Evaluate the costs of (14) and (15) for p up to 10 and many τ."""
    p = np.arange(2.0, 11.0)
    whole = p[:, np.newaxis]
    zero = 1 - shrinkage.risk(whole, TAU) / whole
    mean = 1 - (1 + shrinkage.risk(whole - 1, TAU)) / whole
    ends = zero[:, 0], zero[:, -1], mean[:, 0], mean[:, -1]
    return Gains(p, *ends, zero.min(axis=1), mean.min(axis=1))


@dataclass(frozen=True, eq=False, repr=False)
class Costs(Shown):
    """Costs of the mechanisms for some tables, in squared records.

    Attributes
    ----------
    name : tuple of str
        Table and μ.
    ordinary, rank_deficient, zero, mean, in_span, to_uniform : ndarray of shape (m,)
        M_G, M_r, M_JS0, M_JS, M_rJS in the Helmert basis, M_rJS0.
    positive_mean : ndarray of shape (m,)
        M_JS with the positive part of its factor.
    """

    name: tuple[str, ...] = field(metadata=head("table; μ"))
    ordinary: Array = field(metadata=head("M_G"))
    rank_deficient: Array = field(metadata=head("M_r"))
    zero: Array = field(metadata=head("M_JS0"))
    mean: Array = field(metadata=head("M_JS"))
    in_span: Array = field(metadata=head("M_rJS, Helmert"))
    to_uniform: Array = field(metadata=head("M_rJS0"))
    positive_mean: Array = field(metadata=head("M_JS, positive part"))


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
PLAIN: dict[str, type[Mechanism]] = {
    "M_G": Gaussian,
    "M_r": RankDeficientGaussian,
    "M_JS0": JamesSteinZero,
    "M_JS": JamesSteinMean,
    "M_rJS": RankDeficientJamesStein,
    "M_rJS0": RankDeficientJamesSteinZero,
}


def examples() -> Costs:
    """Evaluate the costs of all mechanisms for tables that favour one or the other."""
    rows = []
    for theta, mu in EXAMPLES.values():
        table = Table((len(theta),))
        positive = JamesSteinMean(table, mu, positive_part=True)
        rows.append(
            [m.l2_cost(theta) for m in (*(kind(table, mu) for kind in PLAIN.values()), positive)]
        )
    return Costs(tuple(EXAMPLES), *np.array(rows).T)
