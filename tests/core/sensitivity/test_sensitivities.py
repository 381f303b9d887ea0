"""Sensitivities, ranks and projections of tables against enumerated neighbours."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Neighbours, Table, check_cells

quick = settings(max_examples=40, deadline=None)


def tables(max_side=5):
    shape = st.lists(st.integers(1, max_side), min_size=1, max_size=3).filter(
        lambda levels: 2 <= math.prod(levels) <= 30
    )
    return st.builds(Table, shape.map(tuple), st.sampled_from(Neighbours), st.integers(1, 4))


def enumerated_differences(p, neighbours, records):
    """All differences that one person can make, from the definition of neighbours."""
    persons = [
        np.array([Counter(cells)[i] for i in range(p)])
        for size in (range(records + 1) if neighbours == "add-remove" else [records])
        for cells in itertools.combinations_with_replacement(range(p), size)
    ]
    absent = [np.zeros(p, dtype=int)] if neighbours == "add-remove" else persons
    return np.array([s * (a - b) for a in persons for b in absent for s in (1, -1)])


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize(("p", "records"), [(2, 1), (3, 1), (4, 1), (3, 2), (4, 3)])
def test_sensitivities_and_rank_are_those_of_enumerated_neighbours(p, neighbours, records):
    table = Table((p,), neighbours, records)
    space = enumerated_differences(p, neighbours, records)
    assert table.l1 == np.abs(space).sum(axis=1).max()
    assert table.l2 == pytest.approx(np.linalg.norm(space, axis=1).max(), rel=1e-15)
    assert table.rank == np.linalg.matrix_rank(space)


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("records", [1, 2])
def test_differences_are_enumerated_ones_of_full_length(neighbours, records):
    table = Table((2, 2), neighbours, records)
    space = {tuple(row) for row in enumerated_differences(4, neighbours, records)}
    extreme = table.differences()
    assert len({tuple(row) for row in extreme}) == len(extreme)
    assert {tuple(row) for row in extreme} <= space
    longest = {row for row in space if math.isclose(math.hypot(*row), table.l2)}
    assert {tuple(row) for row in extreme} == longest
    for row in extreme:
        assert np.abs(row[row != 0]).tolist() == table.extreme_difference.tolist()


# Full table, replace-one: 2, √2, p - 1; add/remove-one: 1, 1, p; k records times k.
@pytest.mark.parametrize(
    ("table", "numbers", "extreme"),
    [
        (Table((4, 4)), (16, 15, 2, math.sqrt(2)), [1, 1]),
        (Table((4, 4), "add-remove"), (16, 16, 1, 1), [1]),
        (Table((7,), "replace", 3), (7, 6, 6, 3 * math.sqrt(2)), [3, 3]),
        (Table((2, 3, 4), "add-remove", 3), (24, 24, 3, 3), [3]),
        (Table((1, 2)), (2, 1, 2, math.sqrt(2)), [1, 1]),
    ],
)
def test_table_states_its_sensitivity_space(table, numbers, extreme):
    assert (table.p, table.rank, table.l1, table.l2) == numbers
    assert table.extreme_difference.tolist() == extreme


@quick
@given(tables())
def test_basis_is_orthonormal_and_spans_the_differences(table):
    basis = table.basis()
    assert basis.shape == (table.p, table.rank)
    np.testing.assert_allclose(basis.T @ basis, np.eye(table.rank), atol=1e-14)
    differences = table.differences()
    np.testing.assert_allclose(differences @ basis @ basis.T, differences, atol=1e-13)


@quick
@given(tables(), st.integers(0, 2**32 - 1))
def test_projection_is_that_of_the_basis(table, seed):
    x = np.random.default_rng(seed).normal(size=(2, 3, table.p))
    basis = table.basis()
    np.testing.assert_allclose(table.project(x), x @ basis @ basis.T, atol=1e-13)


@quick
@given(tables())
def test_sum_of_the_basis_needs_no_basis(table):
    np.testing.assert_allclose(table.basis_sum(), table.basis().sum(axis=1), atol=1e-13)


def test_helmert_columns():
    expected = [[1, 1, 1], [-1, 1, 1], [0, -2, 1], [0, 0, -3]] / np.sqrt([2, 6, 12])
    np.testing.assert_allclose(Table((2, 2)).basis(), expected, rtol=1e-15)


def test_projection_leaves_its_argument_alone():
    x = np.arange(4.0)
    Table((4,)).project(x)
    assert x.tolist() == [0, 1, 2, 3]


def test_a_million_cells_are_projected_without_a_matrix():
    table = Table((1000, 1000))
    assert abs(table.project(np.arange(1e6)).sum()) < 1e-3
    assert np.linalg.norm(table.basis_sum()) == pytest.approx(math.sqrt(table.rank), rel=1e-12)


def test_tables_are_values():
    assert Table([4, np.int64(4)]) == Table((4, 4))
    assert repr(Table((4, 4), "replace", np.float64(1))) == repr(Table((4, 4)))
    assert hash(Table([4, 4])) == hash(Table((4, 4)))


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (((1,),), "shape"),
        (((),), "shape"),
        (((0, 3),), "shape"),
        (((2.0, 2),), "shape"),
        (((True, 2),), "shape"),
        (("44",), "shape"),
        ((4,), "shape"),
        (((4, 4), "swap"), "neighbours"),
        (((4, 4), "replace", 0), "records_per_person"),
        (((4, 4), "replace", 1.5), "records_per_person"),
        (((4, 4), "replace", math.inf), "records_per_person"),
    ],
)
def test_refused_fields_are_named(arguments, name):
    with pytest.raises(ParameterError) as caught:
        Table(*arguments)
    assert caught.value.name == name
    assert caught.value.rule


@pytest.mark.parametrize(
    "bad", [3.0, [1.0, 2.0], [[1.0], [2.0]], [1, 2, np.nan], [1, 2, -1e101], [1, 2, 1j], "abc"]
)
def test_refused_cells_are_named(bad):
    with pytest.raises(ParameterError) as caught:
        check_cells("theta", "θ", bad, 3)
    assert caught.value.name == "theta"
    assert caught.value.symbol == "θ"
