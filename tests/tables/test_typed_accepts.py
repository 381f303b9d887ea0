"""Typed text that is a table: separators, quotes, labels and totals."""

import pytest

from explorer.tables.counts import MAX_CELLS, MAX_COUNT, MAX_LABEL, Counts
from explorer.tables.typed import format_counts, parse

ROWS = ((1, 2), (3, 4))


@pytest.mark.parametrize(
    "text",
    [
        "1\t2\n3\t4",
        "1,2\n3,4",
        "1;2\n3;4",
        "1 2\n3 4",
        "  1   2 \n 3     4  ",
        "1, 2\r\n3, 4\r\n",
        "1,2\r3,4",
        "\n\n1 2\n\n   \n3 4\n\n",
        "\ufeff1,2\n3,4",
        "1,2,\n3,4,",
        "1\t2\t\t\n3\t4\t\t\n\t\t\t\n",
        '"1","2"\n"3","4"',
        '"1" 2\n3 "4"',
        ' "1" , "2"\n3,4',
        "1 \u00a02\n3 \u00a0 4\u00a0",
        "\u00a01\u00a0\t2\n3\t4",
        "+1 2\n3 4",
        "1.0 2.00\n3 4",
        "٠١ ٢\n٣ ٤",
        "１ ２\n３ ４",
        "0001 2\n3 " + "0" * 5000 + "4",
    ],
)
def test_separators_blanks_quotes_and_digits(text):
    assert parse(text) == Counts(ROWS)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1,234\n5,67", ((1, 234), (5, 67))),  # a comma separates
        ("1,234\t5\n7\t8", ((1234, 5), (7, 8))),  # unless a tab does
        ('"1,234",5\n7,8', ((1234, 5), (7, 8))),  # or it is quoted
        ("1'234'567 5\n7’000 8", ((1234567, 5), (7000, 8))),
        ("1\u202f234 5\n7\u00a0000 8", ((1234, 5), (7000, 8))),
        ("1\u2009234;5\n7;8", ((1234, 5), (7, 8))),
        ("12,0;5\n7;8", ((12, 5), (7, 8))),  # decimal comma beside semicolons
        ("-0 5\n7 \u22120", ((0, 5), (7, 0))),
        (f"{MAX_COUNT} 0", ((MAX_COUNT, 0),)),
        ("3\n4\n5", ((3,), (4,), (5,))),
        ("3 4 5", ((3, 4, 5),)),
    ],
)
def test_thousands_zeros_and_single_lines(text, rows):
    assert parse(text) == Counts(rows)


@pytest.mark.parametrize(
    ("text", "row_labels", "column_labels"),
    [
        ("yes,no\n1,2\n3,4", (), ("yes", "no")),
        ("men,1,2\nwomen,3,4", ("men", "women"), ()),
        ("sex,yes,no\nmen,1,2\nwomen,3,4", ("men", "women"), ("yes", "no")),
        (",yes,no\nmen,1,2\nwomen,3,4", ("men", "women"), ("yes", "no")),
        ('"","yes","no"\n"men",1,2\n"women",3,4', ("men", "women"), ("yes", "no")),
        ('"yes" "no"\n"men" 1 2\n"women" 3 4', ("men", "women"), ("yes", "no")),  # R
        ("\t2019\t2020\n1\t1\t2\n2\t3\t4", ("1", "2"), ("2019", "2020")),  # empty first cell
        ("age,0-4,5+\nmen,1,2\nwomen,3,4", ("men", "women"), ("0-4", "5+")),
        ("dark brown\t1\t2\nred\t3\t4", ("dark brown", "red"), ()),
        ('"dark brown" 1 2\nred 3 4', ("dark brown", "red"), ()),
        ('"a ""b"", c",1,2\nred,3,4', ('a "b", c', "red"), ()),
        ("men,1,2\n,3,4", ("men", ""), ()),
        ("x\u00a0\u200b y,1,2\nred,3,4", ("x y", "red"), ()),
        ("x" * 60 + ",1,2\nred,3,4", ("x" * (MAX_LABEL - 1) + "…", "red"), ()),
        ("Total,rest\n1,2\n3,4", (), ("Total", "rest")),  # not the last
        ("total,totally\n1,2\n3,4", (), ("total", "totally")),
    ],
)
def test_labels(text, row_labels, column_labels):
    assert parse(text) == Counts(ROWS, row_labels, column_labels)


def test_one_column_named_total_is_data():
    assert parse("Total\n1\n2") == Counts(((1,), (2,)), (), ("Total",))


def test_unlabelled_sums_in_both_directions_are_totals():
    assert parse("1 2 3\n4 5 9\n5 7 12") == Counts(((1, 2), (4, 5)))
    assert parse("!\n1 2 3\n4 5 9\n5 7 12").shape == (3, 3)


def test_the_largest_table_with_labels():
    wide = "\t" + "\t".join(f"c{j}" for j in range(MAX_CELLS)) + "\nr" + "\t1" * MAX_CELLS
    assert parse(wide).shape == (1, MAX_CELLS)
    tall = "\tc\n" + "".join(f"r{i}\t1\n" for i in range(MAX_CELLS))
    assert parse(tall).shape == (MAX_CELLS, 1)
    padded = "\n".join(" " * 30 + (" " * 30).join("1" * 50) for _ in range(50))
    assert parse(padded).shape == (50, 50)


def test_format_leaves_the_first_cell_empty():
    counts = Counts(ROWS, ("1", 'the "b"'), ("x", ""))
    assert format_counts(counts) == '\tx\t""\n1\t1\t2\n"the ""b"""\t3\t4'
    assert format_counts(Counts(ROWS)) == "1\t2\n3\t4"
    assert parse(format_counts(counts)) == counts
