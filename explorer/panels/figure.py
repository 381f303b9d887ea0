"""The pieces of a plot that all panels share, as plain data."""

from typing import NamedTuple, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.locale import Text
from explorer.panels.drawing import Axis, Dash, Drawing, Figure, Layout, Trace, TraceOptions

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"


class Ticks(NamedTuple):
    """Where an axis is labelled and how."""

    at: list[float]
    text: list[str]


def axis(title: str, span: tuple[float, float], ticks: Ticks) -> Axis:
    """Return an axis with words, a fixed range and few labels.

    The ticks are given, and ``ticklabeloverflow`` is off, because measuring the labels is a
    third of what plotly.js spends on a redraw. They stay level: plotly.js would turn long ones over
    the title.
    """
    return {
        "title": {"text": title, "standoff": 6, "font": {"size": 12}},
        "range": list(span),
        "tickvals": ticks.at,
        "ticktext": ticks.text,
        "tickangle": 0,
        "ticklabeloverflow": "allow",
        "gridcolor": "@grid",
        "color": "@mute",
        "zeroline": False,
        "fixedrange": True,
    }


def decades(left: float, right: float, text: Text) -> Ticks:
    """Return the ticks of a logarithmic axis between two powers of ten."""
    marks = (1.0, 2.0, 5.0) if right - left < 1.5 else (1.0,)
    return _powers(left, right, marks, 1, text)


def cost_decades(low: float, high: float, text: Text) -> Ticks:
    """Return at most some six labelled ticks of a logarithmic axis of any length."""
    every = max(1, int(np.ceil((high - low) / 5)))
    marks = (1.0,) if high - low > 2 else (1.0, 2.0, 5.0)
    return _powers(low, high, marks, every, text)


def _powers(low: float, high: float, marks: tuple[float, ...], every: int, text: Text) -> Ticks:
    places = (
        (float(np.log10(mark) + exponent), mark * 10.0**exponent)
        for exponent in range(int(np.floor(low)), int(np.ceil(high)) + 1, every)
        for mark in marks
    )
    inside = [(at, value) for at, value in places if low - 1e-9 <= at <= high + 1e-9]
    return Ticks([at for at, _ in inside], [text.numbers.tick(value) for _, value in inside])


def linear(low: float, high: float, text: Text) -> Ticks:
    """Return at most six round ticks of a linear axis, in the numbers of a language."""
    unit = 10.0 ** np.floor(np.log10((high - low) / 3))
    step = unit * next(m for m in (1, 2, 2.5, 5, 10) if (high - low) / (m * unit) <= 4.5)
    at = (step * np.arange(np.ceil(low / step), np.floor(high / step * (1 + 1e-9)) + 1)).tolist()
    return Ticks(at, [text.numbers.tick(v) for v in at])


def keep_x(span: tuple[float, float], previous: Drawing | None) -> tuple[float, float]:
    """Return the range of the horizontal axis while a handle is held; see `keep`."""
    figure = previous.figure if previous else None
    return keep(span, figure.layout["xaxis"] if figure else None)


def keep_y(span: tuple[float, float], previous: Drawing | None) -> tuple[float, float]:
    """Return the range of the vertical axis while a handle is held; see `keep`."""
    figure = previous.figure if previous else None
    return keep(span, figure.layout["yaxis"] if figure else None)


def keep(span: tuple[float, float], axis: Axis | None) -> tuple[float, float]:
    """Return the range of an axis while a handle is held.

    Parameters
    ----------
    span : tuple of float
        The range that would fit best.
    axis : Axis or None
        The axis of the previous drawing, or None to rescale.

    Returns
    -------
    tuple of float
        The old range, if it holds the new one and is at most three times as wide.
    """
    if axis is None:
        return span
    low, high = axis["range"]
    holds = low <= span[0] and span[1] <= high
    return (low, high) if holds and high - low <= 3 * (span[1] - span[0]) else span


def layout(x: Axis, y: Axis) -> Layout:
    """Return the layout of a plot with two axes."""
    x["ticklabelstandoff"] = 5  # the first labels of the two axes are neighbours
    return {
        "xaxis": x,
        "yaxis": y,
        "margin": {"l": 58, "r": 16, "t": 10, "b": 44},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 12, "color": "@ink"},
    }


def blank() -> Drawing:
    """Return what stands for a panel that has not been in view yet."""
    nothing = Ticks([], [])
    axes = axis("", (0.0, 1.0), nothing), axis("", (0.0, 1.0), nothing)
    return Drawing(Figure([], layout(*axes)))


def _with(trace: Trace, options: TraceOptions) -> Trace:
    return cast("Trace", {**trace, **options})  # mypy cannot join two typed dictionaries


def curve(
    x: ArrayLike,
    y: ArrayLike,
    colour: str,
    *,
    dash: Dash = "solid",
    width: float = 2,
    **options: Unpack[TraceOptions],
) -> Trace:
    """Return a line."""
    trace: Trace = {
        "type": "scatter",
        "mode": "lines",
        "x": np.asarray(x, dtype=float),
        "y": np.asarray(y, dtype=float),
        "line": {"color": colour, "width": width, "dash": dash},
        "hoverinfo": "skip",
    }
    return _with(trace, options)


def rule(x: ArrayLike, y: ArrayLike, **options: Unpack[TraceOptions]) -> Trace:
    """Return the thin line through the current point."""
    return curve(x, y, "@rule", width=1, dash="dot", **options)


def points(
    x: ArrayLike,
    y: ArrayLike,
    colour: str | list[str] = "@ink",
    **options: Unpack[TraceOptions],
) -> Trace:
    """Return the marks of the current point."""
    trace: Trace = {
        "type": "scatter",
        "mode": "markers",
        "x": np.asarray(x, dtype=float),
        "y": np.asarray(y, dtype=float),
        "marker": {"color": colour, "size": 10, "line": {"color": "@paper", "width": 1.5}},
        "hoverinfo": "text",
        "cliponaxis": False,
    }
    return _with(trace, options)


def labels(
    x: ArrayLike,
    y: ArrayLike,
    words: list[str],
    colours: list[str],
    position: str | list[str],
    **options: Unpack[TraceOptions],
) -> Trace:
    """Return words placed in the plot; to hide them use ``visible``, never an empty text.

    plotly.js does not draw a text again that was empty.
    """
    trace: Trace = {
        "type": "scatter",
        "mode": "text",
        "x": np.asarray(x, dtype=float),
        "y": np.asarray(y, dtype=float),
        "text": words,
        "textposition": position,
        "textfont": {"color": colours, "size": 12},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
    return _with(trace, options)


def spread(
    heights: NDArray[np.float64], gap: float, low: float, high: float
) -> NDArray[np.float64]:
    """Move labels apart so that none overlaps, each as near its line as may be.

    Parameters
    ----------
    heights : ndarray of shape (m,)
        Where the labels would like to be, in any order.
    gap : float
        Least distance between two.
    low, high : float
        Where they must stay; if they do not fit, the gap shrinks.

    Returns
    -------
    ndarray of shape (m,)
        Where they are put, in the same order.
    """
    count = len(heights)
    if count < 2:
        return np.clip(heights, low, high)
    gap = min(gap, (high - low) / (count - 1))
    order = np.argsort(heights, kind="stable")
    # With the gaps taken out, the nearest admissible places are a monotone regression.
    steps = gap * np.arange(count)
    wanted = heights[order] - steps
    placed = np.empty(count)
    blocks: list[tuple[float, int]] = []
    for value in wanted:
        mean, size = float(value), 1
        while blocks and blocks[-1][0] > mean:
            previous, width = blocks.pop()
            mean = (mean * size + previous * width) / (size + width)
            size += width
        blocks.append((mean, size))
    fitted = np.concatenate([np.full(size, mean) for mean, size in blocks])
    placed[order] = np.clip(fitted, low, high - steps[-1]) + steps
    return placed
