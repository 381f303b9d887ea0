"""Costs along an axis: every mechanism's, against one parameter of the scenario."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from explorer.core import mechanisms, population
from explorer.core.mechanisms import Mechanism
from explorer.core.sensitivity import Table
from explorer.panels._average_costs import Average, averages
from explorer.scenario import Hypothesis, Scenario, View, derive, fields
from explorer.scenario.derived import make

Curves = tuple[NDArray[np.float64], NDArray[np.float64]]
COUNT = 33
AVERAGE_COUNT = 17
WEAKEST = 0.01
MOST_CELLS = 400
SIZES = 12
assert fields.MU.slider is not None  # noqa: S101 - μ has a slider
MU_RANGE = fields.MU.slider
MUS = tuple(float(mu) for mu in np.geomspace(MU_RANGE.low, MU_RANGE.high, COUNT))


def along(scenario: Scenario) -> Curves:
    """Return the axis and every mechanism's cost along it.

    Parameters
    ----------
    scenario : Scenario
        Names the axis and what stays fixed along it.

    Returns
    -------
    x : ndarray of shape (m,)
        Values of the parameter on the axis.
    costs : ndarray of shape (k, m)
        Squared error in records squared, NaN for averages that have not been found yet.
    """
    x, costs = _AXES[scenario.cost_axis](scenario)
    if scenario.cost_average:
        for j, point in enumerate(points_along(scenario, x)):
            for i, average in averages(point, derive(scenario).shown).items():
                costs[i, j] = average.known
    return x, costs


def here(scenario: Scenario) -> float:
    """Return where the scenario stands on its axis."""
    at = {"strength": scenario.strength, "mu": scenario.mu, "cells": scenario.p, "n": scenario.n}
    return float(at[scenario.cost_axis])


def points_along(scenario: Scenario, x: NDArray[np.float64]) -> list[Scenario]:
    """Return the scenarios at the values `x` of the axis."""
    axis = scenario.cost_axis
    if axis == "strength":
        most = derive(scenario).max_strength
        return [replace(scenario, strength=min(w, most)) for w in x.tolist()]
    if axis == "mu":
        return [replace(scenario, mu=mu) for mu in x.tolist()]
    if axis == "n":
        return [replace(scenario, n=round(n)) for n in x.tolist()]
    pattern = _pattern(scenario)
    sizes = [(round(p) // scenario.columns, scenario.columns) for p in x.tolist()]
    any_shape = replace(
        scenario, test=Hypothesis.GOODNESS_OF_FIT, view=View.COSTS
    )  # tests want certain tables
    return [replace(any_shape, rows=r, columns=c, pattern=pattern) for r, c in sizes]


def missing(scenario: Scenario) -> list[Average]:
    """Return the averages that the plot still lacks: the scenario's own first, then outwards."""
    if not scenario.cost_average:
        return []
    x, _ = _AXES[scenario.cost_axis](scenario)
    order = np.argsort(np.abs(np.log(x / max(here(scenario), x[0]))), kind="stable")
    points = points_along(scenario, x)
    asked = [averages(scenario), *(averages(points[i], derive(scenario).shown) for i in order)]
    return [one for point in asked for one in point.values() if np.isnan(one.known)]


def _count(scenario: Scenario) -> int:
    """Return how many points a curve has: large tables and averages take longer a point."""
    if scenario.cost_average:
        return AVERAGE_COUNT
    return COUNT if scenario.p <= 500 else COUNT // 2


def _over_strength(scenario: Scenario) -> Curves:
    most = derive(scenario).max_strength
    x = np.geomspace(WEAKEST, max(most, 2 * WEAKEST), _count(scenario))
    uniform = np.full(scenario.p, 1 / scenario.p)
    full = population.probabilities(scenario.shape, derive(scenario).direction, most)
    share = (np.minimum(x, most) / most if most > 0 else 0 * x)[:, np.newaxis]
    return x, derive(scenario).costs_of(scenario.n * (uniform + share * (full - uniform)))


def _over_n(scenario: Scenario) -> Curves:
    assert fields.RECORDS.slider is not None  # noqa: S101 - n has a slider
    low, high = fields.RECORDS.slider.low, fields.RECORDS.slider.high
    x = np.geomspace(min(low, scenario.n), max(high, scenario.n), _count(scenario))
    if scenario.cost_average:
        x = np.unique(x.round())
    return x, derive(scenario).costs_of(np.multiply.outer(x, derive(scenario).probabilities))


# On the other two axes the mechanisms differ from point to point. Each is the same mechanism
# on another scale: with noise s times as large, its cost at θ is s² times the cost at θ/s.
# So one calibration, at μ = 1, serves every μ, and for tables no scale depends on the size.


def _over_mu(scenario: Scenario) -> Curves:
    beyond = [] if MUS[0] <= scenario.mu <= MUS[-1] else [scenario.mu]  # typed, not dragged
    every = 2 if scenario.cost_average else 1
    x = np.array([*MUS[::every], *beyond])
    order, costs = np.argsort(x), []
    for kind in mechanisms.MECHANISMS:
        unit = _unit(kind, derive(scenario).statistic, scenario.positive_part)
        scales = _scales(kind, scenario.neighbours, scenario.records_per_person)[::every]
        s = np.array([*scales, *(derive(scenario).mechanism(kind).scale for _ in beyond)])[order]
        s /= unit.scale
        theta = np.multiply.outer(1 / s, derive(scenario).expected)
        costs.append(s**2 * unit.l2_cost(theta))
    return x[order], np.array(costs)


def _over_cells(scenario: Scenario) -> Curves:
    pattern = _pattern(scenario)
    shapes = _shapes(scenario.rows, scenario.columns, pattern, scenario.strength)
    shapes = shapes or (scenario.shape,)
    thetas = [
        scenario.n * population.probabilities(shape, pattern, scenario.strength) for shape in shapes
    ]
    tables = [Table(s, scenario.neighbours, scenario.records_per_person) for s in shapes]
    costs = []
    for kind in mechanisms.MECHANISMS:
        units = [_unit(kind, table, scenario.positive_part) for table in tables]
        s = derive(scenario).mechanism(kind).scale / units[0].scale
        pairs = zip(units, thetas, strict=True)
        costs.append([float(s**2 * unit.l2_cost(theta / s)) for unit, theta in pairs])
    return np.array([float(r * c) for r, c in shapes]), np.array(costs)


_AXES = {"strength": _over_strength, "mu": _over_mu, "cells": _over_cells, "n": _over_n}


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
def _unit(kind: type[Mechanism], statistic: Table, positive_part: bool) -> Mechanism:
    """Return the mechanism at μ = 1."""
    return make(kind, statistic, 1.0, positive_part=positive_part)


@lru_cache(maxsize=64)
def _scales(kind: type[Mechanism], neighbours: str, records: int) -> tuple[float, ...]:
    """Return the noise scale at every μ of the axis, the same for tables of any size."""
    statistic = Table((2, 2), neighbours, records)
    return tuple(float(make(kind, statistic, mu, positive_part=True).scale) for mu in MUS)


@lru_cache(maxsize=64)
def crossing(statistic: Table) -> float:
    """Return the μ from which Laplace noise costs less than Gaussian noise.

    Parameters
    ----------
    statistic : Table
        A table with its neighbour relation.

    Returns
    -------
    float
        About 3.687 for a replace-one table and 3.361 for add-remove, whatever its size.

    Notes
    -----
    Both costs are free of the table, and their ratio falls with μ; bisection on log μ to the
    last bit, once for each kind of table.
    """
    theta = np.zeros(statistic.p)
    low, high = 0.0, np.log(50.0)
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return float(np.exp(middle))
        mu = float(np.exp(middle))
        laplace = mechanisms.Laplace(statistic, mu).l2_cost(theta)
        if laplace > mechanisms.Gaussian(statistic, mu).l2_cost(theta):
            low = middle
        else:
            high = middle
