"""Sections 4 and 5 of the paper: costs averaged over multinomial tables."""

from dataclasses import dataclass, field

import numpy as np

from explorer.core.mechanisms import (
    JamesSteinMean,
    JamesSteinZero,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.core.sensitivity import Table
from explorer.paper._mechanisms import NORMAL, ByMechanism, collect, symbol
from explorer.paper._result import Array, Result, heading
from explorer.paper._simulation import Simulated, compare

POPULATIONS: dict[str, tuple[int, Array]] = {
    "5 equal cells, n = 100": (100, np.full(5, 1 / 5)),
    "10 equal cells, n = 500": (500, np.full(10, 1 / 10)),
    "10 cells as 1 : 2 : … : 10, n = 500": (500, np.arange(1.0, 11) / 55),
    "100 equal cells, n = 1,000": (1_000, np.full(100, 1 / 100)),
}
MUS = (0.1, 0.5, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class AverageCosts(Result):
    """Average costs over multinomial tables, in squared records.

    Attributes
    ----------
    name : tuple of str
        Distribution of the table and μ.
    average : mapping of mechanism to ndarray of shape (m,)
        Costs of the mechanisms; M_rJS in the Helmert basis.
    at_expected : ndarray of shape (m,)
        Cost of M_rJS0 given the expected table, which is not its cost on average.
    """

    name: tuple[str, ...] = field(metadata=heading("table; μ"))
    average: ByMechanism = field(metadata=heading("{}"))
    at_expected: Array = field(metadata=heading("M_rJS0, expected table"))


def average_costs() -> AverageCosts:
    """Compute the average cost of all mechanisms for several distributions and μ."""
    names, averages, at_expected = [], [], []
    for mu in MUS:
        for name, (n, pi) in POPULATIONS.items():
            table = Table((len(pi),))
            names.append(f"{name}; {mu:g}")
            averages.append({one: float(one(table, mu).expected_l2_cost(n, pi)) for one in NORMAL})
            at_expected.append(RankDeficientJamesSteinZero(table, mu).l2_cost(n * pi))
    return AverageCosts(tuple(names), collect(averages), np.array(at_expected))


def simulated_averages(mu: float = 0.5, samples: int = 20_000) -> Simulated:
    """Sample tables, evaluate the cost given each, and compare the means with the averages.

    Parameters
    ----------
    mu : float
        GDP parameter.
    samples : int
        Tables from each distribution.
    """
    rng = np.random.default_rng(15)
    losses = {}
    for name, (n, pi) in POPULATIONS.items():
        tables = rng.multinomial(n, pi, size=samples).astype(float)
        for mechanism_class in (JamesSteinZero, JamesSteinMean, RankDeficientJamesStein):
            mechanism = mechanism_class(Table((len(pi),)), mu)
            average = float(mechanism.expected_l2_cost(n, pi))
            losses[f"{symbol(mechanism_class)}, {name}"] = average, mechanism.l2_cost(tables)
    return compare(losses)
