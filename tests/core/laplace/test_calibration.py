"""The least scale of Laplace noise for a μ and the exact μ of a scale, against 50 digits."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf, ncdf

from explorer.core import gdp, laplace, tradeoff
from explorer.core.parameter import ParameterError

INF = np.inf
TIGHT = 1e-12

quick = settings(max_examples=40, deadline=None)


def statistic(*magnitudes):
    return SimpleNamespace(extreme_difference=np.array(magnitudes, dtype=float))


ONE, TWO = statistic(1), statistic(1, 1)
mus = st.floats(-6, 1.7).map(lambda exponent: 10**exponent)


def close(value, rel=TIGHT):
    return pytest.approx(value, rel=rel, abs=0)


# The maximum over y of -Φ⁻¹(α) - Φ⁻¹(β), no tangency: with 60 digits
#
#     A = lambda a, y: exp(-2*a + y) * (1 + y) / 4
#     B = lambda a, y: exp(-y) * (3 + y) / 4
#     M = lambda a, y: -quantile(A(a, y)) - quantile(B(a, y))
#     a, y = findroot(lambda a, y: [M(a, y)/mu - 1, diff(M, (a, y), (0, 1))], start)
@pytest.mark.parametrize(
    ("mu", "b"),
    [
        (1e-6, 1573432.291218908173473),
        (0.05, 31.221516878960676197),
        (0.1, 15.48909750752612386967),
        (0.5, 2.9161130614456960006),
        (1, 1.358905360972067877099),  # equal errors give 1.2051
        (2, 0.59899958392998070241),
        (3, 0.35742710652218856717),
        (4, 0.2425133576483439786463),
        (20, 0.01789299320210199008597),
        (60, 0.002178334299712312190584),
    ],
)
def test_scale_of_a_table(mu, b):
    assert laplace.scale(mu, TWO) == close(b, 1e-14)
    assert laplace.mu(b, TWO) == close(mu, 1e-14)
    assert laplace.scale(mu, statistic(7, 7)) == close(7 * b, 1e-14)


@pytest.mark.parametrize(
    ("mu", "b"),
    [
        (0.5, 2.27361000955213),
        (1, 1.03570149850145),
        (2, 0.435587701865875),
        (5, 0.113934117590593),
    ],
)
def test_scale_of_one_cell(mu, b):
    assert laplace.scale(mu, ONE) == close(b, 1e-13)
    assert laplace.mu(b, ONE) == close(mu, 1e-13)


@quick
@given(st.floats(-10, 2).map(lambda exponent: 10**exponent))
@example(1.0)
@example(np.nextafter(1, 0))
def test_scales_of_one_shift_match_many_digits(mu):
    with mp.workdps(60):
        below, above = ncdf(-mpf(mu) / 2), ncdf(mpf(mu) / 2)
        one, pure = float(-1 / (2 * mp.log(2 * below))), float(1 / mp.log(above / below))
    assert laplace.scale(mu, ONE) == close(one, 1e-14)
    assert laplace.scale_l1(mu, 3) == close(3 * one, 1e-14)
    assert laplace.scale_pure(mu, 3) == close(3 * pure, 1e-14)


# Golden section over t of -Φ⁻¹(α(t)) - Φ⁻¹(β(t)) with the alternating sums of test_privacy_loss.py.
@pytest.mark.parametrize(
    ("shifts", "mu"),
    [
        ((1, 0.6, 0.2), 1.102697536231849882008),
        ((3, 1, 1, 1), 2.760059848112067187423),
        ((1, 0.999), 1.304553785453111150834),
        ((0.05, 0.03), 0.06232239847698877084991),
        ((5, 20, 7), 9.555556018548151757483),
        ((400, 399.6), 55.92435700082093417219),  # two intervals of the loss have a maximum
        ((1, 1, 1, 1), 1.780264587327740413035),
        ((1 / 3.530396288401,) * 3, 0.5),
        ((1 / 0.7528276892569,) * 3, 2),
        ((1 / 20.94006810607,) * 4, 0.1),
        ((1 / 2.340520825545,) * 6, 1),
    ],
)
def test_any_difference(shifts, mu):
    assert laplace.mu(1, statistic(*shifts)) == close(mu, TIGHT)
    assert laplace.scale(mu, statistic(*shifts)) == close(1, TIGHT)


@pytest.mark.parametrize("mu", [1e-9, 1.234e-6, 0.03, 0.9, 1.1, 7.0, 60.0])
def test_a_third_tiny_part_changes_little(mu):
    # The general route beside the special one.
    b = laplace.scale(mu, TWO)
    assert laplace.scale(mu, statistic(1, 1, 1e-14)) == close(b)
    assert laplace.mu(b, statistic(1, 1, 1e-14)) == close(mu)


@quick
@given(mus, st.sampled_from([ONE, TWO]))
@example(0.9999999, TWO)
@example(1.0, TWO)
@example(50.0, TWO)
def test_mu_inverts_scale(mu, difference):
    assert laplace.mu(laplace.scale(mu, difference), difference) == close(mu, 1e-13)


QUANTILES = np.linspace(-9, 9, 2001)


@settings(max_examples=20, deadline=None)
@given(
    st.floats(0.05, 8),
    st.sampled_from([(1,), (1, 1), (1, 1, 1), (1, 1, 1, 1), (2, 1), (1, 0.7, 0.4)]),
)
def test_noise_of_this_scale_protects_and_less_does_not(mu, difference):
    difference = np.array(difference)
    b = float(laplace.scale(mu, statistic(*difference)))
    alpha = gdp.power(0.5, QUANTILES.clip(0))  # Φ; symmetric curves need no α above 1/2
    alpha = np.concatenate([1 - alpha[1000:], alpha[1000:1400]])
    promised = tradeoff.gaussian(alpha, mu)
    assert np.all(tradeoff.laplace(alpha, difference / b) >= promised * (1 - 1e-11))
    less = tradeoff.laplace(alpha, difference / (0.9995 * b))
    assert np.any(less < promised)


@quick
@given(mus)
def test_calibrations_are_ordered(mu):
    # Pure privacy wastes more than ℓ₁ alone; a table needs less than ℓ₁ alone says, and less than two
    # composed cells, but more than one cell.
    pure, alone = laplace.scale_pure(mu, 2), laplace.scale_l1(mu, 2)
    table, cell = laplace.scale(mu, TWO), laplace.scale(mu, ONE)
    composed = laplace.scale(mu / np.sqrt(2), ONE)
    assert cell < table < composed < alone <= pure


def test_wasteful_scales():
    assert laplace.scale_pure([0.1, 0.5, 1], 2) == close(
        [25.06342929, 4.9990290711, 2.4784211728], 1e-9
    )
    assert laplace.scale_l1([0.1, 0.5, 1], 2) == close(
        [24.57333635, 4.5472200191, 2.071402997], 1e-9
    )
    assert laplace.scale_pure(1, [0, 1, 2]).tolist()[0] == 0


def test_where_laplace_wins():
    # Equal cost: 2 b² = 2 / μ² for the table, b = √2⁻¹ / μ for one cell.
    assert laplace.scale(3.687060656280793593633389, TWO) * 3.687060656280793593633389 == close(
        1, 1e-13
    )
    crossing = 3.360777379191635027304451
    assert laplace.scale(crossing, ONE) * crossing == close(np.sqrt(0.5), 1e-13)


@pytest.mark.parametrize("difference", [ONE, TWO, statistic(1, 1, 1), statistic(2, 1)])
def test_ends(difference):
    assert laplace.scale([0, INF], difference).tolist() == [INF, 0]
    assert laplace.mu([0, INF], difference).tolist() == [INF, 0]
    assert laplace.scale_pure([0, INF], 1).tolist() == [INF, 0]
    assert laplace.scale_l1([0, INF], 1).tolist() == [INF, 0]


def test_extremes_of_a_table():
    # a/μ → 2 φ(Φ⁻¹(3/4)), and a ~ μ²/8.
    limit = np.sqrt(np.pi / 2) * np.exp(0.67448975019608174**2 / 2)
    assert laplace.scale([1e-300, 1e-12], TWO) * [1e-300, 1e-12] == close(limit)
    assert laplace.scale(1e5, TWO) * 1e10 / 8 == close(1, 1e-3)
    assert laplace.mu(1e300, TWO) == close(1e-300 * limit)


def test_hardly_any_noise_hides_nothing():
    assert laplace.mu(5e-324, statistic(7)) == INF
    assert laplace.mu([5e-324, 0], statistic(7, 7)).tolist() == [INF, INF]


def test_underflow_of_a_general_difference_is_refused_not_guessed():
    with pytest.raises(ParameterError, match="underflow"):
        laplace.scale(90, statistic(1, 1, 1))
    with pytest.raises(ParameterError, match="underflow"):
        laplace.mu(1e-4, statistic(1, 1, 1))
    # Here the errors underflow between the start of an interval and its maximum.
    for shift in np.arange(671.7, 671.82, 0.01):
        with pytest.raises(ParameterError, match="underflow"):
            laplace.mu(1, statistic(shift, 0.999 * shift))


@pytest.mark.parametrize("bad", [-1, np.nan, "1", None])
def test_input_out_of_the_domain_is_refused(bad):
    for call in (laplace.scale, laplace.mu):
        with pytest.raises(ParameterError, match="must lie in"):
            call(bad, TWO)
    for call in (laplace.scale_pure, laplace.scale_l1, laplace.delta):
        with pytest.raises(ParameterError, match="must lie in"):
            call(bad, 1)
        with pytest.raises(ParameterError, match="must lie in"):
            call(1, bad)
    with pytest.raises(ParameterError, match="worst difference"):
        laplace.scale(1, statistic(1, 0))
    with pytest.raises(ParameterError, match="worst difference"):
        laplace.scale(1, statistic())


@pytest.mark.parametrize("difference", [ONE, TWO, statistic(1, 1, 1)])
def test_scalars_give_scalars_and_arrays_broadcast(difference):
    grid = np.array([[0.5, 1.0, 0.0], [2.0, INF, 3.0]])
    for call in (laplace.scale, laplace.mu):
        assert type(call(1.0, difference)) is np.float64
        result = call(grid, difference)
        assert result.shape == (2, 3)
        assert result[1, 0] == close(call(2.0, difference))
        assert call(np.empty((0, 2)), difference).shape == (0, 2)
    assert type(laplace.scale_pure(1, 1)) is np.float64
    assert type(laplace.scale_l1(1, 1)) is np.float64
    assert type(laplace.delta(0.5, [1, 1])) is np.float64
    assert laplace.scale_pure(grid, 2).shape == (2, 3)
    assert laplace.delta(grid, [1, 2]).shape == (2, 3)
