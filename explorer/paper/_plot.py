"""Plots as plain data, which a notebook passes to plotly.js."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

MIME: Final = "application/vnd.plotly.v1+json"
Trace = dict[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class Plot:
    """A plot that a notebook draws with plotly's own extension.

    A `plotly.graph_objects.Figure` would draw the same three seconds later, because plotly's Python
    package imports a validator of notebooks for its first figure.

    Attributes
    ----------
    data : list of dict
        Traces, as plotly.js takes them.
    layout : dict
        Axes and size.
    """

    data: list[Trace]
    layout: dict[str, Any]

    def __repr__(self) -> str:
        """Return a description, for front ends that cannot draw."""
        axes = [self.layout[axis]["title"]["text"] for axis in ("yaxis", "xaxis")]
        return f"{axes[0]} against {axes[1]}: " + ", ".join(trace["name"] for trace in self.data)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {MIME: {"data": self.data, "layout": self.layout}, "text/plain": repr(self)}


def line(x: ArrayLike, y: ArrayLike, name: str, **style: Any) -> Trace:
    """Return a line; `style` goes to plotly's ``line``."""
    return {"type": "scatter", "mode": "lines", "name": name, "line": style, **_data(x, y)}


def points(x: ArrayLike, y: ArrayLike, name: str, **style: Any) -> Trace:
    """Return markers; `style` goes to plotly's ``marker``."""
    marker = {"size": 5, "opacity": 0.6, **style}
    return {"type": "scatter", "mode": "markers", "name": name, "marker": marker, **_data(x, y)}


def plot(
    data: list[Trace], x: str, y: str, scale: str = "linear", ticks: ArrayLike | None = None
) -> Plot:
    """Return a plot with titled axes; `scale` and `ticks` belong to the horizontal axis."""
    tickvals = {} if ticks is None else {"tickvals": np.asarray(ticks, float).tolist()}
    layout = {
        "xaxis": {"title": {"text": x}, "type": scale, **tickvals},
        "yaxis": {"title": {"text": y}},
        "width": 680,
        "height": 400,
        "margin": {"l": 70, "r": 20, "t": 20, "b": 60},
        "plot_bgcolor": "rgba(0,0,0,0)",
    }
    return Plot(data, layout)


def _data(x: ArrayLike, y: ArrayLike) -> dict[str, list[float]]:
    return {"x": np.asarray(x, float).tolist(), "y": np.asarray(y, float).tolist()}
