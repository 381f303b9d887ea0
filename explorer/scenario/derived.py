"""What follows from a scenario: its table, its mechanisms, their costs.

A scenario is a value of fields; `derive` returns the numbers behind it and memoises the last ones,
since every panel of one step reads the same.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from explorer.core import gdp, mechanisms, population
from explorer.core.mechanisms import Mechanism
from explorer.core.sensitivity import Table
from explorer.scenario.pattern import counts_of, direction_of, max_strength
from explorer.scenario.scenario import Scenario
from explorer.tables import Counts

make = lru_cache(maxsize=64)(mechanisms.make)
"""`mechanisms.make`, memoised: some mechanisms take a search to calibrate."""


@dataclass(frozen=True)
class Derived:
    """The numbers behind a scenario, each computed when it is first read.

    Attributes
    ----------
    scenario : Scenario
        The fields from which they follow.
    """

    scenario: Scenario

    @cached_property
    def counts(self) -> Counts | None:
        """The example or typed table behind the pattern, if there is one."""
        return counts_of(self.scenario.pattern, self.scenario.typed)

    @cached_property
    def direction(self) -> str | NDArray[np.float64]:
        """The pattern as `explorer.core.population` takes it."""
        return direction_of(self.scenario.pattern, self.scenario.typed)

    @cached_property
    def max_strength(self) -> float:
        """Largest signal strength that keeps every cell probability at or above zero."""
        scenario = self.scenario
        return max_strength(scenario.shape, scenario.pattern, scenario.typed)

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """Cell probabilities π of shape (p,)."""
        strength = min(self.scenario.strength, self.max_strength)
        return population.probabilities(self.scenario.shape, self.direction, strength)

    @cached_property
    def expected(self) -> NDArray[np.float64]:
        """Expected table θ = nπ of shape (p,), in records."""
        return self.scenario.n * self.probabilities

    @cached_property
    def statistic(self) -> Table:
        """The table as a statistic with its sensitivity space."""
        scenario = self.scenario
        return Table(scenario.shape, scenario.neighbours, scenario.records_per_person)

    def mechanism(self, mechanism_class: type[Mechanism]) -> Mechanism:
        """Return the mechanism of a class at this μ."""
        scenario = self.scenario
        return make(
            mechanism_class, self.statistic, scenario.mu, positive_part=scenario.positive_part
        )

    def costs_of(self, tables: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return E‖M − θ‖² of every mechanism for tables of shape (m, p), shape (k, m)."""
        return np.array([self.mechanism(one).l2_cost(tables) for one in mechanisms.MECHANISMS])

    @cached_property
    def costs(self) -> tuple[float, ...]:
        """E‖M − θ‖² of every mechanism at the expected table, in the menu's order."""
        return tuple(self.costs_of(self.expected[np.newaxis])[:, 0].tolist())

    @cached_property
    def epsilon(self) -> float:
        """Least ε at the δ of the scenario."""
        return float(gdp.epsilon(self.scenario.delta, self.scenario.mu))

    @cached_property
    def sampled_class(self) -> type[Mechanism]:
        """Class of the mechanism of the simulated table."""
        return mechanisms.by_key(self.scenario.sampled)

    @cached_property
    def shown(self) -> tuple[type[Mechanism], ...]:
        """Classes of the mechanisms that are plotted, in the menu's order."""
        return tuple(one for one in mechanisms.MECHANISMS if one.key not in self.scenario.hidden)


@lru_cache(maxsize=64)
def derive(scenario: Scenario) -> Derived:
    """Return the numbers behind a scenario."""
    return Derived(scenario)
