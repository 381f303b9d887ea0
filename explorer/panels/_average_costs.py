"""Average costs over the tables that a scenario may give, memoised.

An average takes from 5 ms to a second, too long for a drag. So a plot shows what is `known`, and
the app computes the rest when no handle is held.
"""

from dataclasses import dataclass

import numpy as np

from explorer.core.mechanisms import MECHANISMS, JamesStein, Mechanism
from explorer.panels._bounded_cache import BoundedCache
from explorer.panels.panel import Piece
from explorer.scenario import Scenario, derive

_KNOWN: BoundedCache["Average", float] = BoundedCache(2_000)


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
        The p cell probabilities of the multinomial distribution of X.
    """

    mechanism: Mechanism
    n: int
    probabilities: tuple[float, ...]

    @property
    def known(self) -> float:
        """The average in records squared, or NaN where it has not been computed yet."""
        value = _KNOWN.get(self)
        return np.nan if value is None else value

    def compute(self) -> float:
        """Return the average and memoise it."""
        value = _KNOWN.get(self)
        if value is None:
            value = float(self.mechanism.expected_l2_cost(self.n, self.probabilities))
            _KNOWN.put(self, value)
        return value


def averages(
    scenario: Scenario, mechanism_classes: tuple[type[Mechanism], ...] = MECHANISMS
) -> dict[int, Average]:
    """Return the averages of a scenario, by the number of the mechanism in the menu.

    Parameters
    ----------
    scenario : Scenario
        Gives n, the cell probabilities, and each mechanism its μ.
    mechanism_classes : tuple of Mechanism subclasses
        Others are left out.

    Returns
    -------
    dict of int to Average
        Those of the mechanisms that shrink; the cost of the others is the same for every table.
    """
    derived = derive(scenario)
    probabilities = tuple(derived.probabilities.tolist())
    result = {}
    for i, mechanism_class in enumerate(MECHANISMS):
        if mechanism_class in mechanism_classes:
            mechanism = derived.mechanism(mechanism_class)
            if isinstance(mechanism, JamesStein) and mechanism.shrunk_dimension > 2:
                result[i] = Average(mechanism, scenario.n, probabilities)
    return result


def known_costs(scenario: Scenario) -> tuple[float, ...]:
    """Return the costs that a scenario shows, in the menu's order, NaN where not known yet."""
    costs = list(derive(scenario).costs)
    if scenario.cost_average:
        for i, average in averages(scenario).items():
            costs[i] = average.known
    return tuple(costs)


class AverageWork:
    """The averages of the scenario itself."""

    def pieces(self, scenario: Scenario) -> list[Piece]:
        """Return the averages that are not known yet."""
        shown = averages(scenario).values() if scenario.cost_average else ()
        return [average.compute for average in shown if np.isnan(average.known)]

    def same(self, one: Scenario, other: Scenario) -> bool:
        """Whether two scenarios are the same."""
        return one == other
