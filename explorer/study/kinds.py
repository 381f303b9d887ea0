"""The study kinds, one `StudyKind` each in `KINDS`: a class of cells and how a report shows it."""

from dataclasses import dataclass

from explorer.core.parameter import Argument
from explorer.study import power
from explorer.study.axes import Axis
from explorer.study.cells import Cell
from explorer.study.cost import CostCell
from explorer.study.power import PowerCell

KIND = Argument("kind", "kind", "what is simulated")


@dataclass(frozen=True)
class StudyKind:
    """A quantity that is simulated in every cell of a grid.

    Attributes
    ----------
    cell_class : type of Cell
        Its axes, checks and simulation.
    together : tuple of str
        Axes whose values `Cell.check` compares. The others have any value in the check, so that
        a large grid is checked in a few steps.
    value, error : str
        The two of the cell's results that a figure shows: an estimate and its standard error.
    title : str
        Title of the value.
    span : tuple of float, optional
        Range of the value's axis; without it the axis is logarithmic and fits the values.
    most_replicates : int
        Most simulated releases in a cell.
    """

    cell_class: type[Cell]
    together: tuple[str, ...]
    value: str
    error: str
    title: str
    span: tuple[float, float] | None = None
    most_replicates: int = 10**9

    @property
    def name(self) -> str:
        """Name in the study's file."""
        return self.cell_class.kind

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Every parameter of a cell, in the order of the grid: the last runs fastest."""
        return self.cell_class.axes

    @property
    def results(self) -> tuple[str, ...]:
        """Names of a cell's results, in the order of a table."""
        return self.cell_class.results


KINDS = (
    StudyKind(
        cell_class=CostCell,
        together=("shape", "pattern", "strength"),
        value="cost",
        error="standard_error",
        title="total squared error, records²",
    ),
    StudyKind(
        cell_class=PowerCell,
        together=power.TOGETHER,
        value="power",
        error="standard_error",
        title="power of the test",
        span=(0, 1),
        most_replicates=power.MOST_REPLICATES,
    ),
)


def kind_of(name: object) -> StudyKind:
    """Return the kind of this name.

    Raises
    ------
    ParameterError
        If there is none.
    """
    for kind in KINDS:
        if kind.name == name:
            return kind
    raise KIND.refuse(name, f"must be one of {', '.join(kind.name for kind in KINDS)}")
