"""The paper's symbols for the mechanisms, and results by mechanism."""

from collections.abc import Mapping
from typing import Any, Final

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
from explorer.panels.look import LineStyle, look

Array = NDArray[np.float64]
MechanismClass = type[Mechanism]
ByMechanism = Mapping[MechanismClass, Array]
"""A number for each row of a table, by class of mechanism: one column each."""


SYMBOLS: Final[Mapping[MechanismClass, str]] = {
    Gaussian: "M_G",
    RankDeficientGaussian: "M_r",
    JamesSteinZero: "M_JS0",
    JamesSteinMean: "M_JS",
    RankDeficientJamesSteinZero: "M_rJS0",
    RankDeficientJamesStein: "M_rJS",
    Laplace: "Laplace",
    ProjectedLaplace: "Laplace, total kept",
}
"""The paper's symbols; M_rJS0 and Laplace noise are not in the paper."""

NORMAL: Final[tuple[MechanismClass, ...]] = tuple(
    mechanism_class
    for mechanism_class in SYMBOLS
    if mechanism_class not in (Laplace, ProjectedLaplace)
)
"""The mechanisms of the paper: normal noise, shrunk or not."""


def symbol(mechanism_class: MechanismClass) -> str:
    """Return the paper's symbol of a mechanism, or what stands for it."""
    return SYMBOLS[mechanism_class]


def style(mechanism_class: MechanismClass) -> LineStyle:
    """Return how figures draw a mechanism: as the page does."""
    return look(mechanism_class.key)


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
