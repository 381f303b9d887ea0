"""What the table looks like: the expected table beside one simulated noisy table."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.core import mechanisms
from explorer.core.sensitivity import Neighbours
from explorer.locale import Text
from explorer.locale.numbers import THIN
from explorer.panels import figure
from explorer.panels.drawing import Axis, Drawing, Figure, Room, Trace
from explorer.panels.panel import Panel
from explorer.scenario import Scenario, View, derive

LEVEL = 0.95
MOST_NUMBERS = 100
DIGIT = 7.7  # pixels of a digit at 12 px in the widest font of the page
THIN_SPACE = 0.4  # of a digit
LINE = 15.0  # pixels of a line of text
BETWEEN = 4.0  # least pixels between two numbers
SHARE = 0.47  # of the width that each of the two tables has
FINE = 25  # rows or columns from which cells touch
MARGIN = 8.0


@dataclass(frozen=True, slots=True, eq=False)
class TablePair:
    """What the panel shows.

    Attributes
    ----------
    before : ndarray of shape (r, c)
        The expected table nπ, or the example or typed table when it is shown as it is.
    noisy : ndarray of shape (r, c)
        One simulated release of the mechanism, never a real one.
    mechanism : str
        Key of the mechanism.
    neighbours : Neighbours
        On which its name depends.
    half_width : float or None
        Half width of the central 95% interval of the noise in one cell, in records.
    root_mean_square : float
        Root mean squared error of a cell, in records.
    keeps_total : bool
        Whether every release has the total n.
    n : int
        Records.
    real : bool
        Whether `before` is a real table's counts rather than an expected table.
    deviation : float
        Standard deviation of the noise in one cell before any shrinkage, in records.
    """

    before: NDArray[np.float64]
    noisy: NDArray[np.float64]
    mechanism: str
    neighbours: Neighbours
    half_width: float | None
    root_mean_square: float
    keeps_total: bool
    n: int
    real: bool
    deviation: float


class TablePanel(Panel[TablePair]):
    """Two heat maps side by side."""

    name = "table"
    view = View.COSTS
    switches = ("sampled", "seed")

    def compute(self, scenario: Scenario) -> TablePair:
        """Return the table, one simulated release and the error of a cell."""
        derived = derive(scenario)
        mechanism_class = derived.sampled_class
        mechanism = derived.mechanism(mechanism_class)
        cost = derived.costs[mechanisms.MECHANISMS.index(mechanism_class)]
        theta, counts = derived.expected, derived.counts
        real = counts is not None and bool(np.allclose(theta, counts.array, rtol=1e-9, atol=1e-6))
        rng = np.random.default_rng(scenario.seed)
        noisy = np.asarray(mechanism.simulate(theta, rng, 1)).reshape(scenario.shape)
        return TablePair(
            before=theta.reshape(scenario.shape),
            noisy=noisy,
            mechanism=mechanism_class.key,
            neighbours=scenario.neighbours,
            half_width=mechanism.half_width(LEVEL),
            root_mean_square=float(np.sqrt(cost / scenario.p)),
            keeps_total=mechanism.dimension < scenario.p,
            n=scenario.n,
            real=real,
            deviation=float(mechanism.cell_deviation),
        )

    def draw(self, result: TablePair, text: Text, previous: Drawing | None = None) -> Drawing:
        """Return the heat maps and their sentence; their axes are the cells."""
        del previous
        rows, columns = result.before.shape
        ends = _ends(result)
        room = _room(result, text)
        data = [
            _heat(result.before, "", ends, text, room),
            _heat(result.noisy, "2", ends, text, room),
        ]
        across, down = [-0.5, columns - 0.5], [rows - 0.5, -0.5]
        layout = figure.layout(_cells(across, domain=(0, SHARE)), _cells(down))
        layout["xaxis2"] = _cells(across, domain=(1 - SHARE, 1), anchor="y2")
        layout["yaxis2"] = _cells(down, anchor="x2")
        layout["margin"] = {"l": MARGIN, "r": MARGIN, "t": 2, "b": 2}
        label = text.mechanism(result.mechanism, result.neighbours)
        return Drawing(
            Figure(data, layout),
            text.table_looks(
                float(result.before.max()),
                float(result.before.min()),
                result.deviation,
                label,
                real=result.real,
            ),
            # Around the plot, as texts of the page: plotly.js takes a third of a redraw for them.
            above=(text.table_before(result.real, result.n), text.table_noisy()),
            below=(
                text.cell_error(result.half_width, result.root_mean_square, LEVEL),
                text.total(result.keeps_total, float(result.noisy.sum()), result.n),
            ),
        )


def _ends(result: TablePair) -> tuple[float, float]:
    """Return the values of the two end colours, which both tables reach and neither exceeds."""
    top = float(max(result.before.max(), result.noisy.max()))
    return float(min(result.before.min(), result.noisy.min(), top * 0.5)), top


def _room(result: TablePair, text: Text) -> Room:
    """Return the least plot in which the numbers of the cells, if there are any, stand apart."""
    rows, columns = result.before.shape
    if rows * columns > MOST_NUMBERS:
        return {"width": 0.0, "height": 0.0}
    cells = np.concatenate([result.before.ravel(), result.noisy.ravel()]).tolist()
    longest = max(_digits(text.cell(value)) for value in cells)
    width = columns * (longest * DIGIT + BETWEEN) / SHARE + 2 * MARGIN
    return {"width": width, "height": rows * LINE + 4}


def _digits(number: str) -> float:
    """Return the breadth of a number in digits."""
    spaces = number.count(THIN)
    return len(number) - spaces + THIN_SPACE * spaces


def _cells(
    span: list[float], *, domain: tuple[float, float] | None = None, anchor: str = ""
) -> Axis:
    """Return an axis without words."""
    axis: Axis = {
        "range": span,
        "visible": False,
        "fixedrange": True,
        "ticklabeloverflow": "allow",
    }
    if domain is not None:
        axis["domain"] = list(domain)
    if anchor:
        axis["anchor"] = anchor
    return axis


def _heat(
    values: NDArray[np.float64],
    axis: Literal["", "2"],
    ends: tuple[float, float],
    text: Text,
    room: Room,
) -> Trace:
    small = values.size <= MOST_NUMBERS
    gap = 2 if small else 1 if max(values.shape) < FINE else 0
    cells = values.tolist() if small else []
    return {
        "type": "heatmap",
        "z": values,
        "text": [[text.cell(value) for value in row] for row in cells],
        "hovertext": [
            [text.cell_hover(i, j, value) for j, value in enumerate(row, start=1)]
            for i, row in enumerate(cells, start=1)
        ],
        "texttemplate": "%{text}" if small else "",
        "textfont": {"size": 12, "color": "@ink"},
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "zmin": ends[0],
        "zmax": ends[1],
        "xgap": gap,
        "ygap": gap,
        "colorscale": [(0, "@cell-low"), (1, "@cell-high")],
        "showscale": False,
        "hoverinfo": "text" if small else "z",
        "meta": {"room": room},
    }


PANEL = TablePanel()
