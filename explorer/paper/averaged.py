"""Sections 4 and 5 of the paper: costs averaged over multinomial tables."""

from dataclasses import dataclass, field

import numpy as np

from explorer.core.sensitivity import Table
from explorer.paper._shown import Array, Shown, head
from explorer.paper._simulated import Simulated, compare
from explorer.paper.james_stein import PLAIN

LAWS: dict[str, tuple[int, Array]] = {
    "5 equal cells, n = 100": (100, np.full(5, 1 / 5)),
    "10 equal cells, n = 500": (500, np.full(10, 1 / 10)),
    "10 cells as 1 : 2 : … : 10, n = 500": (500, np.arange(1.0, 11) / 55),
    "100 equal cells, n = 1,000": (1_000, np.full(100, 1 / 100)),
}
MUS = (0.1, 0.5, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class AverageCosts(Shown):
    """Average costs over multinomial tables, in squared records.

    Attributes
    ----------
    name : tuple of str
        Law of the table and μ.
    ordinary, rank_deficient, zero, mean, in_span, to_uniform : ndarray of shape (m,)
        M_G, M_r, M_JS0, M_JS, M_rJS in the Helmert basis, M_rJS0.
    given : ndarray of shape (m,)
        Cost of M_rJS0 given the expected table, which is not what it costs on average.
    """

    name: tuple[str, ...] = field(metadata=head("table; μ"))
    ordinary: Array = field(metadata=head("M_G"))
    rank_deficient: Array = field(metadata=head("M_r"))
    zero: Array = field(metadata=head("M_JS0"))
    mean: Array = field(metadata=head("M_JS"))
    in_span: Array = field(metadata=head("M_rJS, Helmert"))
    to_uniform: Array = field(metadata=head("M_rJS0"))
    given: Array = field(metadata=head("M_rJS0, expected table"))


def average_costs() -> AverageCosts:
    """Evaluate the average cost of all mechanisms for several laws and μ, without simulation."""
    names, rows = [], []
    for mu in MUS:
        for name, (n, pi) in LAWS.items():
            mechanisms = [kind(Table((len(pi),)), mu) for kind in PLAIN.values()]
            given = mechanisms[-1].l2_cost(n * pi)
            names.append(f"{name}; {mu:g}")
            rows.append([*(m.expected_l2_cost(n, pi) for m in mechanisms), given])
    return AverageCosts(tuple(names), *np.array(rows).T)


def simulated_averages(mu: float = 0.5, draws: int = 20_000) -> Simulated:
    """Draw tables, evaluate the cost given each, and compare the means with the averages.

    Parameters
    ----------
    mu : float
        GDP parameter.
    draws : int
        Tables of each law.
    """
    rng = np.random.default_rng(15)
    studies = {}
    for name, (n, pi) in LAWS.items():
        tables = rng.multinomial(n, pi, size=draws).astype(float)
        for symbol in ("M_JS0", "M_JS", "M_rJS"):
            mechanism = PLAIN[symbol](Table((len(pi),)), mu)
            average = float(mechanism.expected_l2_cost(n, pi))
            studies[f"{symbol}, {name}"] = average, mechanism.l2_cost(tables)
    return compare(studies)
