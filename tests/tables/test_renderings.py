"""Every rendering of a random table reads back as the same table, or is asked about."""

import json

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.tables import Counts, Problem, TableError, read

WORDS = ["north", "south", "east", "west", "dark brown", "été", "北"]
ASKED = {Problem.TOTALS}


def lines(counts):
    header = ["", *counts.column_labels]
    rows = zip(counts.row_labels, counts.rows, strict=True)
    return [header, *([label, *map(str, row)] for label, row in rows)]


def delimited(separator):
    return lambda counts: "\n".join(separator.join(row) for row in lines(counts))


def print_out(counts):
    widths = [max(map(len, column)) for column in zip(*lines(counts), strict=True)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in lines(counts)
    )


def markdown(counts):
    header, *rows = ("| " + " | ".join(row) + " |" for row in lines(counts))
    return "\n".join([header, "|---" * (counts.shape[1] + 1) + "|", *rows])


def latex(counts):
    body = " \\\\\n".join(" & ".join(row) for row in lines(counts))
    return f"\\begin{{tabular}}{{lrr}}\n{body} \\\\\n\\end{{tabular}}"


def html(counts):
    rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in lines(counts))
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def long(counts):
    pairs = (
        f"{row},{column},{counts.rows[i][j]}"
        for i, row in enumerate(counts.row_labels)
        for j, column in enumerate(counts.column_labels)
    )
    return "\n".join(["row,column,n", *pairs])


def with_totals(counts):
    rows = [[*row, sum(row)] for row in counts.rows]
    rows.append([sum(column) for column in zip(*rows, strict=True)])
    labels, columns = (*counts.row_labels, "Gesamt"), (*counts.column_labels, "Gesamt")
    body = ["\t".join([label, *map(str, row)]) for label, row in zip(labels, rows, strict=True)]
    return "\n".join(["\t" + "\t".join(columns), *body])


LABELLED = {
    **{
        name: delimited(mark)
        for name, mark in [("tabs", "\t"), ("semicolons", ";"), ("commas", ",")]
    },
    **{f.__name__: f for f in (print_out, markdown, latex, html, long, with_totals)},
    "title": lambda counts: "Votes, 2020\n" + delimited("\t")(counts),
    "note": lambda counts: delimited("\t")(counts) + "\nSource: a survey of 2020",
    "grouped": lambda counts: delimited("\t")(
        Grouped(counts.rows, counts.row_labels, counts.column_labels)
    ),
}


class Grouped(Counts):
    """Counts that are written with apostrophes between thousands."""

    def __post_init__(self):
        grouped = tuple(tuple(f"{value:,}".replace(",", "'") for value in row) for row in self.rows)
        object.__setattr__(self, "rows", grouped)


BARE = {
    "json": lambda counts: json.dumps(counts.rows),
    "numpy": lambda counts: str(np.array(counts.rows)),
    "array": lambda counts: repr(np.array(counts.rows)),
    "matlab": lambda counts: "[" + "; ".join(" ".join(map(str, row)) for row in counts.rows) + "]",
}


@st.composite
def tables(draw):
    rows, columns = draw(st.tuples(st.integers(2, 4), st.integers(2, 4)))
    line = st.lists(st.integers(1, 10**6), min_size=columns, max_size=columns).map(tuple)
    body = draw(st.lists(line, min_size=rows, max_size=rows).map(tuple))
    return Counts(
        body, tuple(draw(st.permutations(WORDS))[:rows]), ("yes", "no", "na", "so")[:columns]
    )


def same_or_asked(text, counts):
    try:
        assert read(text).counts == counts
    except TableError as error:
        assert error.problem in ASKED, text  # noqa: PT017 - either is right


@pytest.mark.parametrize("rendering", LABELLED)
@settings(max_examples=40, deadline=None)
@given(counts=tables())
@example(counts=Counts(((40, 25), (31, 54)), ("north", "dark brown"), ("yes", "no")))
def test_a_labelled_rendering_reads_back(rendering, counts):
    same_or_asked(LABELLED[rendering](counts), counts)


@pytest.mark.parametrize("rendering", LABELLED)
def test_a_table_without_sums_is_not_asked_about(rendering):
    counts = Counts(((40, 25), (31, 54)), ("north", "dark brown"), ("yes", "no"))
    assert read(LABELLED[rendering](counts)).counts == counts


@pytest.mark.parametrize("rendering", BARE)
@settings(max_examples=40, deadline=None)
@given(counts=tables())
def test_a_bare_rendering_reads_back(rendering, counts):
    same_or_asked("!\n" + BARE[rendering](counts), Counts(counts.rows))
