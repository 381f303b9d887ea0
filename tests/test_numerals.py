"""Numbers as people type and paste them."""

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.numerals import (
    AmbiguousSeparator,
    FractionForm,
    NotANumber,
    NotFinite,
    NotWhole,
    Percentage,
    Refusal,
    decimal_mark,
    read_number,
)

THIN, MINUS = "\u202f", "\u2212"
quick = settings(max_examples=150, deadline=None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        ("0,5", 0.5),
        ("0,500", 0.5),
        ("000,125", 0.125),
        ("1,5", 1.5),
        ("1.234", 1.234),
        ("1.000", 1.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("+5", 5.0),
        ("  7\n", 7.0),
        ("5E-1", 0.5),
        ("1e-300", 1e-300),
        ("1e-999", 0.0),
        (f"{MINUS}3", -3.0),
        ("-0", -0.0),
        (f"1e{MINUS}6", 1e-6),
        (f"1.5×10^{MINUS}6", 1.5e-6),
        ("1.5·10⁻⁶", 1.5e-6),
        ("5 %", 0.05),
        ("0.1%", 0.001),
        ("1e-3 %", 1e-5),
        ("5‰", 0.005),
        ("12 000", 12_000.0),
        ("12\u2009000", 12_000.0),
        (f"12{THIN}000", 12_000.0),
        ("12\u00a0000", 12_000.0),
        ("1 234 567", 1_234_567.0),
        ("1 000.5", 1000.5),
        ("1 234,567", 1234.567),
        ("1,234.5", 1234.5),
        ("1.234,5", 1234.5),
        ("1,234,567", 1_234_567.0),
        ("1.234.567", 1_234_567.0),
        ("1'234'567", 1_234_567.0),
        ("1’234.5", 1234.5),
        ("12,34,567", 1_234_567.0),
        ("12,34,567.25", 1_234_567.25),
        ("1_000", 1000.0),
        ("٣", 3.0),
        ("١٢٫٥", 12.5),
        ("５．５", 5.5),
        ("1\u200b5", 15.0),
        ("9007199254740993", 9007199254740992.0),
        ("0" * 50 + "1", 1.0),
    ],
)
def test_a_real_number_is_read_as_meant(text, value):
    read = read_number(text, whole=False)
    assert read == value
    assert math.copysign(1, read) == math.copysign(1, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("12.0", 12),
        ("2e2", 200),
        ("12,500", 12_500),  # 12.5 cannot be meant
        ("1,234,567", 1_234_567),
        ("12,34,567", 1_234_567),
        ("1'000", 1000),
        ("1 000", 1000),
        ("1.234.000", 1_234_000),
        ("１２", 12),
    ],
)
def test_a_whole_number_is_read_as_meant(text, value):
    assert read_number(text, whole=True) == value


@pytest.mark.parametrize(
    ("text", "whole", "refusal"),
    [
        ("1.000", True, AmbiguousSeparator("1.000", 1.0, 1000.0)),
        ("1,000", True, AmbiguousSeparator("1,000", 1.0, 1000.0)),
        ("12.500", True, AmbiguousSeparator("12.500", 12.5, 12_500.0)),
        ("-1,234", False, AmbiguousSeparator("-1,234", -1.234, -1234.0)),
        ("1,000", False, AmbiguousSeparator("1,000", 1.0, 1000.0)),
        ("½", False, FractionForm("½", 0.5)),
        ("2 ¾", True, FractionForm("2 ¾", 2.75)),
        ("-½", False, FractionForm("-½", -0.5)),
        ("1/8", False, FractionForm("1/8", 0.125)),
        ("10%", True, Percentage("10%", 0.1)),
        ("5‰", True, Percentage("5‰", 0.005)),
        ("1.5", True, NotWhole("1.5", 1.5)),
        ("0,125", True, NotWhole("0,125", 0.125)),
        ("nan", False, NotFinite("nan")),
        ("-∞", True, NotFinite("-∞")),
        ("1e999", False, NotFinite("1e999")),
        ("9" * 5000, True, NotFinite("9" * 5000)),
    ],
)
def test_a_refusal_says_what_was_recognised(text, whole, refusal):
    assert read_number(text, whole=whole) == refusal


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "abc", "²", "0x10", "1__0", "--1", "+-1", "1e", "e5", ".", "%", "5%%", "1.2.3"),
        *("1,2,3", "1,2,345", "0,000,001", "1 2", "12 0000", "1 23", "0.5 0.6", "5 €", "1;2"),
        *("\x00", "\ud800", "1/0", "1/2/3", "x½", "9" * 10**5, " 000" * 10**5, "-" * 10**5),
        "1e" + "9" * 10**5,
    ],
    ids=lambda text: ascii(text)[:20],
)
@pytest.mark.parametrize("whole", [False, True])
def test_what_is_no_number_is_refused(text, whole):
    assert read_number(text, whole=whole) == NotANumber(text)


def test_surroundings_decide_between_the_readings():
    assert read_number("1.000", whole=True, decimal_mark=",") == 1000
    assert read_number("1,000", whole=True, decimal_mark=".") == 1000
    assert read_number("1,234", whole=False, decimal_mark=",") == 1.234
    assert read_number("1,375", whole=True, decimal_mark=",") == NotWhole("1,375", 1.375)


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["1,000", "2,500"], "."),
        (["1,000", "2,000"], None),
        (["0,125", "1,375"], ","),
        (["1.234.567", "1.000"], ","),
        (["0.5", "0,5"], None),
        (["x", "12"], None),
    ],
)
def test_numbers_show_their_decimal_mark_together(texts, mark):
    assert decimal_mark(texts, whole=True) == mark


@quick
@given(
    st.one_of(st.text(), st.text(alphabet="0123456789.,-+eE% '/½\u202f\u2212×^naif_x٣")),
    st.booleans(),
)
@example("1" * 400, False)
@example("9" * 59 + "%", False)
def test_any_text_is_a_finite_number_or_refused(text, whole):
    value = read_number(text, whole=whole)
    if isinstance(value, Refusal):
        assert value.text == text
        return
    assert math.isfinite(value)
    assert not whole or value.is_integer()


GROUPINGS = {
    "comma": "{:,}".format,
    "apostrophe": lambda value: f"{value:,}".replace(",", "’"),
    "thin": lambda value: f"{value:,}".replace(",", THIN),
    "blank": lambda value: f"{value:,}".replace(",", " "),
    "point": lambda value: f"{value:,}".replace(",", "."),
}


@quick
@given(st.integers(0, 10**15), st.sampled_from(sorted(GROUPINGS)))
def test_a_grouped_whole_number_is_itself_or_asked_about(value, grouping):
    read = read_number(GROUPINGS[grouping](value), whole=True)
    if isinstance(read, AmbiguousSeparator):
        assert 1000 <= value < 10**6
        assert grouping in {"comma", "point"}
        assert read.as_thousands == value
    else:
        assert read == value
