"""Tables of what a reader may want to look up: noise scales, costs of tables, composed losses.

Reference: mpmath at 50 digits. The scale of Laplace noise for a table by Newton's method in two unknowns
for the errors of the curve at the loss t = sμ,

    α(t) = ncdf(-s - μ/2),  β(t) = ncdf(s - μ/2),

with α and β by the alternating sum of laplace/test_privacy_loss.py; the others from their closed forms.
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from explorer.core import gdp, laplace, shrinkage
from explorer.core.mechanisms import Gaussian, Laplace, RankDeficientGaussian
from explorer.core.sensitivity import Table

ONE, TWO = (SimpleNamespace(extreme_difference=np.ones(m)) for m in (1, 2))


def close(value, rel=1e-13):
    return pytest.approx(value, rel=rel, abs=0)


# μ, Laplace scale for a table, then what ℓ₁ sensitivity 2 alone asks for: -1 / log(2 ncdf(-μ/2)).
SCALES = [
    (0.1, 15.48909750752612387, 24.5733363497099),
    (0.5, 2.9161130614456960006, 4.54722001910426),
    (1, 1.3589053609720678771, 2.0714029970029),
    (2, 0.59899958392998070241, 0.871175403731749),
    (3, 0.35742710652218856717, 0.496821035886003),
    (5, 0.1769078492822766441, 0.227868235181186),
]


@pytest.mark.parametrize(("mu", "table", "norm"), SCALES)
def test_noise_scales_and_costs_of_a_table(mu, table, norm):
    assert laplace.scale(mu, TWO) == close(table)
    assert laplace.scale_l1(mu, 2) == close(norm)
    for side in (2, 3):
        p, statistic = side**2, Table((side, side))
        assert Gaussian(statistic, mu).l2_cost([9.0] * p) == close(2 * p / mu**2)
        assert RankDeficientGaussian(statistic, mu).l2_cost([9.0] * p) == close(2 * (p - 1) / mu**2)
        assert Laplace(statistic, mu).l2_cost([9.0] * p) == close(2 * p * table**2)


def test_unit_laplace_noise_on_a_table():
    # √2 times the μ of one cell, 1.4567, would be composition: valid, not exact.
    assert laplace.mu(1, TWO) == close(1.3051121020726817075)


@pytest.mark.parametrize(
    ("shift", "mu"),
    [
        (0.5, 0.561764323211018886),
        (1, 1.03006399762443388),
        (1.5, 1.43726769472897169),  # a grid of α in steps of 0.01 gives 1.43718
        (2, 1.80090519327558068),
        (4, 2.98677882131451841),
        (8, 4.71834908232452187),
    ],
)
def test_exact_mu_of_one_laplace_shift(shift, mu):
    # -2 quantile(exp(-shift/2) / 2)
    assert laplace.mu(1 / shift, ONE) == close(mu)


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [(8, 7.97059551808682e-6), (10, 2.26537436479342e-5), (20, 0.00152669469552486)],
)
def test_the_classical_noise_scale_breaks_its_promise_for_large_epsilon(epsilon, delta):
    # σ = √(2 log(1.25/δ))/ε is proved for ε below 1; from about 8 on δ is above the 1e-5 promised.
    sigma = math.sqrt(2 * math.log(1.25e5)) / epsilon
    assert gdp.delta(epsilon, 1 / sigma) == close(delta, 1e-12)


def test_composed_releases():
    assert gdp.compose([0.1] * 10) == close(0.31622776601683793)
    assert gdp.compose([1, 0.5]) == close(1.118033988749895)
    assert gdp.advantage(gdp.compose([0.5] * 16)) == close(0.68268949213708590)
    # Two releases at μ = 1: adding their ε at 1e-5 each would give 8.754.
    assert gdp.epsilon(2e-5, gdp.compose([1, 1])) == close(6.3426101979493663455)


@pytest.mark.parametrize(
    ("mu", "prior", "error"), [(2, 0.5, 0.158655253931457051), (3, 0.01, 0.006330188290137464)]
)
def test_bayes_error(mu, prior, error):
    assert gdp.bayes_error(mu, prior) == close(error)


def test_risk_far_from_the_target():
    # A factor exp(-τ/2) times Kummer's function of τ/2 is 0 times inf here.
    assert shrinkage.risk([3, 99], 1e4) == close([2.9998999899969985, 98.0679561712799877])
