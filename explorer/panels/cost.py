"""What the noise costs: L2 cost of every mechanism at equal μ."""

from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core import mechanisms, population
from explorer.core.mechanisms import Mechanism
from explorer.core.sensitivity import Table
from explorer.panels import figure
from explorer.parameters import PARAMETERS
from explorer.scenario import Scenario, build

NAME = "cost"
SWITCHES: tuple[str, ...] = ("cost_axis", "cost_ratio", "cost_log")
COUNT = 33
WEAKEST = 0.01
MOST_CELLS = 400
SIZES = 12
MUS = tuple(float(mu) for mu in np.geomspace(*PARAMETERS["mu"].typical, COUNT))
LABELS = 0.92  # room for the lines' names, as a share of the axis


@dataclass(frozen=True, slots=True, eq=False)
class Cost:
    """What the panel shows.

    Attributes
    ----------
    kinds : tuple of Mechanism subclasses
        All mechanisms, in the menu's order.
    visible : tuple of bool
        Which of them are drawn.
    axis : str
        What the cost is drawn against: a name of `explorer.scenario.COST_AXES`.
    x : ndarray of shape (m,)
        Values of that parameter.
    costs : ndarray of shape (k, m)
        Expected squared L2 error given the expected table, in records squared, or over that
        of the Gaussian mechanism.
    here : float
        Where the scenario stands on the axis.
    now : ndarray of shape (k,)
        Costs there.
    gaussian_now : float
        Cost of the Gaussian mechanism there, in records squared.
    crossing : float or None
        μ from which Laplace noise costs less than Gaussian noise.
    ratio, logarithmic : bool
        The switches.
    stand_in : bool
        Whether the pattern "spike" stands in for a table that has only one size.
    """

    kinds: tuple[type[Mechanism], ...]
    visible: tuple[bool, ...]
    axis: str
    x: NDArray[np.float64]
    costs: NDArray[np.float64]
    here: float
    now: NDArray[np.float64]
    gaussian_now: float
    crossing: float | None
    ratio: bool
    logarithmic: bool
    stand_in: bool


def compute(scenario: Scenario) -> Cost:
    """Return every mechanism's cost along the axis and at the scenario."""
    kinds = mechanisms.MECHANISMS
    x, costs = _AXES[scenario.cost_axis](scenario)
    now = np.array(scenario.costs)
    gaussian = kinds.index(mechanisms.Gaussian)
    gaussian_now = float(now[gaussian])
    if scenario.cost_ratio:
        costs = costs / costs[gaussian]
        now = now / gaussian_now
    here = {"strength": scenario.strength, "mu": scenario.mu, "cells": scenario.p, "n": scenario.n}
    on_mu = scenario.cost_axis == "mu"
    return Cost(
        kinds=kinds,
        visible=tuple(kind in scenario.shown for kind in kinds),
        axis=scenario.cost_axis,
        x=x,
        costs=costs,
        here=float(here[scenario.cost_axis]),
        now=now,
        gaussian_now=gaussian_now,
        crossing=crossing(scenario.statistic) if on_mu else None,
        ratio=scenario.cost_ratio,
        logarithmic=scenario.cost_log,
        stand_in=scenario.cost_axis == "cells" and scenario.counts is not None,
    )


def _count(scenario: Scenario) -> int:
    """Return how many points a curve has: large tables take longer a point."""
    return COUNT if scenario.p <= 500 else COUNT // 2


def _over_strength(scenario: Scenario) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    most = scenario.max_strength
    x = np.geomspace(WEAKEST, max(most, 2 * WEAKEST), _count(scenario))
    uniform = np.full(scenario.p, 1 / scenario.p)
    full = population.probabilities(scenario.shape, scenario.direction, most)
    share = (np.minimum(x, most) / most if most > 0 else 0 * x)[:, np.newaxis]
    return x, scenario.costs_of(scenario.n * (uniform + share * (full - uniform)))


def _over_n(scenario: Scenario) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    low, high = PARAMETERS["n"].typical
    x = np.geomspace(min(low, scenario.n), max(high, scenario.n), _count(scenario))
    return x, scenario.costs_of(np.multiply.outer(x, scenario.probabilities))


# On the other two axes the mechanisms differ from point to point. Each is the same mechanism
# on another scale: with noise s times as large, its cost at θ is s² times the cost at θ/s.
# So one calibration, at μ = 1, serves every μ, and for tables no scale depends on the size.


def _over_mu(scenario: Scenario) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    beyond = [] if MUS[0] <= scenario.mu <= MUS[-1] else [scenario.mu]  # typed, not dragged
    x = np.array([*MUS, *beyond])
    order, costs = np.argsort(x), []
    for kind in mechanisms.MECHANISMS:
        unit = _unit(kind, scenario.statistic, scenario.positive_part)
        scales = _scales(kind, scenario.neighbours, scenario.records_per_person)
        s = np.array([*scales, *(scenario.mechanism(kind).scale for _ in beyond)])[order]
        s /= unit.scale
        theta = np.multiply.outer(1 / s, scenario.expected)
        costs.append(s**2 * unit.l2_cost(theta))
    return x[order], np.array(costs)


def _over_cells(scenario: Scenario) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    pattern = "spike" if scenario.counts is not None else scenario.pattern
    shapes = _shapes(scenario.rows, scenario.columns, pattern, scenario.strength)
    shapes = shapes or (scenario.shape,)
    thetas = [
        scenario.n * population.probabilities(shape, pattern, scenario.strength) for shape in shapes
    ]
    tables = [Table(s, scenario.neighbours, scenario.records_per_person) for s in shapes]
    costs = []
    for kind in mechanisms.MECHANISMS:
        units = [_unit(kind, table, scenario.positive_part) for table in tables]
        s = scenario.mechanism(kind).scale / units[0].scale
        pairs = zip(units, thetas, strict=True)
        costs.append([float(s**2 * unit.l2_cost(theta / s)) for unit, theta in pairs])
    return np.array([float(r * c) for r, c in shapes]), np.array(costs)


_AXES = {"strength": _over_strength, "mu": _over_mu, "cells": _over_cells, "n": _over_n}


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
    return build(kind, statistic, 1.0, positive_part=positive_part)


@lru_cache(maxsize=64)
def _scales(kind: type[Mechanism], neighbours: str, records: int) -> tuple[float, ...]:
    """Return the noise scale at every μ of the axis, the same for tables of any size."""
    statistic = Table((2, 2), neighbours, records)
    return tuple(float(build(kind, statistic, mu, positive_part=True).scale) for mu in MUS)


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


def draw(result: Cost, words: ModuleType, kept: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the plot and its sentence as plain data; `kept` is the layout to keep."""
    place = np.log10
    here = float(place(max(result.here, result.x[0])))
    left, right = float(place(result.x[0])), float(place(result.x[-1]))
    right = max(right, left + 0.1)
    vertical = np.log10 if result.logarithmic else np.asarray
    span = figure.keep(_span(result), "yaxis", kept)
    heights = vertical(result.now)
    shown = [i for i, visible in enumerate(result.visible) if visible]
    wanted = vertical(result.costs[shown, -1]) if shown else np.zeros(0)
    gap = 0.095 * (span[1] - span[0])
    places = figure.spread(np.clip(wanted, *span), gap, span[0] + gap / 3, span[1] - gap / 3)
    names = [words.line_end(result.kinds[i].short, result.now[i], result.ratio) for i in shown]
    lines = [
        figure.curve(
            place(result.x),
            vertical(result.costs[i]),
            f"@{kind.__name__}",
            dash=kind.dash,
            width=kind.width,
            visible=result.visible[i],
        )
        for i, kind in enumerate(result.kinds)
    ]
    crossed = result.crossing is not None
    crossing_at = float(place(result.crossing)) if result.crossing is not None else left
    data = [
        *lines,
        figure.rule([here, here], list(span)),
        figure.rule([crossing_at, crossing_at], list(span), visible=crossed),
        figure.points(
            np.full(len(shown), here),
            heights[shown],
            [f"@{result.kinds[i].__name__}" for i in shown],
            hovertext=[
                words.cost_hover(result.kinds[i].label, result.now[i], result.ratio) for i in shown
            ],
        ),
        figure.labels(
            np.full(len(shown), right),
            places,
            names,
            [f"@{result.kinds[i].__name__}-text" for i in shown],
            "middle right",
            meta={"narrow": [result.kinds[i].short for i in shown]},
        ),
        figure.labels(
            [crossing_at],
            [span[0] + 0.02 * (span[1] - span[0])],
            [words.crossing(result.crossing if result.crossing is not None else 0.0)],
            ["@mute"],
            "top left",
            visible=crossed,
        ),
    ]
    edge = right + LABELS * (right - left)
    layout = figure.layout(
        figure.axis(
            words.cost_axis(result.axis, result.stand_in), (left, edge), _decades(left, right)
        ),
        figure.axis(
            words.cost_title(result.ratio), span, _cost_ticks(span, result.logarithmic, words)
        ),
    )
    return {
        "figure": {"data": data, "layout": layout},
        "sentence": words.noise_costs(_summary(result)),
    }


def _summary(result: Cost) -> dict[str, Any]:
    """Return what the sentence needs: costs in records squared, by class name."""
    scale = result.gaussian_now if result.ratio else 1.0
    costs = {
        kind.__name__: (kind.short, float(cost) * scale)
        for kind, cost, visible in zip(result.kinds, result.now, result.visible, strict=True)
        if visible
    }
    return {"gaussian": result.gaussian_now, "costs": costs}


def _span(result: Cost) -> tuple[float, float]:
    shown = [i for i, visible in enumerate(result.visible) if visible]
    costs = result.costs[shown] if shown else result.costs
    if result.logarithmic:
        low, high = np.log10(costs.min()), np.log10(costs.max())
        return float(np.floor(low * 4) / 4), float(max(np.ceil(high * 4) / 4, low + 0.25))
    # The largest cost of a wide μ axis would flatten the rest: show ten times what is here.
    most = min(float(costs.max()), 10 * float(result.now[shown].max() if shown else 1))
    return 0.0, _round_up(most * 1.06)


def _round_up(value: float) -> float:
    unit = 10.0 ** np.floor(np.log10(value))
    return float(
        unit * next(m for m in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if m * unit >= value)
    )


def _decades(left: float, right: float) -> figure.Ticks:
    at, text = [], []
    marks = (1, 2, 5) if right - left < 1.5 else (1,)
    for exponent in range(int(np.floor(left)), int(np.ceil(right)) + 1):
        for mark in marks:
            value = np.log10(mark) + exponent
            if left - 1e-9 <= value <= right + 1e-9:
                at.append(float(value))
                text.append(_plain(mark * 10.0**exponent))
    return figure.Ticks(at, text)


def _plain(value: float) -> str:
    return f"{value:,.0f}".replace(",", "\u202f") if value >= 1 else f"{value:g}"


def _cost_ticks(span: tuple[float, float], logarithmic: bool, words: ModuleType) -> figure.Ticks:
    low, high = span
    if logarithmic:
        return _decades_of_cost(low, high, words)
    unit = 10.0 ** np.floor(np.log10(high / 3))
    step = unit * next(m for m in (1, 2, 2.5, 5, 10) if high / (m * unit) <= 4.5)
    at = [float(v) for v in np.arange(0, high * (1 + 1e-9), step)]
    return figure.Ticks(at, [words.number(v) for v in at])


def _decades_of_cost(low: float, high: float, words: ModuleType) -> figure.Ticks:
    every = max(1, int(np.ceil((high - low) / 5)))
    marks = (1.0,) if high - low > 2 else (1.0, 2.0, 5.0)
    at = [
        float(np.log10(mark) + exponent)
        for exponent in range(int(np.floor(low)), int(np.ceil(high)) + 1, every)
        for mark in marks
    ]
    at = [v for v in at if low - 1e-9 <= v <= high + 1e-9]
    return figure.Ticks(at, [words.number(10**v) for v in at])


def drag(scenario: Scenario, x: float, y: float) -> dict[str, Any] | None:
    """Return the field that a pull of the marked point to `x` sets, if it can be pulled."""
    del y
    value = 10.0 ** min(x, 300.0)
    if scenario.cost_axis == "strength":
        return {"strength": min(float(f"{value:.3g}"), scenario.max_strength)}
    if scenario.cost_axis == "mu":
        return {"mu": float(f"{value:.3g}")}
    if scenario.cost_axis == "n":
        return {"n": max(1, round(value))}
    return None
