"""Risks of James–Stein shrinkage against series, quadrature and mpmath."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core import shrinkage
from explorer.core.parameter import ParameterError

quick = settings(max_examples=60, deadline=None)
degrees = st.one_of(st.integers(3, 60).map(float), st.floats(2.001, 1e6))
noncentralities = st.one_of(st.just(0.0), st.floats(1e-9, 1e12), st.floats(0, 300))

# The integral by quadrature, where the code uses a continued fraction:
#
#     from mpmath import mp, mpf, quad, exp, expm1, inf
#     mp.dps = 40
#     f = lambda s: exp(-s*(nu/2 - 1) + tau/2*expm1(-s)) / 2      # t = exp(-s)
#     quad(f, [0, *points near 0 at the scale 1/(nu/2 - 1 + tau/2), doubling, inf])
MEANS = [
    (3, 1, 0.724778459007076332),
    (4, 2.5, 0.28539808125592396),
    (4, 3, 0.258956613283856724),
    (5, 10, 0.0884294911059922558),
    (9, 0.5, 0.135267959514648976),
    (10, 3, 0.0951882430509213801),
    (20, 50, 0.0150356981114470399),
    (99, 200, 0.00338237730011445277),
    (5, 1000, 0.00099899899698489404),
    (2.5, 0, 2.0),
    (2.001, 30, 0.0362407541422063791),  # the first atom counts: the slowest fraction
    (2 + 2**-40, 66, 0.0207638715504902305),  # hyp1f1(1, nu/2, -tau/2)/(nu - 2) at 50 digits
    (3, 40, 0.0256790894236528458),
    (15, 12.5, 0.0407750052064191307),
    (3, 1e12, 1.000000000001e-12),
    (100, 1e-9, 0.0102040816325510204),
    (1000, 500000, 1.99602390450939076e-6),
    (1000000, 1000, 9.99002997004999003e-7),
    (1000000, 1e12, 9.99999000004999989e-13),
]


@pytest.mark.parametrize(("nu", "tau", "mean"), MEANS)
def test_inverse_mean_matches_quadrature(nu, tau, mean):
    assert shrinkage.inverse_chi2_mean(nu, tau) == pytest.approx(mean, rel=2e-15)


@quick
@given(degrees, st.floats(0, 2000))
def test_inverse_mean_is_kummers_function(nu, tau):
    with mpmath.workdps(60):
        mean = mpmath.hyp1f1(1, mpmath.mpf(nu) / 2, -mpmath.mpf(tau) / 2) / (mpmath.mpf(nu) - 2)
    assert shrinkage.inverse_chi2_mean(nu, tau) == pytest.approx(float(mean), rel=1e-14)


@quick
@given(degrees, noncentralities)
def test_inverse_mean_keeps_its_recurrence_and_bounds(nu, tau):
    mean, after = shrinkage.inverse_chi2_mean([nu, nu + 2], tau)
    assert tau * after + (nu - 2) * mean == pytest.approx(1, rel=1e-13)
    assert 1 / (nu - 2 + tau) <= mean * (1 + 1e-15)
    assert mean <= (1 + 1e-15) / (nu - 2)


def test_a_degree_above_two_by_one_bit_has_a_mean():
    # E = e^(-τ/2) (1/(ν - 2) + Σ_{k≥1} (τ/2)^k / (k! (ν - 2 + 2k))), at τ = 2 and ν → 2:
    # e^(-1) {1/(ν - 2) + (Ei(1) - γ)/2}, mpmath: Ei(1) - γ = 1.31790215145440389.
    nu = np.nextafter(2, 3)
    mean = np.exp(-1) * (1 / (nu - 2) + 1.31790215145440389 / 2)
    assert shrinkage.inverse_chi2_mean(nu, 2.0) == pytest.approx(mean, rel=1e-14)


# By the Poisson series; rows of both tails of τ.
RISKS = [
    (3, [2, 2.27522154099292, 2.74370785955648, 2.9581508485609, 2.98989683843508]),
    (4, [2, 2.42612263885053, 3.26566799889912, 3.84000059626451, 3.96]),
    (8, [2, 2.68082999723843, 4.44512383682946, 6.77196806868967, 7.654112]),
    (9, [2, 2.7121673702011, 4.62699778580792, 7.3869285840837, 8.53377242582375]),
    (24, [2, 2.88262871609179, 5.83665530187569, 13.4631934227368, 19.9781604762661]),
    (99, [2, 2.9701903051914, 6.66770309576339, 21.6196338208524, 50.9911421626658]),
]


@pytest.mark.parametrize(("nu", "risks"), RISKS)
def test_risk_matches_the_poisson_series(nu, risks):
    assert shrinkage.risk(nu, [0, 1, 5, 25, 100]) == pytest.approx(risks, rel=1e-14)


def test_risk_of_many_dimensions_keeps_its_digits():
    # nu - (nu - 2)^2 E with mpmath at 40 digits; in double precision that is good to 1e-10.
    assert shrinkage.risk(1e6, [0, 10]) == pytest.approx([2, 11.9998800013999812], rel=1e-14)


# The textbook series, which the code rearranges, summed over every k to the end:
#
#     from mpmath import mp, mpf, gammainc, exp, sqrt
#     mp.dps = 40
#     F = lambda m: gammainc(m/2, 0, c/2, regularized=True)      # c = nu - 2, m = nu + 2k
#     nu + sum(pois(k) * (m*F(m+2) - 2*nu*F(m) - c*c*(1-F(m-2))/(m-2)) for k in ...)
POSITIVE_RISKS = [
    (3, 0, 1.6025039138024016),
    (3, 1, 1.99243148395249825),
    (4, 2.5, 2.59553678930351316),
    (5, 10, 4.17086463536612022),
    (9, 0, 1.2742388143387973),
    (9, 3, 3.3672571466123382),
    (10, 20, 7.581047775742426),
    (50, 30, 20.1440975734974578),
    (2.5, 1, 1.97970225776615222),
    (15, 12.5, 8.01486096290420405),
    (15, 400, 14.5888618462495977),
    (24, 0, 1.15853352584342406),
    (99, 10, 10.3029230151545173),
    (99, 200, 67.1752119832231138),
    (999, 60, 58.1961285293116498),
    (4, 1000, 3.996),
]


@pytest.mark.parametrize(("nu", "tau", "risk"), POSITIVE_RISKS)
def test_positive_part_matches_the_textbook_series(nu, tau, risk):
    assert shrinkage.risk(nu, tau, positive_part=True) == pytest.approx(risk, rel=1e-13)


@pytest.mark.parametrize("nu", [5, 99, 999_999])
@pytest.mark.parametrize("tau", [0.0, 3.0, 1000.0])
def test_positive_part_matches_its_definition_given_the_first_coordinate(nu, tau):
    # X = (√τ + z, Y) with ‖Y‖² chi-squared of ν - 1 degrees: the loss needs only z and
    # ‖Y‖². A million-cell table is drawn as quickly as a small one. 40 000 draws; six
    # standard errors is a false alarm of 2e-9.
    rng = np.random.default_rng(7)
    first = np.sqrt(tau) + rng.standard_normal(40_000)
    rest = rng.chisquare(nu - 1, first.size)
    factor = np.maximum(1 - (nu - 2) / (first**2 + rest), 0)
    loss = (factor * first - np.sqrt(tau)) ** 2 + factor**2 * rest
    risk = shrinkage.risk(nu, tau, positive_part=True)
    assert abs(loss.mean() - risk) < 6 * loss.std() / np.sqrt(loss.size)


@quick
@given(degrees.filter(lambda nu: nu < 1e4), noncentralities)
def test_shrinking_never_costs_more_and_the_positive_part_least(nu, tau):
    plain, positive = shrinkage.risk(nu, tau), shrinkage.risk(nu, tau, positive_part=True)
    assert 0 <= positive <= plain <= nu
    assert plain >= 2 * (1 - 1e-15)


@quick
@given(degrees.filter(lambda nu: nu < 1e4), st.lists(noncentralities, min_size=2, max_size=5))
def test_risk_grows_with_the_distance(nu, taus):
    taus = sorted(taus)
    for positive_part in (False, True):
        risks = shrinkage.risk(nu, taus, positive_part)
        assert (np.diff(risks) >= -1e-12 * risks[1:]).all()


@pytest.mark.parametrize("positive_part", [False, True])
def test_two_dimensions_and_fewer_are_not_shrunk(positive_part):
    nu = np.array([0, 1, 1.5, 2])
    assert shrinkage.risk(nu, 3.0, positive_part).tolist() == nu.tolist()


@pytest.mark.parametrize("positive_part", [False, True])
def test_far_away_nothing_is_gained(positive_part):
    far = [1e12, 1e300, 1.7e308, np.inf]
    assert shrinkage.risk(15, far, positive_part) == pytest.approx([15] * 4, rel=1e-10)


def test_inverse_mean_far_away():
    far = shrinkage.inverse_chi2_mean(15, [1e300, np.inf])
    assert far == pytest.approx([1e-300, 0], rel=1e-15)


@settings(max_examples=15, deadline=None)
@given(st.lists(degrees.filter(lambda nu: nu < 500), min_size=1, max_size=3))
def test_broadcasting_equals_the_loop(nus):
    nu = np.array([*nus, 1.0, nus[0]])
    tau = np.array([0.0, 0.3, 12.5, 1e6])
    for positive_part in (False, True):
        table = shrinkage.risk(nu[:, np.newaxis], tau, positive_part)
        loop = [[float(shrinkage.risk(a, b, positive_part)) for b in tau] for a in nu]
        np.testing.assert_allclose(table, loop, rtol=1e-14)


def test_positive_part_in_blocks_equals_the_whole(monkeypatch):
    tau = np.linspace(0, 200, 37)
    whole = shrinkage.risk(99, tau, positive_part=True)
    monkeypatch.setattr(shrinkage, "BLOCK", 400)
    np.testing.assert_allclose(shrinkage.risk(99, tau, positive_part=True), whole, rtol=1e-14)


def test_memoised_arrays_are_read_only():
    for terms in shrinkage._positive_part_terms(5.0):
        with pytest.raises(ValueError, match="read-only"):
            terms[0] = 1.0


def test_no_numbers_give_no_risks():
    assert shrinkage.inverse_chi2_mean([], 1.0).shape == (0,)
    assert shrinkage.risk([], 1.0).shape == (0,)
    assert shrinkage.risk(np.empty((0, 3)), 1.0, positive_part=True).shape == (0, 3)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: shrinkage.inverse_chi2_mean(2, 1), "nu"),
        (lambda: shrinkage.inverse_chi2_mean(np.inf, 1), "nu"),
        (lambda: shrinkage.inverse_chi2_mean(3, -1), "tau"),
        (lambda: shrinkage.inverse_chi2_mean(3, [1, np.nan]), "tau"),
        (lambda: shrinkage.risk(-1, 1), "nu"),
        (lambda: shrinkage.risk(3, "far"), "tau"),
    ],
)
def test_refused_arguments_are_named(call, name):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.name == name
