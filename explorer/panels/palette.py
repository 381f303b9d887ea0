"""Colours by name, so that a plot is the same data in the light and in the dark theme.

A plot names a colour as ``"@ink"`` or ``"@rank-deficient"``; the page puts in the theme's value.
"""

from explorer.core import mechanisms
from explorer.panels.look import look

LEGIBLE = 4.5  # WCAG 2, level AA
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
    "cell-low": "#d9e6f2",
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
    "cell-low": "#263746",
    "cell-high": "#2f6ea3",
}


def luminance(colour: str) -> float:
    """Return the relative luminance of ``"#rrggbb"``, as WCAG 2 defines it."""
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    """Return the contrast of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def legible(colour: str, paper: str, ink: str) -> str:
    """Return the colour, mixed with as much ink as makes it legible as a text on paper."""

    def mixed(share: float) -> str:
        pairs = ((int(colour[i : i + 2], 16), int(ink[i : i + 2], 16)) for i in (1, 3, 5))
        return "#" + "".join(f"{round(c + share * (k - c)):02x}" for c, k in pairs)

    return next(m for m in map(mixed, (i / 20 for i in range(21))) if contrast(m, paper) >= LEGIBLE)


def palettes() -> dict[str, dict[str, str]]:
    """Return the colours of both themes, the mechanisms' lines and names among them."""
    light, dark = dict(LIGHT), dict(DARK)
    for one in mechanisms.MECHANISMS:
        light[one.key] = look(one.key).colour
        dark[one.key] = look(one.key).colour_dark
        for theme in (light, dark):
            line = theme[one.key]
            theme[f"{one.key}-text"] = legible(line, theme["paper"], theme["ink"])
    return {"light": light, "dark": dark}
