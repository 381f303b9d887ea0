"""The example tables against published totals and margins."""

from importlib import resources

import numpy as np
import pytest

from explorer.tables.examples import EXAMPLES
from explorer.tables.typed import format_counts, parse

BY_KEY = {example.key: example for example in EXAMPLES}


# Totals as stated where the data sets are documented, not added up from the files:
# R datasets: HairEyeColor.Rd "592 statistics students", UCBAdmissions.Rd "4526 observations",
# Titanic.Rd "2201 observations"; vcd: VisualAcuity.Rd "7,477 women", HorseKicks.Rd "200
# corps-years"; anacor: tocher.Rd "5387 Scottish school children" (the table of MASS's caith);
# vcdExtra: Mental.Rd "1660 young New York residents". No total is stated for
# occupationalStatus; see the test of its condensed table below.
@pytest.mark.parametrize(
    ("key", "shape", "total"),
    [
        ("hair-eye", (4, 4), 592),
        ("berkeley", (6, 4), 4526),
        ("titanic", (8, 4), 2201),
        ("occupation", (8, 8), 3498),
        ("vision", (4, 4), 7477),
        ("caithness", (4, 5), 5387),
        ("midtown", (6, 4), 1660),
        ("horse-kicks", (1, 5), 200),
    ],
)
def test_shape_and_published_total(key, shape, total):
    counts = BY_KEY[key].counts
    assert counts.shape == shape
    assert counts.n == total


def test_berkeley_margins_are_those_of_the_paper():
    # UCBAdmissions.Rd: "2691 male applicants, of whom 1198 were admitted, compared with 1835
    # female applicants of whom 557".
    men_in, men_out, women_in, women_out = np.sum(BY_KEY["berkeley"].counts.rows, axis=0)
    assert (men_in, men_in + men_out) == (1198, 2691)
    assert (women_in, women_in + women_out) == (557, 1835)


def test_occupation_condenses_to_the_five_classes_of_the_literature():
    # The 5 x 5 table of the same survey (extRC: mobility, 3,500 men) merges the statuses
    # {1}, {2, 3}, {4}, {5, 6}, {7, 8}. The two published tables differ in two cells, the
    # corner (0 here, 3 there) and the fourth of the diagonal (714 there, 715 here); the other
    # 23 agree, which checks orientation and every copied number.
    published = np.array(
        [
            [50, 45, 8, 18, 8],
            [28, 174, 84, 154, 55],
            [11, 78, 110, 223, 96],
            [14, 150, 185, 714, 447],
            [3, 42, 72, 320, 411],
        ]
    )
    first = [0, 1, 3, 4, 6]
    table = np.array(BY_KEY["occupation"].counts.rows)
    condensed = np.add.reduceat(np.add.reduceat(table, first, axis=0), first, axis=1)
    differing = np.argwhere(condensed != published).tolist()
    assert differing == [[3, 3], [4, 0]]
    assert condensed[3, 3] == 715
    assert condensed[4, 0] == 0


def test_titanic_survivors_and_empty_cells():
    # Added up over the lines "Survived = Yes" of the long format of R's Titanic:
    # 5 + 11 + 13 + 0 + 1 + 13 + 14 + 0 + 57 + 14 + 75 + 192 + 140 + 80 + 76 + 20 = 711.
    table = np.array(BY_KEY["titanic"].counts.rows)
    assert table[:, 1].sum() + table[:, 3].sum() == 711
    assert (table == 0).sum() == 8


def test_keys_are_distinct_and_every_file_is_listed_once():
    files = {file.name for file in (resources.files("explorer.tables") / "data").iterdir()}
    assert files == {f"{example.key}.csv" for example in EXAMPLES}
    assert len(BY_KEY) == len(EXAMPLES) >= 6


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.key)
def test_says_what_it_is_and_can_be_pasted(example):
    counts = example.counts
    assert all((example.title, example.source, example.licence, example.note))
    assert len(counts.row_labels) == counts.shape[0]
    assert len(counts.column_labels) == counts.shape[1]
    assert parse(format_counts(counts)) == counts
    assert example.counts is counts  # read once
    assert hash(example) == hash(BY_KEY[example.key])
