"""Average costs over the tables that a scenario may draw, kept once they are found.

An average takes from 5 ms to a second, too long for a drag. So a plot shows what is `known`, and
the app finds the rest when no handle is held.
"""

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from explorer.core.mechanisms import MECHANISMS, JamesStein, Mechanism
from explorer.scenario import Scenario, derive

KEPT = 2_000
_KNOWN: OrderedDict["Average", float] = OrderedDict()


@dataclass(frozen=True)
class Average:
    """E‖M - X‖² of a mechanism over tables X of n records.

    Attributes
    ----------
    mechanism : Mechanism
        What is released, a table of p cells.
    n : int
        Records in each table.
    probabilities : tuple of float
        The p cell probabilities of the multinomial law of X.
    """

    mechanism: Mechanism
    n: int
    probabilities: tuple[float, ...]

    @property
    def known(self) -> float:
        """The average in records squared, or NaN where it has not been found yet."""
        return _KNOWN.get(self, np.nan)

    def find(self) -> float:
        """Return the average and keep it, with `KEPT` others at most."""
        if np.isnan(found := self.known):
            found = float(self.mechanism.expected_l2_cost(self.n, self.probabilities))
            _KNOWN[self] = found
            while len(_KNOWN) > KEPT:
                _KNOWN.popitem(last=False)
        return found


def averages(
    scenario: Scenario, kinds: tuple[type[Mechanism], ...] = MECHANISMS
) -> dict[int, Average]:
    """Return the averages of a scenario, by the number of the mechanism in the menu.

    Parameters
    ----------
    scenario : Scenario
        Gives n, the cell probabilities, and each mechanism its μ.
    kinds : tuple of Mechanism subclasses, optional
        Those that are asked for.

    Returns
    -------
    dict of int to Average
        Those of the mechanisms that shrink; the cost of the others is the same for every table.
    """
    law = tuple(derive(scenario).probabilities.tolist())
    found = {}
    for i, kind in enumerate(MECHANISMS):
        if kind in kinds and issubclass(kind, JamesStein):
            mechanism = derive(scenario).mechanism(kind)
            assert isinstance(mechanism, JamesStein)  # noqa: S101 - as its class says
            if mechanism.shrunk_dimension > 2:
                found[i] = Average(mechanism, scenario.n, law)
    return found


def known_costs(scenario: Scenario) -> tuple[float, ...]:
    """Return the costs that a scenario shows, in the menu's order, NaN where not found yet."""
    costs = list(derive(scenario).costs)
    if scenario.cost_average:
        for i, average in averages(scenario).items():
            costs[i] = average.known
    return tuple(costs)
