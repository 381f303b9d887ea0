"""The tests of a release: p-values, their level, and what is refused."""

import math
import tracemalloc

import numpy as np
import pytest

from explorer.core import chisq
from explorer.core.mechanisms import (
    MECHANISMS,
    Gaussian,
    JamesStein,
    JamesSteinZero,
    Laplace,
    RankDeficientGaussian,
    RankDeficientJamesSteinZero,
)
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import BoundedMean, Groups, Table

UNIFORM = np.full(10, 0.1)
LINEAR = np.arange(1, 11) / 55
UNEVEN = 0.45 ** np.arange(10) / (0.45 ** np.arange(10)).sum()
MUS = (0.1, 0.25, 0.5, 1.0)
LAPLACE_SCALES = {  # where the trade-offs of Laplace and normal noise touch, solved in mpmath
    0.1: 15.489097507526124743,
    0.25: 6.0540907676543823087,
    0.5: 2.9161130614456960006,
    1.0: 1.3589053609720678771,
}


def make(mechanism_class, statistic, mu):
    options = {"positive_part": True} if issubclass(mechanism_class, JamesStein) else {}
    return mechanism_class(statistic, mu, **options)


def shrunk(x, part, d, sigma):
    factor = (d - 2) * sigma**2 / (part**2).sum(axis=1, keepdims=True)
    return x - np.minimum(factor, 1) * part


def centred(x):
    return x - x.mean(axis=1, keepdims=True)


def release_by_hand(key, tables, mu, rng):
    """Releases of ten cells, from the definitions of the mechanisms."""
    sigma = math.sqrt(2) / mu
    normal = sigma * rng.standard_normal(tables.shape)
    heavy = LAPLACE_SCALES[mu] * rng.laplace(size=tables.shape)
    full, on_span = tables + normal, tables + centred(normal)
    direction = np.append(
        np.cumsum(1 / np.sqrt(np.arange(9, 0, -1) * np.arange(10, 1, -1)))[::-1], 0
    )
    direction[1:] -= np.sqrt(np.arange(1, 10) / np.arange(2, 11))
    direction /= np.linalg.norm(direction)  # the sum of Helmert's columns
    part = centred(on_span)
    return {
        "gaussian": full,
        "rank-deficient": on_span,
        "james-stein-zero": shrunk(full, full, 10, sigma),
        "james-stein-mean": shrunk(full, centred(full), 9, sigma),
        "rank-deficient-james-stein-zero": shrunk(on_span, part, 9, sigma),
        "rank-deficient-james-stein": shrunk(
            on_span, part - np.outer(part @ direction, direction), 8, sigma
        ),
        "laplace": tables + heavy,
        "projected-laplace": tables + centred(heavy),
    }[key]


@pytest.mark.parametrize("mechanism_class", MECHANISMS)
def test_the_level_holds_for_every_mechanism(mechanism_class):
    # Releases and statistics made by hand are ranked among the test's null draws. 8 mechanisms, 4 μ,
    # 4 nulls, 2 levels: 256 deviations, 5.9 standard errors each for a false alarm of 1e-6.
    rng = np.random.default_rng(11)
    count = 8_000
    for n, null in ((500, UNIFORM), (500, LINEAR), (30, UNIFORM), (500, UNEVEN)):
        for mu in MUS:
            mechanism = make(mechanism_class, Table((10,)), mu)
            tables = rng.multinomial(n, null, size=count).astype(float)
            releases = release_by_hand(mechanism_class.key, tables, mu, rng)
            variance = (
                2 * LAPLACE_SCALES[mu] ** 2 if issubclass(mechanism_class, Laplace) else 2 / mu**2
            )
            values = ((releases - n * null) ** 2 / (n * null + variance)).sum(axis=1)
            test = chisq.goodness_of_fit(releases[0], null, n, mechanism, rng, replicates=count)
            assert test.statistic == pytest.approx(values[0], rel=1e-9)
            sorted_null = np.sort(test.null)
            reached = count - np.searchsorted(sorted_null, values - 1e-9, side="left")
            for level in (0.05, 0.5):
                size = ((1 + reached) / (count + 1) <= level).mean()
                error = math.sqrt(2 * level * (1 - level) / count)
                assert size < level + 5.9 * error, (n, null, mu, level)
                # Releases shrunk to zero are ties, which make larger levels conservative.
                if level < 0.1 or mechanism_class is not JamesSteinZero:
                    assert size > level - 5.9 * error, (n, null, mu, level)


def test_the_p_value_counts_the_simulated_statistics_that_reach_the_statistic():
    mechanism = RankDeficientGaussian(Table((4,)), 0.5)
    rng = np.random.default_rng(0)
    release = mechanism.simulate([10.0, 20.0, 30.0, 40.0], rng)
    test = chisq.goodness_of_fit(release, [0.25] * 4, 100, mechanism, rng, replicates=999)
    assert test.null.shape == (999,)
    assert (test.name, test.method) == ("ridge", "monte-carlo")
    expected = ((release - 25) ** 2 / (25 + 8)).sum()  # σ² = 2/μ² = 8
    assert test.statistic == pytest.approx(expected, rel=1e-12)
    reached = int((test.null >= test.statistic).sum())
    assert test.p_value == (1 + reached) / 1000
    centre = (1 + reached + 2) / 1004  # Agresti and Coull's
    assert test.standard_error == pytest.approx(math.sqrt(centre * (1 - centre) / 1004), rel=1e-12)
    assert test.expected.tolist() == [25.0] * 4


def test_the_standard_error_is_the_spread_of_repeated_p_values():
    # 200 repetitions; the deviation of a sample deviation is 5%: within 25% at 1e-6.
    mechanism = Gaussian(Table((3,)), 1.0)
    release = [31.3, 41.2, 28.4]
    tests = [
        chisq.goodness_of_fit(
            release, [0.3, 0.3, 0.4], 100, mechanism, np.random.default_rng(i), replicates=400
        )
        for i in range(200)
    ]
    spread = np.std([test.p_value for test in tests])
    assert np.mean([test.standard_error for test in tests]) == pytest.approx(spread, rel=0.25)


def test_a_shrunk_release_at_its_centre_is_no_evidence():
    # The positive part gives the uniform table itself again and again: ties, p = 1.
    mechanism = make(RankDeficientJamesSteinZero, Table((10,)), 0.05)
    rng = np.random.default_rng(4)
    test = chisq.goodness_of_fit([10.0] * 10, UNIFORM, 100, mechanism, rng, replicates=500)
    assert test.p_value == 1
    assert (test.null < 1e-9).sum() > 50


def test_a_filled_cell_of_probability_zero_is_evidence():
    mechanism = RankDeficientGaussian(Table((4,)), 1.0)
    rng = np.random.default_rng(5)
    null = [0.5, 0.3, 0.2, 0.0]
    for name in ("ridge", "projected"):
        empty = mechanism.simulate([50.0, 30.0, 20.0, 0.0], rng)
        filled = mechanism.simulate([45.0, 27.0, 18.0, 10.0], rng)
        first, second = (
            chisq.goodness_of_fit(one, null, 100, mechanism, rng, statistic=name).p_value
            for one in (empty, filled)
        )
        assert first > 0.01
        assert second < 0.001
    with pytest.raises(ParameterError, match="merge cells"):
        chisq.goodness_of_fit(empty, null, 100, mechanism, rng, statistic="pearson")


def test_memory_does_not_grow_with_the_replicates():
    mechanism = RankDeficientGaussian(Table((10,)), 0.5)
    rng = np.random.default_rng(0)
    release = mechanism.simulate(50.0 * np.ones(10), rng)
    tracemalloc.start()
    chisq.goodness_of_fit(release, UNIFORM, 500, mechanism, rng, replicates=500_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 80e6  # 4 MB of draws, twice, and blocks of 8 MB


def test_groups_with_one_distribution_and_with_two():
    rng = np.random.default_rng(8)
    mechanism = RankDeficientGaussian(Groups(2, 3), 1.0)
    same = mechanism.simulate([100.0, 60.0, 40.0, 50.0, 30.0, 20.0], rng)
    test = chisq.homogeneity(same.reshape(2, 3), [200, 100], mechanism, rng, replicates=999)
    assert test.method == "bootstrap"
    assert test.p_value > 0.01
    assert test.expected.reshape(2, 3).sum(axis=1) == pytest.approx([200, 100], rel=1e-12)
    other = mechanism.simulate([100.0, 60.0, 40.0, 20.0, 30.0, 50.0], rng)
    assert chisq.homogeneity(other, [200, 100], mechanism, rng, replicates=999).p_value == 0.001


def test_rows_and_columns_that_are_independent_and_that_are_not():
    rng = np.random.default_rng(9)
    mechanism = RankDeficientGaussian(Table((2, 3)), 1.0)
    product = np.outer([60, 40], [5, 3, 2]).ravel() / 1.0
    release = mechanism.simulate(product, rng).reshape(2, 3)
    test = chisq.independence(release, 1000, mechanism, rng, replicates=999)
    assert test.method == "bootstrap"
    assert test.p_value > 0.01
    np.testing.assert_allclose(test.expected, product, atol=15)
    tilted = product + np.array([60, -60, 0, -60, 60, 0])
    release = mechanism.simulate(tilted, rng)
    assert chisq.independence(release, 1000, mechanism, rng, replicates=999).p_value == 0.001


def test_zero_margins_have_a_limiting_answer():
    # The last column holds noise only; the fit gives it half a record.
    rng = np.random.default_rng(10)
    mechanism = Gaussian(Table((2, 3)), 0.5)
    release = mechanism.simulate([30.0, 30.0, 0.0, 20.0, 20.0, 0.0], rng)
    test = chisq.independence(release, 100, mechanism, rng, replicates=999)
    assert 0.001 < test.p_value <= 1
    assert (test.expected > 0).all()


def fit(**changes):
    arguments = {
        "release": [10.3, 20.1, 69.6],
        "null": [0.2, 0.2, 0.6],
        "n": 100,
        "mechanism": RankDeficientGaussian(Table((3,)), 1.0),
        "rng": np.random.default_rng(0),
    }
    return chisq.goodness_of_fit(**{**arguments, "replicates": 99, **changes})


@pytest.mark.parametrize(
    ("changes", "name", "message"),
    [
        ({"release": [10, 20, 72]}, "release", r"must have the total 100.*at most 0\.5 in a cell"),
        ({"rng": -1}, "rng", "a seed"),
        ({"release": [10.3, 20.1, 70.6]}, "release", "must have the total 100"),
        ({"release": [10.3, 89.7]}, "release", "must have 3 cells"),
        ({"release": [[10.3, 20.1, 69.6]] * 2}, "release", "must be one table of 3 cells"),
        ({"release": [10.3, 20.1, np.nan]}, "release", "must hold numbers"),
        ({"null": [0.2, 0.2, 0.5]}, "null", "nonnegative with sum 1"),
        ({"null": [-0.2, 0.6, 0.6]}, "null", "nonnegative with sum 1"),
        ({"n": 0}, "n", r"whole number in \[1, 1e\+09\]"),
        ({"n": 99.5}, "n", "whole number"),
        ({"replicates": 0}, "replicates", r"whole number in \[1, 1e\+07\]"),
        ({"replicates": 10**9}, "replicates", r"whole number in \[1, 1e\+07\]"),
        ({"statistic": "g"}, "statistic", "must be one of ridge"),
        ({"method": "exact"}, "method", "must be monte-carlo or asymptotic"),
        ({"mechanism": Gaussian(Groups(1, 3), 1.0)}, "mechanism", "must release a Table"),
        ({"mechanism": Gaussian(BoundedMean(3, 9), 1.0)}, "mechanism", "must release a Table"),
    ],
)
def test_what_goodness_of_fit_refuses(changes, name, message):
    with pytest.raises(ParameterError, match=message) as refused:
        fit(**changes)
    assert refused.value.name == name


def test_rounded_to_two_decimals_a_release_still_passes():
    assert 0 < fit(release=[10.31, 20.12, 69.58]).p_value <= 1
    assert fit(replicates=1).p_value in (0.5, 1.0)


@pytest.mark.parametrize(
    ("sizes", "mechanism", "name"),
    [
        ([200, 0], Gaussian(Groups(2, 3), 1.0), "sizes"),
        ([200], Gaussian(Groups(2, 3), 1.0), "sizes"),
        ([200, 100.5], Gaussian(Groups(2, 3), 1.0), "sizes"),
        ([200], Gaussian(Groups(1, 6), 1.0), "mechanism"),
        ([200, 100], Gaussian(Table((2, 3)), 1.0), "mechanism"),
    ],
)
def test_what_homogeneity_refuses(sizes, mechanism, name):
    with pytest.raises(ParameterError) as refused:
        chisq.homogeneity(np.full(6, 33.3), sizes, mechanism, np.random.default_rng(0))
    assert refused.value.name == name
    with pytest.raises(ParameterError):
        Groups(2, 1)  # one category


COUNTS = np.array([40, 25, 31, 54, 12, 38])


def discrete_normal(variance, rng, shape):
    """Whole numbers k with probabilities proportional to exp(-k²/(2 σ²))."""
    k = np.arange(-60, 61)
    weights = np.exp(-(k**2) / (2 * variance))
    return rng.choice(k, size=shape, p=weights / weights.sum())


def test_a_release_of_whole_numbers_has_the_p_value_of_discrete_noise():
    # Releases of 4·10⁵ tables by hand. Between discrete noise and rounded noise: a variance of
    # 1/12 in 2 + 33; 0.01 for that, and 4.9 standard errors for a false alarm of 1e-6.
    rng = np.random.default_rng(3)
    tables = rng.multinomial(200, np.full(6, 1 / 6), size=400_000)
    for mu, release in (
        (1.0, COUNTS),
        (0.5, [31, 36, 28, 40, 33, 29]),
        (2.0, [30, 36, 28, 40, 33, 33]),
    ):
        mechanism = Gaussian(Table((2, 3)), mu)
        noisy = tables + discrete_normal(mechanism.variance, rng, tables.shape)
        scale = 200 / 6 + mechanism.variance
        values = ((noisy - 200 / 6) ** 2).sum(axis=1) / scale
        expected = (values >= ((np.array(release) - 200 / 6) ** 2).sum() / scale - 1e-9).mean()
        test = chisq.goodness_of_fit(release, [1 / 6] * 6, 200, mechanism, 5, replicates=40_000)
        assert abs(test.p_value - expected) < 0.01 * expected + 4.9 * 1.1 * test.standard_error


@pytest.mark.parametrize("mu", [0.5, 1.0, 5.0])
def test_rounded_releases_keep_the_level(mu):
    # At μ = 5 the noise vanishes in the rounding. 2000 tests at two levels: 5 standard errors.
    rng = np.random.default_rng(4)
    mechanism = RankDeficientGaussian(Table((4,)), mu)
    null = [0.1, 0.2, 0.3, 0.4]
    tables = rng.multinomial(40, null, size=2_000)
    releases = np.rint(mechanism.simulate(tables, rng))
    p_values = np.array(
        [
            chisq.goodness_of_fit(release, null, 40, mechanism, rng, replicates=199).p_value
            for release in releases
        ]
    )
    for level in (0.05, 0.3):
        assert (p_values <= level).mean() < level + 5 * math.sqrt(level * (1 - level) / 2_000)


@pytest.mark.parametrize("mechanism_class", MECHANISMS)
def test_every_test_takes_whole_numbers(mechanism_class):
    table, groups = (
        make(mechanism_class, Table((2, 3)), 1.0),
        make(mechanism_class, Groups(2, 3), 1.0),
    )
    for release in (COUNTS, COUNTS + np.eye(6, dtype=int)[0] - np.eye(6, dtype=int)[2]):
        tests = (
            chisq.goodness_of_fit(release, [1 / 6] * 6, 200, table, 0, replicates=99),
            chisq.independence(release, 200, table, 0, replicates=99),
            chisq.homogeneity(release, [96, 104], groups, 0, replicates=99),
        )
        assert all(0 < test.p_value <= 1 for test in tests)


@pytest.mark.parametrize("mechanism_class", [k for k in MECHANISMS if issubclass(k, JamesStein)])
@pytest.mark.parametrize("positive_part", [True, False])
def test_undoing_the_shrinkage_gives_the_noisy_table(mechanism_class, positive_part):
    rng = np.random.default_rng(5)
    mechanism = mechanism_class(Table((2, 5)), 0.06, positive_part=positive_part)
    noisy = rng.multinomial(100, UNIFORM, size=300) + mechanism.noise(rng, (300, 10))
    length = mechanism.shrunk_length(noisy)
    longer = length**2 > (mechanism.shrunk_dimension - 2) * mechanism.variance
    assert 0.02 < longer.mean() < 0.98
    release = mechanism.shrink(noisy)
    back = mechanism.unshrink(release)
    np.testing.assert_allclose(back[longer], noisy[longer], rtol=1e-6, atol=1e-6)
    if positive_part:
        assert (mechanism.is_centre(release) == ~longer).all()
        np.testing.assert_allclose(back[~longer], release[~longer], atol=1e-9)
    else:
        shorter = mechanism.unshrink(release, shorter=True)
        np.testing.assert_allclose(shorter[~longer], noisy[~longer], rtol=1e-6, atol=1e-6)


def test_a_release_at_its_centre_is_no_evidence_of_dependence():
    mechanism = RankDeficientJamesSteinZero(Table((3, 3)), 0.05, positive_part=True)
    test = chisq.independence(np.full(9, 100 / 9), 100, mechanism, 1, replicates=99)
    assert (test.statistic, test.p_value) == (0.0, 1.0)
    assert test.standard_error > 0


@pytest.mark.parametrize("shape", [(4,), (4, 1), (1, 4), (2, 2, 2)])
def test_independence_needs_two_rows_and_two_columns(shape):
    mechanism = Gaussian(Table(shape), 1.0)
    with pytest.raises(ParameterError, match="at least two rows and two columns"):
        chisq.independence(np.full(shape, 2.2), 9, mechanism, np.random.default_rng(0))
