"""The immutable table of counts: shape, total, labels and its domain."""

import numpy as np
import pytest

from explorer.core.parameter import ParameterError
from explorer.tables.counts import MAX_CELLS, MAX_COUNT, MAX_LABEL, Counts


def test_shape_total_and_cells_in_c_order():
    counts = Counts(((1, 2, 3), (4, 5, 6)), ("a", "b"), ("x", "y", "z"))
    assert counts.shape == (2, 3)
    assert counts.p == 6
    assert counts.n == 21
    assert counts.array.dtype == np.float64
    assert counts.array.tolist() == [1, 2, 3, 4, 5, 6]


def test_array_cannot_be_written():
    with pytest.raises(ValueError, match="read-only"):
        Counts(((1, 2),)).array[0] = 5


def test_any_sequence_is_stored_as_hashable_tuples_of_int():
    from_lists = Counts([[1, 2], [3, 4]], ["a", "b"], [])
    from_numpy = Counts(np.array([[1, 2], [3, 4]]), ("a", "b"))
    assert from_lists == from_numpy == Counts(((1, 2), (3, 4)), ("a", "b"))
    assert len({from_lists, from_numpy}) == 1
    assert all(type(value) is int for row in from_numpy.rows for value in row)
    assert Counts(((1, 2),)) != Counts(((2, 1),))


def test_labels_that_are_all_empty_are_none():
    assert Counts(((1, 2),), ("",), ("", "")) == Counts(((1, 2),))
    assert Counts(((1, 2),), (), ("a", "")).column_labels == ("a", "")


def test_ends_of_the_domain():
    assert Counts(((0, MAX_COUNT),)).n == MAX_COUNT
    largest = Counts(((MAX_COUNT,) * MAX_CELLS,))
    assert largest.array.sum() == largest.n == MAX_CELLS * MAX_COUNT < 2**53


@pytest.mark.parametrize(
    ("rows", "rule", "value"),
    [
        (((1, 2), (3,)), "as many cells in every row", (1, 2)),
        ((), "2 to 2500 cells", 0),
        (((),), "2 to 2500 cells", 0),
        (((5,),), "2 to 2500 cells", 1),
        (((1,) * (MAX_CELLS + 1),), "2 to 2500 cells", MAX_CELLS + 1),
        (((0, 0), (0, 0)), "positive total", 0),
        (((1, -1),), r"whole numbers in \[0, 1000000000\]", -1),
        (((1, MAX_COUNT + 1),), "whole numbers", MAX_COUNT + 1),
        (((1, 2.0),), "whole numbers", 2.0),
        (((1, "2"),), "whole numbers", "2"),
        (((1, True),), "whole numbers", True),
        (((1, np.True_),), "whole numbers", np.True_),
    ],
)
def test_refuses_what_is_no_table(rows, rule, value):
    with pytest.raises(ParameterError, match=rule) as caught:
        Counts(rows)
    assert caught.value.name == "rows"
    assert caught.value.value == value


@pytest.mark.parametrize(
    "label",
    ["x" * (MAX_LABEL + 1), " a", "a ", "a\tb", "a\nb", "a  b", "a\u00a0b", "\u202ea", "\ud800"],
)
@pytest.mark.parametrize("name", ["row_labels", "column_labels"])
def test_refuses_labels_that_do_not_fit_on_a_line(name, label):
    with pytest.raises(ParameterError, match="printable words") as caught:
        Counts(((1, 2), (3, 4)), **{name: ("a", label)})
    assert caught.value.name == name


@pytest.mark.parametrize("labels", [("a",), ("a", "b", "c"), "ab", ("a", 1)])
def test_refuses_labels_of_another_number_or_kind(labels):
    with pytest.raises(ParameterError) as caught:
        Counts(((1, 2), (3, 4)), labels)
    assert caught.value.name == "row_labels"
