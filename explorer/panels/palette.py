"""Colours by name, so that a plot is the same data in the light and in the dark theme.

A plot names a colour as ``"@ink"`` or ``"@RankDeficientGaussian"``; the page (or `resolve`)
puts in the theme's value.
"""

from typing import Any

from explorer.core import mechanisms

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1d2329",
    "mute": "#59636d",
    "grid": "#edf0f2",
    "rule": "#9aa4ad",
    "accent": "#0072B2",
    "outside": "#4D4D4D",
    "outside-area": "rgba(77,77,77,0.45)",
    "inside-area": "rgba(0,114,178,0.22)",
    "cell-low": "#f3f7fb",
    "cell-high": "#5b9bd0",
}
DARK = {
    "paper": "#15191d",
    "ink": "#e8ecef",
    "mute": "#a3adb6",
    "grid": "#262c32",
    "rule": "#6b757e",
    "accent": "#56B4E9",
    "outside": "#BFBFBF",
    "outside-area": "rgba(191,191,191,0.40)",
    "inside-area": "rgba(86,180,233,0.28)",
    "cell-low": "#1b232b",
    "cell-high": "#2f6ea3",
}


def palettes() -> dict[str, dict[str, str]]:
    """Return the colours of both themes, the mechanisms' among them."""
    light, dark = dict(LIGHT), dict(DARK)
    for kind in mechanisms.MECHANISMS:
        light[kind.__name__] = kind.colour
        dark[kind.__name__] = kind.colour_dark or kind.colour
    return {"light": light, "dark": dark}


def resolve(spec: Any, theme: str = "light") -> Any:
    """Return a copy of a plot in which every colour name has its value.

    Parameters
    ----------
    spec : dict, list or scalar
        A plot as plain data.
    theme : {"light", "dark"}
        Which colours.

    Returns
    -------
    dict, list or scalar
        The same plot, ready for ``plotly.graph_objects.Figure``.
    """
    colours = palettes()[theme]

    def walk(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: walk(value) for key, value in node.items()}
        if isinstance(node, list):
            return [walk(value) for value in node]
        if isinstance(node, str) and node.startswith("@"):
            return colours[node[1:]]
        return node

    return walk(spec)
