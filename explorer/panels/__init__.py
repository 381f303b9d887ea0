"""One module a panel: a result, `compute(scenario)`, `draw(result, words)`; plots are plain data.

A panel is a module with `NAME`, `SWITCHES` (fields of the scenario that stand in its head),
`compute`, `draw(result, words, kept=None)`, where `kept` is the layout whose axes should stay
while a handle is held, and `drag(scenario, x, y)`, the fields that a pull to (x, y) sets. It has
one entry in `PANELS`, in the order of the page.
"""

from types import ModuleType

from explorer.panels import cost, densities, readouts, table, tradeoff

PANELS: tuple[ModuleType, ...] = (densities, tradeoff, cost, table, readouts)
