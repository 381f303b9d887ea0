"""Points and accuracy of the integral over the unshrunk line, at little noise."""

import itertools

import numpy as np
import pytest
from scipy.special import gammaln, xlogy

from explorer.core import population
from explorer.core.average_cost._distance_from_line import LineDistance
from explorer.core.mechanisms import RankDeficientJamesStein
from explorer.core.sensitivity import Table


@pytest.mark.parametrize("n", [20, 30])
@pytest.mark.parametrize("pattern", ["trend", "split", "spike"])
@pytest.mark.parametrize("mu", [10.0, 20.0, 50.0])
def test_little_noise_near_the_largest_strength(n, pattern, mu):
    p = 5
    ends = np.array(list(itertools.combinations(range(n + p - 1), p - 1)))
    tables = np.diff(ends, axis=1, prepend=-1, append=np.full((len(ends), 1), n + p - 1)) - 1.0
    pi = population.probabilities((p,), pattern, 0.97 * population.max_strength((p,), pattern))
    log_chance = gammaln(n + 1) - gammaln(tables + 1).sum(1) + xlogy(tables, pi).sum(1)
    for positive in (False, True):
        mechanism = RankDeficientJamesStein(Table((p,)), mu, positive_part=positive)
        expected = np.exp(log_chance) @ mechanism.l2_cost(tables)
        assert mechanism.expected_l2_cost(n, pi) == pytest.approx(expected, rel=1e-11, abs=0)


@pytest.fixture
def evaluated(monkeypatch):
    """Count the points of integrals over the unshrunk line."""
    counts = []
    uncoupled = LineDistance._uncoupled

    def counted(distance, s, line, b):
        counts.append(b.size)
        return uncoupled(distance, s, line, b)

    monkeypatch.setattr(LineDistance, "_uncoupled", counted)
    return counts


def test_means_with_a_small_share_take_fewer_points_and_stay_within_it(evaluated):
    w = RankDeficientJamesStein(Table((5,)), 1.0).unshrunk
    distance = LineDistance(2000, np.full(5, 0.2), 400.0, w)
    s = np.array([5.0, 10.0, 20.0, 20.0 + 4j])
    exact = distance.transform(s)
    many = sum(evaluated)
    evaluated.clear()
    share = np.full(4, 1e-8)
    coarse = distance.transform(s, share)
    assert sum(evaluated) < 0.75 * many
    error = 2 * np.exp(-34) / share * distance.transform(s.real + 0j).real
    assert (np.abs(coarse - exact) < 1.5 * error).all()
    assert np.abs(coarse - exact).max() > 0


def test_negligible_parts_of_the_mean_take_no_points(evaluated):
    RankDeficientJamesStein(Table((1, 5)), 10.0, positive_part=True).expected_l2_cost(
        1000, [0.2] * 5
    )
    assert sum(evaluated) < 80_000
