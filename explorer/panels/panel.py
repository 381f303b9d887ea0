"""What a panel is: it computes a result from the scenario and draws it."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Generic, Protocol, TypeAlias, TypeVar

from explorer.locale import Text
from explorer.panels.drawing import Drawing
from explorer.scenario import Scenario, View
from explorer.scenario.edits import Edit

R = TypeVar("R")
Piece: TypeAlias = Callable[[], object]
"""A piece of work that takes longer than a drag allows; it memoises its result."""


class Work(Protocol):
    """Work that is too slow for a drag, done piece by piece between the messages of the page."""

    def pieces(self, scenario: Scenario) -> list[Piece]:
        """Return what is still to be done for a scenario, the most important first."""

    def same(self, one: Scenario, other: Scenario) -> bool:
        """Whether the pieces for one scenario serve the other, so that a change need not end them."""


class ShownPanel(Protocol):
    """A panel as the app sees it, whatever its result."""

    @property
    def name(self) -> str:
        """Name in style sheets, messages and tests."""

    @property
    def view(self) -> View | None:
        """The view to which the panel belongs; None if it is always shown."""

    @property
    def switches(self) -> tuple[str, ...]:
        """Fields of the scenario whose controls stand in the panel's head."""

    @property
    def background(self) -> Work | None:
        """Work that begins by itself as soon as no handle is held."""

    @property
    def simulation(self) -> Work | None:
        """Work that a button of the panel starts."""

    def show(self, scenario: Scenario, text: Text, previous: Drawing | None = None) -> Drawing:
        """Return what the panel shows; while a handle is held, axes stay like the `previous` ones."""

    def drag(self, scenario: Scenario, x: float, y: float) -> Edit | None:
        """Return the fields that a pull of the handle to (x, y) sets; None if nothing can be pulled."""


class Panel(ABC, Generic[R]):
    """A panel with a result of type R. To add one, write its module and add a line to `PANELS`."""

    name: ClassVar[str]
    view: ClassVar[View | None] = None
    switches: ClassVar[tuple[str, ...]] = ()
    background: ClassVar[Work | None] = None
    simulation: ClassVar[Work | None] = None

    @abstractmethod
    def compute(self, scenario: Scenario) -> R:
        """Return the numbers that the panel shows, in a few milliseconds."""

    @abstractmethod
    def draw(self, result: R, text: Text, previous: Drawing | None = None) -> Drawing:
        """Return the drawing of a result; `previous` is the drawing whose axes should stay."""

    def show(self, scenario: Scenario, text: Text, previous: Drawing | None = None) -> Drawing:
        """Return what the panel shows for a scenario."""
        return self.draw(self.compute(scenario), text, previous)

    def drag(self, scenario: Scenario, x: float, y: float) -> Edit | None:
        """Return nothing: most panels have no handle."""
        del scenario, x, y
        return None
