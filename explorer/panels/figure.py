"""The pieces of a plot that all panels share, as plain data."""

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"


class Ticks(NamedTuple):
    """Where an axis is labelled and how."""

    at: list[float]
    text: list[str]


def axis(title: str, span: tuple[float, float], ticks: Ticks, **more: Any) -> dict[str, Any]:
    """Return an axis with words, a fixed range and few labels.

    The ticks are given, and ``ticklabeloverflow`` is off, because measuring the labels is a
    third of what plotly.js spends on a redraw.
    """
    return {
        "title": {"text": title, "standoff": 6, "font": {"size": 12}},
        "range": list(span),
        "tickvals": ticks.at,
        "ticktext": ticks.text,
        "ticklabeloverflow": "allow",
        "gridcolor": "@grid",
        "color": "@mute",
        "zeroline": False,
        "fixedrange": True,
        **more,
    }


def decades(left: float, right: float) -> Ticks:
    """Return the ticks of a logarithmic axis between two powers of ten."""
    at, text = [], []
    marks = (1, 2, 5) if right - left < 1.5 else (1,)
    for exponent in range(int(np.floor(left)), int(np.ceil(right)) + 1):
        for mark in marks:
            value = np.log10(mark) + exponent
            if left - 1e-9 <= value <= right + 1e-9:
                at.append(float(value))
                text.append(_plain(mark * 10.0**exponent))
    return Ticks(at, text)


def _plain(value: float) -> str:
    return f"{value:,.0f}".replace(",", "\u202f") if value >= 1 else f"{value:g}"


def linear(low: float, high: float, words: ModuleType) -> Ticks:
    """Return at most six round ticks of a linear axis, in the numbers of a language."""
    unit = 10.0 ** np.floor(np.log10((high - low) / 3))
    step = unit * next(m for m in (1, 2, 2.5, 5, 10) if (high - low) / (m * unit) <= 4.5)
    at = (step * np.arange(np.ceil(low / step), np.floor(high / step * (1 + 1e-9)) + 1)).tolist()
    return Ticks(at, [words.number(v) for v in at])


def keep(span: tuple[float, float], axis: str, kept: dict[str, Any] | None) -> tuple[float, float]:
    """Return the range of an axis while a handle is held.

    Parameters
    ----------
    span : tuple of float
        The range that would fit best.
    axis : str
        Name of the axis in the layout.
    kept : dict or None
        The layout of the last plot, or None to rescale.

    Returns
    -------
    tuple of float
        The old range, if it holds the new one and is at most three times as wide.
    """
    if kept is None:
        return span
    low, high = kept[axis]["range"]
    holds = low <= span[0] and span[1] <= high
    return (low, high) if holds and high - low <= 3 * (span[1] - span[0]) else span


def layout(x: dict[str, Any], y: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the layout of a plot with two axes."""
    return {
        "xaxis": {**x, "ticklabelstandoff": 5},  # the first labels of the two axes are neighbours
        "yaxis": y,
        "margin": {"l": 58, "r": 16, "t": 10, "b": 44},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 12, "color": "@ink"},
        **more,
    }


def curve(x: ArrayLike, y: ArrayLike, colour: str, **more: Any) -> dict[str, Any]:
    """Return a line; `more` may hold ``dash`` and ``width``."""
    line = {"color": colour, "width": more.pop("width", 2), "dash": more.pop("dash", "solid")}
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.asarray(x, dtype=float),
        "y": np.asarray(y, dtype=float),
        "line": line,
        "hoverinfo": "skip",
        **more,
    }


def rule(x: ArrayLike, y: ArrayLike, **more: Any) -> dict[str, Any]:
    """Return the thin line through the current point."""
    return curve(x, y, "@rule", width=1, dash="dot", **more)


def points(x: ArrayLike, y: ArrayLike, colour: Any = "@ink", **more: Any) -> dict[str, Any]:
    """Return the marks of the current point."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": np.asarray(x, dtype=float),
        "y": np.asarray(y, dtype=float),
        "marker": {"color": colour, "size": 10, "line": {"color": "@paper", "width": 1.5}},
        "hoverinfo": "text",
        "cliponaxis": False,
        **more,
    }


def labels(
    x: ArrayLike, y: ArrayLike, text: list[str], colours: list[str], position: Any, **more: Any
) -> dict[str, Any]:
    """Return words placed in the plot; to hide them use ``visible``, never an empty text.

    plotly.js does not draw a text again that was empty.
    """
    return {
        "type": "scatter",
        "mode": "text",
        "x": np.asarray(x, dtype=float),
        "y": np.asarray(y, dtype=float),
        "text": text,
        "textposition": position,
        "textfont": {"color": colours, "size": 12},
        "hoverinfo": "skip",
        "cliponaxis": False,
        **more,
    }


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
