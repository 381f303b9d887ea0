"""Typed text that is no table: the sentence names the problem and its place."""

import time

import pytest

from explorer.tables.counts import MAX_CELLS, MAX_COUNT
from explorer.tables.error import TableError
from explorer.tables.typed import parse


def refusal(text):
    with pytest.raises(TableError) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "problem", "row", "column", "value"),
    [
        ("", "empty", None, None, ""),
        (" \n ,, ,\n\n", "empty", None, None, ""),
        ("\ufeff\u00a0\x1f", "empty", None, None, ""),
        ("hello", "no-counts", None, None, ""),
        ("men,women", "no-counts", None, None, ""),
        ("1 2\n3 x", "text", 2, 2, "x"),
        ("1 2 x\n3 4 5", "text", 1, 3, "x"),  # a slip is no header
        ("1 2\nx 4\n5 6", "text", 2, 1, "x"),  # and no label
        ("a,b\n1,2\n3,4x", "text", 3, 2, "4x"),
        (",a,b\nm,1,2\nw,3,oops", "text", 3, 3, "oops"),
        ("a b\nm 1 2\nw 3 x", "text", 3, 3, "x"),
        ("\n\n1 2\n\n3 x", "text", 2, 2, "x"),
        ("1,,2\n3,4,5", "missing", 1, 2, ""),
        ("a,b\n,1\n,2", "missing", 2, 1, ""),  # a column of nothing holds no labels
        ("1\t \t2\n3\t4\t5", "missing", 1, 2, ""),
        ("1 2\n3 1.5e3", "scientific", 2, 2, "1.5e3"),
        ("0x10 0x11\n3 4", "text", 1, 1, "0x10"),
        ("5 -\n3 4", "suppressed", 1, 2, "-"),
        ("5 .\n3 4", "suppressed", 1, 2, "."),
        ("5 ²\n3 4", "text", 1, 2, "²"),
        ("5 <5\n3 4", "suppressed", 1, 2, "<5"),
        ('1 "2\n3 4', "text", 1, 2, '"2'),
        ("1 2\n3 " + "y" * 50, "text", 2, 2, "y" * 19 + "…"),
        ("1 2\n3 -4", "negative", 2, 2, "-4"),
        ("1 2\n3 \u22124", "negative", 2, 2, "\u22124"),
        ("1 2\n3 \u20134", "negative", 2, 2, "\u20134"),
        ("-1 -2\n3 4", "negative", 1, 1, "-1"),
        ("1 2\n3 -0.5", "negative", 2, 2, "-0.5"),
        ("1 -" + "9" * 400, "negative", 1, 2, "-" + "9" * 18 + "…"),
        ("1 2\n3 0.5", "fraction", 2, 2, "0.5"),
        ("1 2\n3 .5", "fraction", 2, 2, ".5"),
        ("1 2\n3 1.000", "separator", 2, 2, "1.000"),  # a thousand, in German
        ("1;2\n3;1,000", "separator", 2, 2, "1,000"),
        ("1\t2\n3\t1,0,000", "text", 2, 2, "1,0,000"),
        ("1\t2\n3\t12,34", "fraction", 2, 2, "12,34"),
        ("0.5,1.5\n3,4", "fraction", 1, 1, "0.5"),
        ("1 2\n3 nan", "not-finite", 2, 2, "nan"),
        ("1 2\n3 NaN", "not-finite", 2, 2, "NaN"),
        ("1 -inf\n3 4", "not-finite", 1, 2, "-inf"),
        ("1 Infinity\n3 4", "not-finite", 1, 2, "Infinity"),
        ("1 ∞\n3 4", "not-finite", 1, 2, "∞"),
        ("nan nan\n3 4", "not-finite", 1, 1, "nan"),
        ("5", "one-cell", None, None, ""),
        ("men 5", "one-cell", None, None, ""),
        ("a,x\nb,3", "one-cell", None, None, ""),
        ("0 0\n0 -0", "zero-total", None, None, ""),
        ("a,b,Total\n1,2,3\n4,5,8", "totals", None, 3, "Total"),
        (",a,b,ALL\nm,1,2,3\nw,4,5,8", "totals", None, 4, "ALL"),
        ("m 1 2\nw 4 5\ntotal 5 8", "totals", 3, None, "total"),
        ("sex,a,b\nm,1,2\nw,4,5\nGrand total,5,8", "totals", 4, None, "Grand total"),
    ],
)
def test_says_what_and_where(text, problem, row, column, value):
    error = refusal(text)
    assert (error.problem, error.row, error.column, error.value) == (problem, row, column, value)


@pytest.mark.parametrize("digits", [10, 11, 400, 5000])
def test_huge_counts(digits):
    error = refusal("1 2\n3 " + "9" * digits)
    assert (error.problem, error.row, error.column) == ("too-large", 2, 2)
    assert error.value == "9" * digits if digits <= 20 else "9" * 19 + "…"
    assert error.expected == MAX_COUNT


def test_the_first_count_that_is_too_large():
    assert refusal(f"1 {MAX_COUNT + 1}").problem == "too-large"


@pytest.mark.parametrize(
    ("text", "row", "expected", "got"),
    [
        ("1 2\n3", 2, 2, 1),
        ("1 2\n3 4\n5 6 7", 3, 2, 3),
        ("1\t2\t\n3\t4\t5", 2, 2, 3),
        ("a,b\n1,2,3\n4,5,6", 1, 3, 2),  # one cell short, but no row labels
        ("dark brown 1 2\n5 red 3 4 6", 2, 4, 5),
    ],
)
def test_ragged(text, row, expected, got):
    error = refusal(text)
    assert (error.problem, error.row, error.column) == ("ragged", row, None)
    assert (error.expected, error.got) == (expected, got)


@pytest.mark.parametrize("separator", ["\t", ";", ",", " "])
@pytest.mark.parametrize("columns", [10, 100, 100_000])
def test_a_megabyte_is_refused_quickly(separator, columns):
    line = separator.join(["123456789"] * columns)
    text = "\n".join([line] * (100_000 // columns))
    assert len(text) >= 999_999
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        error = refusal(text)
        seconds.append(time.perf_counter() - start)
    assert error.problem == "too-many-cells"
    assert error.expected == MAX_CELLS
    assert MAX_CELLS < error.got < 100 * MAX_CELLS
    assert min(seconds) < 0.05


def test_a_cell_beyond_many_empty_ones_is_not_forgotten():
    assert refusal("1," + "," * 6000 + "5").problem == "too-many-cells"


def test_one_cell_too_many():
    error = refusal("\n".join(["1"] * (MAX_CELLS + 1)))
    assert (error.problem, error.expected, error.got) == (
        "too-many-cells",
        MAX_CELLS,
        MAX_CELLS + 1,
    )
