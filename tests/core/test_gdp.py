"""Reference values: the textbook formulas with so many digits that nothing cancels.

    from mpmath import mp, mpf, ncdf, exp
    mp.dps = 400
    delta = lambda e, m: ncdf(m/2 - e/m) - exp(e) * ncdf(-m/2 - e/m)

and its roots by `findroot`. The package evaluates neither the difference nor its roots like that.
"""

import math

import numpy as np
import pytest
from dp_accounting import gaussian_mechanism
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf, ncdf

from explorer.core import gdp
from explorer.core.parameter import ParameterError

TIGHT = 1e-12
INF = math.inf

quick = settings(max_examples=40, deadline=None)

mus = st.floats(-12, math.log10(60)).map(lambda exponent: 10**exponent)
epsilons = st.floats(-13, math.log10(2000)).map(lambda exponent: 10**exponent)


def exact_delta(epsilon, mu):
    with mp.workdps(120):
        epsilon, mu = mpf(epsilon), mpf(mu)
        return ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * ncdf(-mu / 2 - epsilon / mu)


@pytest.mark.parametrize(
    ("epsilon", "mu", "delta"),
    [
        (0, 1, 0.38292492254802620728),
        (1, 1, 0.1269367375066439458),
        (1, 3, 0.78760074136038453359),
        (1.45, 0.5, 5.4438514844722892023e-4),
        (1, 0.5, 6.8295949831145753842e-3),
        (5, 1, 5.7937216919194941042e-7),
        (20, 1, 2.6647067053654976526e-86),
        (700, 19, 2.7445528290002681849e-165),  # the difference of two floats is 6.7e-165
        (709, 20, 1.5511584201276055137e-143),
        (710, 20, 4.3266110812996157679e-144),  # exp(710) overflows
        (800, 30, 6.7745818697218005347e-32),
        (1999, 60, 4.297514503805581017e-4),
        (0, 1e-10, 3.9894228040143269247e-11),
        (1e-12, 1e-12, 8.3315470587727954443e-14),  # the difference keeps three digits
        (0, 1e-16, 3.989422804014326696e-17),  # and here none
        (1e-6, 1e-3, 3.9844266247126821439e-4),
        (1e-9, 0.25, 0.099476449209964011355),
        (30, 60, 1.0),
    ],
)
def test_delta(epsilon, mu, delta):
    assert gdp.delta(epsilon, mu) == pytest.approx(delta, rel=TIGHT, abs=0)


@pytest.mark.parametrize(
    ("epsilon", "mu", "log_delta"),
    [
        (40, 1, -788.42341277399170614),
        (1, 1e-3, -500021.14220749511952),
        (2000, 60, -7.8123283660993868427),
    ],
)
def test_log_delta_goes_where_delta_underflows(epsilon, mu, log_delta):
    assert gdp.log_delta(epsilon, mu) == pytest.approx(log_delta, rel=1e-14, abs=0)


@quick
@given(epsilons, mus)
@example(0.2, 0.25)  # where one form hands over to another
@example(0.03125, 0.25)
@example(1e-13, 60.0)
def test_delta_matches_many_digits(epsilon, mu):
    exact = exact_delta(epsilon, mu)
    assume(exact > 1e-300)
    assert gdp.delta(epsilon, mu) == pytest.approx(float(exact), rel=TIGHT, abs=0)


@quick
@given(st.floats(-3, 38), mus)
def test_delta_matches_many_digits_where_it_varies(x, mu):
    epsilon = mu * max(x + mu / 2, 0.0)
    exact = exact_delta(epsilon, mu)
    assume(exact > 1e-300)
    assert gdp.delta(epsilon, mu) == pytest.approx(float(exact), rel=TIGHT, abs=0)


def test_delta_in_corners():
    epsilon = [0, 0, INF, INF, 1, 0, 1]
    mu = [0, INF, INF, 1, INF, 1, 0]
    expected = [0, 1, 0, 0, 1, gdp.advantage(1), 0]
    assert gdp.delta(epsilon, mu).tolist() == expected
    assert gdp.log_delta([0, 1, INF], [0, INF, 1]).tolist() == [-INF, 0, -INF]
    assert gdp.log_delta(1, 1e-320) == -INF
    assert gdp.delta(1e308, 1e308) == 1


@pytest.mark.parametrize(
    ("delta", "mu", "epsilon"),
    [
        (1e-5, 1, 4.3771780956812246086),
        (1e-6, 1, 4.8865541174622120059),
        (1e-9, 1, 6.1739350466709079408),
        (1e-15, 1, 8.1655796955042536319),
        (1e-30, 1, 11.743883025231736247),
        (1e-300, 1, 37.44884791213910494),
        (1e-5, 0.01, 0.027219419814577135925),
        (1e-5, 0.1, 0.34066936468432642922),
        (1e-5, 0.5, 1.9930914044151196213),
        (1e-5, 2, 9.9972561464343003591),
        (1e-5, 5, 33.103732335922465162),
        (1e-5, 35, 760.82776804461532881),  # brackets that end at 500 fail here
        (1e-12, 1e-11, 9.0234634751249400586e-12),
    ],
)
def test_epsilon(delta, mu, epsilon):
    assert gdp.epsilon(delta, mu) == pytest.approx(epsilon, rel=1e-14, abs=0)


def test_epsilon_in_corners():
    delta = [0, 0, 0, 1, 1, 1, 0.5, 0.383, 0.5, 0.2]
    mu = [0, 1, INF, 0, 1, INF, INF, 1, 1, 0.5]
    expected = [0, INF, INF, 0, 0, 0, INF, 0, 0, 0]
    assert gdp.epsilon(delta, mu).tolist() == expected


@pytest.mark.parametrize(
    ("epsilon", "delta", "mu"),
    [
        (1, 1e-5, 0.26805112321129421922),
        (0.1, 1e-5, 0.032520784056203911885),
        (1, 1e-6, 0.23670438066343570913),
        (8, 1e-5, 1.6660305978457181738),
        (10, 1e-5, 2.0004456204306324187),
        (0, 0.01, 0.025066939016138527),
        (1000, 1e-5, 40.680531013332807412),
        (1, 1e-15, 1 / 7.48700946799),  # erf for erfc gives 1 / 7.48195
        (1, 1e-17, 0.12418537079090210655),
        (1, 1e-20, 0.11314486591343438196),
        (30, 1e-5, 4.6572248397408142282),
        (100, 1e-5, 10.563018719815935038),
        (800, 1e-5, 35.985314142803524334),
        (1, 1e-300, 0.02712563391581753613),
        (1e-9, 1e-12, 4.1044032638217210507e-10),
        (1, 0.9999999, 10.832295355878518501),
    ],
)
def test_mu(epsilon, delta, mu):
    rel = 1e-11 if delta == 1e-15 else 1e-14
    assert gdp.mu(epsilon, delta) == pytest.approx(mu, rel=rel, abs=0)


def test_mu_in_corners():
    epsilon = [0, INF, INF, 0, 1, 1, 0]
    delta = [0, 0, 0.5, 1, 0, 1, 5e-324]
    assert gdp.mu(epsilon, delta)[:6].tolist() == [0, INF, INF, INF, 0, INF]
    assert gdp.mu(1e300, 1e-5) == pytest.approx(math.sqrt(2e300))
    assert gdp.mu(1.7e308, 1e-5) == pytest.approx(math.sqrt(2) * math.sqrt(1.7e308))
    assert gdp.mu(1e-300, 5e-324) > 0


@quick
@given(epsilons, st.floats(-300, -1e-6).map(lambda exponent: 10**exponent))
@example(1e-13, 0.999)
@example(1999.0, 1e-300)
def test_mu_meets_its_goal_exactly(epsilon, delta):
    mu = float(gdp.mu(epsilon, delta))
    # Compared with more digits, moving μ by 2e-14 crosses δ.
    assert exact_delta(epsilon, mu * (1 - 2e-14)) < delta < exact_delta(epsilon, mu * (1 + 2e-14))


@quick
@given(st.floats(1e-9, 0.999), mus)
@example(1e-200, 1e-11)
@example(1e-200, 60.0)
def test_epsilon_meets_its_goal_exactly(fraction, mu):
    delta = fraction * float(gdp.advantage(mu))
    epsilon = float(gdp.epsilon(delta, mu))
    near, far = epsilon * (1 - 1e-11), epsilon * (1 + 1e-11)
    assert exact_delta(far, mu) < delta < exact_delta(near, mu)


def test_goals_on_both_sides_of_one_half_are_met_together():
    goals = np.array([0.3, 0.5, 0.9])
    assert gdp.delta(1, gdp.mu(1, goals)) == pytest.approx(goals, rel=TIGHT, abs=0)
    assert gdp.delta(gdp.epsilon(goals, 4), 4) == pytest.approx(goals, rel=TIGHT, abs=0)


@quick
@given(st.floats(0.03, 30), st.floats(-30, -1).map(lambda exponent: 10**exponent))
def test_epsilon_agrees_with_an_independent_library(mu, delta):
    other = gaussian_mechanism.get_epsilon_gaussian(1 / mu, delta)
    assert gdp.epsilon(delta, mu) == pytest.approx(other, rel=1e-8, abs=1e-8)


@quick
@given(st.lists(epsilons, min_size=2, max_size=8), mus)
def test_delta_decreases_in_epsilon_and_increases_in_mu(losses, mu):
    delta = gdp.delta(np.sort(losses), mu)
    assert np.all(np.diff(delta) <= TIGHT * delta[:-1])
    assert np.all(gdp.delta(losses, 1.01 * mu) >= gdp.delta(losses, mu))
    assert np.all((delta >= 0) & (delta <= gdp.advantage(mu) * (1 + TIGHT)))


@pytest.mark.parametrize(
    ("epsilon", "mu"),
    [
        (1e-9, 1.2533141373155003292e-9),
        (0.1, 0.12530901221160758802),
        (0.5, 0.62389259209850819205),
        (1, 1.2320353853449009729),
        (2, 2.3579614856472497116),
        (5, 4.9466784455956585928),
        (745, 76.963897928660400282),
        (2000, 126.33083721756721897),  # 1 / (1 + exp(2000)) underflows
        (0, 0),
        (INF, INF),
    ],
)
def test_mu_from_pure(epsilon, mu):
    # findroot(lambda m: ncdf(-m/2) * (1 + exp(epsilon)) - 1, ...)
    assert gdp.mu_from_pure(epsilon) == pytest.approx(mu, rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("mu", "advantage"),
    [
        (0, 0),
        (1e-10, 3.9894228040143269247e-11),
        (0.1, 0.039877611676744925),
        (1, 0.38292492254802620728),
        (3, 0.86638559746228387),
        (10, 0.99999942669685624),
        (INF, 1),
    ],
)
def test_advantage(mu, advantage):
    assert gdp.advantage(mu) == pytest.approx(advantage, rel=1e-15, abs=0)


def test_power():
    mu = np.array([[0.1], [0.5], [1.0], [2.0]])
    expected = [
        [0.001393826757, 0.01299544455, 0.06119083621, 0.1186918407],
        [0.004795559209, 0.03389893912, 0.1261348982, 0.2172390804],
        [0.01829846841, 0.09236224807, 0.2595110228, 0.3891436916],
        [0.1378054129, 0.3720805854, 0.6387600313, 0.7637595841],
    ]
    np.testing.assert_allclose(gdp.power([0.001, 0.01, 0.05, 0.1], mu), expected, rtol=3e-10)
    assert gdp.power([0, 1, 0, 1, 0.5], [1, 1, INF, INF, 0]).tolist() == [0, 1, 0, 1, 0.5]
    assert gdp.power(1e-300, 0) == pytest.approx(1e-300, rel=TIGHT, abs=0)


@pytest.mark.parametrize(
    ("mu", "prior", "error"),
    [
        (1, 0.5, 0.308537538725986896),
        (1, 0.1, 0.0986636939005311683),
        (1, 0.01, 0.00999996154272109522),
        (2, 0.1, 0.0700606858585390665),
        (2, 0.01, 0.00951057485767533391),
        (3, 0.5, 0.066807201268858066),
        (3, 0.1, 0.0336510851364935641),
        (3, 0.75, 0.0553648272847819578),
        (40, 0.01, 5.44378194036747653e-90),
        (0, 0.3, 0.3),
        (INF, 0.5, 0),
        (1, 0, 0),
        (1, 1, 0),
        (0, 0.5, 0.5),
    ],
)
def test_bayes_error(mu, prior, error):
    assert gdp.bayes_error(mu, prior) == pytest.approx(error, rel=1e-13, abs=0)


@quick
@given(st.floats(0, 50), st.floats(0, 1))
def test_bayes_error_is_symmetric_and_at_most_that_of_a_blind_guess(mu, prior):
    error = gdp.bayes_error(mu, prior)
    assert 0 <= error <= min(prior, 1 - prior)
    assert gdp.bayes_error(mu, 1 - prior) == pytest.approx(error, rel=1e-9, abs=1e-16)


@quick
@given(st.floats(0.05, 8), st.floats(0.01, 0.99))
def test_bayes_error_is_the_least_over_levels(mu, prior):
    level = np.linspace(0, 1, 20001)
    risk = (1 - prior) * level + prior * (1 - gdp.power(level, mu))
    error = gdp.bayes_error(mu, prior)
    assert error <= risk.min() + 1e-15
    assert error == pytest.approx(risk.min(), abs=1e-4)


def test_compose():
    assert gdp.compose([0.3, 0.4]) == 0.5
    assert gdp.compose([0.5] * 16) == 2
    assert gdp.compose([0.1] * 10) == math.sqrt(0.1)
    assert gdp.compose([]) == 0
    assert gdp.compose(0.7) == 0.7
    assert gdp.compose([1, INF, 0]) == INF
    assert gdp.compose([1.5e308, 1.5e308]) == INF
    # (1 + 2**-53)², half-way between two floats, and a trace more.
    assert gdp.compose([1, 2**-26, 2**-53]) == 1
    assert gdp.compose([1, 2**-26, 2**-53, 1e-200]) == 1 + 2**-52
    assert gdp.compose([3e307, 4e307]) == 5e307
    assert gdp.compose([15e-324, 20e-324]) == 25e-324
    assert gdp.compose([[3, 4], [6, 8]]).tolist() == [5, 10]
    assert gdp.compose(np.zeros((2, 0))).tolist() == [0, 0]


@quick
@given(st.lists(st.floats(0, INF), max_size=6), st.floats(0, INF))
@example([1.0], 5e-324)
@example([0.1] * 5, 1e-8)
def test_another_release_never_lowers_the_total(spent, further):
    total = gdp.compose([*spent, further])
    assert total >= gdp.compose(spent)
    assert total >= further
    assert total == gdp.compose([further, *spent])


@quick
@given(st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=6))
def test_total_is_correctly_rounded(spent):
    with mp.workdps(800):
        exact = float(mp.sqrt(sum(mpf(mu) ** 2 for mu in spent)))
    assert gdp.compose(spent) == exact


def test_rho():
    assert gdp.rho([0, 0.5, 2, INF]).tolist() == [0, 0.125, 2, INF]
    assert gdp.rho(1e200) == INF
    assert gdp.rho(1e-160) == pytest.approx(5e-321, rel=1e-3, abs=0)


CALLS = [
    (gdp.delta, 2),
    (gdp.log_delta, 2),
    (gdp.epsilon, 2),
    (gdp.mu, 2),
    (gdp.mu_from_pure, 1),
    (gdp.rho, 1),
    (gdp.compose, 1),
    (gdp.advantage, 1),
    (gdp.power, 2),
    (gdp.bayes_error, 2),
]


@pytest.mark.parametrize(("function", "arity"), CALLS)
@pytest.mark.parametrize("bad", [-1, math.nan, "0.5", None, 1j])
def test_input_out_of_the_domain_is_refused(function, arity, bad):
    for position in range(arity):
        arguments = [0.5] * arity
        arguments[position] = bad
        with pytest.raises(ParameterError, match="must lie in"):
            function(*arguments)


@pytest.mark.parametrize(("function", "arity"), CALLS)
def test_scalars_give_scalars_and_arrays_broadcast(function, arity):
    assert type(function(*[0.25] * arity)) is np.float64
    if arity == 2:
        column, row = np.array([[0.1], [0.2], [0.9]]), np.array([0.3, 0.05])
        result = function(column, row)
        assert result.shape == (3, 2)
        for i, j in np.ndindex(3, 2):
            assert result[i, j] == pytest.approx(function(column[i, 0], row[j]), rel=TIGHT, abs=0)
        assert function(np.empty((0, 2)), row).shape == (0, 2)
