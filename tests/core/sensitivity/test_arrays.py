"""What all statistics do with arrays, large ones and wrong ones."""

import dataclasses
import math
import time
import tracemalloc

import numpy as np
import pytest

from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import (
    BoundedMean,
    CumulativeCounts,
    FixedMargins,
    Groups,
    Marginals,
    SimplexMean,
    Symmetric,
    Table,
    base,
)

SMALL = [
    Table((3, 4)),
    Table((3, 4), "add-remove"),
    Groups(3, 4),
    FixedMargins((3, 4)),
    BoundedMean(12, 5),
    SimplexMean(12, 5),
    CumulativeCounts(12),
    CumulativeCounts(12, "add-remove"),
    Marginals((3, 4, 2), [(0, 1), (1, 2), ()]),
    Marginals((3, 4, 2), [(0, 1), (1, 2), ()], "add-remove"),
]
every_small = pytest.mark.parametrize("statistic", SMALL, ids=str)

LARGE = [
    Table((1000, 1000)),
    Groups(1000, 1000),
    FixedMargins((1000, 1000)),
    BoundedMean(10**6, 5),
    SimplexMean(10**6, 5),
    CumulativeCounts(10**6),
    Marginals((1000, 1000), [(0, 1)]),
    Marginals((1000, 1000), [(0, 1), (0,), (1,)]),
    Marginals((100, 100, 50, 100), [(0, 1, 2), (1, 2, 3), (0, 3)], "add-remove"),
    Marginals((10,) * 6, [tuple(range(6)), (0, 1), (2, 3, 4)]),
]
every_large = pytest.mark.parametrize("statistic", LARGE, ids=str)


@every_small
def test_arrays_are_projected_row_by_row_whatever_their_layout(statistic):
    p = statistic.p
    x = np.random.default_rng(1).normal(size=(2, 3, p))
    rows = np.array([[statistic.project(row) for row in block] for block in x])
    np.testing.assert_allclose(statistic.project(x), rows, atol=1e-14)
    layouts = [np.asfortranarray(x), x[::-1, :, ::-1][::-1, :, ::-1], x.transpose(1, 0, 2)]
    for layout, expected in zip(layouts, [rows, rows, rows.transpose(1, 0, 2)], strict=True):
        before = layout.copy()
        np.testing.assert_allclose(statistic.project(layout), expected, atol=1e-14)
        assert np.array_equal(layout, before)
    whole = np.arange(p)
    np.testing.assert_allclose(statistic.project(whole), statistic.project(whole * 1.0), atol=0)
    assert whole.tolist() == list(range(p))


@every_small
def test_projection_keeps_what_it_has_projected(statistic):
    once = statistic.project(np.random.default_rng(2).normal(size=(4, statistic.p)) * 1e100 / 6)
    np.testing.assert_allclose(statistic.project(once), once, atol=1e87)


@every_large
def test_a_million_cells_are_projected_in_a_tenth_of_a_second(statistic):
    x = np.random.default_rng(3).normal(size=statistic.p)
    assert statistic.p > 900_000
    seconds = []
    for _ in range(5):
        start = time.process_time()  # the machine may be busy with something else
        projected = statistic.project(x)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.1
    assert np.linalg.norm(projected) ** 2 == pytest.approx(projected @ x, rel=1e-9)
    # A part of d of p squared normal numbers; six standard deviations.
    assert abs(projected @ x - statistic.rank) < 6 * math.sqrt(2 * statistic.rank)


@every_large
def test_a_million_cells_need_no_matrix(statistic):
    x = np.zeros(statistic.p)
    tracemalloc.start()
    statistic.project(x)
    total = statistic.basis_sum()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * x.nbytes
    assert np.linalg.norm(total) == pytest.approx(math.sqrt(statistic.rank), rel=1e-9)
    for listing in (statistic.basis, statistic.differences):
        with pytest.raises(ParameterError, match="16777216 numbers"):
            listing()


@every_small
@pytest.mark.parametrize("listing", ["basis", "differences"])
def test_lists_are_refused_from_the_first_number_too_many(statistic, listing, monkeypatch):
    size = getattr(statistic, listing)().size
    if listing == "differences" and isinstance(statistic, Marginals):
        cells = math.prod(statistic.shape)
        size = (
            2 * cells * statistic.p
            if statistic.neighbours == "add-remove"
            else max(size, 2 * cells * statistic.p, cells**2 * len(statistic.shape))
        )
    monkeypatch.setattr(base, "LARGEST_LIST", size)
    getattr(statistic, listing)()
    monkeypatch.setattr(base, "LARGEST_LIST", size - 1)
    with pytest.raises(ParameterError, match=f"must have at most {size - 1} numbers to be listed"):
        getattr(statistic, listing)()


def test_pairs_of_records_are_counted_before_they_are_listed(monkeypatch):
    # Each of 24 records of three variables beside each; the margins themselves are shorter.
    statistic = Marginals((3, 4, 2), [(0,), (1,), (2,)])
    assert statistic.differences().size < 24 * 24 * 3
    monkeypatch.setattr(base, "LARGEST_LIST", 24 * 24 * 3)
    statistic.differences()
    monkeypatch.setattr(base, "LARGEST_LIST", 24 * 24 * 3 - 1)
    with pytest.raises(ParameterError, match="listed"):
        statistic.differences()


def test_the_largest_cells_are_accepted():
    assert base.check_cells("x", "x", [1e100, -1e100], 2).tolist() == [1e100, -1e100]
    with pytest.raises(ParameterError):
        base.check_cells("x", "x", [np.nextafter(1e100, np.inf), 0], 2)


def test_as_many_effects_as_are_allowed():
    assert len(Marginals((2,) * 12, [range(12)]).effects) == 4095
    assert len(Marginals((2,) * 12, [range(12)], "add-remove").effects) == 4096
    assert len(Marginals((2,) * 12 + (1,) * 3, [range(15)], "add-remove").effects) == 4096
    with pytest.raises(ParameterError, match="4096 subsets"):
        Marginals((2,) * 13, [range(12), (12,)], "add-remove")


@every_small
def test_refused_arrays_say_it_all(statistic):
    with pytest.raises(ParameterError) as caught:
        statistic.project([1.0])
    if isinstance(statistic, Marginals):
        with pytest.raises(ParameterError) as weighed:
            statistic.weigh([1.0], [1.0])
        assert str(weighed.value) == str(caught.value)
    sentence = f"must have {statistic.p} cells on the last axis, got x='array of shape (1,)'."
    assert str(caught.value) == f"x (table) {sentence}"


@every_small
def test_ranks_and_lengths_of_the_parts_are_floats(statistic):
    if isinstance(statistic, Symmetric):
        assert statistic.part_ranks.dtype == statistic.part_lengths.dtype == np.float64
        assert statistic.part_ranks.sum() == statistic.rank


@every_small
def test_statistics_are_values(statistic):
    statistic.project(np.zeros(statistic.p))
    fields = dataclasses.astuple(statistic)
    assert type(statistic)(*fields) == statistic
    assert hash(type(statistic)(*fields)) == hash(statistic)
    assert eval(repr(statistic)) == statistic  # noqa: S307 - our own text


def test_fields_come_out_as_plain_python():
    relation = np.str_("replace")
    marginals = Marginals([2, np.int64(3)], [[1, 0], (np.int64(1),)], relation, np.float64(2))
    assert repr(marginals) == repr(Marginals((2, 3), ((0, 1), (1,)), "replace", 2))
    assert repr(Groups(np.int64(2), 3.0)) == repr(Groups(2, 3))
    assert marginals.effects == ((0,), (1,), (0, 1))


@every_small
@pytest.mark.parametrize("bad", [3.0, [1.0, 2.0], [[1.0]] * 12, ["a"] * 12, [math.nan] * 12])
def test_refused_arrays_are_named(statistic, bad):
    with pytest.raises(ParameterError) as caught:
        statistic.project(bad)
    assert caught.value.name == "x"


REFUSED = [
    (lambda: Marginals((2, 3), []), "margins", "at least one"),
    (lambda: Marginals((2, 3), "01"), "margins", "at least one"),
    (lambda: Marginals((2, 3), 1), "margins", "at least one"),
    (lambda: Marginals((2, 3), [0, 1]), "margins", "from 0 to 1"),
    (lambda: Marginals((2, 3), ["0"]), "margins", "from 0 to 1"),
    (lambda: Marginals((2, 3), [(0, 2)]), "margins", "from 0 to 1"),
    (lambda: Marginals((2, 3), [(-1,)]), "margins", "from 0 to 1"),
    (lambda: Marginals((2, 3), [(0.0,)]), "margins", "from 0 to 1"),
    (lambda: Marginals((2, 3), [(True,)]), "margins", "from 0 to 1"),
    (lambda: Marginals((2, 3), [(0, 0)]), "margins", "from 0 to 1"),
    (lambda: Marginals((2, 3), [(0, 1), (1, 0)]), "margins", "once"),
    (lambda: Marginals((2, 3), [()]), "margins", "one person can change"),
    (lambda: Marginals((1, 3), [(0,)]), "margins", "one person can change"),
    (lambda: Marginals((2,) * 13, [tuple(range(13))]), "margins", "4096 subsets"),
    (
        lambda: Marginals((2,) * 12, [(k,) for k in range(12)]).part_lengths,
        "margins",
        "11 variables",
    ),
    (lambda: Marginals((2, 0), [(0,)]), "shape", "at least 1"),
    (lambda: Marginals((2, 3), [(0,)], "swap"), "neighbours", "replace"),
    (lambda: Marginals((2, 3), [(0,)], "replace", 0), "records_per_person", "whole"),
    (lambda: Groups(0, 2), "groups", "whole number"),
    (lambda: Groups(2, 1), "categories", "whole number"),
    (lambda: Groups(2, 2.5), "categories", "whole number"),
    (lambda: FixedMargins((2, 1)), "shape", "two numbers"),
    (lambda: FixedMargins((2, 2, 2)), "shape", "two numbers"),
    (lambda: FixedMargins((4,)), "shape", "two numbers"),
    (lambda: BoundedMean(0, 5), "p", "whole number"),
    (lambda: BoundedMean(2, 0), "n", "whole number"),
    (lambda: BoundedMean("2", 5), "p", "whole number"),
    (lambda: BoundedMean(2, math.nan), "n", "whole number"),
    (lambda: SimplexMean(1, 5), "p", "whole number"),
    (lambda: SimplexMean(2, 0.5), "n", "whole number"),
    (lambda: CumulativeCounts(1), "p", "whole number"),
    (lambda: CumulativeCounts(3, "both"), "neighbours", "replace"),
    (lambda: CumulativeCounts(3, "replace", math.inf), "records_per_person", "whole"),
]


@pytest.mark.parametrize(("make", "name", "rule"), REFUSED)
def test_refused_fields_are_named(make, name, rule):
    with pytest.raises(ParameterError) as caught:
        make()
    assert caught.value.name == name
    assert rule in caught.value.rule


def test_variables_outside_all_margins_do_not_count():
    assert len(Marginals((2,) * 12, [(3,)]).differences()) == 2
    assert Marginals((2,) * 30, [(3,)]).part_lengths.shape == (1, 1)
