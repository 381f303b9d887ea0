"""One module a panel: `Result`, `compute(scenario)`, `draw(result, words)`; plots are plain data.

A panel is a module with `NAME`, `SWITCHES` (fields of the scenario that stand in its head),
`compute`, `draw` and `drag`, and one entry in `PANELS`, in the order of the page.
"""

from types import ModuleType

from explorer.panels import cost, densities, readouts, table, tradeoff

PANELS: tuple[ModuleType, ...] = (densities, tradeoff, cost, table, readouts)
