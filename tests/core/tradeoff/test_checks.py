"""The first rule that a function breaks and the point at which it breaks it worst."""

import doctest
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from explorer.core import tradeoff
from explorer.core.parameter import ParameterError
from explorer.core.tradeoff import checks

quick = settings(max_examples=60, deadline=None)
GRID = np.linspace(0, 1, 101)


def reported(alpha, beta, **options):
    problem = tradeoff.violation(alpha, beta, **options)
    assert problem is not None
    return problem


@pytest.mark.parametrize("grid", [GRID, np.geomspace(1e-300, 1, 50), np.array([0.3]), np.array([])])
def test_trade_off_functions_pass(grid):
    for beta in (
        tradeoff.gaussian(grid, 0),
        tradeoff.gaussian(grid, 1.3),
        tradeoff.gaussian(grid, math.inf),
        tradeoff.approximate(grid, 1.2, 0.05),
        tradeoff.approximate(grid, 800, 0),
        tradeoff.laplace(grid, [2]),
        tradeoff.laplace(grid, [0.7, 0.7]),
        tradeoff.laplace(grid, [1, 0.4, 0.1]),
    ):
        assert tradeoff.violation(grid, beta, symmetric=True) is None


# The first two are what other packages return for these; see what they should be in the test of
# `tradeoff.approximate` and of `tradeoff.discrete`.
@pytest.mark.parametrize(
    ("alpha", "beta", "rule", "at", "limit"),
    [
        ([0, 0.95, 1], [0.9, -0.05, -0.1], "lie in [0, 1]", 1, 0),
        ([0, 0.25, 0.5, 0.75, 1], [0.4, 0.4, 0, 0, 0], "convex", 0.25, 0.2),
        ([0, 0.5, 1], [math.nan, 0.2, 0], "lie in [0, 1]", 0, 0),
        ([0, 0.5, 1], [1.5, math.nan, 0], "lie in [0, 1]", 0.5, 0),  # nothing is worse than NaN
        ([0, 0.5], [math.inf, 0.2], "lie in [0, 1]", 0, 1),
        ([0.1, 0.6, 1], [0.9, 0.45, 0], "at most 1 - α", 0.6, 0.4),
        ([0, 1], [1, 0.25], "at most 1 - α", 1, 0),
        ([0.1, 0.2, 0.4, 0.6], [0.5, 0.3, 0.35, 0.31], "not increase", 0.4, 0.3),
        ([0, 0, 0.5], [1, 0.8, 0.2], "continuous", 0, 1),
        ([0.1, 0.2, 0.4, 0.6], [0.8, 0.5, 0.45, 0.1], "convex", 0.4, 0.3),
        ([0.1, 0.5], [0.5, 0.4], "convex", 0.5, 0.5 * 5 / 9),  # the line to (1, 0)
        ([0.1, 0.2], [0.85, 0.1], "convex", 0.1, 0.55),  # the line from (0, 1)
    ],
)
def test_the_worst_point_of_the_first_broken_rule_is_named(alpha, beta, rule, at, limit):
    for order in (slice(None), slice(None, None, -1)):
        problem = reported(alpha[order], beta[order])
        assert rule in problem.rule
        assert f"- {problem.rule}" in tradeoff.violation.__doc__
        assert problem.alpha == at
        assert problem.limit == pytest.approx(limit, abs=1e-15)
        assert f"α = {at:g}" in str(problem)
        if not math.isnan(problem.beta):
            assert problem.excess == pytest.approx(abs(problem.beta - limit), abs=1e-15)
            assert f"{limit:.6g} is the limit" in str(problem)


def test_the_reason_says_from_which_points_the_limit_follows():
    problem = reported([0.1, 0.2, 0.4, 0.6], [0.8, 0.5, 0.45, 0.1])
    assert problem.beside == ((0.2, 0.5), (0.6, 0.1))
    assert str(problem).endswith("given (0.2, 0.5) and (0.6, 0.1)")
    assert reported([0.1, 0.2, 0.4], [0.5, 0.3, 0.35]).beside == ((0.2, 0.3),)
    assert reported([0, 0.2, 0.4], [0.5, 0.6, 0.55]).beside == ((0, 0.5),)
    assert reported([0, 0, 0.5], [1, 0.8, 0.2]).beside == ((0, 1),)
    assert reported([0.1, 0.2], [0.85, 0.1]).beside == ((0, 1), (0.2, 0.1))
    assert reported([0.1, 0.5], [0.5, 0.4]).beside == ((0.1, 0.5), (1, 0))


def test_a_fine_grid_does_not_hide_a_wide_bump():
    # Each second difference is below 2e-10; the bump is 0.01 high.
    alpha = np.linspace(0, 1, 20001)
    beta = 0.5 * (1 - alpha) + 0.01 * np.sin(np.pi * alpha)
    assert np.diff(beta, 2).min() > -3e-10
    problem = reported(alpha, beta)
    assert problem.rule == "f must be convex"
    assert problem.excess == pytest.approx(0.01, rel=1e-3)


def test_symmetry_is_checked_on_demand_only():
    curve = tradeoff.discrete_curve([0.5, 0.3, 0.2], [0.1, 0.3, 0.6])
    alpha = np.union1d(curve.alpha, curve.beta)
    assert tradeoff.violation(alpha, curve(alpha)) is None
    problem = reported(alpha, curve(alpha), symmetric=True)
    assert problem.rule == "f must be its own inverse"
    assert problem.alpha == 0.1
    assert problem.excess == pytest.approx(0.2, abs=1e-8)  # 0.7 for 0.5
    both = tradeoff.discrete_curve([0.5, 0.3, 0.2], [0.2, 0.3, 0.5])
    alpha = np.union1d(both.alpha, both.beta)
    assert tradeoff.violation(alpha, both(alpha), symmetric=True) is None
    # Nearly 1 near 0, and yet 0 before 1.
    assert reported([0, 0.001, 0.8, 1], [1, 0.99, 0, 0], symmetric=True).alpha == 0.001


@quick
@given(st.integers(1, 99), st.floats(1e-6, 0.3), st.floats(0.05, 3))
def test_any_point_moved_up_is_noticed(place, lift, mu):
    beta = tradeoff.gaussian(GRID, mu)
    beta[place] += lift
    chord = (beta[place - 1] + beta[place + 1]) / 2
    assume(beta[place] >= chord + 1e-8)
    assert reported(GRID, beta).alpha == GRID[place] or lift > beta[0] - beta[place]


@quick
@given(st.floats(1e-12, 1e-3))
def test_the_tolerance_is_the_excess_in_beta(tolerance):
    alpha = [0, 0.5, 1]
    assert tradeoff.violation(alpha, [1, 0.5 + tolerance * 0.99, 0], tolerance=tolerance) is None
    assert tradeoff.violation(alpha, [1, 0.5 + tolerance * 1.01, 0], tolerance=tolerance)
    assert tradeoff.violation(alpha, [1 + tolerance * 0.99, 0.5, 0], tolerance=tolerance) is None


def test_no_tolerance_at_all():
    assert tradeoff.violation([0, 0.5, 1], [1, 0.25, 0], tolerance=0) is None
    assert tradeoff.violation([0, 0.5, 1], [1, np.nextafter(0.5, 1), 0], tolerance=0)


def test_what_is_no_list_of_points_is_refused():
    for alpha, beta in [
        ([0.1, 0.2], [0.5]),
        (0.1, 0.5),
        ([[0.1]], [[0.5]]),
        ([0.1], ["0.5"]),
        ([0.1], [None]),
        ([1.1], [0.5]),
        ([math.nan], [0.5]),
    ]:
        with pytest.raises(ParameterError):
            tradeoff.violation(alpha, beta)
    for bad in (-1e-9, math.nan, "0"):
        with pytest.raises(ParameterError, match="tolerated"):
            tradeoff.violation([0.1], [0.5], tolerance=bad)


def test_the_example_in_the_documentation():
    assert doctest.testmod(checks).failed == 0
