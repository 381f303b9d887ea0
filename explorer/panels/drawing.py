"""What a panel shows, as typed data: a figure in plotly's terms, its sentence, its numbers.

Colours are names, ``"@ink"`` or ``"@rank-deficient"``, which the page replaces by the theme's values.
"""

from dataclasses import dataclass
from typing import Literal, Required, TypedDict

import numpy as np
from numpy.typing import NDArray

from explorer.locale.readouts import Item

Array = NDArray[np.float64]
Dash = Literal["solid", "dash", "dot", "dashdot", "longdash"]


class Line(TypedDict, total=False):
    """How a line looks."""

    color: str
    width: float
    dash: Dash
    shape: Literal["linear"]


class Marker(TypedDict, total=False):
    """How a point looks."""

    symbol: str
    size: float
    color: str | list[str]
    line: Line


class ErrorBars(TypedDict):
    """Intervals around points."""

    type: Literal["data"]
    array: Array
    color: str
    thickness: float
    width: float


class Font(TypedDict, total=False):
    """How a text looks."""

    family: str
    size: float
    color: str | list[str]


class Room(TypedDict):
    """The least size of a plot, in pixels, in which the numbers of its cells stand apart."""

    width: float
    height: float


class TraceMeta(TypedDict, total=False):
    """What only the page reads: the texts of a narrow plot, and the room that numbers need."""

    narrow: list[str]
    room: Room


class TraceOptions(TypedDict, total=False):
    """The keys of a trace that a panel may set."""

    text: list[str] | list[list[str]]
    textposition: str | list[str]
    textfont: Font
    texttemplate: str
    hoverinfo: Literal["skip", "text", "z"]
    hovertext: list[str] | list[list[str]]
    visible: bool
    cliponaxis: bool
    fill: Literal["tozeroy"]
    fillcolor: str
    marker: Marker
    line: Line
    error_y: ErrorBars
    meta: TraceMeta


class Trace(TraceOptions, total=False):
    """One trace of a figure."""

    type: Required[Literal["scatter", "heatmap"]]
    mode: Literal["lines", "markers", "text"]
    x: Array
    y: Array
    z: Array
    xaxis: str
    yaxis: str
    zmin: float
    zmax: float
    xgap: float
    ygap: float
    colorscale: list[tuple[float, str]]
    showscale: bool


class Title(TypedDict):
    """Title of an axis."""

    text: str
    standoff: float
    font: Font


class Axis(TypedDict, total=False):
    """An axis: its words, its range and its ticks."""

    title: Title
    range: Required[list[float]]
    tickvals: list[float]
    ticktext: list[str]
    tickangle: float
    ticklabeloverflow: Literal["allow"]
    ticklabelstandoff: float
    gridcolor: str
    color: str
    zeroline: bool
    fixedrange: bool
    visible: bool
    domain: list[float]
    anchor: str


class Margin(TypedDict):
    """Space around the axes, in pixels."""

    l: float  # noqa: E741 - plotly's name
    r: float
    t: float
    b: float


class LayoutMeta(TypedDict):
    """What only the page reads: whether the axes have one unit of length."""

    square: bool


class Layout(TypedDict, total=False):
    """Everything of a figure but its traces."""

    xaxis: Required[Axis]
    yaxis: Required[Axis]
    xaxis2: Axis
    yaxis2: Axis
    margin: Margin
    showlegend: bool
    hovermode: Literal["closest"]
    dragmode: Literal[False]
    paper_bgcolor: str
    plot_bgcolor: str
    font: Font
    meta: LayoutMeta


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A plot.

    Attributes
    ----------
    data : list of Trace
        Always as many and in the same order, so that a redraw can reuse what is there.
    layout : Layout
        Axes, margins, fonts.
    """

    data: list[Trace]
    layout: Layout


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """What a panel shows.

    Attributes
    ----------
    figure : Figure or None
        None for a panel of numbers.
    sentence : str
        What the figure says, below it.
    above, below : tuple of str
        Captions around the figure.
    items, costs : tuple of Item
        Numbers of a panel without a figure.
    """

    figure: Figure | None
    sentence: str = ""
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    costs: tuple[Item, ...] = ()

    def plain(self) -> dict[str, object]:
        """Return what is sent to the browser, as plain data."""
        if self.figure is None:
            return {"items": list(self.items), "costs": list(self.costs)}
        figure = {"data": self.figure.data, "layout": self.figure.layout}
        captions = {"above": list(self.above), "below": list(self.below)}
        return {"figure": figure, "sentence": self.sentence, **captions}
