"""Power for normal tables: against simulated tables, closed forms and a direct simulation."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from explorer.core import chisq
from explorer.core.chisq import normal_power, planning
from explorer.core.mechanisms import (
    MECHANISMS,
    Gaussian,
    JamesStein,
    Laplace,
    RankDeficientGaussian,
    RankDeficientJamesSteinZero,
)
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Groups, Neighbours, Table

UNIFORM = np.full(10, 0.1)
SPLIT = UNIFORM + 0.03 * np.repeat([1, -1], 5)
LINEAR = np.arange(1, 11) / 55
NAMES = [statistic.name for statistic in chisq.STATISTICS]


def make(mechanism_class, statistic, mu, *, positive_part=True):
    options = {"positive_part": positive_part} if issubclass(mechanism_class, JamesStein) else {}
    return mechanism_class(statistic, mu, **options)


@pytest.mark.parametrize("mechanism_class", MECHANISMS)
@pytest.mark.parametrize("neighbours", Neighbours)
def test_the_power_is_that_of_simulated_tables(mechanism_class, neighbours):
    # 16 cases with 12 deviations: 5.7 joint standard errors for a false alarm of 1e-6, and 0.004
    # for the difference between multinomial and normal tables of 2000 records.
    rng = np.random.default_rng(1)
    shift = (LINEAR - UNIFORM) / 3
    for name in NAMES:
        for null, alternative in ((UNIFORM, UNIFORM + shift / 2), (LINEAR, LINEAR - shift)):
            mechanism = make(mechanism_class, Table((10,), neighbours), 0.15)
            arguments = mechanism, null, 2000, [null, alternative], 0.05
            fast = chisq.asymptotic_power(*arguments, statistic=name)
            slow = chisq.power(*arguments, rng, statistic=name, replicates=2_000)
            tolerance = 5.7 * np.hypot(fast.error, slow.error) + 0.004
            assert (np.abs(fast.power - slow.power) < tolerance).all(), (name, null)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mechanism_class", MECHANISMS)
@pytest.mark.parametrize("positive_part", [True, False])
def test_forms_of_the_samples_are_the_statistics_of_releases(mechanism_class, name, positive_part):
    # The same random numbers, put through the mechanism cell by cell.
    n, mu = 300.0, 0.2
    for neighbours in Neighbours:
        mechanism = make(mechanism_class, Table((10,), neighbours), mu, positive_part=positive_part)
        null = LINEAR if name != "pearson" else UNIFORM
        distributions = np.stack([null, SPLIT])
        key = normal_power._Normal(distributions.tobytes(), 10, n, name, mechanism.variance)
        tables = normal_power._tables(key, heavy=isinstance(mechanism, Laplace))
        z, noise = tables.z[:50], tables.noise[:50]
        for k, pi in enumerate(distributions):
            counts = n * pi + math.sqrt(n) * (
                np.sqrt(pi) * z - pi * (z @ np.sqrt(pi))[:, np.newaxis]
            )
            noisy = math.sqrt(mechanism.variance) * noise
            noisy = mechanism.statistic.project(noisy) if mechanism.on_span else noisy
            release = counts + noisy
            if isinstance(mechanism, JamesStein):
                release = mechanism.shrink(release)
            statistic = chisq.statistics.find(name)
            expected = statistic.evaluate(release[:, np.newaxis, :], n * null, mechanism.variance)
            release_options = {
                "centred": mechanism.on_span and neighbours == "replace",
                "projected": name == "projected",
            }
            if isinstance(mechanism, JamesStein):
                computed = tables.shrunk(mechanism, **release_options)
            else:
                computed = tables.unshrunk(**release_options)
            np.testing.assert_allclose(computed[k, :50], expected, rtol=1e-8, atol=1e-9)


# The critical values of Pearson's statistic for M_r and the uniform table are (1 + σ²p/n) times
# those of χ² of p - 1 degrees, the distribution under an alternative of the same covariance noncentral.
@pytest.mark.parametrize(
    ("mu", "expected"), [(0.1, 84.59489), (0.25, 27.74712), (0.5, 19.62601), (1.0, 17.59574)]
)
def test_critical_values_of_the_uniform_table(mu, expected):
    mechanism = RankDeficientGaussian(Table((10,)), mu)
    curve = chisq.asymptotic_power(mechanism, UNIFORM, 500, UNIFORM, 0.05, statistic="pearson")
    assert curve.critical_value == pytest.approx(expected, rel=1e-6)
    assert curve.power == pytest.approx([0.05], rel=1e-6)
    assert (curve.method, curve.exact, curve.error.tolist()) == ("weighted-chi2", False, [0.0])


def test_without_noise_the_null_distribution_is_chi_squared():
    curve = chisq.without_noise(LINEAR, 500, [LINEAR, UNIFORM], 0.01)
    assert curve.critical_value == pytest.approx(stats.chi2.isf(0.01, 9), rel=1e-7)
    assert curve.power[0] == pytest.approx(0.01, rel=1e-6)
    # Two cells: one normal variable, N(n(π - π₀), nπ(1 - π)), over √(nπ₀(1 - π₀)).
    curve = chisq.without_noise([0.5, 0.5], 100, [0.6, 0.4], 0.05)
    critical = stats.norm.isf(0.025) * 5
    both = stats.norm(10, math.sqrt(24))
    expected = both.sf(critical) + both.cdf(-critical)
    assert curve.power == pytest.approx([expected], rel=1e-6)


def test_two_cells_with_noise():
    # M_r on two cells: the difference of the cells is all there is, with variance 4nπ(1 - π) + 2σ².
    mechanism = RankDeficientGaussian(Table((2,)), 0.5)
    for name in NAMES:
        curve = chisq.asymptotic_power(
            mechanism, [0.5, 0.5], 100, [0.65, 0.35], 0.05, statistic=name
        )
        critical = stats.norm.isf(0.025) * math.sqrt(100 + 16)
        both = stats.norm(30, math.sqrt(91 + 16))
        expected = both.sf(critical) + both.cdf(-critical)
        assert curve.power == pytest.approx([expected], rel=1e-6)


# One normal variable, the first cell, of variance nπ(1 - π) + σ²/2; T is its square times
# 1/(nπ + σ²) + 1/(n(1 - π) + σ²), or over that variance. With scipy's normal quantile.
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", [1e-12, 1e-4, 0.05, 0.5, 0.999999])
@pytest.mark.parametrize(
    ("n", "mu", "share"),
    [(46, 0.35541, 0.232406), (46, 0.35541, 1e-3), (46, 30.0, 0.232406), (10**6, 1e3, 0.01)],
)
def test_two_uneven_cells_at_every_level(n, mu, share, level, name):
    mechanism = RankDeficientGaussian(Table((2,)), mu)
    null = np.array([share, 1 - share])
    move = 2 * math.sqrt(share * (1 - share) / n)
    distributions = [null, null + move * np.array([1, -1])]
    curve = chisq.asymptotic_power(mechanism, null, n, distributions, level, statistic=name)
    noise = mechanism.variance
    deviations = [math.sqrt(n * pi * (1 - pi) + noise / 2) for pi in (share, share + move)]
    reached = stats.norm.isf(level / 2) * deviations[0]
    added = 0 if name == "pearson" else noise
    scale = (1 / (n * null + added)).sum() if name != "projected" else deviations[0] ** -2
    assert curve.critical_value == pytest.approx(reached**2 * scale, rel=1e-6)
    assert curve.power[0] == pytest.approx(level, rel=1e-6, abs=0)
    alternative = stats.norm(n * move, deviations[1])
    expected = alternative.sf(reached) + alternative.cdf(-reached)
    assert curve.power[1] == pytest.approx(expected, rel=1e-6, abs=0)


@pytest.mark.parametrize("mu", [1e3, 1e6, 1e12])
@pytest.mark.parametrize("n", [10**6, 10**9])
def test_the_projected_statistic_without_much_noise_is_pearsons(n, mu):
    mechanism = RankDeficientGaussian(Table((10,)), mu)
    distributions = [LINEAR, LINEAR + 2 / math.sqrt(n) * (UNIFORM - LINEAR)]
    curve = chisq.asymptotic_power(mechanism, LINEAR, n, distributions, 0.05, statistic="projected")
    ceiling = chisq.without_noise(LINEAR, n, distributions, 0.05)
    assert curve.critical_value == pytest.approx(stats.chi2.isf(0.05, 9), rel=1e-9)
    assert curve.power == pytest.approx(ceiling.power, abs=1e-10)


@pytest.mark.parametrize("name", NAMES)
def test_little_noise_in_many_records_leaves_the_power_of_the_table(name):
    # σ² is 1e-10 of the cells: the projected statistic divides by such numbers.
    mechanism = RankDeficientGaussian(Table((10,)), 10.0)
    distributions = [UNIFORM, UNIFORM + (SPLIT - UNIFORM) / 3000]
    curve = chisq.asymptotic_power(mechanism, UNIFORM, 10**9, distributions, 0.05, statistic=name)
    ceiling = chisq.without_noise(UNIFORM, 10**9, distributions, 0.05)
    assert 0.1 < ceiling.power[1] < 0.9
    assert curve.power == pytest.approx(ceiling.power, rel=1e-6)


@pytest.mark.parametrize("name", ["ridge", "projected"])
@pytest.mark.parametrize("mechanism_class", MECHANISMS)
def test_a_null_cell_of_probability_zero(mechanism_class, name):
    # 8 mechanisms, 2 statistics, 3 powers: 5.7 joint standard errors, and 0.01 for 400 records.
    null = np.array([0.5, 0.3, 0.2, 0.0, 0.0])
    distributions = [null, 0.96 * null + np.array([0, 0, 0, 0.04, 0]), np.eye(5)[4]]
    arguments = make(mechanism_class, Table((5,)), 0.2), null, 400, distributions, 0.05
    fast = chisq.asymptotic_power(*arguments, statistic=name)
    rng = np.random.default_rng(4)
    slow = chisq.power(*arguments, rng, statistic=name, replicates=2_000)
    assert (np.abs(fast.power - slow.power) < 5.7 * np.hypot(fast.error, slow.error) + 0.01).all()


@pytest.mark.parametrize("name", NAMES)
def test_shrinking_to_the_null_table_changes_no_power(name):
    shrunk = make(RankDeficientJamesSteinZero, Table((10,)), 0.1)
    plain = RankDeficientGaussian(Table((10,)), 0.1)
    one = chisq.asymptotic_power(shrunk, UNIFORM, 500, SPLIT, 0.05, statistic=name)
    two = chisq.asymptotic_power(plain, UNIFORM, 500, SPLIT, 0.05, statistic=name)
    assert one.power == two.power
    assert one.method == "weighted-chi2"
    # From the same draws one by one: the statistic grows with that of the unshrunk release.
    assert chisq.asymptotic_power(shrunk, LINEAR, 500, SPLIT, 0.05).method == "normal-tables"
    other = make(RankDeficientJamesSteinZero, Table((10,)), 0.1, positive_part=False)
    assert chisq.asymptotic_power(other, UNIFORM, 500, SPLIT, 0.05).method == "normal-tables"
    table = Table((10,), "add-remove")
    to_zero = make(RankDeficientJamesSteinZero, table, 0.1)
    assert chisq.asymptotic_power(to_zero, UNIFORM, 500, SPLIT, 0.05).method == "normal-tables"


@pytest.mark.parametrize("mechanism_class", MECHANISMS)
@pytest.mark.parametrize(("most", "mu"), [(8_192, 0.12), (200, 0.3)])
def test_the_stated_error_is_the_spread_over_other_random_numbers(
    mechanism_class, most, mu, monkeypatch
):
    # 40 seeds: their deviation is known to 11%. In the second case the critical value has most of it.
    monkeypatch.setattr(chisq._normal_samples, "MOST", most)
    monkeypatch.setattr(chisq._normal_samples, "FEWEST", 200)
    mechanism = make(mechanism_class, Table((10,)), mu)
    arguments = mechanism, LINEAR, 500, LINEAR * 0.6 + UNIFORM * 0.4, 0.05
    powers, errors = [], []
    for seed in range(40):
        monkeypatch.setattr(chisq._normal_samples, "SEED", seed)
        chisq._normal_samples.random_numbers.cache_clear()
        normal_power._tables.cache_clear()
        curve = chisq.asymptotic_power(*arguments)
        powers.append(curve.power[0])
        errors.append(curve.error[0])
    monkeypatch.undo()
    chisq._normal_samples.random_numbers.cache_clear()
    normal_power._tables.cache_clear()
    if curve.method == "weighted-chi2":
        assert np.ptp(powers) == 0
    else:
        assert 0.5 < np.std(powers) / np.mean(errors) < 1.7


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(MECHANISMS), st.floats(0.05, 3), st.sampled_from(NAMES), st.integers(2, 12))
def test_power_lies_between_level_and_the_ceiling(mechanism_class, mu, name, p):
    null = np.full(p, 1 / p)
    away = np.linspace(-1, 1, p) / p
    distributions = null + np.linspace(0, 1, 5)[:, np.newaxis] * away
    mechanism = make(mechanism_class, Table((p,)), mu)
    curve = chisq.asymptotic_power(mechanism, null, 300, distributions, 0.05, statistic=name)
    ceiling = chisq.without_noise(null, 300, distributions, 0.05)
    assert curve.power.shape == curve.error.shape == (5,)
    assert abs(curve.power[0] - 0.05) < 1e-6 + 6 * curve.error[0]
    assert ((curve.power >= 0) & (curve.power <= 1)).all()
    assert (curve.power <= ceiling.power + 6 * curve.error + 0.02).all()
    assert (np.diff(curve.power) > -6 * curve.error[1:] - 1e-6).all()


def test_an_error_of_simulated_samples_is_never_zero():
    # Every sample is rejected: 0 of 2048 misses, and the error is Agresti and Coull's.
    for mechanism_class in (Laplace, RankDeficientJamesSteinZero):
        mechanism = make(mechanism_class, Table((4,)), 1.0)
        distribution = [0.97, 0.01, 0.01, 0.01]
        curve = chisq.asymptotic_power(mechanism, [0.1, 0.2, 0.3, 0.4], 500, distribution, 0.05)
        assert curve.power[0] > 0.999
        assert 1e-4 < curve.error[0] < 2e-3


def test_independence_without_noise_in_two_by_two_cells():
    # Four cells, one degree: the textbook's n φ² as noncentrality, with scipy's noncentral χ².
    table = np.array([[0.3, 0.2], [0.15, 0.35]])
    curve = chisq.power_of_independence_without_noise(100, [table, np.full((2, 2), 0.25)], 0.05)
    phi = (0.3 * 0.35 - 0.2 * 0.15) / math.sqrt(0.5 * 0.5 * 0.45 * 0.55)
    expected = stats.ncx2.sf(stats.chi2.isf(0.05, 1), 1, 100 * phi**2)
    assert curve.power == pytest.approx([expected, 0.05], rel=1e-9)
    assert curve.error.tolist() == [0, 0]
    with pytest.raises(ParameterError, match="at least two rows"):
        chisq.power_of_independence_without_noise(100, [[0.5, 0.5]], 0.05)


def test_the_answer_is_the_same_every_time():
    mechanism = make(Laplace, Table((10,)), 0.3)
    one = chisq.asymptotic_power(mechanism, UNIFORM, 500, SPLIT, 0.05)
    normal_power._tables.cache_clear()
    normal_power._unshrunk_power.cache_clear()
    two = chisq.asymptotic_power(mechanism, UNIFORM, 500, SPLIT, 0.05)
    assert one.power == two.power


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"level": 0}, "level"),
        ({"n": 0}, "n"),
        ({"null": np.full(9, 1 / 9)}, "null"),
        ({"alternatives": np.full(9, 1 / 9)}, "alternatives"),
        ({"statistic": "?"}, "statistic"),
        ({"mechanism": Gaussian(Groups(1, 10), 1.0)}, "mechanism"),
        ({"mechanism": None, "null": np.append(np.full(9, 1 / 9), 0)}, "null"),
    ],
)
def test_what_the_asymptotic_power_refuses(changes, name):
    arguments = {
        "mechanism": Gaussian(Table((10,)), 1.0),
        "null": UNIFORM,
        "n": 100,
        "alternatives": SPLIT,
        "level": 0.05,
    }
    with pytest.raises(ParameterError) as refused:
        chisq.asymptotic_power(**{**arguments, **changes})
    assert refused.value.name == name


def power_at(mechanism, n, mu=None):
    if mu is not None:
        mechanism = dataclasses.replace(mechanism, mu=mu)
    return chisq.asymptotic_power(mechanism, UNIFORM, n, SPLIT, 0.05).power[0]


@pytest.mark.parametrize("mechanism_class", MECHANISMS)
def test_sample_size_and_least_mu_reach_the_power_and_not_less(mechanism_class):
    mechanism = make(mechanism_class, Table((10,)), 0.3)
    answer = chisq.sample_size(mechanism, UNIFORM, SPLIT, 0.05, power=0.9)
    n = int(answer.value)
    assert answer.reason == ""
    assert power_at(mechanism, n) >= 0.9 > power_at(mechanism, n - 1)
    answer = chisq.mu_for_power(mechanism, UNIFORM, 400, SPLIT, 0.05, power=0.7)
    assert answer.reason == ""
    assert power_at(mechanism, 400, answer.value) >= 0.7
    assert power_at(mechanism, 400, answer.value * (1 - 1e-5)) < 0.7


def test_sample_size_of_two_cells_without_noise():
    # One normal variable, up to the other tail: n = (z₁ √¼ + z₂ √(π(1 - π)))²/(π - ½)².
    answer = chisq.sample_size(None, [0.5, 0.5], [0.52, 0.48], 0.05, power=0.8)
    z1, z2 = stats.norm.isf(0.025), stats.norm.isf(0.2)
    expected = ((z1 / 2 + z2 * math.sqrt(0.52 * 0.48)) / 0.02) ** 2
    assert answer.value == math.ceil(expected)


def test_what_no_records_and_no_mu_can_reach():
    mechanism = Gaussian(Table((10,)), 0.5)
    no_effect = planning.Answer(math.inf, "no-effect")
    assert chisq.sample_size(mechanism, UNIFORM, UNIFORM, 0.05) == no_effect
    assert chisq.mu_for_power(mechanism, UNIFORM, 50, UNIFORM, 0.05) == no_effect
    out_of_reach = planning.Answer(math.inf, "out-of-reach")
    assert chisq.mu_for_power(mechanism, UNIFORM, 50, SPLIT, 0.05) == out_of_reach
    almost = UNIFORM + 1e-6 * np.repeat([1, -1], 5)
    assert chisq.sample_size(mechanism, UNIFORM, almost, 0.05) == out_of_reach


@pytest.mark.parametrize("power", [0.05, 0.01, 0.0, 1.0, math.nan])
def test_a_power_that_is_no_goal_is_refused(power):
    mechanism = Gaussian(Table((10,)), 0.5)
    with pytest.raises(ParameterError, match="power of the test"):
        chisq.sample_size(mechanism, UNIFORM, SPLIT, 0.05, power=power)
    with pytest.raises(ParameterError, match="power of the test"):
        chisq.mu_for_power(mechanism, UNIFORM, 100, SPLIT, 0.05, power=power)
    with pytest.raises(ParameterError, match="one table"):
        chisq.sample_size(mechanism, UNIFORM, [SPLIT, SPLIT], 0.05)
