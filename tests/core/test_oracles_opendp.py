"""The closed forms against OpenDP: its privacy maps, its conversions, its search for ε."""

import math

import opendp.prelude as dp
import pytest
from opendp.measures import new_privacy_profile

from explorer.core import gdp, laplace, tradeoff


@pytest.fixture(scope="module", autouse=True)
def features():
    dp.enable_features("contrib", "honest-but-curious")


def number():
    return dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def numbers(metric):
    return dp.vector_domain(dp.atom_domain(T=float, nan=False)), metric(T=float)


@pytest.mark.parametrize("scale", [0.2, 1.0, 3.7])
@pytest.mark.parametrize("shifts", [[1.0], [1.0, 1.0], [2.0, 0.5, 0.5]])
def test_the_profile_of_laplace_noise_ends_at_the_epsilon_of_its_map(scale, shifts):
    noise = dp.m.make_laplace(*numbers(dp.l1_distance), scale=scale)
    epsilon = noise.map(sum(shifts))
    relative = [shift / scale for shift in shifts]
    assert laplace.delta(epsilon * (1 + 1e-12), relative) == 0
    assert laplace.delta(epsilon * (1 - 1e-6), relative) > 0


@pytest.mark.parametrize("mu", [0.01, 0.5, 1.0, 4.0])
def test_the_scale_of_pure_privacy_has_that_epsilon(mu):
    noise = dp.m.make_laplace(*number(), scale=float(laplace.scale_pure(mu, 2)))
    assert gdp.mu_from_pure(noise.map(2.0)) == pytest.approx(mu, rel=1e-12)


@pytest.mark.parametrize("mu", [0.1, 1.0, 3.0])
def test_rho_is_that_of_the_map_of_gaussian_noise(mu):
    noise = dp.m.make_gaussian(*numbers(dp.l2_distance), scale=math.sqrt(2) / mu)
    assert gdp.rho(mu) == pytest.approx(noise.map(math.sqrt(2)), rel=1e-12)


@pytest.mark.parametrize("mus", [[0.3, 0.4], [0.2, 0.5, 1.1]])
def test_composition_adds_the_rho(mus):
    parts = [dp.m.make_gaussian(*number(), scale=1 / mu) for mu in mus]
    total = dp.c.make_composition(parts).map(1.0)
    assert gdp.rho(gdp.compose(mus)) == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("mu", [0.1, 0.5, 1.0, 3.0])
def test_the_exact_profile_is_below_that_of_concentrated_privacy_and_near_it(mu):
    # ρ bounds the profile of every mechanism, so that of Gaussian noise; for small δ it gives away less
    # than an eighth of ε.
    noise = dp.m.make_gaussian(*number(), scale=1 / mu)
    profile = dp.c.make_zCDP_to_approxDP(noise).map(1.0)
    for delta in (1e-3, 1e-6, 1e-9, 1e-12):
        epsilon = float(gdp.epsilon(delta, mu))
        assert epsilon <= profile.epsilon(delta)
        if delta < 1e-5:
            assert profile.epsilon(delta) <= 1.125 * epsilon
        assert delta <= profile.delta(epsilon) * (1 + 1e-9)


@pytest.mark.parametrize("mu", [0.01, 0.5, 1.0, 6.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 1e-3])
def test_its_search_inverts_the_profile_as_ours_does(mu, delta):
    # OpenDP bisects down to neighbouring floats and knows nothing of the curve.
    profile = new_privacy_profile(lambda epsilon: float(gdp.delta(epsilon, mu)))
    assert gdp.epsilon(delta, mu) == pytest.approx(profile.epsilon(delta), rel=1e-11)


@pytest.mark.parametrize("probability", [0.55, 0.75, 0.99])
def test_randomised_response_binds_the_mu_of_pure_privacy(probability):
    # Accusing on "yes" errs with 1 - p either way, and that is a point of G_μ.
    response = dp.m.make_randomized_response_bool(prob=probability)
    mu = gdp.mu_from_pure(response.map(1))
    wrong = 1 - probability
    assert tradeoff.gaussian(wrong, mu) == pytest.approx(wrong, rel=1e-9)
