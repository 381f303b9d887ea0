"""What a study can simulate: one `Kind` each, in `KINDS`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from explorer.core.parameter import ParameterError
from explorer.study import cost, power
from explorer.study.axes import Axis, Value

Parameters = Mapping[str, Value]


@dataclass(frozen=True)
class Kind:
    """A quantity that is simulated in every cell of a grid.

    Attributes
    ----------
    name : str
        As in the study's file.
    axes : tuple of Axis
        Every parameter of a cell, in the order of the grid: the last runs fastest.
    together : tuple of str
        Axes whose values must fit each other.
    check : callable
        Takes the parameters named in `together`, and the number of ``replicates``; raises
        `ParameterError` if they do not fit.
    simulate : callable
        Takes a cell's parameters, its generator and the number of replicates; returns a float
        for every name in `results`. It must be a pure function of these three.
    results : tuple of str
        Names of what comes out, in the order of a table.
    value, error : str
        The two of `results` that a figure draws: an estimate and its standard error.
    words : str
        Title of the value.
    span : tuple of float, optional
        Range of the value's axis; without it the axis is logarithmic and fits the values.
    most_replicates : int
        Most draws in a cell.
    """

    name: str
    axes: tuple[Axis, ...]
    together: tuple[str, ...]
    check: Callable[[Parameters], None]
    simulate: Callable[[Parameters, np.random.Generator, int], dict[str, float]]
    results: tuple[str, ...]
    value: str
    error: str
    words: str
    span: tuple[float, float] | None = None
    most_replicates: int = 10**9


KINDS: tuple[Kind, ...] = (
    Kind(
        name="cost",
        axes=cost.AXES,
        together=("shape", "pattern", "strength"),
        check=cost.check,
        simulate=cost.simulate,
        results=("cost", "standard_error", "exact"),
        value="cost",
        error="standard_error",
        words="total squared error, records²",
    ),
    Kind(
        name="power",
        axes=power.AXES,
        together=power.TOGETHER,
        check=power.check,
        simulate=power.simulate,
        results=("power", "standard_error"),
        value="power",
        error="standard_error",
        words="power of the test",
        span=(0, 1),
        most_replicates=power.MOST_REPLICATES,
    ),
)


def kind_of(name: object) -> Kind:
    """Return the kind of this name.

    Raises
    ------
    ParameterError
        If there is none.
    """
    for kind in KINDS:
        if kind.name == name:
            return kind
    rule = f"must be one of {', '.join(kind.name for kind in KINDS)}"
    raise ParameterError("kind", "kind", "what is simulated", rule, name)
