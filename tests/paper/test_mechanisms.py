"""The names of mechanisms in studies, and their styles in figures."""

import numpy as np
import pytest

from explorer.core.mechanisms import MECHANISMS, Gaussian, Laplace, RankDeficientGaussian
from explorer.core.parameter import ParameterError
from explorer.paper._mechanisms import NORMAL, SYMBOLS, classes_in, collect, places, style, symbol


def test_every_mechanism_of_the_menu_has_a_symbol_and_a_style_of_its_own():
    assert set(SYMBOLS) == set(MECHANISMS)
    assert len({symbol(one) for one in MECHANISMS}) == len(MECHANISMS)
    assert len({style(one) for one in MECHANISMS}) == len(MECHANISMS)
    assert len(NORMAL) == 6


@pytest.mark.parametrize(
    "names",
    [
        ["laplace", "gaussian", "rank-deficient", "laplace"],
        ["Laplace", "Gaussian", "RankDeficientGaussian", "Laplace"],
    ],
    ids=["keys", "class names of old studies"],
)
def test_mechanisms_of_a_study_are_recognised_by_key_and_by_old_name(names):
    column = np.array(names)
    assert classes_in(column) == (Gaussian, RankDeficientGaussian, Laplace)
    assert list(places(column)) == [2, 0, 1, 2]


def test_a_name_that_no_mechanism_has_is_refused():
    with pytest.raises(ParameterError, match="must be one of gaussian, "):
        classes_in(np.array(["gauss"]))


def test_rows_are_collected_into_columns():
    columns = collect([{Gaussian: 1.0, Laplace: 2.0}, {Gaussian: 3.0, Laplace: 4.0}])
    assert {one: list(column) for one, column in columns.items()} == {
        Gaussian: [1.0, 3.0],
        Laplace: [2.0, 4.0],
    }
