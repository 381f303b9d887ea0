"""Numbers as a person reads and types them."""

import math
import re
from decimal import ROUND_DOWN, Context
from fractions import Fraction

THIN = "\u202f"
MINUS = "\u2212"
TINY = 1e-308
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},000", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+([.]\d*)?|[.]\d+)(e[+-]?\d{1,4})?", re.ASCII | re.IGNORECASE)


class NotANumber(ValueError):  # noqa: N818 - what the text is, not an accident
    """The text is not one finite number."""


def parse(text: str) -> float:
    """Return the number that a person typed.

    Parameters
    ----------
    text : str
        For instance ``0.5``, ``0,5``, ``1e-6``, ``5 %`` or ``12 000``; a Unicode minus and
        thin spaces are understood. ``1,000`` is refused, because it may mean a thousand.

    Returns
    -------
    float
        A finite number, the one nearest to what was typed.

    Raises
    ------
    NotANumber
        If the text is anything else.
    """
    plain = text.strip().replace(MINUS, "-").replace("×10^", "e")
    plain = re.sub(r"(?<=\d)[ \u00a0\u2009\u202f](?=\d{3}(\D|$))", "", plain)
    percent = plain.endswith("%")
    plain = plain.removesuffix("%").strip()
    if plain.count(",") == 1 and "." not in plain and not _THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", ".")
    if len(plain) > 60 or not _NUMBER.fullmatch(plain):
        raise NotANumber(text)
    value = float(Fraction(plain) / 100) if percent and "e" not in plain.lower() else float(plain)
    if percent and "e" in plain.lower():
        value /= 100
    if not math.isfinite(value):
        raise NotANumber(text)
    return value


def typed(value: float) -> str:
    """Return the shortest text that reads back as `value`, for a number box."""
    if float(value).is_integer() and abs(value) < 1e16:
        return str(int(value))
    mantissa, _, exponent = repr(float(value)).partition("e")
    if not exponent:
        return mantissa
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"


def at_most(value: float, digits: int = 6) -> str:
    """Return the end of a range to so many digits, never beyond it, so that it can be typed."""
    return typed(float(Context(prec=digits, rounding=ROUND_DOWN).create_decimal(value)))


def whole(value: float) -> str:
    """Return a whole number with thin spaces between thousands."""
    return f"{round(value):,}".replace(",", THIN).replace("-", MINUS)


def short(value: float, digits: int = 3) -> str:
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
        text = f"{float(scientific):,.{decimals}f}".replace(",", THIN)
        return text.replace("-", MINUS)
    return f"{mantissa}e{exponent}".replace("-", MINUS)


def percent(value: float) -> str:
    """Return a share as a percentage to three significant digits at the most.

    Nothing below 1 is shown as 100%, nothing above 0 as 0%; a ratio of costs can be above 1.
    """
    if value == 0:
        return "0%"
    if value < 1e-4:
        return short(value)
    if 0.9995 <= value < 1:
        return "> 99.9%"
    if value == 1:
        return "100%"
    return f"{short(100 * value)}%"


def out_of(value: float, base: int = 100) -> tuple[str, str]:
    """Return a probability as a frequency, for instance ``("5", "100")``.

    The base grows by powers of ten until the count is at least one, up to a million.
    """
    if value == 0:
        return "0", whole(base)
    while value * base < 1 and base < 10**6:
        base *= 10
    count = value * base
    if count < 1:
        return short(count, 2), whole(base)
    if count > base - 1 and value < 1:
        text = f"{count:.3g}"
        return text if float(text) < base else f"almost {base}", whole(base)
    return f"{count:.2g}" if count < 10 and abs(count - round(count)) > 0.05 else whole(
        count
    ), whole(base)
