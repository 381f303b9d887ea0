"""Every statistic against its sensitivity space, enumerated from the definition of neighbours."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from explorer.core import laplace
from explorer.core.sensitivity import (
    BoundedMean,
    CumulativeCounts,
    FixedMargins,
    Groups,
    Marginals,
    Neighbours,
    SimplexMean,
    Symmetric,
    Table,
)

quick = settings(max_examples=30, deadline=None)


def one_hot(index, length):
    return [int(i == index) for i in range(length)]


def margins_of(record, shape, margins):
    """Marginal tables of one record, cell by cell."""
    return [
        int(all(record[k] == level for k, level in zip(margin, cell, strict=True)))
        for margin in margins
        for cell in itertools.product(*(range(shape[k]) for k in margin))
    ]


def changes(values, neighbours, records):
    """All differences of statistics that add up `values`, one for each possible record."""
    rows = np.array(values)
    persons = [
        rows[list(chosen)].sum(axis=0) if chosen else 0 * rows[0]
        for size in (range(records + 1) if neighbours == "add-remove" else [records])
        for chosen in itertools.combinations_with_replacement(range(len(rows)), size)
    ]
    absent = [0 * rows[0]] if neighbours == "add-remove" else persons
    return np.array([sign * (a - b) for a in persons for b in absent for sign in (1, -1)])


def space_of_marginals(statistic):
    values = [
        margins_of(record, statistic.shape, statistic.margins)
        for record in itertools.product(*map(range, statistic.shape))
    ]
    return changes(values, statistic.neighbours, statistic.records_per_person)


def space_of_groups(statistic):
    p, levels = statistic.p, statistic.categories
    return np.array(
        [
            np.subtract(one_hot(group * levels + old, p), one_hot(group * levels + new, p))
            for group in range(statistic.groups)
            for old, new in itertools.product(range(levels), repeat=2)
        ]
    )


def space_of_fixed_margins(statistic):
    # Two persons (i, j) and (k, m) exchange their second variables.
    cells = np.eye(statistic.p).reshape(*statistic.shape, -1)
    people = list(np.ndindex(statistic.shape))
    return np.array(
        [
            cells[i, m] + cells[k, j] - cells[i, j] - cells[k, m]
            for (i, j), (k, m) in itertools.product(people, repeat=2)
        ]
    )


def space_of_bounded_mean(statistic):
    records = np.array(list(itertools.product([0, 0.5, 1], repeat=statistic.p)))
    return (records[:, np.newaxis] - records).reshape(-1, statistic.p) / statistic.n


def space_of_simplex_mean(statistic):
    thirds = itertools.product(range(4), repeat=statistic.p)
    records = np.array([row for row in thirds if sum(row) == 3]) / 3
    return (records[:, np.newaxis] - records).reshape(-1, statistic.p) / statistic.n


def space_of_cumulative_counts(statistic):
    p = statistic.p
    values = [[int(level <= k) for k in range(p)] for level in range(p)]
    return changes(values, statistic.neighbours, statistic.records_per_person)


CASES = [
    *((Groups(*sizes), space_of_groups) for sizes in [(1, 2), (1, 3), (2, 2), (3, 3)]),
    *((FixedMargins(shape), space_of_fixed_margins) for shape in [(2, 2), (3, 2), (3, 4)]),
    *((BoundedMean(p, n), space_of_bounded_mean) for p, n in [(1, 3), (2, 1), (3, 10)]),
    *((SimplexMean(p, n), space_of_simplex_mean) for p, n in [(2, 1), (3, 7), (4, 10)]),
    *(
        (CumulativeCounts(p, neighbours, records), space_of_cumulative_counts)
        for p, records in [(2, 1), (5, 1), (3, 2)]
        for neighbours in Neighbours
    ),
    *(
        (Marginals(shape, margins, neighbours, records), space_of_marginals)
        for shape, margins, records in [
            ((2, 3), [(0,), (1,)], 1),
            ((2, 2), [(1,), (0,)], 2),
            ((3, 3), [(0, 1), (0,), (1,)], 1),
            ((2, 2, 2), [(0, 1), (0, 2), (1, 2)], 1),
            ((2, 2, 3), [(0, 1), (1, 2)], 1),
            ((2, 3, 2), [(2, 0)], 1),
            ((2, 1, 3), [(0, 1), (1, 2), (1,)], 1),
            ((3, 2), [(), (0,), (1,)], 1),
            ((4,), [(0,)], 2),
        ]
        for neighbours in Neighbours
    ),
]
every_case = pytest.mark.parametrize(
    ("statistic", "enumerate_"), CASES, ids=[str(case) for case, _ in CASES]
)


@every_case
def test_norms_rank_and_projection_are_those_of_the_enumerated_space(statistic, enumerate_):
    space = enumerate_(statistic)
    p = statistic.p
    assert space.shape[1] == p
    assert statistic.l1 == pytest.approx(np.abs(space).sum(axis=1).max(), rel=1e-14)
    assert statistic.l2 == pytest.approx(np.linalg.norm(space, axis=1).max(), rel=1e-14)
    assert statistic.rank == np.linalg.matrix_rank(space)
    projection = np.linalg.pinv(space) @ space
    np.testing.assert_allclose(statistic.project(np.eye(p)), projection, atol=1e-12)
    basis = statistic.basis()
    assert basis.shape == (p, statistic.rank)
    np.testing.assert_allclose(basis.T @ basis, np.eye(statistic.rank), atol=1e-13)
    np.testing.assert_allclose(basis @ basis.T, projection, atol=1e-12)
    np.testing.assert_allclose(statistic.basis_sum(), basis.sum(axis=1), atol=1e-13)


def rounded(rows, digits=9):
    return {tuple(row) for row in (np.round(rows, digits) + 0.0).tolist()}


def corners(space):
    """Those points that are no mean of the others, by linear programming."""
    unit = np.abs(space[space != 0]).min()
    points = np.array(sorted(rounded(space / unit, 6)))  # whole numbers
    halves = points[[tuple(point) > tuple(-point) for point in points]]
    extremes = []
    for point in halves:
        others = points[(points != point).any(axis=1)]
        columns = np.append(others, np.ones((len(others), 1)), axis=1).T
        mean = linprog(np.zeros(len(others)), A_eq=columns, b_eq=np.append(point, 1))
        assert mean.status in {0, 2}  # solved, or without solution
        if mean.status == 2:
            extremes += [point * unit, -point * unit]
    return np.array(extremes)


@every_case
def test_differences_are_the_corners_of_the_enumerated_space(statistic, enumerate_):
    differences = statistic.differences()
    assert len(rounded(differences)) == len(differences)
    assert rounded(differences) == rounded(corners(enumerate_(statistic)))


class Difference:
    """A statistic of which calibration sees one difference."""

    def __init__(self, magnitudes):
        self.extreme_difference = np.array(magnitudes)


@every_case
def test_no_difference_is_worse_for_laplace_noise_than_the_extreme_one(statistic, enumerate_):
    extreme = statistic.extreme_difference
    assert statistic.l1 == pytest.approx(extreme.sum(), rel=1e-14)
    shapes = {tuple(row[row > 0]) for row in np.round(np.sort(np.abs(enumerate_(statistic))), 9)}
    assert tuple(np.round(np.sort(extreme), 9)) in shapes
    for scale in (0.3, 2.0):
        worst = laplace.mu(scale * extreme.max(), statistic)
        others = [laplace.mu(scale * extreme.max(), Difference(row)) for row in shapes if row]
        assert max(others) == pytest.approx(worst, rel=1e-6)


@pytest.mark.parametrize("statistic", [s for s, _ in CASES if isinstance(s, Symmetric)], ids=str)
def test_symmetric_parts_add_up_to_the_span(statistic):
    count = len(statistic.part_ranks)
    x = np.random.default_rng(1).normal(size=(3, statistic.p))
    parts = [statistic.weigh(x, one_hot(i, count)) for i in range(count)]
    np.testing.assert_allclose(sum(parts), statistic.project(x), atol=1e-13)
    for i, part in enumerate(parts):
        np.testing.assert_allclose(statistic.weigh(part, one_hot(i, count)), part, atol=1e-13)
        trace = np.trace(statistic.weigh(np.eye(statistic.p), one_hot(i, count)))
        assert trace == pytest.approx(statistic.part_ranks[i])
    lengths = np.array(
        [
            (statistic.weigh(statistic.differences(), one_hot(i, count)) ** 2).sum(axis=-1)
            for i in range(count)
        ]
    )
    assert rounded(lengths.T) == rounded(statistic.part_lengths)


def test_only_cumulative_counts_have_no_symmetric_parts():
    assert {type(s) for s, _ in CASES if not isinstance(s, Symmetric)} == {CumulativeCounts}
    assert isinstance(Table((4, 4)), Symmetric)


# Δ₁, Δ₂², rank, p by enumeration.
@pytest.mark.parametrize(
    ("statistic", "numbers"),
    [
        (Marginals((2, 3, 4), [(0, 1), (1, 2)]), (4, 4, 14, 18)),
        (Marginals((2, 2, 2), [(0, 1), (0, 2), (1, 2)]), (6, 6, 6, 12)),
        (Marginals((3, 3), [(0, 1), (0,), (1,)]), (6, 6, 8, 15)),
        (Marginals((2, 3), [(0,), (1,)]), (4, 4, 3, 5)),
        (Marginals((2, 3), [(0,), (1,)], "add-remove"), (2, 2, 4, 5)),
        (FixedMargins((3, 4)), (4, 4, 6, 12)),
        (Groups(3, 5), (2, 2, 12, 15)),
        (BoundedMean(6, 50), (0.12, 6 / 2500, 6, 6)),
        (SimplexMean(6, 50), (0.04, 2 / 2500, 5, 6)),
        (CumulativeCounts(5), (4, 4, 4, 5)),
    ],
)
def test_statistics_state_their_sensitivity_spaces(statistic, numbers):
    stated = (statistic.l1, statistic.l2**2, statistic.rank, statistic.p)
    assert stated == pytest.approx(numbers, rel=1e-14)


@st.composite
def marginals(draw):
    shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4).filter(lambda s: max(s) > 1))
    sets = st.sets(st.integers(0, len(shape) - 1))
    several = {k for k, n in enumerate(shape) if n > 1}
    margins = draw(
        st.lists(sets, min_size=1, max_size=4, unique_by=frozenset).filter(
            lambda sets: several & set().union(*sets)
        )
    )
    return Marginals(
        tuple(shape), [tuple(one) for one in margins], draw(st.sampled_from(Neighbours))
    )


@quick
@given(marginals(), st.integers(0, 2**32 - 1))
def test_projected_margins_are_the_nearest_ones_of_a_table(statistic, seed):
    rng = np.random.default_rng(seed)
    tables = rng.normal(size=(30, *statistic.shape))
    if statistic.neighbours == "replace":
        tables -= tables.mean(axis=tuple(range(1, tables.ndim)), keepdims=True)
    axes = range(len(statistic.shape))
    true = np.concatenate(
        [
            tables.sum(axis=tuple(k + 1 for k in axes if k not in margin)).reshape(30, -1)
            for margin in statistic.margins
        ],
        axis=1,
    )
    np.testing.assert_allclose(statistic.project(true), true, atol=1e-11)
    x = rng.normal(size=statistic.p)
    np.testing.assert_allclose(true @ (x - statistic.project(x)), 0, atol=1e-10)
    np.testing.assert_allclose(
        statistic.project(x) @ statistic.basis(), x @ statistic.basis(), atol=1e-12
    )
    assert np.trace(statistic.project(np.eye(statistic.p))) == pytest.approx(statistic.rank)
    assert math.isclose(np.linalg.norm(statistic.basis_sum()), math.sqrt(statistic.rank))
