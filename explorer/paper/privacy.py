"""Section 2 of the paper: from ε-DP to hypothesis tests."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from explorer.core import gdp, tradeoff
from explorer.paper._discrete import events, fine_cuts, rounded_normals
from explorer.paper._plot import Plot, line, plot, points
from explorer.paper._result import Array, Result, heading

COARSE_CUTS = np.linspace(-2.0, 3.0, 9)  # ten cells: all 1024 events can be tried
LEVELS = np.array([0.0, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0])


@dataclass(frozen=True, eq=False, repr=False)
class Events(Result):
    """Two distributions on every event but the empty and the certain one.

    Attributes
    ----------
    event : tuple of str
        Outcomes in each event.
    p, q : ndarray of shape (m,)
        Probability of the event under either data set.
    loss : ndarray of shape (m,)
        log(p/q).
    """

    event: tuple[str, ...] = field(metadata=heading("A"))
    p: Array = field(metadata=heading("P(M(S) ∈ A)"))
    q: Array = field(metadata=heading("P(M(S′) ∈ A)"))
    loss: Array = field(metadata=heading("log of their ratio"))


def pure(epsilon: float = 1.0, answers: int = 4) -> Events:
    """Compare the randomised responses of two people on every event.

    Parameters
    ----------
    epsilon : float
        The true answer is e^ε times as likely as each of the others.
    answers : int
        Number of possible answers; the true ones are the first and the second.
    """
    p, q = np.ones(answers), np.ones(answers)
    p[0] = q[1] = np.exp(epsilon)
    members = events(answers)[1:-1]
    names = tuple("{" + ", ".join(np.flatnonzero(row).astype(str)) + "}" for row in members)
    on_p, on_q = members @ p / p.sum(), members @ q / q.sum()
    return Events(names, on_p, on_q, np.log(on_p / on_q))


@dataclass(frozen=True, eq=False, repr=False)
class Deltas(Result):
    """The least δ of normal variables for some ε.

    Attributes
    ----------
    epsilon : ndarray of shape (m,)
    coarse, fine : ndarray of shape (m,)
        Largest P(A) - e^ε Q(A): over all 1024 events of variables rounded to ten cells, and for
        the best event of variables rounded to 40,000 cells.
    formula : ndarray of shape (m,)
        The same without rounding.
    """

    epsilon: Array = field(metadata=heading("ε"))
    coarse: Array = field(metadata=heading("δ, all events of 10 cells"))
    fine: Array = field(metadata=heading("δ, 40,000 cells"))
    formula: Array = field(metadata=heading("δ(ε), not rounded"))


def approximate(mu: float = 1.0) -> Deltas:
    """Compute the least δ for N(0, 1) and N(μ, 1) by trying all events.

    Parameters
    ----------
    mu : float
        GDP parameter μ.
    """
    epsilon = np.array([0.0, 0.25, 0.5, 1.0, 2.0, 3.0])
    ratio = np.exp(epsilon)[:, np.newaxis]
    p, q = rounded_normals(mu, COARSE_CUTS)
    members = events(len(p))
    coarse = np.max(members @ p - ratio * (members @ q), axis=1)
    p, q = rounded_normals(mu, fine_cuts(mu))
    fine = np.maximum(p - ratio * q, 0).sum(axis=1)
    return Deltas(epsilon, coarse, fine, gdp.delta(epsilon, mu))


@dataclass(frozen=True, eq=False, repr=False)
class Tests(Result):
    """The best of all tests that reject on some event, and the tests of Neyman and Pearson.

    Attributes
    ----------
    level : ndarray of shape (m,)
        Type I errors α.
    tried : ndarray of shape (m,)
        Least type II error of a mixture of two of all the tests.
    by_sorting : ndarray of shape (m,)
        T(P, Q)(α) from the sorted likelihood ratio, as Neyman and Pearson have it.
    alpha, beta : ndarray of shape (tests,)
        Both errors of each test, in increasing order of α.
    least : ndarray of shape (tests,)
        T(P, Q)(α) at the type I error of each test.
    """

    level: Array = field(metadata=heading("α"))
    tried: Array = field(metadata=heading("least β of 1024 tests and their mixtures"))
    by_sorting: Array = field(metadata=heading("T(P, Q)(α) by sorting"))
    alpha: Array
    beta: Array
    least: Array

    def figure(self) -> Plot:
        """Return a plot of all tests, the best of them and blind guessing."""
        return plot(
            [
                points(self.alpha, self.beta, "every test"),
                line(self.alpha, self.least, "T(P, Q)", color="#0072B2"),
                line([0, 1], [1, 0], "blind guessing", color="#999999", dash="dot"),
            ],
            "type I error α",
            "type II error β",
        )


def every_test(mu: float = 1.0) -> Tests:
    """Try all 1024 tests between two distributions on ten outcomes, the rounded N(0, 1) and N(μ, 1).

    Parameters
    ----------
    mu : float
        GDP parameter μ.
    """
    p, q = rounded_normals(mu, COARSE_CUTS)
    members = events(len(p))
    alpha, beta = np.minimum(members @ p, 1.0), (1 - members) @ q
    order = np.argsort(alpha)
    alpha, beta = alpha[order], beta[order]
    tried = np.array([_best_mixture(level, alpha, beta) for level in LEVELS])
    best, least = (tradeoff.discrete(at, p, q) for at in (LEVELS, alpha))
    return Tests(LEVELS, tried, best, alpha, beta, least)


@dataclass(frozen=True, eq=False, repr=False)
class Rules(Result):
    """Which functions are trade-off functions, and which rules the others break.

    Attributes
    ----------
    name : tuple of str
    reason, reason_symmetric : tuple of str
        The rule that fails and where, or ""; the second includes symmetry.
    """

    name: tuple[str, ...] = field(metadata=heading("function"))
    reason: tuple[str, ...] = field(metadata=heading("why not a trade-off function"))
    reason_symmetric: tuple[str, ...] = field(metadata=heading("why not a symmetric one"))

    @property
    def valid(self) -> tuple[int, int]:
        """Number of functions that break no rule, without and with the rule of symmetry."""
        return self.reason.count(""), self.reason_symmetric.count("")


def rules() -> Rules:
    """Check the properties of trade-off functions on a grid of 1001 levels."""
    alpha = np.linspace(0, 1, 1001)
    functions: dict[str, Callable[[Array], Array]] = {
        "G of μ = 1": partial(tradeoff.gaussian, mu=1.0),
        "f of ε = 1, δ = 0.1": partial(tradeoff.approximate, epsilon=1.0, delta=0.1),
        "Laplace, two shifts of 1": partial(tradeoff.laplace, shifts=[1.0, 1.0]),
        "(1 − √α)²": lambda level: (1 - level**0.5) ** 2,
        "a fair coin against one of 9 : 1": partial(tradeoff.discrete, p=[0.5, 0.5], q=[0.9, 0.1]),
        "1 − α²": lambda level: 1 - level**2,
        "the smaller of 1 − α and 1/2": lambda level: np.minimum(1 - level, 0.5),
    }
    reasons = [
        [
            str(tradeoff.violation(alpha, function(alpha), symmetric) or "")
            for function in functions.values()
        ]
        for symmetric in (False, True)
    ]
    return Rules(tuple(functions), tuple(reasons[0]), tuple(reasons[1]))


def _best_mixture(level: float, alpha: Array, beta: Array) -> float:
    """Return the least type II error at a level of all mixtures of two tests."""
    low, high = alpha <= level, alpha >= level
    left, right = alpha[low][:, np.newaxis], alpha[high]
    gap = right - left
    weight = np.divide(level - left, gap, out=np.zeros_like(gap), where=gap > 0)
    mixed = (1 - weight) * beta[low][:, np.newaxis] + weight * beta[high]
    return float(mixed.min())
