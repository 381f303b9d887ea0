"""Any text is read or refused; any table is written so that it is read back."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explorer.tables.counts import MAX_COUNT, MAX_LABEL, Counts
from explorer.tables.error import MAX_VALUE, TableError, one_line
from explorer.tables.typed import format_counts, parse

FACTS = {
    "text": {"row", "column"},
    "missing": {"row", "column"},
    "suppressed": {"row", "column", "value"},
    "negative": {"row", "column", "value"},
    "fraction": {"row", "column", "value"},
    "proportions": {"row", "column", "value"},
    "percentage": {"row", "column", "value"},
    "separator": {"row", "column", "value"},
    "scientific": {"row", "column", "value"},
    "not-finite": {"row", "column", "value"},
    "too-large": {"row", "column", "value", "expected"},
    "ragged": {"row", "expected", "got"},
    "one-cell": {"expected", "got"},
    "too-many-cells": {"expected", "got"},
    "comma": {"value"},
    "repeated-pair": {"row"},
    "three-way": {"expected", "got"},
}
NUMBERISH = st.text(alphabet="0123456789.,-+eE'\"\u00a0\u202f\u2212nainf x٣", max_size=8)
PIECES = st.one_of(
    st.integers(0, 10**12).map(str),
    NUMBERISH,
    st.sampled_from(["\t", ";", ",", " ", "\n", "\r\n", '"', '""', "total", "\ufeff", "\x00"]),
)
LABELS = st.text(max_size=MAX_LABEL).map(lambda text: one_line(text, MAX_LABEL))
NUMERIC_LABELS = st.integers(-99, 2100).map(str)


@st.composite
def tables(draw):
    rows, columns = draw(st.tuples(st.integers(1, 5), st.integers(1, 5)))
    if rows * columns == 1:
        columns = 2
    count = st.one_of(st.just(0), st.integers(0, 50), st.integers(0, MAX_COUNT))
    cells = draw(
        st.lists(st.lists(count, min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    )
    cells[-1][-1] = cells[-1][-1] or 1
    labels = st.one_of(LABELS, NUMERIC_LABELS)
    return Counts(
        tuple(map(tuple, cells)),
        draw(st.one_of(st.just(()), st.tuples(*[labels] * rows))),
        draw(st.one_of(st.just(()), st.tuples(*[labels] * columns))),
    )


def read(text):
    """Return the table or the refusal; anything else that is raised fails the test."""
    try:
        return parse(text)
    except TableError as error:
        return error


def check(text):
    result = read(text)
    if isinstance(result, Counts):
        assert parse(format_counts(result)) == result
        return
    numbers = {name: getattr(result, name) for name in ("row", "column", "expected", "got")}
    present = {name for name, number in numbers.items() if number is not None}
    assert FACTS.get(result.problem, set()) <= present | ({"value"} if result.value else set())
    assert len(result.value) <= MAX_VALUE
    assert not result.value or result.value.isprintable()
    lines = len([line for line in text.splitlines() if line.strip()])
    assert result.row is None or 1 <= result.row <= lines


@given(st.text())
@example('"')
@example('""')
@example('"\n"')
@example("\x85\u2028\x1c")
@example("\ud800")
@example("\u00b2")
@example("1" * 5000)
@example('"",""\n1,2')
@example("\t\n1\t2")
def test_any_text_is_read_or_refused(text):
    check(text)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_text_like_a_table_is_read_or_refused(text):
    check(text)


@given(tables())
@example(Counts(((1, 2),), (), ("2019", "2020")))
@example(Counts(((1,), (2,)), ("2019", "2020"), ()))
@example(Counts(((1,), (2,)), (), ("a b",)))
@example(Counts(((1, 2),), ('"',), ('a"', '"a"')))
@example(Counts(((1, 2),), ("a;b,c",), ("", "x")))
def test_written_tables_are_read_back(counts):
    assert parse(format_counts(counts)) == counts


@given(tables(), st.sampled_from(["\t", ";", ",", " ", "   "]), st.sampled_from(["\n", "\r\n"]))
def test_every_separator_reads_the_same_counts(counts, separator, end):
    text = end.join(["!", *(separator.join(map(str, row)) for row in counts.rows)])
    assert parse(text) == Counts(counts.rows)


@given(tables(), st.data())
def test_a_spoilt_cell_is_found(counts, data):
    row = data.draw(st.integers(1, counts.shape[0]))
    column = data.draw(st.integers(1, counts.shape[1]))
    spoilt, problem = data.draw(
        st.sampled_from([("-3", "negative"), ("2.5", "fraction"), ("inf", "not-finite")])
    )
    cells = [[str(value) for value in line] for line in counts.rows]
    cells[row - 1][column - 1] = spoilt
    with pytest.raises(TableError) as caught:
        parse("\n".join("\t".join(line) for line in cells))
    error = caught.value
    assert (error.problem, error.row, error.column, error.value) == (problem, row, column, spoilt)
