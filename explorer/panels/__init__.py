"""One module a panel: a result, `compute(scenario)`, `draw(result, words)`; plots are plain data.

A panel is a module with `NAME`, `SWITCHES` (fields of the scenario that stand in its head),
`compute`, `draw(result, words, kept=None)`, where `kept` is the layout whose axes should stay
while a handle is held, and `drag(scenario, x, y)`, the fields that a pull to (x, y) sets. One that
belongs to one of the views names it as `VIEW`. Work that is too slow for a drag is done in pieces:
`missing(scenario)` returns those that are done as soon as no handle is held, `simulate(scenario)`
those that a button starts. A panel has one entry in `PANELS`, in the order of the page.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from explorer.panels import cost, densities, figure, p_value, power, readouts, table, tradeoff
from explorer.scenario import Scenario

PANELS: tuple[ModuleType, ...] = (densities, tradeoff, cost, table, power, p_value, readouts)

_NO_TICKS = figure.Ticks([], [])
BLANK: dict[str, Any] = {
    "figure": {
        "data": [],
        "layout": figure.layout(
            figure.axis("", (0.0, 1.0), _NO_TICKS), figure.axis("", (0.0, 1.0), _NO_TICKS)
        ),
    },
    "sentence": "",
}
"""What stands for a panel that has not been in view yet."""


def in_view(panel: ModuleType, scenario: Scenario) -> bool:
    """Whether a panel is on the page: one that names no view always is."""
    return getattr(panel, "VIEW", scenario.view) == scenario.view


def missing(scenario: Scenario) -> list[Callable[[], object]]:
    """Return the pieces of work that the panels in view lack, in their order."""
    shown = (panel for panel in PANELS if in_view(panel, scenario) and hasattr(panel, "missing"))
    return [piece for panel in shown for piece in panel.missing(scenario)]
