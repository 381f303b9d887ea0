"""What each number on the screen means, where it may lie, how a slider shows it and a link holds it."""

import math

from explorer.core.parameter import Parameter, ParameterError
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


class ScenarioError(ParameterError):
    """Two fields that do not go together; `reason` and `facts` make the page's sentence."""

    def __init__(self, name: str, rule: str, value: object, reason: str, **facts: object) -> None:
        parameter = PARAMETERS.get(name)
        symbol = parameter.symbol if parameter else name
        meaning = parameter.meaning if parameter else name
        super().__init__(name, symbol, meaning, rule, value)
        self.reason = reason
        self.facts = facts


def to_text(value: object) -> str:
    """Return a field of a scenario as a link holds it."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple):
        return ".".join(value)
    return repr(value) if isinstance(value, float) else str(value)


def from_text(text: str, default: object) -> object:
    """Return the text as a value of the default's type, or raise ValueError."""
    if isinstance(default, bool):
        return ("0", "1").index(text) == 1
    if isinstance(default, tuple):
        return tuple(part for part in text.split(".") if part)
    if isinstance(default, str):
        return text
    return float(text if len(text) <= 40 else "")


def refused(name: str, text: str) -> ParameterError:
    """Return why the text of a link is no value of a field."""
    shown = text[:40]
    if name in PARAMETERS:
        return PARAMETERS[name].error(shown)
    return ScenarioError(name, "must be 0 or 1", shown, "choice", allowed="0, 1")
