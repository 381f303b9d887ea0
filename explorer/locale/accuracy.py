"""What a number is worth: the label that stands beside it."""

from enum import Enum, auto


class Accuracy(Enum):
    """How a number came about."""

    EXACT = auto()
    """A formula or an integral."""

    BOUND = auto()
    """No attacker does better."""

    APPROXIMATE = auto()
    """A formula that takes tables for normal."""

    SIMULATED = auto()
    """From random draws, with a standard error."""

    INTERPOLATED = auto()
    """Between two simulated points."""
