"""The paper's symbols for the mechanisms, how figures draw them, and results by mechanism."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.core.mechanisms import (
    MECHANISMS,
    Gaussian,
    JamesSteinMean,
    JamesSteinZero,
    Laplace,
    Mechanism,
    ProjectedLaplace,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
    by_key,
)
from explorer.core.sensitivity import Statistic

Array = NDArray[np.float64]
MechanismClass = type[Mechanism]
ByMechanism = Mapping[MechanismClass, Array]
"""A number for each row of a table, by class of mechanism: one column each."""


class Style(NamedTuple):
    """How figures name and draw a mechanism: the paper's symbol, then plotly's colour and dash."""

    symbol: str
    colour: str
    dash: str


STYLES: Final[Mapping[MechanismClass, Style]] = {
    Gaussian: Style("M_G", "#4D4D4D", "solid"),
    RankDeficientGaussian: Style("M_r", "#0072B2", "solid"),
    JamesSteinZero: Style("M_JS0", "#E69F00", "dash"),
    JamesSteinMean: Style("M_JS", "#D55E00", "dash"),
    RankDeficientJamesSteinZero: Style("M_rJS0", "#009E73", "solid"),
    RankDeficientJamesStein: Style("M_rJS", "#CC79A7", "dashdot"),
    Laplace: Style("Laplace", "#7A5CCF", "dot"),
    ProjectedLaplace: Style("Laplace, total kept", "#7A5CCF", "longdash"),
}

NORMAL: Final[tuple[MechanismClass, ...]] = tuple(
    mechanism_class
    for mechanism_class in STYLES
    if mechanism_class not in (Laplace, ProjectedLaplace)
)
"""The mechanisms of the paper: normal noise, shrunk or not."""


def symbol(mechanism_class: MechanismClass) -> str:
    """Return the paper's symbol of a mechanism, or what stands for it."""
    return STYLES[mechanism_class].symbol


def costs(
    statistic: Statistic, mu: float, theta: Array | list[float]
) -> dict[MechanismClass, float]:
    """Return the cost of each of `NORMAL` given a table, as the paper defines them.

    Parameters
    ----------
    statistic : Statistic
        Of p coordinates.
    mu : float
        GDP parameter.
    theta : array_like of shape (p,)
        The table.
    """
    return {
        mechanism_class: float(mechanism_class(statistic, mu).l2_cost(theta))
        for mechanism_class in NORMAL
    }


def collect(rows: list[dict[MechanismClass, float]]) -> dict[MechanismClass, Array]:
    """Return a column for each mechanism from a dictionary for each row."""
    return {
        mechanism_class: np.array([row[mechanism_class] for row in rows])
        for mechanism_class in rows[0]
    }


def classes_in(names: NDArray[Any]) -> tuple[MechanismClass, ...]:
    """Return the mechanisms that a column of a study names, in the order of the menu."""
    classes = {by_key(str(name)) for name in np.unique(names)}
    return tuple(one for one in MECHANISMS if one in classes)


def places(names: NDArray[Any]) -> NDArray[np.int64]:
    """Return for each entry of a column of a study its place in `classes_in`."""
    order = classes_in(names)
    return np.array([order.index(by_key(str(name))) for name in names], dtype=np.int64)
