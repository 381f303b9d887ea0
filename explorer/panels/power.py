"""What a test can see: power of a chi-squared test on the released table."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.chisq import Answer
from explorer.core.mechanisms import MECHANISMS, Mechanism
from explorer.panels import _power_curves as powers
from explorer.panels import figure
from explorer.scenario import Scenario, derive

NAME = "power"
VIEW = "tests"
SWITCHES: tuple[str, ...] = ("test", "test_statistic")
LABELS = 0.92  # room for the lines' names, as a share of the axis
NORMAL_95 = 1.959963984540054
TICKS = figure.Ticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", "20%", "40%", "60%", "80%", "100%"])


@dataclass(frozen=True, slots=True, eq=False)
class PowerCurves:
    """What the panel shows; powers are probabilities.

    Attributes
    ----------
    kinds : tuple of Mechanism subclasses
        All mechanisms, in the menu's order.
    visible : tuple of bool
        Which of them are drawn.
    x : ndarray of shape (m,)
        Signal strengths.
    test : str
        The test.
    power : ndarray of shape (k, m)
        Power of normal tables with the multinomial's moments; for independence the simulated
        points, straight between them, NaN before.
    ceiling : ndarray of shape (m,)
        Power without noise.
    here : float
        Signal strength of the scenario.
    now, error : ndarray of shape (k,)
        Power there, and its standard error where it comes from draws, otherwise 0.
    law : tuple of bool
        Whether it is computed and not drawn.
    ceiling_now : float
        Power without noise there.
    simulated_x : ndarray of shape (s,)
        Signal strengths of the simulated points.
    simulated, half_width : ndarray of shape (k, s)
        Simulated power and the half width of its 95% interval, NaN before it is simulated.
    level : float
        Level of the test.
    neighbours : str
        The neighbour relation: whether n is public under it.
    label : str
        The mechanism of the drawn table, for which the plan is.
    target : float
        The power that is planned for.
    plan : tuple of Answer or None
        Least n at this μ and least μ at this n for that power; None before they are found.
    """

    kinds: tuple[type[Mechanism], ...]
    visible: tuple[bool, ...]
    x: NDArray[np.float64]
    test: str
    power: NDArray[np.float64]
    ceiling: NDArray[np.float64]
    here: float
    now: NDArray[np.float64]
    error: NDArray[np.float64]
    law: tuple[bool, ...]
    ceiling_now: float
    simulated_x: NDArray[np.float64]
    simulated: NDArray[np.float64]
    half_width: NDArray[np.float64]
    level: float
    neighbours: str
    label: str
    target: float
    plan: tuple[Answer, Answer] | None


def compute(scenario: Scenario) -> PowerCurves:
    """Return the curves of normal tables, and the simulated points as far as they are known."""
    x = powers.strengths(scenario)
    at = np.append(x, min(scenario.strength, derive(scenario).max_strength))
    shape = (len(MECHANISMS), len(at))
    power, error = np.full(shape, np.nan), np.full(shape, np.nan)
    points = powers.strengths(scenario, simulated=True)
    law = [False] * len(MECHANISMS)
    simulated, half_width = (np.full((len(MECHANISMS), len(points)), np.nan) for _ in range(2))
    for i, kind in enumerate(MECHANISMS):
        if kind in derive(scenario).shown:
            known = powers.simulated(scenario, kind)
            if known is not None:
                simulated[i], half_width[i] = known.power, NORMAL_95 * known.error
            curve = powers.limit(powers.curve(scenario, kind, at))
            if curve is not None:
                power[i], error[i] = curve.power, curve.error
                law[i] = curve.method == "law"
            else:
                place = np.log(np.maximum(at, x[0])), np.log(points)
                power[i] = np.interp(*place, simulated[i], left=np.nan, right=np.nan)
                error[i] = np.interp(*place, half_width[i]) / NORMAL_95
    limit = powers.limit(powers.curve(scenario, None, at))
    assert limit is not None  # noqa: S101 - without noise there is a law
    ceiling = limit.power
    return PowerCurves(
        kinds=MECHANISMS,
        visible=tuple(kind in derive(scenario).shown for kind in MECHANISMS),
        x=x,
        test=scenario.test,
        power=power[:, :-1],
        ceiling=ceiling[:-1],
        here=scenario.strength,
        now=power[:, -1],
        error=error[:, -1],
        law=tuple(law),
        ceiling_now=float(ceiling[-1]),
        simulated_x=points,
        simulated=simulated,
        half_width=half_width,
        level=powers.LEVEL,
        neighbours=scenario.neighbours,
        label=derive(scenario).sampled_class.short,
        target=powers.TARGET,
        plan=powers.plan(scenario),
    )


def missing(scenario: Scenario) -> list[Callable[[], object]]:
    """Return the work that finds the plan."""
    return powers.missing_plan(scenario)


def simulate(scenario: Scenario) -> list[Callable[[], object]]:
    """Return the pieces of work that simulate the curves."""
    return powers.simulate(scenario)


def draw(
    result: PowerCurves, words: ModuleType, kept: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the plot and its sentence as plain data; its axes never change their height."""
    del kept
    place = np.log10
    left, right = float(place(result.x[0])), float(place(result.x[-1]))
    here = float(place(max(result.here, result.x[0])))
    shown = [i for i, visible in enumerate(result.visible) if visible]
    gap = 0.095
    ceiling_height = result.ceiling_now
    heights = np.append(result.now[shown], ceiling_height)
    wanted = np.where(np.isnan(heights), ceiling_height, heights)
    places = figure.spread(wanted, gap, 0.02, 1.02)
    names = [words.power_label(result.kinds[i].short, result.now[i]) for i in shown]
    data = [
        figure.curve(place(result.x), result.ceiling, "@mute", width=1.5, dash="solid"),
        *(_line(result, i) for i in range(len(result.kinds))),
        *(_points(result, i, words) for i in range(len(result.kinds))),
        figure.rule([here, here], [0, 1.05]),
        figure.rule([left, right], [result.level, result.level]),
        figure.points(
            np.full(len(shown) + 1, here),
            heights,
            [*(f"@{result.kinds[i].key}" for i in shown), "@mute"],
            hovertext=[
                *(
                    words.power_hover(
                        result.kinds[i].label, result.now[i], result.error[i], result.law[i]
                    )
                    for i in shown
                ),
                words.power_hover(words.WITHOUT_NOISE, result.ceiling_now, 0.0, law=True),
            ],
        ),
        figure.labels(
            np.full(len(shown) + 1, right),
            places,
            [*names, words.power_label(words.WITHOUT_NOISE, result.ceiling_now)],
            [*(f"@{result.kinds[i].key}-text" for i in shown), "@mute"],
            "middle right",
            meta={"narrow": [*(result.kinds[i].short for i in shown), words.WITHOUT_NOISE]},
        ),
    ]
    edge = right + LABELS * (right - left)
    layout = figure.layout(
        figure.axis(
            words.cost_axis("strength", stand_in=False), (left, edge), figure.decades(left, right)
        ),
        figure.axis(words.POWER_AXIS, (0.0, 1.05), TICKS),
    )
    return {
        "figure": {"data": data, "layout": layout},
        "above": words.test_plan(result),
        "sentence": words.test_power(result),
    }


def _line(result: PowerCurves, i: int) -> dict[str, Any]:
    kind, visible = result.kinds[i], result.visible[i]
    height = result.power[i] if visible else np.zeros_like(result.x)
    return figure.curve(
        np.log10(result.x),
        height,
        f"@{kind.key}",
        dash=kind.dash,
        width=kind.width,
        visible=visible,
    )


def _points(result: PowerCurves, i: int, words: ModuleType) -> dict[str, Any]:
    """Return the simulated points of a mechanism with their 95% intervals."""
    kind = result.kinds[i]
    known = result.visible[i] and not np.isnan(result.simulated[i]).any()
    height, half = (
        (result.simulated[i], result.half_width[i]) if known else (np.zeros(1), np.zeros(1))
    )
    name = f"@{kind.key}"
    return {
        **figure.points(
            np.log10(result.simulated_x)[: len(height)],
            height,
            name,
            hovertext=[
                words.simulated_power(kind.label, *pair) for pair in zip(height, half, strict=True)
            ],
            visible=known,
        ),
        "marker": {"color": name, "size": 6, "symbol": "circle-open"},
        "error_y": {"type": "data", "array": half, "color": name, "thickness": 1, "width": 3},
    }


def drag(scenario: Scenario, x: float, y: float) -> dict[str, Any]:
    """Return the signal strength that a pull of the marked points sets."""
    del y
    return {"strength": min(float(f"{10.0 ** min(x, 300.0):.3g}"), derive(scenario).max_strength)}
