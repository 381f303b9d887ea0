"""Shifts and parameters at the ends of their domains, against many digits."""

import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest
from mpmath import mp, mpf

from explorer.core import laplace, tradeoff
from explorer.core.sensitivity import BoundedMean


def log_normal(z):
    return mp.log(mp.erfc(-z / mp.sqrt(2)) / 2)


def two_equal_shifts(mu):
    """Solve the two equations of `laplace.scale` for a, to 40 digits beyond those that cancel."""
    with mp.workdps(60 + 2 * int(abs(np.log10(mu)))):
        mu = mpf(mu)

        def equations(y, t):
            a = y + t / 2
            return (
                -2 * a + y + mp.log((1 + y) / 4) - log_normal(-t / mu - mu / 2),
                -y + mp.log((3 + y) / 4) - log_normal(t / mu - mu / 2),
            )

        y, t = mp.findroot(equations, (mu**2 / 8 + mp.log(mu), mpf(4)), tol=1e-30)
        return float(y + t / 2)


@pytest.mark.parametrize("mu", [30.0, 1e3, 1e6, 3e7, 1e8, 1e12])
def test_two_equal_parts_keep_their_digits_at_large_mu(mu):
    two = SimpleNamespace(extreme_difference=np.ones(2))
    expected = two_equal_shifts(mu)
    assert 1 / laplace.scale(mu, two) == pytest.approx(expected, rel=1e-13, abs=0)
    assert laplace.mu(1 / expected, two) == pytest.approx(mu, rel=1e-13, abs=0)


@pytest.mark.parametrize("mu", [1e99, 1e101, 1e153])
def test_two_equal_parts_are_at_their_limit_beyond(mu):
    two = SimpleNamespace(extreme_difference=np.ones(2))
    assert laplace.scale(mu, two) == pytest.approx(8 / mu / mu, rel=1e-13, abs=0)
    assert laplace.mu(8 / mu / mu, two) == pytest.approx(mu, rel=1e-13, abs=0)


def tail(loss, a):
    """P(L > loss) of one shift a, unshifted distribution."""
    if loss >= a:
        return mpf(0)
    return mpf(1) if loss < -a else 1 - mp.exp((loss - a) / 2) / 2


def tail_of_two(loss, a, b):
    """P(L₁ + L₂ > loss), by quadrature over the second."""
    atoms = (tail(loss - b, a) + mp.exp(-b) * tail(loss + b, a)) / 2
    cuts = sorted({-b, b} | {c for c in (loss - a, loss + a) if -b < c < b})
    return atoms + mp.quad(lambda x: mp.exp((x - b) / 2) / 4 * tail(loss - x, a), cuts)


@pytest.mark.parametrize("a", [1.0, 10.0, 53.59006746981007])
@pytest.mark.parametrize("ratio", [1.0413e-5, 1e-8, 1e-3])
def test_a_small_second_part_counts_in_the_scale(a, ratio):
    # With one large part the two curves touch at equal errors, where the loss is 0.
    with mp.workdps(40):
        first, second = mpf(a), mpf(a * ratio)
        error = 1 - tail_of_two(mpf(0), first, second)
        z = mp.findroot(
            lambda z: log_normal(z) - mp.log(error), -mp.sqrt(-2 * mp.log(error)) * 0.97
        )
        mu = float(-2 * z)
    parts = SimpleNamespace(extreme_difference=np.array([a, a * ratio]))
    assert laplace.mu(1.0, parts) == pytest.approx(mu, rel=2e-15, abs=0)
    assert laplace.scale(mu, parts) == pytest.approx(1.0, rel=1e-13, abs=0)


def test_256_equal_parts_have_a_parameter_near_that_of_their_normal_limit():
    # At this scale a search in the far tail went astray and was put down to underflow. Of m parts
    # the loss is nearly normal, and μ is √m/b up to a relative 1/√m.
    b = 256 / 16.148517037615505
    assert laplace.mu(b, BoundedMean(256, 1)) == pytest.approx(16 / b, rel=1 / 16)


@pytest.mark.parametrize(
    "shifts", [(1e-17,), (1e-9, 1e-9), (1e-9, 1e-10), (0.3, 0.3), (0.1, 0.2, 0.4)]
)
def test_errors_of_both_types_sum_to_one_at_most(shifts):
    alpha = np.concatenate([np.linspace(0, 1, 4001), np.geomspace(1e-300, 1e-3, 200)])
    beta = tradeoff.laplace(alpha, shifts)
    assert (beta <= 1 - alpha).all()
    assert (beta >= 0).all()


def test_many_losses_are_taken_in_little_memory():
    shifts = np.array([0.11, 0.23, 0.31, 0.42, 0.53, 0.67, 0.71, 0.93])
    laplace.delta(0.0, shifts)  # memoises the loss distribution
    epsilon = np.linspace(0, 4, 10**5)
    tracemalloc.start()
    values = laplace.delta(epsilon, shifts)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40e6
    assert (np.diff(values) <= 1e-16).all()
    assert values[::9999] == pytest.approx(
        [laplace.delta(e, shifts) for e in epsilon[::9999]], rel=1e-13
    )
