"""One module a panel: a result, `compute(scenario)`, `draw(result, words)`; plots are plain data.

A panel is a module with `NAME`, `SWITCHES` (fields of the scenario that stand in its head),
`compute`, `draw(result, words, kept=None)`, where `kept` is the layout whose axes should stay
while a handle is held, and `drag(scenario, x, y)`, the fields that a pull to (x, y) sets. One that
belongs to some of the views names it as `VIEW`; one whose numbers can be refined by long work has
`simulate(scenario)`, the pieces of that work. It has one entry in `PANELS`, in the order of the page.
"""

from types import ModuleType

from explorer.panels import cost, densities, p_value, power, readouts, table, tradeoff
from explorer.scenario import Scenario

PANELS: tuple[ModuleType, ...] = (densities, tradeoff, cost, table, power, p_value, readouts)


def in_view(panel: ModuleType, scenario: Scenario) -> bool:
    """Whether a panel is on the page: one that names no view always is."""
    return getattr(panel, "VIEW", scenario.view) == scenario.view
