"""Searches begin near their roots: the number of evaluations is part of what is promised."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from explorer.core import gdp, laplace, tradeoff
from explorer.core.laplace import _contact, calibration
from explorer.core.laplace._privacy_loss import LossDistribution
from explorer.core.mechanisms import OptimalGaussian, _optimal_design, optimal
from explorer.core.sensitivity import CumulativeCounts, Marginals

TWO = SimpleNamespace(extreme_difference=np.ones(2))
THREE = SimpleNamespace(extreme_difference=np.array([1, 0.6, 0.2]))
FRACTIONS = np.geomspace(1e-250, 0.9, 14)


@pytest.fixture
def evaluations(monkeypatch):
    """Counts how often each function of a module is called."""
    counts = Counter()

    def count(module, name):
        function = getattr(module, name)

        def counted(*arguments):
            counts[name] += 1
            return function(*arguments)

        monkeypatch.setattr(module, name, counted)

    def most(module, name, calls):
        """Largest number of evaluations in one of the calls."""
        count(module, name)
        numbers = []
        for call in calls:
            counts.clear()
            call()
            numbers.append(counts[name])
        return max(numbers)

    return most


@pytest.mark.parametrize("mu", [1e-6, 1e-3, 0.1, 0.9, 3.0, 12.0, 60.0])
def test_epsilon_takes_five_profiles(evaluations, mu):
    goals = FRACTIONS * gdp.advantage(mu)
    calls = [lambda goal=goal: gdp.epsilon(goal, mu) for goal in goals]
    assert evaluations(gdp, "profile", calls) <= 5


@pytest.mark.parametrize("epsilon", [1e-5, 1e-2, 1.0, 10.0, 2000.0])
def test_mu_takes_four_profiles(evaluations, epsilon):
    calls = [lambda goal=goal: gdp.mu(epsilon, goal) for goal in FRACTIONS]
    assert evaluations(gdp, "profile", calls) <= 4


@pytest.mark.parametrize("shifts", [(1, 0.6, 0.2), (3, 1, 1, 1), (0.3,) * 20])
def test_a_level_takes_four_rounds_on_the_density(evaluations, shifts):
    # Two densities a round, for the probability and its slope, and six besides.
    tradeoff.laplace(0.5, shifts)  # computes the loss distribution, which is memoised
    levels = np.concatenate([np.geomspace(1e-5, 0.5, 40), 1 - np.geomspace(1e-5, 0.5, 20)])
    calls = [lambda level=level: tradeoff.laplace(level, shifts) for level in levels]
    assert evaluations(LossDistribution, "density", calls) <= 14


@pytest.mark.parametrize("mu", [1e-6, 1e-3, 0.1, 0.99, 1.0, 3.0, 12.0, 60.0])
def test_two_shifts_take_seven_rounds_and_their_inverse_four(evaluations, mu):
    assert _contact.contact_of_two(np.asarray(mu)).rounds <= 7
    b = laplace.scale(mu, TWO)
    assert evaluations(calibration, "contact_of_two", [lambda: laplace.mu(b, TWO)]) <= 4


@pytest.mark.parametrize("mu", [1e-3, 0.1, 0.99, 1.0, 3.0, 30.0])
def test_general_noise_is_looked_at_on_one_grid_and_refined_in_a_few_rounds(evaluations, mu):
    b = laplace.scale(mu, THREE)
    assert evaluations(_contact, "_separation", [lambda: laplace.mu(b, THREE)]) <= 30


@pytest.mark.parametrize("mu", [1.23e-3, 0.123, 0.987, 3.21, 32.1])
def test_a_general_scale_takes_six_exact_parameters(evaluations, mu):
    assert 1 <= evaluations(calibration, "_exact_mu", [lambda: laplace.scale(mu, THREE)]) <= 6


def test_the_best_designs_take_ten_steps_each_and_no_step_is_halved(evaluations):
    problems = [
        CumulativeCounts(5),
        CumulativeCounts(12),
        CumulativeCounts(20, "add-remove"),
        Marginals((2, 3, 4), [(0, 1), (1, 2)]),
        Marginals((3, 3), [(0, 1), (0,), (1,)]),
        Marginals((2,) * 4, [(0, 1), (2, 3), (1, 2, 3)]),
    ]

    def solve():
        for statistic in problems:
            optimal._least.cache_clear()
            OptimalGaussian(statistic, 1.0).l2_cost(np.zeros(statistic.p))

    assert 50 < evaluations(_optimal_design, "_solve", [solve]) < 60
    assert evaluations(_optimal_design, "_height", [solve]) < 120
