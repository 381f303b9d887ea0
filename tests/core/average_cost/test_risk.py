"""Expected risks of shrinkage over multinomial tables, and the mechanisms' expected costs."""

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, xlogy

from explorer.core import average_cost, population, shrinkage
from explorer.core.average_cost._distance import Distance
from explorer.core.average_cost._distance_from_line import NEAR, LineDistance
from explorer.core.average_cost._multinomial import _log_stirling, log_poisson
from explorer.core.mechanisms import (
    MECHANISMS,
    Gaussian,
    JamesStein,
    RankDeficientJamesStein,
)
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import SimplexMean, Table

quick = settings(max_examples=60, deadline=None)


def tables(n, pi):
    """Every table of n records and its multinomial probability."""
    p = len(pi)
    bars = np.array(list(itertools.combinations(range(n + p - 1), p - 1)))
    ends = np.full((len(bars), 1), n + p - 1)
    x = np.diff(bars, axis=1, prepend=-1, append=ends) - 1.0
    return x, np.exp(gammaln(n + 1) + (xlogy(x, pi) - gammaln(x + 1)).sum(axis=1))


@st.composite
def multinomials(draw):
    """Small tables, empty and sure cells among them."""
    n, weights = draw(
        st.tuples(
            st.integers(0, 12),
            st.lists(st.sampled_from([0, 1e-6, 0.1, 0.5, 1, 1, 2]), min_size=2, max_size=5),
        ).filter(lambda multinomial: sum(multinomial[1]) > 0)
    )
    return n, np.array(weights) / sum(weights)


@quick
@given(multinomials(), st.integers(1, 8), st.floats(-3, 3), st.booleans())
def test_risk_is_the_mean_over_all_tables(multinomial, nu, log_sigma, centred):
    n, pi = multinomial
    sigma = 10**log_sigma
    x, chance = tables(n, pi)
    tau = ((x - centred * n / len(pi)) ** 2).sum(axis=1) / sigma**2
    mean = chance @ shrinkage.risk(nu, tau)
    assert average_cost.risk(nu, sigma, n, pi, centred=centred) == pytest.approx(mean, rel=1e-11)


@settings(max_examples=40, deadline=None)
@given(
    multinomials(),
    st.sampled_from(MECHANISMS),
    st.sampled_from(["replace", "add-remove"]),
    st.booleans(),
    st.floats(-2, 1),
)
def test_expected_cost_is_the_mean_cost_of_all_tables(
    multinomial, mechanism_class, neighbours, positive, log_mu
):
    n, pi = multinomial
    options = {"positive_part": positive} if issubclass(mechanism_class, JamesStein) else {}
    mechanism = mechanism_class(Table((len(pi),), neighbours), 10**log_mu, **options)
    x, chance = tables(n, pi)
    mean = chance @ mechanism.l2_cost(x)
    assert mechanism.expected_l2_cost(n, pi) == pytest.approx(mean, rel=1e-9, abs=0)


@pytest.mark.parametrize(
    "mechanism_class",
    [choice for choice in MECHANISMS if issubclass(choice, JamesStein)],
)
@pytest.mark.parametrize("mu", [0.3, 30])
def test_the_expected_cost_of_a_certain_table_is_its_cost(mechanism_class, mu):
    mechanism = mechanism_class(Table((5,)), mu, positive_part=True)
    for cell in range(5):
        sure = np.eye(5)[cell]
        cost = mechanism.l2_cost(7 * sure)
        assert mechanism.expected_l2_cost(7, sure) == pytest.approx(cost, rel=1e-13, abs=0)
        empty = mechanism.l2_cost(0 * sure)
        assert mechanism.expected_l2_cost(0, sure) == pytest.approx(empty, rel=1e-13, abs=0)


@quick
@given(multinomials(), st.booleans(), st.floats(-2, 3))
@example((8, np.full(4, 0.25)), True, 2.5)  # the even table is all that is seen
@example((9, np.full(4, 0.25)), True, 1.5)
def test_distances_of_all_tables(multinomial, centred, log_s):
    n, pi = multinomial
    assume(n > 0)
    x, chance = tables(n, pi)
    distance = ((x - centred * n / len(pi)) ** 2).sum(axis=1)
    computed = Distance(n, pi, centred)
    assert computed.mean == pytest.approx(chance @ distance, rel=1e-12)
    s = 10**log_s * np.array([1, 1 + 0.3j])
    exact = np.exp(-np.multiply.outer(s, distance)) @ chance
    assert computed.transform(s) == pytest.approx(exact, rel=1e-9, abs=1e-12)


def unit(*coordinates):
    return np.array(coordinates, dtype=float) / np.linalg.norm(coordinates)


# Lines that pass through tables, and not quite: at such s only tables within a hair of them count.
NEAR_LINES = [
    (9, [0.2, 0.3, 0.5], 3.0, unit(1, -1, 0)),
    (9, [0.2, 0.3, 0.5], 3.0, unit(1, 0.02, -1.02)),
    (9, [0.3, 0.3, 0.4], 3.0, unit(2.01, -1, -1.01)),
    (10, [0.2, 0.3, 0.5], 0.0, unit(2, 3, 5)),
    (10, [0.25, 0.25, 0.5], 0.0, unit(2, 3.02, 5.01)),
    (8, [0.5, 0, 0.25, 0.25], 2.0, unit(0, -2, 1, 1.01)),
    (8, [0.1, 0.4, 0.4, 0.1], 2.0, unit(-3, 1, 1, 1)),
    (60, [0.25, 0.25, 0.5], 20.0, unit(-1, 0.01, 0.99)),
    (60, [0.04, 0.06, 0.9], 0.0, unit(2, 3.003, 55)),
    (4, [0.5, 0.5], 2.0, unit(1, -1)),
    (7, [0.3, 0.3, 0.4], 7 / 3, unit(-1, -1.01, 2.01)),
    (7, [0.3, 0.3, 0.4], 7 / 3, unit(-1, 0.51, 0.5)),
]


@pytest.mark.parametrize(("n", "pi", "centre", "w"), NEAR_LINES)
def test_small_noise_sees_the_tables_next_to_the_line(n, pi, centre, w):
    x, chance = tables(n, pi)
    # Lagrange's identity: ‖D‖² - (w·D)² is the sum of all (D_i w_j - D_j w_i)², i < j.
    crossed = np.einsum("ti,j->tij", x - centre, w)
    distance = ((crossed - crossed.transpose(0, 2, 1)) ** 2).sum(axis=(1, 2)) / 2
    line = LineDistance(n, np.array(pi), centre, w)
    assert line.mean == pytest.approx(chance @ distance, rel=1e-12)
    s = NEAR * np.array([1.001, 1.5, 3 + 1j, 5 - 4j, 100])
    exact = np.exp(-np.multiply.outer(s, distance)) @ chance
    assert abs(exact[0]) > 1e-4
    assert line.transform(s) == pytest.approx(exact, rel=1e-9, abs=1e-13)
    # On the other side of `NEAR` an integral takes over.
    s = NEAR * np.array([0.9, 0.999, 0.999 + 0.2j])
    exact = np.exp(-np.multiply.outer(s, distance)) @ chance
    assert line.transform(s) == pytest.approx(exact, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("k", [0, 1, 2, 9, 15, 16, 17, 18, 20, 100, 10**6, 10**9])
def test_poisson_densities_keep_their_digits(k):
    means = np.array([0.5, 7.3, max(0.9 * k, 1.0), k + 0.25, 1.2 * k + 1])
    with mpmath.workdps(40):
        remainder = mpmath.loggamma(k + 1) - (k * mpmath.log(k) if k else 0) + k
        exact = [k * mpmath.log(mean) - mean - mpmath.loggamma(k + 1) for mean in means]
    computed = _log_stirling(np.array([float(k)]))
    assert computed[0] == pytest.approx(float(remainder), rel=4e-15, abs=1e-15)
    computed = log_poisson(np.full(5, float(k)), means)
    assert computed == pytest.approx([float(value) for value in exact], rel=4e-15, abs=4e-15)


@pytest.mark.parametrize("pi", [[0.5, 0.5], [0.1, 0.9], [0.5, 0.5, 0]])
def test_all_tables_of_two_cells_are_on_their_line(pi):
    w = unit(1, -1, *[0] * (len(pi) - 2))
    line = LineDistance(10_000, np.array(pi), 5000.0 if len(pi) == 2 else 0.0, w)
    distance = 0 if len(pi) == 2 else 10_000**2 / 2
    s = np.array([137, 500, 1e6])
    assert line.transform(s + 0j) == pytest.approx(np.exp(-s * distance), rel=1e-11)


def many_tables(n, pi):
    """As `tables`, for three cells and large n."""
    i, j = np.tril_indices(n + 1)
    x = np.stack([j, i - j, n - i], axis=1).astype(float)
    return x, np.exp(gammaln(n + 1) + (xlogy(x, pi) - gammaln(x + 1)).sum(axis=1))


SMOOTH_LAWS = [
    (100, [0.2, 0.3, 0.5], unit(1, 1, 1)),
    (100, [0.2, 0.3, 0.5], unit(3, -1, -2)),
    (100, [1 / 3] * 3, unit(1, 0, -1)),
    (100, [0.01, 0.04, 0.95], unit(5, -1, 2)),
    (100, [0.98, 0.01, 0.01], unit(1, 0.1, 0)),
    (100, [0.3, 0, 0.7], unit(1, 2, 1)),
]


@pytest.mark.parametrize(("n", "pi", "w"), SMOOTH_LAWS)
@pytest.mark.parametrize("centred", [True, False])
def test_large_tables_are_as_smooth_as_their_distributions_assume(n, pi, w, centred):
    x, chance = many_tables(n, np.array(pi))
    centre = centred * n / 3
    square = ((x - centre) ** 2).sum(axis=1)
    crossed = np.einsum("ti,j->tij", x - centre, w)
    distance = ((crossed - crossed.transpose(0, 2, 1)) ** 2).sum(axis=(1, 2)) / 2
    neighbours = 1 + 0.02 * np.arange(2)
    for line, q in (
        (Distance(n, np.array(pi), centred), square),
        (LineDistance(n, np.array(pi), centre, w), distance),
    ):
        for real in (1e-5, 1e-3, 0.01, 0.1, 0.99, 1.01, 20):
            for turn in (1, 1 + 0.5j, 1 - 2j):
                s = real * turn * neighbours
                exact = np.exp(-np.multiply.outer(s, q)) @ (chance / chance.sum())
                np.testing.assert_allclose(line.transform(s), exact, rtol=1e-9, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(multinomials(), st.sampled_from(MECHANISMS[2:6]), st.booleans(), st.floats(1, 4))
def test_expected_cost_at_little_noise(multinomial, mechanism_class, positive, log_mu):
    n, pi = multinomial
    mechanism = mechanism_class(Table((len(pi),)), 10**log_mu, positive_part=positive)
    x, chance = tables(n, pi)
    mean = chance @ mechanism.l2_cost(x)
    assert mechanism.expected_l2_cost(n, pi) == pytest.approx(mean, rel=1e-9, abs=0)


# Full enumeration of the multinomial tables, to 15 digits: uniform and uneven, p = 4 and 5.
EXACT = [
    (
        6,
        [0.25] * 4,
        0.5,
        False,
        [32, 24, 21.1337453171003287, 25.2756037710756164, 17.2756037710756164],
    ),
    (
        6,
        [0.4, 0.3, 0.2, 0.1],
        0.5,
        False,
        [32, 24, 21.5318822390755239, 25.632865692693745, 17.632865692693745],
    ),
    (
        8,
        [0.2] * 5,
        1,
        False,
        [10, 8, 8.30680807421497976, 7.80316309931935058, 5.80316309931935058, 6.90112095375146407],
    ),
    (
        8,
        [0.4, 0.3, 0.1, 0.1, 0.1],
        1,
        False,
        [10, 8, 8.55407620684212377, 8.37882752136426374, 6.37882752136426374, 6.84741738155881988],
    ),
    (6, [0.25] * 4, 0.5, True, [32, 24, None, 22.6227294803787224, 14.6227294803787224]),
]


@pytest.mark.parametrize(("n", "pi", "mu", "positive", "costs"), EXACT)
def test_enumerated_costs(n, pi, mu, positive, costs):
    table = Table((len(pi),))
    for mechanism_class, cost in zip(MECHANISMS, costs, strict=False):
        options = {"positive_part": positive} if issubclass(mechanism_class, JamesStein) else {}
        if cost is not None:
            got = mechanism_class(table, mu, **options).expected_l2_cost(n, pi)
            assert got == pytest.approx(cost, rel=1e-13, abs=0)


def test_distributions_broadcast():
    mechanism = MECHANISMS[4](Table((2, 2)), 0.5)
    distributions = np.array([[0.25] * 4, [0.4, 0.3, 0.2, 0.1]])
    both = mechanism.expected_l2_cost(6, distributions)
    assert both.shape == (2,)
    assert both == pytest.approx([17.2756037710756164, 17.632865692693745], rel=1e-13, abs=0)
    assert mechanism.expected_l2_cost([[6], [0]], distributions).shape == (2, 2)


@pytest.mark.parametrize(
    ("n", "pi"),
    [
        (-1, [0.5, 0.5]),
        (1.5, [0.5, 0.5]),
        (5, [0.5, 0.6]),
        (5, [1.5, -0.5]),
        (5, [1.0]),
        ("6", [0.5, 0.5]),
    ],
)
def test_what_is_no_distribution_is_refused(n, pi):
    for mechanism_class in MECHANISMS:
        with pytest.raises(ParameterError):
            mechanism_class(Table((2,)), 1.0).expected_l2_cost(n, pi)


def test_only_tables_are_multinomial():
    with pytest.raises(ParameterError, match="Table"):
        Gaussian(SimplexMean(3, 10), 1.0).expected_l2_cost(6, [0.2, 0.3, 0.5])


def test_a_large_table_agrees_with_simulation():
    # 20,000 tables; |z| < 5 has a false-alarm rate of 6e-7.
    rng = np.random.default_rng(20261130)
    pi = rng.dirichlet(np.full(30, 0.7))
    x = rng.multinomial(5000, pi, size=20_000)
    for mechanism_class in MECHANISMS[2:6]:
        for positive in (False, True):
            mechanism = mechanism_class(Table((30,)), 0.05, positive_part=positive)
            costs = mechanism.l2_cost(x)
            error = costs.std() / np.sqrt(len(costs)) + 1e-12 * costs.mean()
            assert abs(mechanism.expected_l2_cost(5000, pi) - costs.mean()) < 5 * error


@pytest.mark.parametrize("mu", [1e-6, 1e-3, 0.05, 1.0, 20.0, 1e4])
@pytest.mark.parametrize("positive", [False, True])
def test_twelve_thousand_tables_are_averaged_at_every_privacy(mu, positive):
    pi = np.array([0.55, 0.3, 0.1499, 0.0001])
    x, chance = tables(40, pi)
    assert chance.sum() == pytest.approx(1, rel=1e-12)
    for mechanism_class in MECHANISMS[2:6]:
        mechanism = mechanism_class(Table((4,), "add-remove"), mu, positive_part=positive)
        mean = chance @ mechanism.l2_cost(x)
        assert mechanism.expected_l2_cost(40, pi) == pytest.approx(mean, rel=1e-10, abs=0)


@pytest.mark.parametrize("mu", [0.02, 0.7])
def test_any_direction_couples_the_cells(mu):
    # Two cells are never filled; the direction points along one of them too.
    pi = np.array([0.5, 0.0, 0.2, 0.2, 0.1, 0.0])
    filled, chance = tables(15, pi[pi > 0])
    x = np.zeros((len(filled), 6))
    x[:, pi > 0] = filled
    for direction in ([5, -1, -1, -1, -1, -1], [1, 2, 3, -6, 0, 0], [0, 1, 0, 0, 0, -1]):
        mechanism = MECHANISMS[5](Table((6,)), mu, positive_part=True, direction=direction)
        mean = chance @ mechanism.l2_cost(x)
        assert mechanism.expected_l2_cost(15, pi) == pytest.approx(mean, rel=1e-8, abs=0)


def test_a_thousand_cells_and_a_million_records_agree_with_simulation():
    # Eight means of 2,000 tables; |z| < 5.6 in all has a false-alarm rate of 2e-7.
    rng = np.random.default_rng(1)
    pi = np.arange(1.0, 1001)
    pi /= pi.sum()
    x = rng.multinomial(10**6, pi, size=2_000).astype(float)
    for mechanism_class in MECHANISMS[2:6]:
        for mu in (0.005, 0.5):
            mechanism = mechanism_class(Table((1000,)), mu)
            costs = mechanism.l2_cost(x)
            error = costs.std() / np.sqrt(len(costs)) + 1e-12 * costs.mean()
            assert abs(mechanism.expected_l2_cost(10**6, pi) - costs.mean()) < 5.6 * error


def test_probabilities_are_scaled_to_sum_one_and_broadcast_against_the_sizes():
    distributions = np.array([[0.5, 0.25, 0.25 + 9e-10], [0.0, 0.5, 0.5 - 9e-10]])
    n, pi = average_cost.check_distribution([[3], [4], [5]], distributions, 3)
    assert n.tolist() == [[3, 3], [4, 4], [5, 5]]
    assert pi.shape == (3, 2, 3)
    assert pi.sum(axis=-1) == pytest.approx(1, rel=1e-15, abs=0)
    for bad in ([0.5, 0.25, 0.25 + 2e-9], [0.5, 0.75, -0.25]):
        with pytest.raises(ParameterError, match="sum 1"):
            average_cost.check_distribution(1, bad, 3)


@pytest.mark.parametrize("mu", [20.0, 40.0])
def test_a_rare_table_on_the_line_counts_at_little_noise(mu):
    # All tables of 20 records in 5 cells. Near the largest strength a table that lies on the line of
    # the unshrunk direction, far from the mean, was overlooked: 3e-9 of the cost.
    n, p = 20, 5
    ends = np.array(list(itertools.combinations(range(n + p - 1), p - 1)))
    bars = np.c_[np.full(len(ends), -1), ends, np.full(len(ends), n + p - 1)]
    tables = (np.diff(bars, axis=1) - 1).astype(float)
    most = population.max_strength((p,), "trend")
    pi = population.probabilities((p,), "trend", 0.97 * most)
    log_chance = gammaln(n + 1) - gammaln(tables + 1).sum(1) + tables @ np.log(pi)
    mechanism = RankDeficientJamesStein(Table((p,)), mu)
    expected = np.exp(log_chance) @ mechanism.l2_cost(tables)
    assert mechanism.expected_l2_cost(n, pi) == pytest.approx(expected, rel=1e-11, abs=0)
