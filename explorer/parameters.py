"""What each number on the screen means, where it may lie and how a slider shows it."""

import math

from explorer.core.parameter import Parameter
from explorer.tables import MAX_CELLS

MAX_SIDE = MAX_CELLS

PARAMETERS = {
    parameter.name: parameter
    for parameter in (
        Parameter(
            "mu", "μ", "GDP parameter", 1e-3, 100, typical=(0.01, 10), scale="log", default=0.5
        ),
        Parameter(
            "delta",
            "δ",
            "the δ of (ε, δ)",
            1e-300,
            0.999,
            typical=(1e-12, 0.1),
            scale="log",
            default=1e-6,
        ),
        Parameter("rows", "r", "rows", 1, MAX_SIDE, whole=True, typical=(1, 12), default=4),
        Parameter("columns", "c", "columns", 1, MAX_SIDE, whole=True, typical=(1, 12), default=4),
        Parameter(
            "n",
            "n",
            "records",
            1,
            1e13,
            whole=True,
            unit="records",
            typical=(10, 1e6),
            scale="log",
            default=200,
        ),
        Parameter(
            "records_per_person",
            "k",
            "records per person",
            1,
            1000,
            whole=True,
            unit="records",
            typical=(1, 20),
            default=1,
        ),
        Parameter("strength", "w", "signal strength", 0, math.inf, high_open=True, default=0.2),
        Parameter(
            "alpha",
            "α",
            "type I error",
            1e-300,
            1 - 1e-12,
            typical=(1e-4, 0.999),
            scale="log",
            default=0.05,
        ),
        Parameter("draw", "draw", "number of the simulated draw", 0, 2**31, whole=True),
    )
}
