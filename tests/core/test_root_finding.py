"""The root finder on steep, flat and jumping functions, and where it does not converge."""

import numpy as np
import pytest

from explorer.core._root_finding import NotConvergedError, increasing_root


def solve(function, low, high, start):
    roots = increasing_root(function, *map(np.asarray, (low, high, start)))
    assert roots.converged.all()
    return roots.checked("a test's equation"), roots.rounds


def test_each_root_of_an_array_takes_a_few_steps():
    goal = np.array([1e-9, 0.5, 2.0, 1e9])
    root, calls = solve(lambda x: (x**3 - goal, 3 * x**2), goal * 0, goal + 1, goal + 1)
    np.testing.assert_allclose(root, np.cbrt(goal), rtol=1e-15)
    assert calls < 80  # 1e9 is a long way down


@pytest.mark.parametrize("slope", [0.0, np.nan])
@pytest.mark.parametrize("unit", [1.0, 1e9, 1e-9])
def test_a_slope_of_no_use_costs_time_only(slope, unit):
    root, calls = solve(
        lambda x: (np.exp(x / unit) - 5, slope + 0 * x), 0.0, 100.0 * unit, 50.0 * unit
    )
    assert root == pytest.approx(np.log(5) * unit, rel=1e-14, abs=0)
    # Halving until the bracket is 2^-51 of the root, with one round to spare for rounding.
    assert calls <= 51 + np.ceil(np.log2(100 / np.log(5))) + 1


def test_a_root_outside_gives_the_nearer_end():
    line = np.ones(())
    assert solve(lambda x: (x - 7, line), 0.0, 5.0, 1.0)[0] == pytest.approx(5, rel=1e-15, abs=0)
    assert solve(lambda x: (x + 7, line), 1.0, 5.0, 2.0)[0] == pytest.approx(1, rel=1e-15, abs=0)


def test_a_jump_is_located():
    root, _ = solve(lambda x: (np.where(x < np.pi, -1.0, 1.0), 0 * x), 0.0, 10.0, 1.0)
    assert root == pytest.approx(np.pi, rel=1e-15, abs=0)


def test_a_flat_stretch_and_a_start_at_the_end_do_no_harm():
    root, _ = solve(lambda x: (np.maximum(x - 1, 0) ** 2 - 4, 2 * np.maximum(x - 1, 0)), 0, 9, 0)
    assert root == pytest.approx(3, rel=1e-15, abs=0)


def test_a_small_step_in_the_wrong_direction_is_not_the_last():
    # The slope has the wrong sign, as that of a function which rounding has bent.
    root, _ = solve(lambda x: (x - 2, -1e9 + 0 * x), 1.0, 5.0, 1.5)
    assert root == pytest.approx(2, rel=1e-14, abs=0)


def test_an_array_with_one_difficult_function_keeps_its_easy_roots_in_their_brackets():
    roots = increasing_root(
        lambda x: (x - np.array([2.0, 3.0]), np.array([-1e-9, 1.0])),
        np.array([1.0, 2.9]),
        np.array([5.0, 3.5]),
        np.array([1.5, 3.4]),
    )
    assert roots.values == pytest.approx([2, 3], rel=1e-14, abs=0)


def test_a_root_that_is_not_reached_is_an_error_and_no_number():
    # From 1e300 down to 1e-300 is further than halving comes.
    roots = increasing_root(
        lambda x: (x - 1e-300, 0 * x),
        np.zeros(2),
        np.array([1e300, 1e-299]),
        np.array([1.0, 1e-300]),
    )
    assert roots.converged.tolist() == [False, True]
    with pytest.raises(NotConvergedError, match="x = y after 200 rounds, for 1 of 2"):
        roots.checked("x = y")
