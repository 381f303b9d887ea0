"""What the attacker sees: N(0, 1) and N(μ, 1) with the threshold at α."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from explorer.core import gdp
from explorer.core.sensitivity import Neighbours
from explorer.locale import Text
from explorer.panels import figure
from explorer.panels.drawing import Drawing, Figure
from explorer.panels.panel import Panel
from explorer.scenario import Scenario
from explorer.scenario.edits import Edit

REACH = 4.0
ENDS = (4.5, 5.5, 7.0, 9.0, 12.0, 16.0, 24.0, 40.0, 70.0, 120.0)  # of the axis: few rescales
UNIT = np.linspace(-REACH, REACH, 81)
TOP = 1 / math.sqrt(2 * math.pi)


@dataclass(frozen=True, slots=True, eq=False)
class Densities:
    """What the panel shows.

    Attributes
    ----------
    outside_x, outside_y : ndarray of shape (81,)
        The density of what the attacker computes under the null hypothesis.
    inside_x, inside_y : ndarray of shape (81,)
        The same under the alternative.
    threshold : float
        The attacker accuses above it.
    alpha, power : float
        The two tail probabilities above the threshold.
    mu : float
        Distance of the two means, in standard deviations.
    neighbours : Neighbours
        What the two hypotheses are about.
    """

    outside_x: NDArray[np.float64]
    outside_y: NDArray[np.float64]
    inside_x: NDArray[np.float64]
    inside_y: NDArray[np.float64]
    threshold: float
    alpha: float
    power: float
    mu: float
    neighbours: Neighbours


def _normal(x: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    return TOP * np.exp(-((x - mean) ** 2) / 2)


def _beside(x: float, line: float, width: float) -> float:
    """Return where a name that starts at `x` is not crossed by a vertical line."""
    return line + 0.02 * width if x - 0.02 * width < line < x + width else x


def _side(shown: float, left: float, span: float) -> str:
    return "middle right" if shown < left + 0.7 * span else "middle left"


def _ticks(left: float, right: float) -> figure.Ticks:
    step = next(s for s in (1, 2, 5, 10, 20, 50) if (right - left) / s <= 8)
    at = [float(v) for v in np.arange(math.ceil(left / step) * step, right + 1e-9, step)]
    return figure.Ticks(at, [f"{v:g}".replace("-", "−") for v in at])


class DensitiesPanel(Panel[Densities]):
    """Two normal densities and the attacker's threshold, which can be pulled."""

    name = "densities"

    def compute(self, scenario: Scenario) -> Densities:
        """Return the two densities, the threshold and both error rates."""
        return Densities(
            outside_x=UNIT,
            outside_y=_normal(UNIT, 0.0),
            inside_x=UNIT + scenario.mu,
            inside_y=_normal(UNIT, 0.0),
            threshold=float(-ndtri(scenario.alpha)),
            alpha=scenario.alpha,
            power=float(gdp.power(scenario.alpha, scenario.mu)),
            mu=scenario.mu,
            neighbours=scenario.neighbours,
        )

    def draw(self, result: Densities, text: Text, previous: Drawing | None = None) -> Drawing:
        """Return the plot and its sentence."""
        end = next(end for end in ENDS if end >= result.mu + 0.8 * REACH)
        left, right = figure.keep_x((-REACH, end), previous)
        shown = float(np.clip(result.threshold, left, right))
        outside, inside = text.hypotheses(result.neighbours)
        span = right - left
        areas = []
        for mean, colour in ((result.mu, "@inside-area"), (0.0, "@outside-area")):
            x = np.linspace(max(shown, mean - REACH), max(mean + REACH, shown), 41)
            areas.append(
                figure.curve(x, _normal(x, mean), colour, width=0, fill="tozeroy", fillcolor=colour)
            )
        # The names stand on the peaks and lean outwards, so that they do not meet.
        names = figure.labels(
            [-0.25, _beside(result.mu + 0.25, shown, 0.3 * span)],
            [TOP * 1.06, TOP * 1.06],
            [outside, inside],
            ["@outside", "@accent"],
            ["middle left", "middle right"],
        )
        accuse = figure.labels(
            [shown], [TOP * 1.19], [text.accuse], ["@ink"], [_side(shown, left, span)]
        )
        handle = figure.points(
            [shown],
            [TOP * 0.55],
            marker={
                "symbol": "diamond",
                "size": 13,
                "color": "@paper",
                "line": {"color": "@ink", "width": 2},
            },
            hovertext=[text.threshold_hover(result.threshold, result.alpha, result.power)],
        )
        data = [
            *areas,
            figure.curve(result.outside_x, result.outside_y, "@outside"),
            figure.curve(result.inside_x, result.inside_y, "@accent"),
            figure.curve([shown, shown], [0, TOP * 1.22], "@ink", width=1.5),
            names,
            accuse,
            handle,
        ]
        layout = figure.layout(
            figure.axis(text.attacker_axis, (left, right), _ticks(left, right)),
            figure.axis(
                text.density_axis, (0, TOP * 1.3), figure.Ticks([0, 0.2, 0.4], ["0", "0.2", "0.4"])
            ),
        )
        sentence = text.attacker_sees(result.alpha, result.power, result.neighbours)
        return Drawing(Figure(data, layout), sentence)

    def drag(self, scenario: Scenario, x: float, y: float) -> Edit | None:
        """Return the field that a pull of the threshold to `x` sets; `y` is the likelihood."""
        del scenario, y
        return {"alpha": float(f"{np.clip(ndtr(-x), 1e-6, 0.999):.3g}")}


PANEL = DensitiesPanel()
