"""How the line of a mechanism looks in every plot: colour by theme, dash, width."""

from dataclasses import dataclass

from explorer.panels.drawing import Dash


@dataclass(frozen=True, slots=True)
class LineStyle:
    """The look of a line.

    Attributes
    ----------
    colour, colour_dark : str
        In the light and in the dark theme.
    dash : str
        By plotly's name.
    width : float
        In pixels.
    """

    colour: str
    colour_dark: str
    dash: Dash = "solid"
    width: float = 2


LOOKS = {
    "gaussian": LineStyle("#4D4D4D", "#BFBFBF"),
    "rank-deficient": LineStyle("#0072B2", "#56B4E9"),
    "james-stein-zero": LineStyle("#C28400", "#E69F00", "dash"),
    "james-stein-mean": LineStyle("#D55E00", "#D55E00", "dash"),
    "rank-deficient-james-stein-zero": LineStyle("#009E73", "#009E73", width=3),
    "rank-deficient-james-stein": LineStyle("#CC79A7", "#CC79A7", "dashdot"),
    "laplace": LineStyle("#7A5CCF", "#A98FF0", "dot"),
    "projected-laplace": LineStyle("#7A5CCF", "#A98FF0", "longdash"),
}
"""Looks by the key of the mechanism: colours after Okabe and Ito, 3:1 on paper at least."""

OTHER = LineStyle("#8C564B", "#C49C94", "longdash")
"""The look of a mechanism that has none of its own."""

DASHES = {
    "solid": "none",
    "dash": "5,3",
    "dot": "1.5,2.5",
    "dashdot": "5,3,1.5,3",
    "longdash": "8,3",
}
"""Dashes as SVG wants them."""


def look(key: str) -> LineStyle:
    """Return the look of a mechanism."""
    return LOOKS.get(key, OTHER)
