"""Why a scenario is refused beyond the domain of a single number: one class for each reason.

Each class holds the facts that a sentence about it needs. `explorer.locale` phrases them.
"""

from typing import ClassVar

from explorer.core.parameter import ParameterError


class ScenarioError(ParameterError):
    """A field, or a combination of fields, that a scenario cannot have.

    Attributes
    ----------
    name : str
        Field of the scenario, or the part of a link, that is refused.
    """

    def __init__(self, name: str, rule: str, value: object, symbol: str = "") -> None:
        super().__init__(name, symbol or name, name, rule, value)


class NotAChoiceError(ScenarioError):
    """A value that is none of those to choose from, `allowed`."""

    def __init__(self, name: str, value: object, allowed: tuple[str, ...]) -> None:
        super().__init__(name, f"must be one of {', '.join(allowed)}", value)
        self.allowed = allowed


class CellCountError(ScenarioError):
    """Rows times columns make `cells` cells, fewer than 2 or more than `most`."""

    def __init__(self, rows: int, cells: int, most: int) -> None:
        super().__init__("rows", f"times the columns must give 2 to {most} cells", rows, "r")
        self.cells, self.most = cells, most


class ShapeError(ScenarioError):
    """The size differs from that of the chosen table, `table_shape`."""

    def __init__(self, shape: tuple[int, int], table_shape: tuple[int, int]) -> None:
        super().__init__("rows", f"must fit the table's shape {table_shape}", shape, "r")
        self.table_shape = table_shape


class OneRowPatternError(ScenarioError):
    """The pattern sets rows against columns, and the table has one row or column."""

    def __init__(self, pattern: str) -> None:
        super().__init__("pattern", "needs at least two rows and two columns", pattern)


class OneRowTestError(ScenarioError):
    """The test is of rows against columns, and the table has one row or column."""

    def __init__(self, test: str) -> None:
        super().__init__("test", "needs at least two rows and two columns", test)


class NoTypedTableError(ScenarioError):
    """The typed table is chosen, and there is none."""

    def __init__(self, name: str, value: object) -> None:
        super().__init__(name, "needs a typed table", value)


class StrengthError(ScenarioError):
    """The signal strength is above `most`, the largest for the pattern and the size."""

    def __init__(self, strength: float, most: float) -> None:
        rule = f"must be at most {most:.6g} for this pattern and size"
        super().__init__("strength", rule, strength, "w")
        self.most = most


class AverageError(ScenarioError):
    """Costs cannot be averaged over tables of more than `most` records."""

    def __init__(self, records: int, most: int) -> None:
        super().__init__("cost_average", f"needs n of at most {most}", records)
        self.most = most


class TestSizeError(ScenarioError):
    """The tests are shown for at most `cells` cells and `most` records."""

    __test__: ClassVar[bool] = False  # pytest collects classes whose names begin with Test

    def __init__(self, cells: int, records: int, most_cells: int, most_records: int) -> None:
        rule = f"needs at most {most_cells} cells and {most_records} records"
        super().__init__("view", rule, (cells, records))
        self.most_cells, self.most_records = most_cells, most_records


class LinkError(ScenarioError):
    """A part of a link that is not used."""


class UnknownPartError(LinkError):
    """The link has a part that is no field of a scenario."""

    def __init__(self, name: str, value: object) -> None:
        super().__init__(name, "is not a parameter", value)


class RepeatedPartError(LinkError):
    """The link has a part more than once."""

    def __init__(self, name: str, value: object) -> None:
        super().__init__(name, "is given twice", value)


class TypedTableInLinkError(LinkError):
    """The link asks for the typed table, which is never put in a link."""

    def __init__(self, value: object) -> None:
        super().__init__("pattern", "is not in a link", value)


class TooManyPartsError(LinkError):
    """The link has more parts than are read."""

    def __init__(self) -> None:
        super().__init__("link", "has too many parts", "…")
