"""The closed forms against dp_accounting's Gaussian mechanism and its privacy-loss distributions.

A privacy-loss distribution lives on a grid. Rounded up it makes an upper bound of δ, rounded down a
lower one (but for the mass below e^-50 that is cut off the tails of Gaussian noise); composition convolves
the grids by a fast Fourier transform, whose error is some 1e-15 beside the masses.
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from dp_accounting import gaussian_mechanism
from dp_accounting.pld import privacy_loss_distribution as pld

from explorer.core import gdp, laplace, tradeoff

STEP = 1e-3
ROUNDING = 1e-12
TABLE = SimpleNamespace(extreme_difference=np.array([1.0, 1.0]))
LOSSES = np.array([0.0, 0.05, 0.3, 0.8, 1.5, 2.9])


def grids(make, scales, **settings):
    """Compositions of mechanisms of some scales, rounded down and rounded up."""
    differences = []
    for rounded_up in (False, True):
        whole = pld.identity(STEP, pessimistic_estimate=rounded_up)
        for scale in scales:
            part = make(
                scale,
                pessimistic_estimate=rounded_up,
                value_discretization_interval=STEP,
                use_connect_dots=False,
                **settings,
            )
            whole = whole.compose(part)
        differences.append(whole)
    return differences


def assert_bracketed(delta, bounds, releases):
    """Rounding moves a loss by a step for each release, and δ(ε) falls by at most its own 1 per unit."""
    low, high = (np.array(bound.get_delta_for_epsilon(LOSSES)) for bound in bounds)
    assert np.all(low - ROUNDING <= delta)
    assert np.all(delta <= high + ROUNDING)
    assert np.all(high - low <= 2 * releases * STEP)


@pytest.mark.parametrize("mu", [0.001, 0.03, 0.5, 1.0, 3.0, 10.0, 35.0])
@pytest.mark.parametrize("delta", [0.3, 1e-3, 1e-6, 1e-15, 1e-60, 1e-300])
def test_epsilon_is_that_of_the_analytic_gaussian_mechanism(mu, delta):
    # Its search ends at 1e-12 absolutely; where δ is close to δ(0) its difference has lost digits.
    other = gaussian_mechanism.get_epsilon_gaussian(1 / mu, delta)
    assert gdp.epsilon(delta, mu) == pytest.approx(other, rel=1e-8, abs=2e-12)


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 8.0, 100.0, 800.0])
@pytest.mark.parametrize("delta", [0.5, 1e-3, 1e-9, 1e-20, 1e-300])
def test_mu_is_the_reciprocal_of_the_analytic_noise_scale(epsilon, delta):
    other = gaussian_mechanism.get_sigma_gaussian(epsilon, delta)
    assert 1 / gdp.mu(epsilon, delta) == pytest.approx(other, rel=1e-9, abs=2e-12)


@pytest.mark.parametrize("mus", [[1.0], [0.3, 0.4], [0.5] * 4, [0.2, 0.7, 1.1]])
def test_composed_gaussian_releases(mus):
    scales = [1 / mu for mu in mus]
    bounds = grids(pld.from_gaussian_mechanism, scales)
    assert_bracketed(gdp.delta(LOSSES, gdp.compose(mus)), bounds, len(mus))


@pytest.mark.parametrize("mus", [[1.0], [0.3, 0.4], [0.5] * 16])
def test_composed_gaussian_releases_with_connected_dots(mus):
    # Chords of the profile between losses a step apart: an upper bound of second order in the step.
    whole = pld.identity(STEP)
    for mu in mus:
        part = pld.from_gaussian_mechanism(1 / mu, value_discretization_interval=STEP)
        whole = whole.compose(part)
    upper = np.array(whole.get_delta_for_epsilon(LOSSES))
    delta = gdp.delta(LOSSES, gdp.compose(mus))
    assert np.all(delta <= upper + ROUNDING)
    assert upper == pytest.approx(delta, rel=0, abs=len(mus) * STEP**2)


SHIFTS = [
    [1.0],
    [1.0, 1.0],  # a table: two cells move by one
    [0.5] * 3,
    [0.4] * 4,
    [0.9, 0.3],
    [1.0, 0.6, 0.2],
    [2.0, 0.7, 0.7, 0.1],
]


@pytest.mark.parametrize("shifts", SHIFTS)
def test_independent_laplace_noise_is_a_composition(shifts):
    bounds = grids(pld.from_laplace_mechanism, [1 / shift for shift in shifts])
    assert_bracketed(laplace.delta(LOSSES, shifts), bounds, len(shifts))


@pytest.mark.parametrize("shifts", SHIFTS)
def test_the_laplace_curve_is_the_envelope_of_the_composed_profile(shifts):
    # Every pair (ε, δ) bounds the curve from below by two lines; all of them together make it.
    losses = np.arange(0, sum(shifts) + 0.01, 0.01)
    alpha = np.linspace(0, 1, 101)[:, np.newaxis]
    curve = tradeoff.laplace(alpha[:, 0], shifts)
    for whole, sign in zip(grids(pld.from_laplace_mechanism, [1 / a for a in shifts]), (1, -1), strict=True):  # fmt: skip
        delta = np.minimum(whole.get_delta_for_epsilon(losses), 1)
        lines = np.maximum(
            1 - delta - np.exp(losses) * alpha, np.exp(-losses) * (1 - delta - alpha)
        )
        envelope = np.maximum(lines.max(axis=1), 0)
        # Between losses 0.01 apart the envelope is below the curve by their square.
        assert np.all(sign * (envelope - curve) >= -1e-4)
        assert envelope == pytest.approx(curve, rel=0, abs=len(shifts) * STEP + 1e-4)


@pytest.mark.parametrize("mu", [0.3, 1.0, 2.0])
def test_the_scale_for_a_table_is_gdp_by_its_composed_profile(mu):
    # The profile of the noise stays below that of μ, and with a hundredth less noise it does not.
    b = float(laplace.scale(mu, TABLE))
    losses = np.linspace(0, 2 / b, 81)
    promised = gdp.delta(losses, mu)
    low, _ = grids(pld.from_laplace_mechanism, [b, b])
    _, high = grids(pld.from_laplace_mechanism, [0.9 * b, 0.9 * b])
    assert np.all(low.get_delta_for_epsilon(losses) <= promised + ROUNDING)
    assert np.any(high.get_delta_for_epsilon(losses) > promised + 2 * STEP)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_randomised_response_attains_the_mu_of_pure_privacy(epsilon):
    # With two answers dp_accounting's `noise_parameter` is twice the probability of a wrong one.
    other = pld.from_randomized_response(2 / (1 + math.exp(epsilon)), 2)
    mu = gdp.mu_from_pure(epsilon)
    advantage = other.get_delta_for_epsilon(0.0)  # losses are rounded up by 1e-4 at most
    assert advantage - 1e-4 <= gdp.advantage(mu) <= advantage + ROUNDING
    losses = np.linspace(0, epsilon, 20)
    assert np.all(other.get_delta_for_epsilon(losses) <= gdp.delta(losses, mu) + 1e-4)
