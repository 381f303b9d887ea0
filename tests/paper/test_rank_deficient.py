"""The sensitivity space and normal noise on it."""

import math

import numpy as np
import pytest

from explorer.paper import (
    gaussian,
    privacy,
    rank_deficient,
    rank_deficient_james_stein,
)


def test_sensitivity_space_of_three_cells():
    space = rank_deficient.sensitivity_space(p=3, n=2)
    assert space.pairs == 9 * 2 * 2
    assert len(space.differences) == 6
    assert (space.l1, space.rank) == (2, 2)


def test_other_arguments_give_the_values_of_their_formulas():
    assert privacy.pure(epsilon=0.3, answers=3).loss.max() == pytest.approx(0.3)
    tried = privacy.every_test(mu=2.0)
    assert tried.tried == pytest.approx(tried.by_sorting, abs=1e-14)
    assert gaussian.norms(p=3, n=2).corners[2] == pytest.approx(math.sqrt(3) / 2)
    assert gaussian.isotropic(mu=0.2).at == pytest.approx(np.full(4, 0.2))
    covariances = gaussian.covariances(p=3, mu=2.0, count=20)
    assert covariances.exact == pytest.approx(np.full(20, 2.0))
    assert covariances.cost.min() == covariances.cost[0] == pytest.approx(1)
    assert rank_deficient_james_stein.bases([9, 1, 1, 1, 1, 1], mu=0.5).random.max() < 5 * 2 / 0.25
