"""Power by simulation against reference simulations, and its error."""

import itertools
import math

import numpy as np
import pytest

from explorer.core import chisq
from explorer.core.chisq._power import critical_value
from explorer.core.mechanisms import (
    MECHANISMS,
    Gaussian,
    JamesStein,
    JamesSteinMean,
    JamesSteinZero,
    Laplace,
    ProjectedLaplace,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Groups, Table

UNIFORM = np.full(10, 0.1)
SPLIT = UNIFORM + 0.03 * np.repeat([1, -1], 5)
LINEAR = np.arange(1, 11) / 55
TILTED = LINEAR + 0.05 * (np.arange(10) == 0) - 0.05 * (np.arange(10) == 9)
MECHANISM_CLASSES = (
    Laplace,
    ProjectedLaplace,
    Gaussian,
    RankDeficientGaussian,
    JamesSteinZero,
    JamesSteinMean,
    RankDeficientJamesSteinZero,
    RankDeficientJamesStein,
)
COMPOSITE = (Laplace, Gaussian, RankDeficientGaussian, RankDeficientJamesSteinZero)


def make(mechanism_class, statistic, mu, *, positive_part=True):
    shrinks = issubclass(mechanism_class, JamesStein)
    options = {"positive_part": positive_part} if shrinks else {}
    return mechanism_class(statistic, mu, **options)


# An independent simulation with 10⁵ releases and as many null draws; positive parts.
# fmt: off
REFERENCE = [
    ("pearson", UNIFORM, SPLIT, 0.1, (0.127, 0.133, 0.500, 0.509, 0.485, 0.493, 0.510, 0.549)),
    ("pearson", UNIFORM, SPLIT, 0.25, (0.787, 0.808, 0.979, 0.979, 0.979, 0.979, 0.979, 0.980)),
    ("pearson", UNIFORM, SPLIT, 0.5, (0.994, 0.995, 0.999, 0.998, 0.998, 0.999, 0.999, 0.999)),
    ("pearson", LINEAR, TILTED, 0.1, (0.121, 0.133, 0.391, 0.418, 0.385, 0.496, 0.551, 0.288)),
    ("pearson", LINEAR, TILTED, 0.25, (0.681, 0.717, 0.938, 0.946, 0.937, 0.955, 0.964, 0.922)),
    ("pearson", LINEAR, TILTED, 0.5, (0.979, 0.981, 0.996, 0.997, 0.996, 0.997, 0.997, 0.996)),
    ("projected", LINEAR, TILTED, 0.1, (None, None, 0.295, 0.299, None, None, 0.434, None)),
    ("projected", LINEAR, TILTED, 0.25, (None, None, 0.893, 0.891, None, None, 0.922, None)),
]
# fmt: on


@pytest.mark.parametrize(("name", "null", "alternative", "mu", "powers"), REFERENCE)
def test_goodness_of_fit_matches_the_reference_simulation(name, null, alternative, mu, powers):
    # 54 rows with two deviations each: 5.6 joint standard errors for a false alarm of 1e-6; the
    # reference, of more draws, has less error than our curve.
    rng = np.random.default_rng(1)
    for mechanism_class, expected in zip(MECHANISM_CLASSES, powers, strict=True):
        if expected is None:
            continue
        curve = chisq.power(
            make(mechanism_class, Table((10,)), mu),
            null,
            500,
            [null, alternative],
            0.05,
            rng,
            statistic=name,
            replicates=10_000,
            null_replicates=60_000,
        )
        size, power = curve.power
        assert abs(size - 0.05) < 5.6 * curve.error[0], mechanism_class
        assert abs(power - expected) < 5.6 * math.sqrt(2) * curve.error[1] + 0.0005, mechanism_class


RESPONSE = np.array([0.4, 0.25, 0.15, 0.1, 0.1])
SHIFTED = np.array([0.3, 0.25, 0.15, 0.15, 0.15])
# Sizes and powers at level 0.05, μ = 0.1, two groups of 200: 1000 releases, 299 bootstraps each. The
# test of the shrunk release is that of the unshrunk one, so the last column repeats the one before.
HOMOGENEITY = {
    "pearson": (0.027, 0.002, 0.005, 0.005, 0.017, 0.012, 0.018, 0.018),
    "ridge": (0.049, 0.040, 0.058, 0.058, 0.050, 0.120, 0.110, 0.110),
}
PRODUCT = np.outer([0.3, 0.3, 0.4], [0.2, 0.3, 0.5])
DEPENDENT = PRODUCT + 0.04 * np.outer([1, -1, 0], [1, -1, 0])
# The same for 500 records in 3 × 3 cells: 800 releases.
INDEPENDENCE = {
    "pearson": (0.005, 0.030, 0.028, 0.028, 0.031, 0.46, 0.476, 0.476),
    "ridge": (0.055, 0.058, 0.038, 0.038, 0.116, 0.463, 0.469, 0.469),
}


def homogeneity(mechanism, name, replicates, bootstraps):
    distributions = [[RESPONSE, RESPONSE], [RESPONSE, SHIFTED]]
    return chisq.power_of_homogeneity(
        mechanism,
        [200, 200],
        distributions,
        0.05,
        np.random.default_rng(2),
        statistic=name,
        replicates=replicates,
        bootstraps=bootstraps,
    )


def independence(mechanism, name, replicates, bootstraps):
    return chisq.power_of_independence(
        mechanism,
        500,
        [PRODUCT, DEPENDENT],
        0.05,
        np.random.default_rng(3),
        statistic=name,
        replicates=replicates,
        bootstraps=bootstraps,
    )


def compare(curve, size, power, runs):
    # 32 rows with 5.3 joint standard errors; proportions near 0 are not normal, so a margin of one.
    for computed, expected, error in zip(curve.power, (size, power), curve.error, strict=True):
        reference = math.sqrt(max(expected * (1 - expected), 0.02) / runs)
        assert abs(computed - expected) < 5.3 * math.hypot(error, reference)


@pytest.mark.parametrize("name", ["pearson", "ridge"])
@pytest.mark.parametrize("place", range(4))
def test_homogeneity_matches_the_reference_simulation(place, name):
    mechanism = make(COMPOSITE[place], Groups(2, 5), 0.1)
    row = HOMOGENEITY[name]
    compare(homogeneity(mechanism, name, 500, 199), row[place], row[4 + place], 1000)


@pytest.mark.parametrize("name", ["pearson", "ridge"])
@pytest.mark.parametrize("place", range(4))
def test_independence_matches_the_reference_simulation(place, name):
    mechanism = make(COMPOSITE[place], Table((3, 3)), 0.1)
    row = INDEPENDENCE[name]
    compare(independence(mechanism, name, 500, 199), row[place], row[4 + place], 800)


STEEP = np.array([16, 8, 4, 2, 1, 1]) / 32
STEEPER = 2.0 ** -np.arange(10) / (2.0 ** -np.arange(10)).sum()
SHRINKING = [k for k in MECHANISMS if issubclass(k, JamesStein)]


def is_at_most(curve, level):
    # Levels of 300 releases: 5.2 standard errors for a false alarm of 1e-6 among 40, and 0.015 for
    # what the bootstrap itself misses. Before, the steep table was rejected up to 38 times of 100.
    return curve.power[0] < level + 5.2 * math.sqrt(level * (1 - level) / 300) + 0.015


@pytest.mark.parametrize("mechanism_class", MECHANISMS)
def test_independence_keeps_its_level_with_uneven_margins(mechanism_class):
    table = np.outer(STEEP, STEEP)
    for positive_part in (True, False) if mechanism_class in SHRINKING else (True,):
        mechanism = make(mechanism_class, Table((6, 6)), 0.03, positive_part=positive_part)
        curve = chisq.power_of_independence(
            mechanism, 1024, table, 0.05, 6, replicates=300, bootstraps=99
        )
        assert is_at_most(curve, 0.05), positive_part


@pytest.mark.parametrize("mechanism_class", MECHANISMS)
def test_homogeneity_keeps_its_level_with_uneven_groups(mechanism_class):
    for positive_part in (True, False) if mechanism_class in SHRINKING else (True,):
        mechanism = make(mechanism_class, Groups(3, 6), 0.03, positive_part=positive_part)
        curve = chisq.power_of_homogeneity(
            mechanism, [600, 300, 124], [STEEP] * 3, 0.05, 7, replicates=300, bootstraps=99
        )
        assert is_at_most(curve, 0.05), positive_part


def test_independence_keeps_its_level_in_a_large_uneven_table():
    # It was rejected 98 times of 100.
    mechanism = make(JamesSteinZero, Table((10, 10)), 0.093)
    table = np.outer(STEEPER, STEEPER)
    curve = chisq.power_of_independence(
        mechanism, 355, table, 0.05, 8, replicates=300, bootstraps=99
    )
    assert is_at_most(curve, 0.05)


def test_a_shrunk_release_keeps_the_power_of_the_noisy_one():
    dependent = np.outer(STEEP, STEEP)
    dependent[:2, :2] += 0.06 * np.array([[1, -1], [-1, 1]])
    powers = [
        chisq.power_of_independence(
            make(k, Table((6, 6)), 0.1), 1024, dependent, 0.05, 9, replicates=300, bootstraps=99
        )
        for k in (RankDeficientGaussian, RankDeficientJamesSteinZero)
    ]
    assert powers[0].power > 0.3
    assert abs(powers[0].power - powers[1].power) < 5 * (powers[0].error + powers[1].error)


def test_steps_of_independence_end_at_the_whole():
    mechanism = make(Gaussian, Table((2, 2)), 1.0)
    arguments = mechanism, 100, [[0.3, 0.2], [0.1, 0.4]], 0.05
    steps = list(
        chisq.power_of_independence_in_steps(
            *arguments, 3, replicates=250, bootstraps=99, chunk=100
        )
    )
    assert len(steps) == 3
    whole = chisq.power_of_independence(*arguments, 4, replicates=250, bootstraps=99)
    assert abs(steps[-1].power - whole.power) < 5 * (steps[-1].error + whole.error)
    assert steps[0].error > steps[-1].error


@pytest.mark.slow
@pytest.mark.parametrize("test", [homogeneity, independence])
def test_the_bootstrap_keeps_its_level_with_the_ridge_statistic(test):
    # 16 sizes of 4000 releases: 5.2 standard errors, and 0.015 for what the bootstrap itself misses.
    statistic = Groups(2, 5) if test is homogeneity else Table((3, 3))
    for mechanism_class, mu in itertools.product(COMPOSITE, (0.1, 0.25, 0.5, 1.0)):
        curve = test(make(mechanism_class, statistic, mu), "ridge", 4_000, 299)
        assert abs(curve.power[0] - 0.05) < 5.2 * curve.error[0] + 0.015, (mechanism_class, mu)


def test_pearsons_bootstrap_is_conservative_where_noise_is_strong():
    # A size of 0.005 in the reference; 0.05 is 7 standard errors away.
    curve = homogeneity(RankDeficientGaussian(Groups(2, 5), 0.1), "pearson", 1_000, 199)
    assert curve.power[0] < 0.02


def test_the_error_is_the_spread_of_repeated_curves():
    # 60 repetitions; their deviation is known to 9%: within 50% at 1e-6 for four curves.
    mechanism = RankDeficientGaussian(Table((10,)), 0.15)
    curves = [
        chisq.power(
            mechanism,
            UNIFORM,
            500,
            [UNIFORM, SPLIT],
            0.05,
            np.random.default_rng(seed),
            replicates=4_000 if seed % 2 else 200,  # one error or the other prevails
            null_replicates=199 if seed % 2 else 4_000,
        )
        for seed in range(120)
    ]
    for parity in (0, 1):
        spread = np.std([curve.power for curve in curves[parity::2]], axis=0)
        stated = np.mean([curve.error for curve in curves[parity::2]], axis=0)
        np.testing.assert_allclose(stated, spread, rtol=0.5)


def test_steps_end_at_the_whole_and_their_error_falls():
    mechanism = Gaussian(Table((10,)), 0.25)
    steps = list(
        chisq.power_in_steps(
            mechanism,
            UNIFORM,
            500,
            [SPLIT],
            0.05,
            np.random.default_rng(1),
            replicates=5_000,
            chunk=2_000,
        )
    )
    assert len(steps) == 3
    assert steps[0].critical_value == steps[2].critical_value
    assert steps[0].error > steps[2].error
    whole = chisq.power(
        mechanism, UNIFORM, 500, SPLIT, 0.05, np.random.default_rng(1), replicates=5_000
    )
    assert whole.critical_value == steps[2].critical_value
    # The same null draws, the same releases in another order of drawing.
    assert abs(whole.power - steps[2].power) < 5 * (whole.error + steps[2].error)


@pytest.mark.parametrize("count", [19, 20, 99, 1000])
@pytest.mark.parametrize("level", [0.05, 0.1, 0.5])
def test_the_critical_value_is_that_of_the_p_value(count, level):
    draws = np.random.default_rng(count).exponential(size=count)
    critical = critical_value(draws, level)
    points = np.concatenate([draws * (1 + 1e-6), draws * (1 - 1e-6)])
    p_values = (1 + (draws >= points[:, np.newaxis]).sum(axis=1)) / (count + 1)
    assert ((points > critical) == (p_values <= level + 1e-12)).all()


def call(**changes):
    arguments = {
        "mechanism": Gaussian(Table((3,)), 1.0),
        "null": [0.2, 0.3, 0.5],
        "n": 50,
        "alternatives": [0.3, 0.3, 0.4],
        "level": 0.05,
        "rng": np.random.default_rng(0),
    }
    return chisq.power(**{**arguments, "replicates": 100, **changes})


@pytest.mark.parametrize(
    ("changes", "name", "message"),
    [
        ({"level": 0.0}, "level", r"must lie in \(0, 1\)"),
        ({"level": 1.0}, "level", r"must lie in \(0, 1\)"),
        ({"n": 0}, "n", "whole number in"),
        ({"replicates": 0}, "replicates", "whole number in"),
        ({"replicates": 10**9}, "replicates", "whole number in"),
        ({"null_replicates": 18}, "null_replicates", "at least 1/α - 1 = 19"),
        ({"null_replicates": 10**8}, "null_replicates", "whole number in"),
        ({"alternatives": [0.5, 0.6, -0.1]}, "alternatives", "nonnegative with sum 1"),
        ({"alternatives": [0.5, 0.5]}, "alternatives", "3 cells"),
        ({"alternatives": np.full((2, 2, 3), 1 / 3)}, "alternatives", "list of tables"),
        ({"null": [0.5, 0.5, 0.0], "statistic": "pearson"}, "null", "merge cells"),
        ({"mechanism": Gaussian(Groups(1, 3), 1.0)}, "mechanism", "must release a Table"),
    ],
)
def test_what_power_refuses(changes, name, message):
    with pytest.raises(ParameterError, match=message) as refused:
        call(**changes)
    assert refused.value.name == name


def test_what_the_powers_of_composite_tests_refuse():
    rng = np.random.default_rng(0)
    groups, table = Gaussian(Groups(2, 2), 1.0), Gaussian(Table((2, 2)), 1.0)
    distributions = [[0.5, 0.5], [0.4, 0.6]]
    with pytest.raises(ParameterError, match="2 rows and 2 columns"):
        chisq.power_of_homogeneity(groups, [9, 9], [0.5, 0.5, 0.4, 0.6], 0.05, rng)
    with pytest.raises(ParameterError, match="nonnegative with sum 1"):
        chisq.power_of_independence(table, 9, distributions, 0.05, rng)
    with pytest.raises(ParameterError, match="at least 1/α - 1 = 19"):
        chisq.power_of_homogeneity(groups, [9, 9], distributions, 0.05, rng, bootstraps=18)
    with pytest.raises(ParameterError, match="whole number"):
        chisq.power_of_homogeneity(groups, [9, 0], distributions, 0.05, rng)
    curve = chisq.power_of_homogeneity(
        groups, [9, 9], distributions, 0.05, rng, replicates=3, bootstraps=19
    )
    assert curve.power.shape == (1,)
    assert math.isnan(curve.critical_value)
