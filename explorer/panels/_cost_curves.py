"""Costs along an axis: every mechanism's, against one parameter of the scenario."""

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.core import mechanisms, population
from explorer.core.mechanisms import Mechanism
from explorer.core.mechanisms.comparison import scaled_cost
from explorer.core.sensitivity import Neighbours, Table
from explorer.panels._average_costs import averages
from explorer.panels.panel import Piece
from explorer.scenario import MOST_AVERAGED, CostAxis, Hypothesis, Scenario, View, derive, fields
from explorer.scenario.derived import make
from explorer.scenario.edits import Edit

COUNT, COUNT_OF_AVERAGES = 33, 17
LARGE_CELLS = 500  # from which a curve has half as many points
WEAKEST = 0.01
MOST_CELLS = 400
SIZES = 12
LARGEST_EXPONENT = 300.0


class Curves(NamedTuple):
    """An axis and every mechanism's cost along it.

    Attributes
    ----------
    x : ndarray of shape (m,)
        Values of the parameter on the axis.
    costs : ndarray of shape (k, m)
        Squared error in records squared, NaN for averages that are not known yet.
    """

    x: NDArray[np.float64]
    costs: NDArray[np.float64]


class Axis(ABC):
    """What the cost is plotted against."""

    key: CostAxis

    @abstractmethod
    def value(self, scenario: Scenario) -> float:
        """Return where the scenario stands on the axis."""

    @abstractmethod
    def at(self, scenario: Scenario, value: float) -> Scenario:
        """Return the scenario at a place of the axis."""

    @abstractmethod
    def curves(self, scenario: Scenario) -> Curves:
        """Return the costs given the expected table."""

    @abstractmethod
    def drag(self, scenario: Scenario, value: float) -> Edit | None:
        """Return what a pull of the marks to a place of the axis sets."""


def _count(scenario: Scenario) -> int:
    """Return how many points a curve has: large tables and averages take longer a point."""
    if scenario.cost_average:
        return COUNT_OF_AVERAGES
    return COUNT if scenario.p <= LARGE_CELLS else COUNT // 2


def three_digits(value: float) -> float:
    """Return a dragged value, rounded as a person would type it."""
    return float(f"{value:.3g}")


class StrengthAxis(Axis):
    """Signal strength."""

    key = CostAxis.STRENGTH

    def value(self, scenario: Scenario) -> float:
        """Return the strength."""
        return scenario.strength

    def at(self, scenario: Scenario, value: float) -> Scenario:
        """Return the scenario with another strength, at most the largest."""
        return replace(scenario, strength=min(value, derive(scenario).max_strength))

    def curves(self, scenario: Scenario) -> Curves:
        """Return the costs at tables between the uniform and the most extreme one."""
        derived = derive(scenario)
        most = derived.max_strength
        x = np.geomspace(WEAKEST, max(most, 2 * WEAKEST), _count(scenario))
        uniform = np.full(scenario.p, 1 / scenario.p)
        full = population.probabilities(scenario.shape, derived.direction, most)
        share = (np.minimum(x, most) / most if most > 0 else 0 * x)[:, np.newaxis]
        return Curves(x, derived.costs_of(scenario.n * (uniform + share * (full - uniform))))

    def drag(self, scenario: Scenario, value: float) -> Edit | None:
        """Return the strength, at most the largest."""
        return {"strength": min(three_digits(value), derive(scenario).max_strength)}


class RecordsAxis(Axis):
    """Number of records."""

    key = CostAxis.RECORDS

    def value(self, scenario: Scenario) -> float:
        """Return n."""
        return float(scenario.n)

    def at(self, scenario: Scenario, value: float) -> Scenario:
        """Return the scenario with another n."""
        return replace(scenario, n=round(value))

    def curves(self, scenario: Scenario) -> Curves:
        """Return the costs at tables of the same probabilities."""
        low, high = fields.RECORDS_SLIDER.low, fields.RECORDS_SLIDER.high
        x = np.geomspace(min(low, scenario.n), max(high, scenario.n), _count(scenario))
        if scenario.cost_average:
            x = np.unique(x.round())
        derived = derive(scenario)
        return Curves(x, derived.costs_of(np.multiply.outer(x, derived.probabilities)))

    def drag(self, scenario: Scenario, value: float) -> Edit | None:
        """Return n, a whole number."""
        most = MOST_AVERAGED if scenario.cost_average else value
        return {"n": max(1, round(min(value, most)))}


# On the other two axes the mechanisms differ from point to point. Each is the same mechanism on
# another scale, so one calibration, at μ = 1, serves every μ, and no scale depends on a table's size.


class MuAxis(Axis):
    """Privacy parameter."""

    key = CostAxis.MU

    def value(self, scenario: Scenario) -> float:
        """Return μ."""
        return scenario.mu

    def at(self, scenario: Scenario, value: float) -> Scenario:
        """Return the scenario with another μ."""
        return replace(scenario, mu=value)

    def curves(self, scenario: Scenario) -> Curves:
        """Return the costs at the expected table under other noise."""
        derived = derive(scenario)
        inside = MUS[0] <= scenario.mu <= MUS[-1]
        beyond = [] if inside else [scenario.mu]  # typed, not dragged
        every = 2 if scenario.cost_average else 1
        x = np.array([*MUS[::every], *beyond])
        order, costs = np.argsort(x), []
        for mechanism_class in mechanisms.MECHANISMS:
            unit = _unit(mechanism_class, derived.statistic, scenario.positive_part)
            scales = _scales(mechanism_class, scenario.neighbours, scenario.records_per_person)
            more = [derived.mechanism(mechanism_class).scale for _ in beyond]
            scale = np.array([*scales[::every], *more])[order]
            costs.append(scaled_cost(unit, scale, derived.expected))
        return Curves(x[order], np.array(costs))

    def drag(self, scenario: Scenario, value: float) -> Edit | None:
        """Return μ."""
        del scenario
        return {"mu": three_digits(value)}


class CellsAxis(Axis):
    """Number of cells, at the same number of columns."""

    key = CostAxis.CELLS

    def value(self, scenario: Scenario) -> float:
        """Return p."""
        return float(scenario.p)

    def at(self, scenario: Scenario, value: float) -> Scenario:
        """Return the scenario with another number of rows, in the view that takes any table."""
        columns = scenario.columns
        return replace(
            scenario,
            test=Hypothesis.GOODNESS_OF_FIT,
            view=View.COSTS,
            rows=round(value) // columns,
            columns=columns,
            pattern=_pattern(scenario),
        )

    def curves(self, scenario: Scenario) -> Curves:
        """Return the costs of smaller and larger tables."""
        derived, pattern = derive(scenario), _pattern(scenario)
        shapes = _shapes(scenario.rows, scenario.columns, pattern, scenario.strength)
        shapes = shapes or (scenario.shape,)
        thetas = [
            scenario.n * population.probabilities(shape, pattern, scenario.strength)
            for shape in shapes
        ]
        tables = [Table(s, scenario.neighbours, scenario.records_per_person) for s in shapes]
        costs = []
        for mechanism_class in mechanisms.MECHANISMS:
            scale = derived.mechanism(mechanism_class).scale
            units = [_unit(mechanism_class, table, scenario.positive_part) for table in tables]
            pairs = zip(units, thetas, strict=True)
            costs.append([float(scaled_cost(unit, scale, theta)) for unit, theta in pairs])
        return Curves(np.array([float(r * c) for r, c in shapes]), np.array(costs))

    def drag(self, scenario: Scenario, value: float) -> Edit | None:
        """Return nothing: a table has whole rows."""
        del scenario, value
        return None


AXES: tuple[Axis, ...] = (StrengthAxis(), MuAxis(), CellsAxis(), RecordsAxis())
"""The axes in the order of their buttons. An axis is added here and in `CostAxis`."""

_BY_KEY = {axis.key: axis for axis in AXES}
MUS = tuple(float(mu) for mu in np.geomspace(fields.MU_SLIDER.low, fields.MU_SLIDER.high, COUNT))


def axis_of(scenario: Scenario) -> Axis:
    """Return the axis of a scenario."""
    return _BY_KEY[scenario.cost_axis]


def along(scenario: Scenario) -> Curves:
    """Return the axis of a scenario and the costs along it, averages where it asks for them."""
    axis = axis_of(scenario)
    curves = axis.curves(scenario)
    if scenario.cost_average:
        shown = derive(scenario).shown
        for j, place in enumerate(curves.x.tolist()):
            for i, average in averages(axis.at(scenario, place), shown).items():
                curves.costs[i, j] = average.known
    return curves


class CurveWork:
    """The averages along the axis of a scenario."""

    def pieces(self, scenario: Scenario) -> list[Piece]:
        """Return the averages not known yet: the scenario's own first, then outwards."""
        if not scenario.cost_average:
            return []
        axis, shown = axis_of(scenario), derive(scenario).shown
        x = axis.curves(scenario).x
        here = max(axis.value(scenario), x[0])
        order = np.argsort(np.abs(np.log(x / here)), kind="stable")
        points = (axis.at(scenario, place) for place in x[order].tolist())
        tables = [averages(scenario), *(averages(point, shown) for point in points)]
        return [one.compute for table in tables for one in table.values() if np.isnan(one.known)]

    def same(self, one: Scenario, other: Scenario) -> bool:
        """Whether two scenarios are the same."""
        return one == other


def _pattern(scenario: Scenario) -> str:
    """Return the pattern of tables of other sizes: a real table has only one."""
    return "spike" if derive(scenario).counts is not None else scenario.pattern


@lru_cache(maxsize=64)
def _shapes(rows: int, columns: int, pattern: str, strength: float) -> tuple[tuple[int, int], ...]:
    """Return tables with so many columns for which the pattern can be so strong."""
    most = max(MOST_CELLS // columns, rows)
    steps = np.append(np.geomspace(1, most, SIZES).round(), rows)
    shapes = ((int(r), columns) for r in np.unique(steps) if r * columns >= 2)
    return tuple(
        shape
        for shape in shapes
        if pattern in population.patterns_for(shape)
        and population.max_strength(shape, pattern) >= strength
    )


@lru_cache(maxsize=1024)
def _unit(mechanism_class: type[Mechanism], statistic: Table, positive_part: bool) -> Mechanism:
    """Return the mechanism at μ = 1."""
    return make(mechanism_class, statistic, 1.0, positive_part=positive_part)


@lru_cache(maxsize=64)
def _scales(
    mechanism_class: type[Mechanism], neighbours: Neighbours, records: int
) -> tuple[float, ...]:
    """Return the noise scale at every μ of the axis, the same for tables of any size."""
    statistic = Table((2, 2), neighbours, records)
    units = (make(mechanism_class, statistic, mu, positive_part=True) for mu in MUS)
    return tuple(float(unit.scale) for unit in units)
