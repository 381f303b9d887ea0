"""Presets: scenarios worth starting from."""

from explorer.scenario.fields import CostAxis, View
from explorer.scenario.scenario import Scenario

PRESETS = {
    "first": Scenario(),
    "survey": Scenario(rows=2, columns=3, n=1000, mu=1.0, pattern="trend", strength=0.3),
    "sparse": Scenario(rows=12, columns=12, n=300, mu=0.5, strength=0.5),
    "shrink": Scenario(rows=6, columns=6, n=500, mu=0.3, pattern="split", strength=0.05),
    "test": Scenario(
        view=View.TESTS, rows=2, columns=5, n=500, mu=0.25, pattern="split", strength=0.2
    ),
    "laplace": Scenario(mu=6.0, n=200, cost_axis=CostAxis.MU, cost_log=True),
    "strict": Scenario(mu=0.1, n=5000, rows=5, columns=5, pattern="interaction"),
}
