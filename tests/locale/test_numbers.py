"""Numbers as a person reads and types them."""

import math
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.locale.numbers import ENGLISH, numbers_of, typed
from explorer.numerals import AmbiguousSeparator, read_number

THIN, MINUS = "\u202f", "\u2212"
quick = settings(max_examples=150, deadline=None)


def parse(text):
    return read_number(text, whole=False)


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@quick
@given(FINITE)
@example(0.2773)
@example(sys.float_info.max)
@example(5e-324)
@example(1e15)
@example(1e22)
@example(999999999999999.0)
def test_what_is_written_in_a_box_reads_back_as_the_same_number(value):
    text = typed(value)
    assert parse(text) == value
    assert len(text) <= 24
    assert not text.endswith(".0")


@quick
@given(FINITE, st.sampled_from(["%s", " %s ", "+%s", "%s0"]))
def test_other_spellings_read_back_too(value, spelling):
    text = typed(abs(value))
    if "." in text and "e" not in text:
        assert parse(spelling % text) == abs(value)
        comma = parse(text.replace(".", ","))
        assert (comma.as_decimal if isinstance(comma, AmbiguousSeparator) else comma) == abs(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (200.0, "200"),
        (1e-6, "1e-6"),
        (0.2773, "0.2773"),
        (1e13, "10000000000000"),
        (1e22, "1e22"),
        (1.5e-300, "1.5e-300"),
    ],
)
def test_a_box_holds_the_shortest_text(value, text):
    assert typed(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1.00"),
        (12.345, "12.3"),
        (-12.345, f"{MINUS}12.3"),
        (0.99999, "1.00"),
        (999.96, f"1{THIN}000"),
        (123456.0, f"123{THIN}000"),
        (999_999.0, "1.00e6"),
        (1e6, "1.00e6"),
        (1e-4, "0.000100"),
        (1e-5, f"1.00e{MINUS}5"),
        (1e-308, f"1.00e{MINUS}308"),
        (1e-320, f"< 1e{MINUS}308"),
        (5e-324, f"< 1e{MINUS}308"),
        (sys.float_info.max, "1.80e308"),
        (math.inf, "∞"),
        (-math.inf, f"{MINUS}∞"),
    ],
)
def test_three_digits_say_it(value, text):
    assert ENGLISH.short(value) == text


@quick
@given(FINITE.filter(lambda value: abs(value) >= 1e-308), st.integers(1, 12))
@example(sys.float_info.max, 1)
@example(9.995, 3)
def test_a_short_number_is_the_number_to_its_digits(value, digits):
    text = ENGLISH.short(value, digits)
    shown = float(text.replace(THIN, "").replace(MINUS, "-"))
    if math.isfinite(shown):
        assert shown == pytest.approx(value, rel=0.5001 * 10.0 ** (1 - digits))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0%"),
        (1.0, "100%"),
        (0.05, "5.00%"),
        (0.126, "12.6%"),
        (1e-4, "0.0100%"),
        (9e-5, f"9.00e{MINUS}5"),
        (1e-320, f"< 1e{MINUS}308"),
        (0.9994, "99.9%"),
        (0.9995, "> 99.9%"),
        (0.99999, "> 99.9%"),
        (1 - 2**-53, "> 99.9%"),
        (1.5708, "157%"),  # a ratio of costs
        (12.0, f"1{THIN}200%"),
    ],
)
def test_percentages(value, text):
    assert ENGLISH.percent(value) == text


@quick
@given(st.floats(0, 1))
def test_only_none_and_all_are_called_so(value):
    assert (ENGLISH.percent(value) == "0%") is (value == 0)
    assert (ENGLISH.percent(value) == "100%") is (value == 1)
    count, base = ENGLISH.out_of(value)
    assert (count == "0") is (value == 0)
    assert (count == base) is (value == 1)


@pytest.mark.parametrize(
    ("value", "count", "base"),
    [
        (0.0, "0", "100"),
        (1.0, "100", "100"),
        (0.05, "5", "100"),
        (0.123, "12", "100"),
        (0.0123, "1.2", "100"),
        (0.29, "29", "100"),
        (0.5, "50", "100"),
        (0.0095, "9.5", f"1{THIN}000"),
        (1e-3, "1", f"1{THIN}000"),
        (1e-6, "1", f"1{THIN}000{THIN}000"),
        (3e-7, "0.30", f"1{THIN}000{THIN}000"),
        (1e-320, f"< 1e{MINUS}308", f"1{THIN}000{THIN}000"),
        (0.99, "99", "100"),
        (0.991, "99.1", "100"),
        (0.9994, "99.9", "100"),
        (0.9999, "almost 100", "100"),
        (1 - 2**-53, "almost 100", "100"),
    ],
)
def test_frequencies(value, count, base):
    assert ENGLISH.out_of(value) == (count, base)


@quick
@given(st.floats(1e-6, 1 - 1e-3))
def test_a_frequency_is_the_probability_to_two_digits(value):
    count, base = (float(text.replace(THIN, "")) for text in ENGLISH.out_of(value))
    assert count / base == pytest.approx(value, rel=0.051)


@quick
@given(FINITE.filter(lambda value: value >= 0), st.integers(1, 12))
@example(5**0.5, 6)
@example(sys.float_info.max, 3)
def test_the_end_of_a_range_can_be_typed(value, digits):
    shown = parse(ENGLISH.at_most(value, digits))
    assert shown <= value
    assert value < 1e-300 or shown == pytest.approx(value, rel=1.0001 * 10.0 ** (1 - digits))


def test_the_end_of_a_range_is_short():
    assert [ENGLISH.at_most(value) for value in (15**0.5, 5**0.5, 1.0, 2500.0, 0.0)] == [
        "3.87298", "2.23606", "1", "2500", "0",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, f"1{THIN}000"),
        (-1234567.4, f"{MINUS}1{THIN}234{THIN}567"),
        (1e13, f"10{THIN}000{THIN}000{THIN}000{THIN}000"),
    ],
)
def test_whole_numbers_have_thin_thousands(value, text):
    assert ENGLISH.whole(value) == text


@settings(max_examples=200, deadline=None)
@given(st.floats(1e-300, 1))
@example(0.564997)  # was "at most 56 of 100"
@example(0.19741)  # was "19.7%"
def test_a_bound_is_rounded_away_from_the_claim(value):
    count, base = ENGLISH.out_of_at_most(value)
    said = parse(count.replace(THIN, "")) / parse(base.replace(THIN, ""))
    assert value * (1 - 1e-11) <= said <= max(value * 1.11, value + 0.01, 1e-6)
    percentage = parse(ENGLISH.percent_at_most(value))
    assert value * (1 - 1e-11) <= percentage <= value * 1.0101


def test_bounds_as_a_reader_sees_them():
    assert ENGLISH.out_of_at_most(0.564997) == ("57", "100")
    assert ENGLISH.out_of_at_most(0.05) == ("5", "100")
    assert ENGLISH.percent_at_most(0.19741) == "19.8%"
    assert ENGLISH.percent_at_most(0.25) == "25.0%"


@pytest.mark.parametrize(
    ("code", "whole", "short", "percent"),
    [
        ("en", f"1{THIN}234{THIN}567", "1.50", "12.5%"),
        ("es", "1.234.567", "1,50", "12,5\u00a0%"),
        ("ko", "1,234,567", "1.50", "12.5%"),
        ("zh_Hans", "1,234,567", "1.50", "12.5%"),
    ],
)
def test_numbers_follow_the_convention_of_the_language(code, whole, short, percent):
    numbers = numbers_of(code)
    assert numbers.whole(1234567) == whole
    assert numbers.short(1.5) == short
    assert numbers.percent(0.125) == percent
