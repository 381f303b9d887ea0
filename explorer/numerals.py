"""Numbers as people type and paste them: one rule for boxes, tables and links.

A number is read as it is meant, or refused with the reason; a separator that may be a decimal
mark or a thousands separator is never guessed.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

MINUS_SIGNS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
APOSTROPHES = "'’‘`´ʼ\u066c\uff07"
_TRANSLATION = (
    dict.fromkeys(map(ord, MINUS_SIGNS), "-")
    | dict.fromkeys(map(ord, APOSTROPHES), "'")
    | {ord("\u066b"): ".", ord("٪"): "%", ord("∞"): "inf", ord("⁄"): "/", ord("\u2044"): "/"}
    | {0xFEE0 + ord(mark): mark for mark in "%(),./+:;<>"}
    | {ord("×"): "x", ord("·"): "x", ord("⋅"): "x"}
)
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_POWER = re.compile(r"(?<=\d) ?[x*] ?10(?:\^|\*\*)?([⁻⁺]?[⁰¹²³⁴-⁹]+|(?<=[\^*])[-+]?\d+)", re.ASCII)
_SHAPE = re.compile(r"([-+]?)(\d[\d.,' _]*|[.,]\d+)(?:e([-+]?\d{1,6}))?", re.ASCII | re.IGNORECASE)
_NOT_FINITE = re.compile(r"[-+]?(?:nan|inf|infinity)", re.IGNORECASE)
_RATIO = re.compile(r"([-+]?\d{1,15}) ?/ ?(\d{1,15})", re.ASCII)
_THREES = re.compile(r"\d{1,3}(?P<mark>[.,' _])\d{3}(?:(?P=mark)\d{3})*", re.ASCII)
_INDIAN = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}", re.ASCII)
_EITHER = re.compile(r"[1-9]\d{0,2}[.,]\d{3}", re.ASCII)
_LONGEST = 6000
_PER = {"%": 100, "‰": 1000}


@dataclass(frozen=True)
class Refusal:
    """A text that is not read as a number.

    Attributes
    ----------
    text : str
        The text as it was typed.
    """

    text: str


@dataclass(frozen=True)
class NotANumber(Refusal):
    """A text in no form of a number; empty text too."""


@dataclass(frozen=True)
class NotFinite(Refusal):
    """An infinity, "nan", or a number beyond the largest double."""


@dataclass(frozen=True)
class AmbiguousSeparator(Refusal):
    """One separator before three digits, which may be a decimal mark or part thousands.

    Attributes
    ----------
    as_decimal, as_thousands : float
        The two readings, for "1.000" 1 and 1000.
    """

    as_decimal: float
    as_thousands: float


@dataclass(frozen=True)
class FractionForm(Refusal):
    """A fraction such as "½" or "1/2", whose value is `value`."""

    value: float


@dataclass(frozen=True)
class Percentage(Refusal):
    """A percentage or per mille where a whole number belongs; the share is `value`."""

    value: float


@dataclass(frozen=True)
class NotWhole(Refusal):
    """A number with decimals, `value`, where a whole number belongs."""

    value: float


def plain(text: str) -> str:
    """Return a text in ASCII digits and marks, with no invisible character.

    Digits of every script, full-width marks, minus signs, apostrophes and blanks are each put
    in their one plain form; other characters stay.
    """
    return "".join(map(_plain_character, text)).translate(_TRANSLATION).strip()


def _plain_character(character: str) -> str:
    if character.isascii():
        return " " if character.isspace() else character
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    return " " if category == "Zs" or character.isspace() else character


def read_number(text: str, *, whole: bool, decimal_mark: str | None = None) -> float | Refusal:  # noqa: PLR0911 - one for each case
    """Read a number.

    Parameters
    ----------
    text : str
        For instance ``0.5``, ``0,5``, ``1e-6``, ``1.5×10⁻⁶``, ``1,234,567``, ``1'234.5``,
        ``12,34,567`` or ``1 234``, in digits of any script; ``5 %`` unless `whole`.
    whole : bool
        Whether a whole number is expected. Then ``12,500`` is 12500, because 12.5 cannot be
        meant, while ``1,000`` and every ``1.234`` are ambiguous. Otherwise a point is the
        decimal mark, as in the numbers that the page writes, and ``1,234`` is ambiguous.
    decimal_mark : {".", ","}, optional
        The decimal mark where the surroundings tell; the other mark then parts thousands.

    Returns
    -------
    float or Refusal
        The finite number nearest to what was typed, or why it is none.
    """
    if len(text) > _LONGEST:
        return NotANumber(text)
    line = _POWER.sub(lambda match: "e" + match[1].translate(_SUPERSCRIPT), plain(text))
    if _NOT_FINITE.fullmatch(line):
        return NotFinite(text)
    fraction = _fraction(line)
    if fraction is not None:
        return FractionForm(text, fraction)
    per = _PER.get(line[-1:])
    number = _number(line[:-1].rstrip() if per else line, text, whole, decimal_mark)
    if isinstance(number, Refusal):
        return number
    exact = number / per if per else number
    value = _float(exact)
    if value is None:
        return NotFinite(text)
    if not whole:
        return -0.0 if value == 0 and line.startswith("-") else value
    if per:
        return Percentage(text, value)
    return value if exact.denominator == 1 else NotWhole(text, value)


def _fraction(line: str) -> float | None:
    if match := _RATIO.fullmatch(line):
        return int(match[1]) / int(match[2]) if int(match[2]) else None
    last = line[-1:]
    if not last or last.isdecimal() or not unicodedata.decomposition(last).startswith("<fraction>"):
        return None
    before = line[:-1].strip()
    if before.lstrip("-+").isdecimal() or before in {"", "-", "+"}:
        part = unicodedata.numeric(last)
        whole = abs(int(before)) if before.strip("-+") and len(before) < 16 else 0
        return -(whole + part) if before.startswith("-") else whole + part
    return None


def _number(line: str, text: str, whole: bool, decimal_mark: str | None) -> Fraction | Refusal:  # noqa: PLR0911 - one for each case
    match = _SHAPE.fullmatch(line)
    if match is None:
        return NotANumber(text)
    sign, body, exponent = match.groups()
    factor = -1 if sign == "-" else 1
    power = max(-5000, min(5000, int(exponent or 0)))

    def value(mark: str | None) -> Fraction:
        head, _, decimals = body.rpartition(mark) if mark else (body, "", "")
        digits = re.sub(r"\D", "", head) + decimals
        # Python refuses to convert thousands of digits.
        short = digits.lstrip("0")[:4000] or "0"
        scale = power - len(decimals) + max(0, len(digits.lstrip("0")) - len(short))
        return factor * Fraction(int(short)) * (Fraction(10) ** scale)

    readings = _readings(body)
    if not readings:
        return NotANumber(text)
    if len(readings) == 1:
        return value(readings[0])
    mark = body[-4]
    if decimal_mark is not None:
        return value(mark if mark == decimal_mark else None)
    as_decimal, as_thousands = value(mark), value(None)
    if not whole and mark == ".":
        return as_decimal
    if whole and mark == "," and as_decimal.denominator != 1:
        return as_thousands
    return AmbiguousSeparator(text, float(as_decimal), float(as_thousands))


def _readings(body: str) -> tuple[str | None, ...]:
    """Return the possible decimal marks of digits with separators; None for a whole number."""
    if body.isdigit():
        return (None,)
    if _EITHER.fullmatch(body):
        return (body[-4], None)
    if (_THREES.fullmatch(body) and body[0] != "0") or _INDIAN.fullmatch(body):
        return (None,)
    for mark in ".,":
        head, found, decimals = body.rpartition(mark)
        if not found or mark in head or not (decimals.isdigit() or decimals == ""):
            continue
        if head == "" or head.isdigit():
            return (mark,) if head or decimals else ()
        if (_THREES.fullmatch(head) and mark not in head) or _INDIAN.fullmatch(head):
            return (mark,)
    return ()


def _float(exact: Fraction) -> float | None:
    try:
        value = float(exact)
    except OverflowError:
        return None
    return value if math.isfinite(value) else None


def decimal_mark(texts: Sequence[str], *, whole: bool) -> str | None:
    """Return the decimal mark that numbers show together, or None.

    Parameters
    ----------
    texts : sequence of str
        Numbers and other texts of one source.
    whole : bool
        Whether whole numbers are expected: then ``12,500`` shows that commas part thousands.
    """
    shown: set[str] = set()
    likely: set[str] = set()
    for text in texts:
        match = _SHAPE.fullmatch(plain(text))
        body = match[2] if match else ""
        marks = {mark for mark in ".," if mark in body}
        readings = _readings(body) if marks else ()
        if len(readings) == 1:
            shown |= {readings[0]} if readings[0] else {"." if marks == {","} else ","}
        elif readings and whole and "," in marks and not body.endswith("000"):
            likely.add(".")
    found = shown or likely
    return found.pop() if len(found) == 1 else None
