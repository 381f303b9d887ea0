"""Risks and Laplace noise against scipy's distributions by quadrature, and against simulation."""

import math
from functools import partial
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import integrate, stats

from explorer.core import laplace, shrinkage, tradeoff

FALSE_ALARM = 1e-6
SHAPES = [(3, 0.4), (4, 30.0), (6, 2.0), (9, 9.0), (15, 12.5), (40, 200.0), (120, 5.0)]


def mean_of(function, nu, tau, kink):
    """Mean of a function of a noncentral chi-squared variable, by quadrature in pieces."""
    density = partial(stats.ncx2.pdf, df=nu, nc=tau)
    spread = math.sqrt(2 * (nu + 2 * tau))
    far = nu + tau + 40 * spread
    ends = sorted(
        {0.0, kink, max(nu + tau - 6 * spread, 0.0), nu + tau, nu + tau + 6 * spread, far}
    )
    return sum(
        integrate.quad(lambda s: function(s) * density(s), a, b, epsabs=1e-13, limit=200)[0]
        for a, b in pairwise(ends)
    )


@pytest.mark.parametrize(("nu", "tau"), SHAPES)
def test_inverse_mean_of_the_noncentral_distribution(nu, tau):
    mean = mean_of(lambda s: 1 / s, nu, tau, nu - 2.0)
    assert shrinkage.inverse_chi2_mean(nu, tau) == pytest.approx(mean, rel=1e-9)


@pytest.mark.parametrize(("nu", "tau"), SHAPES)
@pytest.mark.parametrize("positive_part", [False, True])
def test_risk_is_that_of_its_definition(nu, tau, positive_part):
    # With the factor f(S), S = ‖X‖²: E f²S - 2 E f⟨X, θ⟩ + τ, and E f(S)⟨X, θ⟩ = τ E f(S') with two
    # degrees more, which is how the mean of a normal variable tilts its density.
    def factor(s):
        return max(1 - (nu - 2) / s, 0) if positive_part else 1 - (nu - 2) / s

    square = mean_of(lambda s: factor(s) ** 2 * s, nu, tau, nu - 2.0)
    inner = tau * mean_of(factor, nu + 2, tau, nu - 2.0)
    risk = square - 2 * inner + tau
    assert shrinkage.risk(nu, tau, positive_part) == pytest.approx(risk, rel=1e-9)


def profile(epsilon, shifts):
    """δ(ε) of Laplace noise for any real ε, one coordinate after the other."""
    a, *others = shifts
    if others:
        rest = partial(profile, shifts=others)
        kinks = sorted({0.0, a, *(x for x in inner_kinks(epsilon, a, others) if 0 < x < a)})
        middle = sum(
            integrate.quad(
                lambda x: stats.laplace.pdf(x) * rest(epsilon - (a - 2 * x)),
                low,
                high,
                epsabs=1e-11,
            )[0]
            for low, high in pairwise(kinks)
        )
        left, right = stats.laplace.cdf(0), stats.laplace.sf(a)
        return left * rest(epsilon - a) + middle + right * rest(epsilon + a)
    if epsilon >= a:
        return 0.0
    end = (a - epsilon) / 2 if epsilon > -a else math.inf  # the loss a - 2x is above ε
    return stats.laplace.cdf(end) - math.exp(epsilon) * stats.laplace.cdf(end, loc=a)


def inner_kinks(epsilon, a, others):
    """Where the profile of the others, at ε minus the loss a - 2x, is not smooth."""
    sums = {0.0}
    for shift in others:
        sums = {total + sign * shift for total in sums for sign in (-1, 1)}
    return [(a - epsilon + total) / 2 for total in sums]


@pytest.mark.parametrize(
    ("shifts", "epsilons"),
    [
        ([0.8], [0.0, 0.3, 0.79]),
        ([1.0, 1.0], [0.0, 0.2, 1.0, 1.9]),
        ([1.0, 0.4], [0.0, 0.5, 0.61, 1.3]),
        ([3.0, 0.1], [0.0, 2.0, 2.95]),
        ([0.7, 0.7, 0.7], [0.0, 0.9]),
    ],
)
def test_the_laplace_profile_is_an_iterated_convolution(shifts, epsilons):
    expected = [profile(epsilon, shifts) for epsilon in epsilons]
    assert laplace.delta(epsilons, shifts) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("a", [0.2, 1.0, 4.0])
def test_the_curve_of_one_shift_is_that_of_thresholds(a):
    # Laplace noise has a monotone likelihood ratio: reject above a threshold.
    alpha = np.concatenate([np.geomspace(1e-12, 0.5, 40), np.linspace(0.5, 0.999, 20)])
    beta = stats.laplace.cdf(stats.laplace.isf(alpha), loc=a)
    assert tradeoff.laplace(alpha, [a]) == pytest.approx(beta, rel=1e-9, abs=0)


@pytest.mark.parametrize(("nu", "tau"), [(6, 0.0), (6, 4.0), (9, 30.0)])
@pytest.mark.parametrize("positive_part", [False, True])
def test_risk_of_simulated_vectors(nu, tau, positive_part):
    # Six dimensions or more: then the loss of the plain factor has a variance. Six tests share the rate.
    rng = np.random.default_rng(411)
    theta = np.full(nu, math.sqrt(tau / nu))
    x = theta + rng.standard_normal((300_000, nu))
    factor = 1 - (nu - 2) / np.square(x).sum(axis=1)
    factor = np.maximum(factor, 0) if positive_part else factor
    loss = np.square(factor[:, np.newaxis] * x - theta).sum(axis=1)
    error = stats.norm.isf(FALSE_ALARM / 12) * loss.std() / math.sqrt(loss.size)
    assert shrinkage.risk(nu, tau, positive_part) == pytest.approx(loss.mean(), rel=0, abs=error)


@pytest.mark.parametrize("shifts", [(1.0,), (1.0, 1.0), (0.8, 0.5, 0.3)])
def test_the_band_of_simulated_laplace_noise_holds_the_curve(shifts):
    # The log likelihood ratio is the score; three bands share the rate. Its last bits tell whether a shift
    # was added, and would split the atoms of the loss: they are rounded away.
    rng = np.random.default_rng(412)
    shift = np.array(shifts)
    clean, moved = (
        rng.laplace(size=(200_000, len(shifts))) + start for start in (np.zeros(len(shifts)), shift)
    )
    scores = [(np.abs(x) - np.abs(x - shift)).sum(axis=1).round(9) for x in (clean, moved)]
    seen = tradeoff.empirical(*scores, 1 - FALSE_ALARM / 3)
    alpha = np.linspace(0, 1, 401)
    curve = tradeoff.laplace(alpha, shifts)
    assert np.all(seen.lower(alpha) <= curve)
    assert np.all(curve <= seen.upper(alpha))
    statistic = SimpleNamespace(extreme_difference=shift)
    mu = float(laplace.mu(1.0, statistic))
    bound = tradeoff.gdp_parameter(seen.upper)
    assert 0.95 * mu < bound <= mu
