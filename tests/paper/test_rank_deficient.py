"""The sensitivity space and normal noise on it."""

import math

import pytest

from explorer.core.mechanisms import Gaussian, RankDeficientGaussian
from explorer.paper import rank_deficient


def test_sensitivity_space_of_three_cells():
    space = rank_deficient.sensitivity_space(p=3, n=2)
    assert space.pairs == 9 * 2 * 2
    assert len(space.differences) == 6
    assert (space.l1, space.rank) == (2, 2)


def test_the_savings_are_the_noise_of_one_cell():
    savings = rank_deficient.savings(mu=2.0, samples=100)
    saved = savings.cost[Gaussian] - savings.cost[RankDeficientGaussian]
    assert saved == pytest.approx([0.5] * 5)  # σ² = 2/μ²
    assert savings.at == pytest.approx([2.0] * 5)
    assert savings.below == pytest.approx([2 / 0.99] * 5)


def test_noise_without_the_direction_of_one_cell_hides_nothing():
    incomplete = rank_deficient.without_direction(p=7)
    assert list(incomplete.mu) == pytest.approx([1.0, math.inf, math.inf])
