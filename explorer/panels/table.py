"""What the table looks like: the expected table beside one simulated noisy draw."""

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core import mechanisms
from explorer.panels import figure
from explorer.scenario import Scenario, derive

NAME = "table"
VIEW = "costs"
SWITCHES: tuple[str, ...] = ("sampled", "seed")
LEVEL = 0.95
MOST_NUMBERS = 100


@dataclass(frozen=True, slots=True, eq=False)
class TablePair:
    """What the panel shows.

    Attributes
    ----------
    before : ndarray of shape (r, c)
        The expected table nπ, or the example or typed table when it is shown as it is.
    noisy : ndarray of shape (r, c)
        One simulated draw of the mechanism, never a release.
    label : str
        The mechanism.
    half_width : float or None
        Half width of the central 95% interval of the noise in one cell, in records.
    root_mean_square : float
        Root mean squared error of a cell, in records.
    keeps_total : bool
        Whether every draw has the total n.
    n : int
        Records.
    real : bool
        Whether `before` is a real table's counts rather than an expected table.
    deviation : float
        Standard deviation of the noise in one cell before any shrinkage, in records.
    """

    before: NDArray[np.float64]
    noisy: NDArray[np.float64]
    label: str
    half_width: float | None
    root_mean_square: float
    keeps_total: bool
    n: int
    real: bool
    deviation: float


def compute(scenario: Scenario) -> TablePair:
    """Return the table, one simulated draw and the error of a cell."""
    kind = derive(scenario).sampled_class
    mechanism = derive(scenario).mechanism(kind)
    cost = derive(scenario).costs[mechanisms.MECHANISMS.index(kind)]
    theta = derive(scenario).expected
    counts = derive(scenario).counts
    real = counts is not None and bool(np.allclose(theta, counts.array, rtol=1e-9, atol=1e-6))
    rng = np.random.default_rng(scenario.seed)
    noisy = np.asarray(mechanism.simulate(theta, rng, 1)).reshape(scenario.shape)
    return TablePair(
        before=theta.reshape(scenario.shape),
        noisy=noisy,
        label=kind.label,
        half_width=mechanism.half_width(LEVEL),
        root_mean_square=float(np.sqrt(cost / scenario.p)),
        keeps_total=mechanism.dimension < scenario.p,
        n=scenario.n,
        real=real,
        deviation=float(mechanism.cell_deviation),
    )


def draw(
    result: TablePair, words: ModuleType, kept: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the plot and its sentence as plain data; its axes are the cells."""
    del kept
    rows, columns = result.before.shape
    numbered = rows * columns <= MOST_NUMBERS and columns <= 10 and rows <= 10
    top = float(result.before.max())
    low = float(min(result.before.min(), top * 0.5))
    cells = [
        _heat(result.before, "", (low, top), words, numbered),
        _heat(result.noisy, "2", (low, top), words, numbered),
    ]
    blank = {
        "visible": False,
        "fixedrange": True,
        "ticklabeloverflow": "allow",
    }
    layout = figure.layout(
        {**blank, "range": [-0.5, columns - 0.5], "domain": [0, 0.47]},
        {**blank, "range": [rows - 0.5, -0.5]},
        xaxis2={**blank, "range": [-0.5, columns - 0.5], "domain": [0.53, 1], "anchor": "y2"},
        yaxis2={**blank, "range": [rows - 0.5, -0.5], "anchor": "x2"},
    )
    layout["margin"] = {"l": 8, "r": 8, "t": 2, "b": 2}
    return {
        "figure": {"data": cells, "layout": layout},
        # Around the plot, as texts of the page: plotly.js takes a third of a redraw for them.
        "above": [words.table_before(result.real, result.n), words.table_noisy()],
        "below": [
            words.cell_error(result.half_width, result.root_mean_square, LEVEL),
            words.total(result.keeps_total, float(result.noisy.sum()), result.n),
        ],
        "sentence": words.table_looks(
            float(result.before.max()),
            float(result.before.min()),
            result.deviation,
            result.label,
            result.real,
        ),
    }


def _heat(
    values: NDArray[np.float64],
    axis: str,
    ends: tuple[float, float],
    words: ModuleType,
    numbered: bool,
) -> dict[str, Any]:
    text = [[words.cell(float(value)) for value in row] for row in values]
    hover = [
        [words.cell_hover(i + 1, j + 1, float(value)) for j, value in enumerate(row)]
        for i, row in enumerate(values)
    ]
    return {
        "type": "heatmap",
        "z": values,
        "text": text if numbered else [],
        "hovertext": hover if numbered else [],
        "texttemplate": "%{text}" if numbered else "",
        "textfont": {"size": 12, "color": "@ink"},
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "zmin": ends[0],
        "zmax": ends[1],
        "xgap": 2 if numbered else 0,
        "ygap": 2 if numbered else 0,
        "colorscale": [[0, "@cell-low"], [1, "@cell-high"]],
        "showscale": False,
        "hoverinfo": "text" if numbered else "z",
    }


def drag(scenario: Scenario, x: float, y: float) -> None:
    """Return nothing: a table is not pulled."""
    del scenario, x, y
