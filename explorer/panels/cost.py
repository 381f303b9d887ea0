"""What the noise costs: L2 cost of every mechanism at equal μ."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core import mechanisms
from explorer.core.mechanisms import Mechanism
from explorer.panels import _cost_curves, figure
from explorer.panels._average_costs import known_costs
from explorer.panels._cost_curves import crossing
from explorer.scenario import MOST_AVERAGED, Scenario, derive

NAME = "cost"
VIEW = "costs"
SWITCHES: tuple[str, ...] = ("cost_axis", "cost_average", "cost_ratio", "cost_log")
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
        Expected squared L2 error given the expected table, or its average over tables, in
        records squared, or over that of the Gaussian mechanism. NaN where an average is
        not found yet.
    here : float
        Where the scenario stands on the axis.
    now : ndarray of shape (k,)
        Costs there, NaN where not found yet.
    marks : ndarray of shape (k,)
        Where the marks stand: at `now`, or on the line as far as that is known.
    gaussian_now : float
        Cost of the Gaussian mechanism there, in records squared.
    crossing : float or None
        μ from which Laplace noise costs less than Gaussian noise.
    average, ratio, logarithmic : bool
        The switches.
    unknown : bool
        Whether a line that is drawn still lacks averages.
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
    marks: NDArray[np.float64]
    gaussian_now: float
    crossing: float | None
    average: bool
    ratio: bool
    logarithmic: bool
    unknown: bool
    stand_in: bool


def compute(scenario: Scenario) -> Cost:
    """Return every mechanism's cost along the axis and at the scenario."""
    kinds = mechanisms.MECHANISMS
    x, costs = _cost_curves.along(scenario)
    now = np.array(known_costs(scenario))
    gaussian = kinds.index(mechanisms.Gaussian)
    gaussian_now = float(now[gaussian])
    if scenario.cost_ratio:
        costs = costs / costs[gaussian]
        now = now / gaussian_now
    visible = tuple(kind in derive(scenario).shown for kind in kinds)
    here = _cost_curves.here(scenario)
    return Cost(
        kinds=kinds,
        visible=visible,
        axis=scenario.cost_axis,
        x=x,
        costs=costs,
        here=here,
        now=now,
        marks=np.where(np.isnan(now), _on_line(x, costs, here), now),
        gaussian_now=gaussian_now,
        crossing=crossing(derive(scenario).statistic) if scenario.cost_axis == "mu" else None,
        average=scenario.cost_average,
        ratio=scenario.cost_ratio,
        logarithmic=scenario.cost_log,
        unknown=bool(np.isnan(costs[list(visible)]).any()),
        stand_in=scenario.cost_axis == "cells" and derive(scenario).counts is not None,
    )


def missing(scenario: Scenario) -> list[Callable[[], float]]:
    """Return the pieces of work that find what the plot still lacks, the scenario's own first."""
    return [average.find for average in _cost_curves.missing(scenario)]


def _on_line(
    x: NDArray[np.float64], costs: NDArray[np.float64], here: float
) -> NDArray[np.float64]:
    """Return the heights of the drawn lines, straight between points, NaN in a gap."""
    place, at = np.log(x), np.log(max(here, x[0]))
    return np.array([np.interp(at, place, line) for line in costs])


def draw(result: Cost, words: ModuleType, kept: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the plot and its sentence as plain data; `kept` is the layout to keep."""
    place = np.log10
    here = float(place(max(result.here, result.x[0])))
    left, right = float(place(result.x[0])), float(place(result.x[-1]))
    right = max(right, left + 0.1)
    vertical = np.log10 if result.logarithmic else np.asarray
    span = figure.keep(_span(result), "yaxis", kept)
    heights = vertical(result.marks)
    shown = [i for i, visible in enumerate(result.visible) if visible]
    wanted = vertical(_filled(result, result.costs)[shown, -1])
    gap = 0.095 * (span[1] - span[0])
    places = figure.spread(np.clip(wanted, *span), gap, span[0] + gap / 3, span[1] - gap / 3)
    names = [words.line_end(result.kinds[i].short, result.now[i], result.ratio) for i in shown]
    lines = [
        figure.curve(
            place(result.x),
            vertical(result.costs[i]),
            f"@{kind.key}",
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
            [f"@{result.kinds[i].key}" for i in shown],
            hovertext=[
                words.cost_hover(result.kinds[i].label, result.now[i], result.ratio) for i in shown
            ],
        ),
        figure.labels(
            np.full(len(shown), right),
            places,
            names,
            [f"@{result.kinds[i].key}-text" for i in shown],
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
            words.cost_axis(result.axis, result.stand_in), (left, edge), figure.decades(left, right)
        ),
        figure.axis(
            words.cost_title(result.ratio, result.average),
            span,
            _cost_ticks(span, result.logarithmic, words),
        ),
    )
    return {
        "figure": {"data": data, "layout": layout},
        "sentence": words.noise_costs(_summary(result)),
    }


def _filled(result: Cost, costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return costs with that of the Gaussian mechanism in place of one not known yet."""
    return np.where(np.isnan(costs), costs[result.kinds.index(mechanisms.Gaussian)], costs)


def _summary(result: Cost) -> dict[str, Any]:
    """Return what the sentence needs: known costs in records squared, by class name."""
    scale = result.gaussian_now if result.ratio else 1.0
    costs = {
        kind.key: (kind.short, float(cost) * scale)
        for kind, cost, visible in zip(result.kinds, result.now, result.visible, strict=True)
        if visible and not np.isnan(cost)
    }
    return {
        "gaussian": result.gaussian_now,
        "costs": costs,
        "average": result.average,
        "unknown": result.unknown,
    }


def _span(result: Cost) -> tuple[float, float]:
    shown = [i for i, visible in enumerate(result.visible) if visible]
    filled = _filled(result, result.costs)
    costs = filled[shown] if shown else filled
    if result.logarithmic:
        low, high = np.log10(costs.min()), np.log10(costs.max())
        return float(np.floor(low * 4) / 4), float(max(np.ceil(high * 4) / 4, low + 0.25))
    # The largest cost of a wide μ axis would flatten the rest: show ten times what is here.
    here = float(_filled(result, result.now)[shown].max()) if shown else 1.0
    most = min(float(costs.max()), 10 * here)
    return 0.0, _round_up(most * 1.06)


def _round_up(value: float) -> float:
    unit = 10.0 ** np.floor(np.log10(value))
    return float(
        unit * next(m for m in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if m * unit >= value)
    )


def _cost_ticks(span: tuple[float, float], logarithmic: bool, words: ModuleType) -> figure.Ticks:
    low, high = span
    return _decades_of_cost(low, high, words) if logarithmic else figure.linear(low, high, words)


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
        return {"strength": min(float(f"{value:.3g}"), derive(scenario).max_strength)}
    if scenario.cost_axis == "mu":
        return {"mu": float(f"{value:.3g}")}
    if scenario.cost_axis == "n":
        most = MOST_AVERAGED if scenario.cost_average else value
        return {"n": max(1, round(min(value, most)))}
    return None
