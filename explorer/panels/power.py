"""What a test can see: power of a chi-squared test on the released table."""

from dataclasses import dataclass
from math import ceil, floor, isinf, log10

import numpy as np
from numpy.typing import NDArray

from explorer.core.chisq import Answer
from explorer.core.mechanisms import MECHANISMS
from explorer.core.sensitivity import Neighbours
from explorer.locale import Text
from explorer.locale.accuracy import Accuracy
from explorer.locale.power import (
    Least,
    LeastStatus,
    PlanFacts,
    PowerFacts,
    PowerStatus,
)
from explorer.panels import _power_curves as curves
from explorer.panels import figure
from explorer.panels.drawing import Drawing, Figure, Trace
from explorer.panels.look import look
from explorer.panels.panel import Panel
from explorer.scenario import CostAxis, Hypothesis, Scenario, View, derive, fields
from explorer.scenario.edits import Edit

LABELS = 0.92  # room for the lines' names, as a share of the axis
NORMAL_95 = 1.959963984540054
LARGEST_EXPONENT = 300.0


@dataclass(frozen=True, slots=True, eq=False)
class PowerCurves:
    """What the panel shows; powers are probabilities, mechanisms in the menu's order.

    Attributes
    ----------
    visible : tuple of bool
        Which mechanisms are plotted.
    neighbours : Neighbours
        On which their names depend.
    x : ndarray of shape (m,)
        Signal strengths.
    power : ndarray of shape (k, m)
        Power of normal tables with the multinomial's moments; for independence the simulated
        points, straight between them, NaN before.
    ceiling : ndarray of shape (m,)
        Power without noise.
    here : float
        Signal strength of the scenario.
    now, error : ndarray of shape (k,)
        Power there, and its standard error where it comes from random numbers, otherwise 0.
    accuracy : tuple of Accuracy
        How each power came about.
    ceiling_now : float
        Power without noise there.
    simulated_x : ndarray of shape (s,)
        Signal strengths of the simulated points.
    simulated, half_width : ndarray of shape (k, s)
        Simulated power and the half width of its 95% interval, NaN before it is simulated.
    level : float
        Level of the test.
    facts : PowerFacts
        What the sentence says.
    plan : PlanFacts or None
        What power 80% needs; None for a test that has no formula.
    """

    visible: tuple[bool, ...]
    neighbours: Neighbours
    x: NDArray[np.float64]
    power: NDArray[np.float64]
    ceiling: NDArray[np.float64]
    here: float
    now: NDArray[np.float64]
    error: NDArray[np.float64]
    accuracy: tuple[Accuracy, ...]
    ceiling_now: float
    simulated_x: NDArray[np.float64]
    simulated: NDArray[np.float64]
    half_width: NDArray[np.float64]
    level: float
    facts: PowerFacts
    plan: PlanFacts | None


class PowerPanel(Panel[PowerCurves]):
    """Power curves with the scenario's own place marked."""

    name = "power"
    view = View.TESTS
    switches = ("test", "test_statistic")
    background = curves.PlanWork()
    simulation = curves.Simulation()

    def compute(self, scenario: Scenario) -> PowerCurves:
        """Return the curves of normal tables, and the simulated points as far as they are known."""
        derived = derive(scenario)
        x = curves.strengths(scenario)
        at = np.append(x, min(scenario.strength, derived.max_strength))
        points = curves.strengths(scenario, simulated=True)
        power, error = (np.full((len(MECHANISMS), len(at)), np.nan) for _ in range(2))
        simulated, half_width = (np.full((len(MECHANISMS), len(points)), np.nan) for _ in range(2))
        accuracy = [Accuracy.INTERPOLATED] * len(MECHANISMS)
        for i, mechanism_class in enumerate(MECHANISMS):
            if mechanism_class not in derived.shown:
                continue
            sample = curves.simulated(scenario, mechanism_class)
            if sample is not None:
                simulated[i], half_width[i] = sample.power, NORMAL_95 * sample.error
            normal = curves.normal_power(curves.curve(scenario, mechanism_class, at))
            if normal is not None:
                power[i], error[i] = normal.power, normal.error
                accuracy[i] = Accuracy.APPROXIMATE
            else:
                place = np.log(np.maximum(at, x[0])), np.log(points)
                power[i] = np.interp(*place, simulated[i], left=np.nan, right=np.nan)
                error[i] = np.interp(*place, half_width[i]) / NORMAL_95
        without = curves.normal_power(curves.curve(scenario, None, at))
        assert without is not None  # noqa: S101 - without noise there is a formula
        ceiling = without.power
        visible = tuple(one in derived.shown for one in MECHANISMS)
        now, error_now = power[:, -1], error[:, -1]
        return PowerCurves(
            visible=visible,
            neighbours=scenario.neighbours,
            x=x,
            power=power[:, :-1],
            ceiling=ceiling[:-1],
            here=scenario.strength,
            now=now,
            error=error_now,
            accuracy=tuple(accuracy),
            ceiling_now=float(ceiling[-1]),
            simulated_x=points,
            simulated=simulated,
            half_width=half_width,
            level=curves.LEVEL,
            facts=_facts(scenario, visible, (now, error_now), accuracy, float(ceiling[-1])),
            plan=_plan(scenario),
        )

    def draw(self, result: PowerCurves, text: Text, previous: Drawing | None = None) -> Drawing:
        """Return the plot and its sentence; its axes never change their height."""
        del previous
        left, right = float(np.log10(result.x[0])), float(np.log10(result.x[-1]))
        here = float(np.log10(max(result.here, result.x[0])))
        count = range(len(MECHANISMS))
        data = [
            figure.curve(np.log10(result.x), result.ceiling, "@mute", width=1.5),
            *(_line(result, i) for i in count),
            *(_simulated(result, i, text) for i in count),
            figure.rule([here, here], [0, 1.05]),
            figure.rule([left, right], [result.level, result.level]),
            _points(result, here, text),
            _names(result, right, text),
        ]
        edge = right + LABELS * (right - left)
        percent = text.numbers.chosen_percent
        heights = [0, 0.2, 0.4, 0.6, 0.8, 1.0]
        y_ticks = figure.Ticks(heights, ["0", *(percent(height) for height in heights[1:])])
        layout = figure.layout(
            figure.axis(
                text.cost_axis(CostAxis.STRENGTH),
                (left, edge),
                figure.decades(left, right, text),
            ),
            figure.axis(text.power_axis, (0.0, 1.05), y_ticks),
        )
        above = () if result.plan is None else tuple(text.test_plan(result.plan))
        return Drawing(Figure(data, layout), text.test_power(result.facts), above=above)

    def drag(self, scenario: Scenario, x: float, y: float) -> Edit | None:
        """Return the signal strength that a pull of the marks sets."""
        del y
        strength = float(f"{10.0 ** min(x, LARGEST_EXPONENT):.3g}")
        return {"strength": min(strength, derive(scenario).max_strength)}


def _facts(
    scenario: Scenario,
    visible: tuple[bool, ...],
    here: tuple[NDArray[np.float64], NDArray[np.float64]],
    accuracy: list[Accuracy],
    ceiling: float,
) -> PowerFacts:
    """Return what the sentence says: the best mechanism is the one that surely has most power."""
    now, error = here
    known = [i for i, shown in enumerate(visible) if shown and not np.isnan(now[i])]
    common = scenario.test, scenario.neighbours, curves.LEVEL, ceiling
    if not known:
        status = PowerStatus.NOT_SIMULATED if any(visible) else PowerStatus.NONE_SHOWN
        return PowerFacts(status, *common)
    best = max(known, key=lambda i: now[i] - 2 * error[i])
    of_best = MECHANISMS[best].key, float(now[best]), accuracy[best]
    return PowerFacts(PowerStatus.KNOWN, *common, *of_best)


def _plan(scenario: Scenario) -> PlanFacts | None:
    if scenario.test is not Hypothesis.GOODNESS_OF_FIT:
        return None
    records, mu = curves.plan(scenario) or (None, None)
    return PlanFacts(
        curves.TARGET,
        scenario.sampled,
        scenario.neighbours,
        _least(records, 0.0, whole_below=1000),
        _least(mu, fields.MU.parameter.low, whole_below=0),
    )


def _least(answer: Answer | None, low: float, *, whole_below: float) -> Least:
    """Return a least number, rounded up to three digits: it is approximate."""
    if answer is None:
        return Least(LeastStatus.AWAITED)
    value = answer.value
    if isinf(value):
        return Least(LeastStatus.IMPOSSIBLE)
    if value < low:
        return Least(LeastStatus.ANY)
    if value < whole_below:
        return Least(LeastStatus.KNOWN, ceil(value))
    unit = 10.0 ** (floor(log10(value)) - 2)
    return Least(LeastStatus.KNOWN, float(f"{ceil(value / unit * (1 - 1e-9)) * unit:.3g}"))


def _shown(result: PowerCurves) -> list[int]:
    return [i for i, visible in enumerate(result.visible) if visible]


def _line(result: PowerCurves, i: int) -> Trace:
    key, visible = MECHANISMS[i].key, result.visible[i]
    style = look(key)
    height = result.power[i] if visible else np.zeros_like(result.x)
    return figure.curve(
        np.log10(result.x), height, f"@{key}", dash=style.dash, width=style.width, visible=visible
    )


def _simulated(result: PowerCurves, i: int, text: Text) -> Trace:
    """Return the simulated points of a mechanism with their 95% intervals."""
    name = f"@{MECHANISMS[i].key}"
    known = result.visible[i] and not bool(np.isnan(result.simulated[i]).any())
    height, half = (
        (result.simulated[i], result.half_width[i]) if known else (np.zeros(1), np.zeros(1))
    )
    label = text.mechanism(MECHANISMS[i].key, result.neighbours)
    pairs = zip(height.tolist(), half.tolist(), strict=True)
    trace = figure.points(
        np.log10(result.simulated_x)[: len(height)],
        height,
        name,
        hovertext=[text.simulated_power(label, *pair) for pair in pairs],
        visible=known,
    )
    trace["marker"] = {"color": name, "size": 6, "symbol": "circle-open"}
    trace["error_y"] = {
        "type": "data",
        "array": half,
        "color": name,
        "thickness": 1,
        "width": 3,
    }
    return trace


def _points(result: PowerCurves, here: float, text: Text) -> Trace:
    shown = _shown(result)
    hovers = [
        text.power_hover(
            text.mechanism(MECHANISMS[i].key, result.neighbours),
            result.now[i],
            result.error[i],
            result.accuracy[i],
        )
        for i in shown
    ]
    without = text.power_hover(text.without_noise, result.ceiling_now, 0.0, Accuracy.APPROXIMATE)
    return figure.points(
        np.full(len(shown) + 1, here),
        np.append(result.now[shown], result.ceiling_now),
        [*(f"@{MECHANISMS[i].key}" for i in shown), "@mute"],
        hovertext=[*hovers, without],
    )


def _names(result: PowerCurves, right: float, text: Text) -> Trace:
    shown = _shown(result)
    heights = np.append(result.now[shown], result.ceiling_now)
    places = figure.spread(
        np.where(np.isnan(heights), result.ceiling_now, heights), 0.095, 0.02, 1.02
    )
    short = [text.mechanism_short(MECHANISMS[i].key, result.neighbours) for i in shown]
    names = [text.power_label(name, result.now[i]) for i, name in zip(shown, short, strict=True)]
    return figure.labels(
        np.full(len(shown) + 1, right),
        places,
        [*names, text.power_label(text.without_noise, result.ceiling_now)],
        [*(f"@{MECHANISMS[i].key}-text" for i in shown), "@mute"],
        "middle right",
        meta={"narrow": [*short, text.without_noise]},
    )


PANEL = PowerPanel()
