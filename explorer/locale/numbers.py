"""Numbers as a person reads and types them, in the convention of a language."""

import math
import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_DOWN, Context, Decimal
from functools import cache

THIN = "\u202f"
MINUS = "\u2212"
TINY = 1e-308


def typed(value: float) -> str:
    """Return the shortest text that reads back as `value`, for a number box."""
    if float(value).is_integer() and abs(value) < 1e16:
        return str(int(value))
    mantissa, _, exponent = repr(float(value)).partition("e")
    if not exponent:
        return mantissa
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"


@dataclass(frozen=True)
class Numbers:
    """How a language writes numbers.

    Attributes
    ----------
    decimal, group : str
        Between the whole part and the decimals, and between thousands.
    percentage : str
        How a percentage is written, with ``{}`` for the number.
    """

    decimal: str = "."
    group: str = THIN
    percentage: str = "{}%"

    def whole(self, value: float) -> str:
        """Return a whole number with its thousands set apart."""
        return self._local(f"{round(value):,}")

    def at_most(self, value: float, digits: int = 6) -> str:
        """Return the end of a range to so many digits, never beyond it, so that it can be typed."""
        exact = Context(prec=digits, rounding=ROUND_DOWN).create_decimal(value)
        return typed(float(exact)).replace(".", self.decimal)

    def typed(self, value: float) -> str:
        """Return the shortest text that reads back as `value`, for a sentence."""
        return typed(value).replace(".", self.decimal)

    def short(self, value: float, digits: int = 3) -> str:
        """Return a number to three significant digits, as a person would write it.

        Values too small for a double are shown as a bound, infinity as ∞.
        """
        if math.isinf(value):
            return "∞" if value > 0 else MINUS + "∞"
        if value == 0:
            return "0"
        if abs(value) < TINY:
            return "< 1e" + MINUS + "308"
        scientific = f"{value:.{digits - 1}e}"
        mantissa, _, power = scientific.partition("e")
        exponent = int(power)
        if -4 <= exponent < 6:
            decimals = max(digits - 1 - exponent, 0)
            return self._local(f"{float(scientific):,.{decimals}f}")
        return self._local(f"{mantissa}e{exponent}")

    def tick(self, value: float) -> str:
        """Return a tick label, short enough to stand beside an axis."""
        if value < 1000:
            return self._local(f"{value:.4g}")
        if value < 1e5:
            return self.whole(value)
        mantissa, _, exponent = f"{value:.2e}".partition("e")
        return self._local(f"{float(mantissa):g}e{int(exponent)}")

    def percent(self, value: float) -> str:
        """Return a share as a percentage to three significant digits at the most.

        Nothing below 1 is shown as 100%, nothing above 0 as 0%; a ratio of costs can be above 1.
        """
        if value == 0:
            return self.percentage.format("0")
        if value < 1e-4:
            return self.short(value)
        if 0.9995 <= value < 1:
            return "> " + self.percentage.format(self._local("99.9"))
        if value == 1:
            return self.percentage.format("100")
        return self.percentage.format(self.short(100 * value))

    def percent_at_most(self, value: float) -> str:
        """Return an upper bound as a percentage: rounded up, so that the claim stays true."""
        return self.percent(_up(value))

    def chosen_percent(self, value: float) -> str:
        """Return a probability that a person chose as a percentage, to six digits."""
        digits = float(f"{100 * value:.6g}")
        return self.percentage.format(self.typed(digits)) if digits < 100 else self.percent(value)

    def out_of(self, value: float, base: int = 100) -> tuple[str, str]:
        """Return a probability as a frequency, for instance ``("5", "100")``.

        The base grows by powers of ten until the count is at least one, up to a million.
        """
        base, count = _frequency(value, base)
        if value == 0:
            return "0", self.whole(base)
        if count < 1:
            return self.short(count, 2), self.whole(base)
        if count > base - 1 and value < 1:
            text = f"{count:.3g}"
            shown = text if float(text) < base else f"almost {base}"
            return self._local(shown), self.whole(base)
        few = count < 10 and abs(count - round(count)) > 0.05
        return self._local(f"{count:.2g}") if few else self.whole(count), self.whole(base)

    def out_of_at_most(self, value: float, base: int = 100) -> tuple[str, str]:
        """Return an upper bound as a frequency: rounded up, so that the claim stays true."""
        base, count = _frequency(value, base)
        if value in {0, 1}:
            return self.out_of(value, base)
        if count < 10:
            return self._local(f"{_up(count, 2):.2g}"), self.whole(base)
        return self.whole(math.ceil(count * (1 - ROUNDING))), self.whole(base)

    def _local(self, text: str) -> str:
        """Return a number as Python writes it in the signs of the language."""
        signs = {",": self.group, ".": self.decimal, "-": MINUS}
        return "".join(signs.get(sign, sign) for sign in text)


ENGLISH = Numbers()
"""English with thin spaces between thousands, as in the sciences."""

ROUNDING = 1e-12  # a computed bound may exceed a round number by so much


def _up(value: float, digits: int = 3) -> float:
    """Return `value` rounded up to so many significant digits; rounding errors do not count."""
    if value == 0 or not math.isfinite(value):
        return value
    exact = Decimal(value * (1 - ROUNDING))
    return float(Context(prec=digits, rounding=ROUND_CEILING).plus(exact))


def _frequency(value: float, base: int) -> tuple[int, float]:
    while 0 < value * base < 1 and base < 10**6:
        base *= 10
    return base, value * base


@cache
def numbers_of(code: str) -> Numbers:
    """Return how a language writes numbers, from the Unicode common locale data.

    Parameters
    ----------
    code : str
        Language code, for instance ``"es"``.
    """
    if code == "en":
        return ENGLISH
    from babel import Locale  # noqa: PLC0415 - a tenth of a second that English does not need

    locale = Locale.parse(code)
    symbols = locale.number_symbols["latn"]
    pattern = locale.percent_formats[None].pattern
    percentage = re.sub(r"[#0,.]+", "{}", pattern)
    return Numbers(symbols["decimal"], symbols["group"], percentage)
