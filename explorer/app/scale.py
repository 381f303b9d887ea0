"""From the notches of a slider to the values of a parameter and back.

A slider moves in whole notches, so that the browser never moves a value to its grid: what is
typed keeps all its digits, and the slider only stands at the nearest notch.
"""

import math
from dataclasses import dataclass

NOTCHES = 400


@dataclass(frozen=True, slots=True)
class Scale:
    """How a slider is divided.

    Attributes
    ----------
    low, high : float
        Ends of the slider.
    logarithmic : bool
        Whether equal steps are equal ratios.
    whole : bool
        Whether the values are whole numbers.
    zero : bool
        Whether the first notch is zero, below a logarithmic range.
    """

    low: float
    high: float
    logarithmic: bool = False
    whole: bool = False
    zero: bool = False

    @property
    def notches(self) -> int:
        """Number of the last notch; the first is 0."""
        if self.whole and not self.logarithmic:
            return round(self.high - self.low)
        return NOTCHES

    def notch(self, value: float) -> int:
        """Return the notch nearest to a value; beyond an end it is that end."""
        if self.zero and value < self.low:
            return 0 if value < self.low / 2 else 1
        value = min(max(value, self.low), self.high)
        if self.high <= self.low:
            return 0
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        first = 1 if self.zero else 0
        return first + round(share * (self.notches - first))

    def value(self, notch: int) -> float:
        """Return the value at a notch, to three significant digits except at the ends."""
        first = 1 if self.zero else 0
        if self.zero and notch <= 0:
            return 0.0
        if notch >= self.notches:
            return self.high
        share = (notch - first) / (self.notches - first)
        if not self.logarithmic:
            plain = self.low + share * (self.high - self.low)
        else:
            plain = self.low * (self.high / self.low) ** share
        rounded = float(f"{plain:.3g}")
        return float(round(rounded)) if self.whole else min(max(rounded, self.low), self.high)
