"""The quantities of the field, each declared once: symbol, meaning, widest domain.

A function or a control that takes less narrows the declaration with `Parameter.within`, and one
that takes the same quantity under another argument name renames it with `Parameter.named`.
"""

from math import inf
from typing import Final

from explorer.core.parameter import Argument, Parameter

MU: Final = Parameter("mu", "μ", "GDP parameter", 0, inf)
EPSILON: Final = Parameter("epsilon", "ε", "the ε of (ε, δ)", 0, inf)
DELTA: Final = Parameter("delta", "δ", "the δ of (ε, δ)", 0, 1)
ALPHA: Final = Parameter("alpha", "α", "type I error", 0, 1)
BETA: Final = Parameter("beta", "β", "type II error", 0, 1)
RECORDS: Final = Parameter("n", "n", "number of records", 0, 1e15, whole=True)
RECORDS_PER_PERSON: Final = Parameter(
    "records_per_person", "k", "records of one person", 1, 1e9, whole=True
)
STRENGTH: Final = Parameter("strength", "w", "signal strength, Cohen's w", 0, inf, high_open=True)
CONFIDENCE: Final = Parameter("level", "1 - α", "confidence level", 0, 1, high_open=True)

SHAPE: Final = Argument("shape", "r × c", "levels of the table")
PROBABILITIES: Final = Argument("probabilities", "π", "cell probabilities")
STATISTIC: Final = Argument("statistic", "θ", "statistic")
MECHANISM: Final = Argument("mechanism", "M", "mechanism")
MARGINS: Final = Argument("margins", "W", "marginal tables")
