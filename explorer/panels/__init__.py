"""The panels: one module each, with a result, `compute(scenario)` and `draw(result, text)`.

A panel is an instance of a subclass of `explorer.panels.panel.Panel`. To add one, write its module
and add its instance to `PANELS`, in the order of the page.
"""

from explorer.panels import cost, densities, p_value, power, readouts, table, tradeoff
from explorer.panels.panel import Piece, ShownPanel
from explorer.scenario import Scenario

PANELS: tuple[ShownPanel, ...] = (
    densities.PANEL,
    tradeoff.PANEL,
    cost.PANEL,
    table.PANEL,
    power.PANEL,
    p_value.PANEL,
    readouts.PANEL,
)


def in_view(panel: ShownPanel, scenario: Scenario) -> bool:
    """Whether a panel is on the page."""
    return panel.view in {None, scenario.view}


def background(scenario: Scenario) -> list[Piece]:
    """Return the pieces of work that the panels in view still need, in their order."""
    shown = (panel for panel in PANELS if in_view(panel, scenario))
    works = (panel.background for panel in shown if panel.background is not None)
    return [piece for work in works for piece in work.pieces(scenario)]


__all__ = ["PANELS", "Piece", "ShownPanel", "background", "in_view"]
