"""What the noise costs: L2 cost of every mechanism at equal μ."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core import mechanisms
from explorer.core.mechanisms import MECHANISMS
from explorer.core.mechanisms.comparison import laplace_crossing
from explorer.core.sensitivity import Neighbours
from explorer.locale import Text
from explorer.locale.costs import CostFacts, CostStatus
from explorer.panels import _cost_curves, figure
from explorer.panels._average_costs import known_costs
from explorer.panels._cost_curves import CurveWork, axis_of
from explorer.panels.drawing import Drawing, Figure, Trace
from explorer.panels.look import look
from explorer.panels.panel import Panel
from explorer.scenario import CostAxis, Scenario, View, derive
from explorer.scenario.edits import Edit

LABELS = 0.92  # room for the lines' names, as a share of the axis
LARGEST_EXPONENT = 300.0


@dataclass(frozen=True, slots=True, eq=False)
class Cost:
    """What the panel shows; mechanisms are in the menu's order.

    Attributes
    ----------
    visible : tuple of bool
        Which mechanisms are plotted.
    neighbours : Neighbours
        On which their names depend.
    axis : CostAxis
        What the cost is plotted against.
    x : ndarray of shape (m,)
        Values of that parameter.
    costs : ndarray of shape (k, m)
        Expected squared L2 error given the expected table, or its average over tables, in
        records squared, or over that of the Gaussian mechanism. NaN where an average is
        not known yet.
    here : float
        Where the scenario stands on the axis.
    now : ndarray of shape (k,)
        Costs there, NaN where not known yet.
    marks : ndarray of shape (k,)
        Where the marks stand: at `now`, or on the line as far as that is known.
    crossing : float or None
        μ from which Laplace noise costs less than Gaussian noise.
    average, ratio, logarithmic : bool
        The switches.
    stand_in : bool
        Whether the pattern "spike" stands in for a table that has only one size.
    facts : CostFacts
        What the sentence says.
    """

    visible: tuple[bool, ...]
    neighbours: Neighbours
    axis: CostAxis
    x: NDArray[np.float64]
    costs: NDArray[np.float64]
    here: float
    now: NDArray[np.float64]
    marks: NDArray[np.float64]
    crossing: float | None
    average: bool
    ratio: bool
    logarithmic: bool
    stand_in: bool
    facts: CostFacts


class CostPanel(Panel[Cost]):
    """Costs along an axis, with the scenario's own place marked."""

    name = "cost"
    view = View.COSTS
    switches = ("cost_axis", "cost_average", "cost_ratio", "cost_log")
    background = CurveWork()

    def compute(self, scenario: Scenario) -> Cost:
        """Return every mechanism's cost along the axis and at the scenario."""
        derived = derive(scenario)
        x, costs = _cost_curves.along(scenario)
        now = np.array(known_costs(scenario))
        visible = tuple(one in derived.shown for one in MECHANISMS)
        facts = _facts(scenario, now, visible, complete=not np.isnan(costs[list(visible)]).any())
        if scenario.cost_ratio:
            costs, now = costs / costs[_GAUSSIAN], now / now[_GAUSSIAN]
        here = axis_of(scenario).value(scenario)
        on_mu = scenario.cost_axis is CostAxis.MU
        return Cost(
            visible=visible,
            neighbours=scenario.neighbours,
            axis=scenario.cost_axis,
            x=x,
            costs=costs,
            here=here,
            now=now,
            marks=np.where(np.isnan(now), _on_line(x, costs, here), now),
            crossing=laplace_crossing(derived.statistic) if on_mu else None,
            average=scenario.cost_average,
            ratio=scenario.cost_ratio,
            logarithmic=scenario.cost_log,
            stand_in=scenario.cost_axis is CostAxis.CELLS and derived.counts is not None,
            facts=facts,
        )

    def draw(self, result: Cost, text: Text, previous: Drawing | None = None) -> Drawing:
        """Return the plot and its sentence."""
        here = float(np.log10(max(result.here, result.x[0])))
        left, right = float(np.log10(result.x[0])), float(np.log10(result.x[-1]))
        right = max(right, left + 0.1)
        span = figure.keep_y(_span(result), previous)
        edge = right + LABELS * (right - left)
        logarithmic = result.logarithmic
        ticks = figure.cost_decades(*span, text) if logarithmic else figure.linear(*span, text)
        layout = figure.layout(
            figure.axis(
                text.cost_axis(result.axis, stand_in=result.stand_in),
                (left, edge),
                figure.decades(left, right, text),
            ),
            figure.axis(text.cost_title(ratio=result.ratio, average=result.average), span, ticks),
        )
        crossing_rule, crossing_label = _crossing(result, span, left, text)
        data = [
            *_lines(result),
            figure.rule([here, here], list(span)),
            crossing_rule,
            _points(result, here, text),
            _names(result, span, right, text),
            crossing_label,
        ]
        return Drawing(Figure(data, layout), text.noise_costs(result.facts))

    def drag(self, scenario: Scenario, x: float, y: float) -> Edit | None:
        """Return the field that a pull of the marks to `x` sets, if they can be pulled."""
        del y
        return axis_of(scenario).drag(scenario, 10.0 ** min(x, LARGEST_EXPONENT))


_GAUSSIAN = MECHANISMS.index(mechanisms.Gaussian)


def _facts(
    scenario: Scenario, now: NDArray[np.float64], visible: tuple[bool, ...], *, complete: bool
) -> CostFacts:
    """Return what the sentence says, from costs in records squared."""
    if not complete:
        return CostFacts(CostStatus.AWAITED)
    costs = {
        one.key: float(cost)
        for one, cost, shown in zip(MECHANISMS, now, visible, strict=True)
        if shown and not np.isnan(cost)
    }
    if not costs:
        return CostFacts(CostStatus.NONE_SHOWN)
    gaussian = float(now[_GAUSSIAN])
    deficient = costs.get(mechanisms.RankDeficientGaussian.key, gaussian)
    saves = not scenario.cost_average and deficient < gaussian * (1 - 1e-12)
    cheapest = min(costs, key=lambda key: costs[key])
    best = costs[cheapest]
    laplace = costs.get(mechanisms.Laplace.key, best)
    return CostFacts(
        CostStatus.KNOWN,
        average=scenario.cost_average,
        neighbours=scenario.neighbours,
        gaussian=gaussian,
        total_kept=deficient if saves else None,
        cheapest=cheapest,
        cheapest_cost=best,
        saving=1 - best / gaussian if best < gaussian * (1 - 1e-9) else None,
        laplace_excess=laplace / gaussian - 1 if laplace > best else None,
    )


def _on_line(
    x: NDArray[np.float64], costs: NDArray[np.float64], here: float
) -> NDArray[np.float64]:
    """Return the heights of the plotted lines, straight between points, NaN in a gap."""
    place, at = np.log(x), np.log(max(here, x[0]))
    return np.array([np.interp(at, place, line) for line in costs])


def _heights(result: Cost, costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return costs as heights on the axis."""
    return np.log10(costs) if result.logarithmic else costs


def _shown(result: Cost) -> list[int]:
    return [i for i, visible in enumerate(result.visible) if visible]


def _lines(result: Cost) -> list[Trace]:
    styles = [(one.key, look(one.key)) for one in MECHANISMS]
    return [
        figure.curve(
            np.log10(result.x),
            _heights(result, result.costs[i]),
            f"@{key}",
            dash=style.dash,
            width=style.width,
            visible=result.visible[i],
        )
        for i, (key, style) in enumerate(styles)
    ]


def _points(result: Cost, here: float, text: Text) -> Trace:
    shown = _shown(result)
    names = [text.mechanism(MECHANISMS[i].key, result.neighbours) for i in shown]
    return figure.points(
        np.full(len(shown), here),
        _heights(result, result.marks)[shown],
        [f"@{MECHANISMS[i].key}" for i in shown],
        hovertext=[
            text.cost_hover(name, result.now[i], result.ratio)
            for i, name in zip(shown, names, strict=True)
        ],
    )


def _names(result: Cost, span: tuple[float, float], right: float, text: Text) -> Trace:
    """Return the names with the costs at the marks, at the heights of the marks and apart."""
    shown = _shown(result)
    marks = _heights(result, _filled(result.marks))[shown]
    gap = 0.095 * (span[1] - span[0])
    places = figure.spread(np.clip(marks, *span), gap, span[0] + gap / 3, span[1] - gap / 3)
    short = [text.mechanism_short(MECHANISMS[i].key, result.neighbours) for i in shown]
    return figure.labels(
        np.full(len(shown), right),
        places,
        [
            text.line_end(name, result.now[i], result.ratio)
            for i, name in zip(shown, short, strict=True)
        ],
        [f"@{MECHANISMS[i].key}-text" for i in shown],
        "middle right",
        meta={"narrow": short},
    )


def _crossing(
    result: Cost, span: tuple[float, float], left: float, text: Text
) -> tuple[Trace, Trace]:
    """Return the rule where Laplace noise starts to cost less, and its label."""
    crossed = result.crossing is not None
    mu = result.crossing or 1.0
    at = float(np.log10(mu)) if crossed else left
    label = figure.labels(
        [at],
        [span[0] + 0.02 * (span[1] - span[0])],
        [text.crossing(mu)],
        ["@mute"],
        "top left",
        visible=crossed,
    )
    return figure.rule([at, at], list(span), visible=crossed), label


def _filled(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return costs with that of the Gaussian mechanism in place of one not known yet."""
    return np.where(np.isnan(costs), costs[_GAUSSIAN], costs)


def _span(result: Cost) -> tuple[float, float]:
    shown = _shown(result)
    filled = _filled(result.costs)
    costs = filled[shown] if shown else filled
    if result.logarithmic:
        low, high = np.log10(costs.min()), np.log10(costs.max())
        return float(np.floor(low * 4) / 4), float(max(np.ceil(high * 4) / 4, low + 0.25))
    # The largest cost of a wide μ axis would flatten the rest: show ten times what is here.
    here = float(_filled(result.now)[shown].max()) if shown else 1.0
    most = min(float(costs.max()), 10 * here)
    return 0.0, _round_up(most * 1.06)


def _round_up(value: float) -> float:
    unit = 10.0 ** np.floor(np.log10(value))
    return float(
        unit * next(m for m in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if m * unit >= value)
    )


PANEL = CostPanel()
