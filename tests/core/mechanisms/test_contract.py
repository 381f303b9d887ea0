"""Contracts that every mechanism keeps; the reference values are in test_values."""

import dataclasses
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from explorer.core.mechanisms import (
    MECHANISMS,
    OLD_NAMES,
    Gaussian,
    JamesStein,
    JamesSteinMean,
    Laplace,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    by_key,
)
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Neighbours, Table

quick = settings(max_examples=40, deadline=None)
ALPHA = np.concatenate([np.geomspace(1e-12, 0.5, 200), 1 - np.geomspace(1e-12, 0.5, 200)])
SHRUNK = [
    mechanism_class for mechanism_class in MECHANISMS if issubclass(mechanism_class, JamesStein)
]


VARIANTS = [
    pytest.param(mechanism_class, {}, id=mechanism_class.__name__) for mechanism_class in MECHANISMS
] + [
    pytest.param(mechanism_class, {"positive_part": True}, id=f"{mechanism_class.__name__}+")
    for mechanism_class in SHRUNK
]
every_variant = pytest.mark.parametrize(("mechanism_class", "options"), VARIANTS)
every_mechanism_class = pytest.mark.parametrize("mechanism_class", MECHANISMS)
every_neighbour = pytest.mark.parametrize("neighbours", Neighbours)
statistics = st.builds(
    Table,
    st.sampled_from([(2,), (3,), (2, 2), (5,), (3, 3), (4, 6)]),
    st.sampled_from(Neighbours),
    st.integers(1, 3),
)
mus = st.floats(0.01, 10)
seeds = st.integers(0, 2**32 - 1)


class UnitVectors(np.random.Generator):
    """A generator whose normal random vectors are the unit vectors."""

    def standard_normal(self, shape):
        return np.eye(*shape)


UNIT_VECTORS = UnitVectors(np.random.PCG64(0))


def tables(seed, p, count=3):
    """Tables near and far from the uniform one, an empty one among them."""
    rng = np.random.default_rng(seed)
    near, far = 20 + rng.normal(size=p), rng.integers(0, 1000, size=p)
    return np.array([np.zeros(p), near, far])[:count]


@quick
@given(st.sampled_from([k for k in MECHANISMS if issubclass(k, Gaussian)]), statistics, mus)
def test_normal_noise_is_just_large_enough_for_the_stated_tradeoff(mechanism_class, statistic, mu):
    # T(N(θ, Σ), N(θ′, Σ)) = G_m with m² = vᵀΣ⁺v if v = θ - θ′ is in the range of Σ.
    mechanism = mechanism_class(statistic, mu)
    response = mechanism.noise(UNIT_VECTORS, (statistic.p, statistic.p))
    covariance = response.T @ response
    inverse = np.linalg.pinv(covariance, rcond=1e-10)
    differences = statistic.differences()
    np.testing.assert_allclose(differences @ inverse @ covariance, differences, atol=1e-10)
    m = math.sqrt(np.einsum("vi,ij,vj->v", differences, inverse, differences).max())
    assert m == pytest.approx(mu, rel=1e-9)
    np.testing.assert_allclose(mechanism.tradeoff(ALPHA), ndtr(-ndtri(ALPHA) - m), rtol=1e-6)
    assert np.trace(covariance) == pytest.approx(mechanism.variance * mechanism.dimension)
    deviations = np.sqrt(np.diag(covariance))
    assert deviations == pytest.approx([mechanism.cell_deviation] * statistic.p, rel=1e-12)


@every_neighbour
@pytest.mark.parametrize("mu", [0.3, 1.0, 3.0])
def test_laplace_noise_has_the_stated_tradeoff(neighbours, mu):
    # The likelihood ratio of Laplace noise grows with Σ(|x| - |x - v|), so that thresholds of it
    # are best attacks and lie on the trade-off. Both error rates at once within ε of the
    # truth, ε² = log(4/1e-7)/(2n) (Dvoretzky, Kiefer and Wolfowitz): false alarm 1e-7.
    statistic = Table((2, 2), neighbours)
    mechanism = Laplace(statistic, mu)
    v = statistic.differences()[0]
    noise = mechanism.noise(np.random.default_rng(5), (200_000, 4))
    slack = math.sqrt(math.log(4e7) / (2 * len(noise)))
    for threshold in np.linspace(-1.9, 1.9, 14):
        alpha, power = (
            ((np.abs(x) - np.abs(x - v)).sum(axis=1) > threshold).mean() for x in (noise, noise + v)
        )
        beta_low, beta_high = mechanism.tradeoff(np.clip([alpha + slack, alpha - slack], 0, 1))
        assert beta_low - slack <= 1 - power <= beta_high + slack


@every_neighbour
@every_mechanism_class
@pytest.mark.parametrize("mu", [0.05, 0.5, 1.0, 4.0])
def test_guarantee_is_mu_and_no_more(mechanism_class, neighbours, mu):
    alpha = ndtr(np.linspace(-8, 8, 20_001))
    excess = mechanism_class(Table((3, 3), neighbours), mu).tradeoff(alpha) - ndtr(
        -ndtri(alpha) - mu
    )
    assert excess.min() == pytest.approx(0, abs=1e-7)
    assert excess.min() > -1e-12


@every_neighbour
@every_variant
def test_cost_is_the_mean_squared_error_of_the_samples(mechanism_class, options, neighbours):
    # Shrunk in at least 10 dimensions, where the squared error has a variance. 5.5 standard
    # errors: a false alarm of 4e-8 a table, under 4e-6 for the 84 of them.
    statistic = Table((3, 4), neighbours)
    mechanism = mechanism_class(statistic, 0.5, **options)
    theta = tables(3, statistic.p)
    draws = mechanism.simulate(theta, np.random.default_rng(11), 20_000)
    losses = ((draws - theta) ** 2).sum(axis=-1)
    error = losses.std(axis=0) / math.sqrt(len(losses))
    assert (np.abs(losses.mean(axis=0) - mechanism.l2_cost(theta)) < 5.5 * error).all()


WITHOUT_CLOSED_FORM = {
    # A sum of projected Laplace variables; a shrunk release, whose error depends on the table.
    ("projected-laplace", "replace"),
    ("james-stein-zero", "replace"),
    ("james-stein-zero", "add-remove"),
    ("rank-deficient-james-stein-zero", "add-remove"),
}


@every_neighbour
@every_mechanism_class
def test_half_width_covers_the_noise_or_has_no_closed_form(mechanism_class, neighbours):
    # 60 000 cells of which 5 % lie outside: 5.5 standard errors.
    mechanism = mechanism_class(Table((3,), neighbours), 0.7)
    half = mechanism.half_width(0.95)
    if (mechanism_class.key, neighbours) in WITHOUT_CLOSED_FORM:
        assert half is None
        return
    outside = np.abs(mechanism.noise(np.random.default_rng(2), (60_000, 3))[:, 0]) > half
    assert abs(outside.mean() - 0.05) < 5.5 * math.sqrt(0.05 * 0.95 / outside.size)


@pytest.mark.parametrize("mechanism_class", SHRUNK)
@pytest.mark.parametrize("p", [2, 3, 4, 5])
def test_half_width_is_that_of_the_noise_until_something_is_shrunk(mechanism_class, p):
    mechanism = mechanism_class(Table((p,)), 0.7)
    shrunk = (
        p - mechanism_class.on_span - (mechanism_class in {JamesSteinMean, RankDeficientJamesStein})
    )
    assert mechanism.shrunk_dimension == shrunk
    plain = RankDeficientGaussian if mechanism_class.on_span else Gaussian
    expected = None if shrunk > 2 else plain(Table((p,)), 0.7).half_width(0.9)
    assert mechanism.half_width(0.9) == expected


@every_mechanism_class
def test_a_release_is_the_table_plus_the_noise_and_then_shrunk(mechanism_class):
    theta = tables(3, 12)
    mechanism = mechanism_class(Table((3, 4)), 0.7)
    for size, shape in ((None, (3, 12)), (4, (4, 3, 12))):
        noise = mechanism.noise(np.random.default_rng(4), shape)
        release = mechanism.simulate(theta, np.random.default_rng(4), size)
        noisy = theta + noise
        expected = mechanism.shrink(noisy) if mechanism_class in SHRUNK else noisy
        assert np.array_equal(release, expected)


@quick
@given(st.sampled_from(SHRUNK), statistics, mus, seeds)
def test_shrinking_costs_no_more_at_any_table(mechanism_class, statistic, mu, seed):
    theta = tables(seed, statistic.p)
    plain, positive = (mechanism_class(statistic, mu, positive_part=part) for part in (False, True))
    unshrunk = plain.variance * plain.dimension
    assert (positive.l2_cost(theta) <= plain.l2_cost(theta) * (1 + 1e-14)).all()
    assert (plain.l2_cost(theta) <= unshrunk * (1 + 1e-14)).all()
    if plain.shrunk_dimension > 2:
        assert plain.l2_cost(theta)[0] < unshrunk


@quick
@given(st.sampled_from([k for k in MECHANISMS if k.on_span]), seeds, mus)
def test_noise_in_the_span_keeps_a_public_total(mechanism_class, seed, mu):
    mechanism = mechanism_class(Table((3, 5)), mu)
    theta = tables(seed, 15)
    draws = mechanism.simulate(theta, np.random.default_rng(seed))
    total = np.abs(draws.sum(axis=-1) - theta.sum(axis=-1))
    assert (total < 1e-12 * np.abs(draws).max()).all()


@every_variant
def test_stacked_tables_are_released_one_by_one(mechanism_class, options):
    mechanism = mechanism_class(Table((3, 4)), 0.4, **options)
    stack = tables(8, 12).reshape(3, 1, 12) + np.arange(2.0).reshape(2, 1)
    costs = mechanism.l2_cost(stack)
    assert costs.shape == (3, 2)
    for index in np.ndindex(3, 2):
        assert costs[index] == pytest.approx(mechanism.l2_cost(stack[index]), rel=1e-13)
    assert mechanism.l2_cost(stack[0, 0]).shape == ()
    rng = np.random.default_rng
    assert mechanism.simulate(stack, rng(1)).shape == (3, 2, 12)
    assert mechanism.simulate(stack, rng(1), 5).shape == (5, 3, 2, 12)
    assert np.array_equal(mechanism.simulate(stack, rng(1)), mechanism.simulate(stack, rng(1)))


@pytest.mark.parametrize("mechanism_class", SHRUNK)
def test_stacked_releases_are_shrunk_one_by_one(mechanism_class):
    mechanism = mechanism_class(Table((3, 4)), 0.4, positive_part=True)
    stack = tables(8, 12)
    shrunk = np.array([mechanism.shrink(row) for row in stack])
    np.testing.assert_allclose(mechanism.shrink(stack), shrunk, rtol=1e-13)


@every_variant
def test_a_million_cells_need_a_few_vectors_only(mechanism_class, options):
    mechanism = mechanism_class(Table((1000, 1000)), 1.0, **options)
    theta = np.full(10**6, 5.0)
    tracemalloc.start()
    cost = mechanism.l2_cost(theta)
    draw = mechanism.simulate(theta, np.random.default_rng(1))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 * theta.nbytes
    # Of p - 3 degrees of freedom and more, or 2 + √2 normal, squared, where all is shrunk.
    assert ((draw - theta) ** 2).sum() == pytest.approx(cost, rel=0.02, abs=100)


@every_neighbour
@every_variant
@pytest.mark.parametrize("mu", [1e-50, 1e-6, 1e6, 1e50])
def test_extreme_budgets_give_no_nan(mechanism_class, options, neighbours, mu):
    mechanism = mechanism_class(Table((3, 3), neighbours), mu, **options)
    theta = np.concatenate([tables(1, 9), 1e99 * np.eye(9)])
    assert not np.isnan(mechanism.l2_cost(theta)).any()
    assert not np.isnan(mechanism.simulate(theta, np.random.default_rng(1))).any()
    assert not np.isnan(mechanism.tradeoff([0, 1e-300, 0.5, 1])).any()
    assert not math.isnan(mechanism.cell_deviation)


@every_mechanism_class
@pytest.mark.parametrize("mu", [0, -1.0, 1e-51, math.inf, math.nan, "1", None, [1.0]])
def test_refused_budgets_are_named(mechanism_class, mu):
    with pytest.raises(ParameterError) as caught:
        mechanism_class(Table((2, 2)), mu)
    assert caught.value.name == "mu"


@every_mechanism_class
def test_refused_tables_and_levels_are_named(mechanism_class):
    mechanism = mechanism_class(Table((2, 2)), 1.0)
    for call, name in (
        (lambda: mechanism.l2_cost([1, 2, 3]), "theta"),
        (lambda: mechanism.simulate([1, 2, 3, math.inf], np.random.default_rng(1)), "theta"),
        (lambda: mechanism.half_width(1.0), "level"),
    ):
        with pytest.raises(ParameterError) as caught:
            call()
        assert caught.value.name == name


@every_mechanism_class
def test_mechanisms_are_values(mechanism_class):
    mechanism = mechanism_class(Table((4, 4)), 1)
    mechanism.l2_cost(np.zeros(16))
    assert mechanism == mechanism_class(Table((4, 4)), 1.0)
    assert type(mechanism.mu) is float
    assert hash(mechanism) == hash(mechanism_class(Table((4, 4)), 1.0))
    wider = dataclasses.replace(mechanism, mu=0.5)
    assert wider.scale > mechanism.scale
    assert wider.l2_cost(np.zeros(16)) > mechanism.l2_cost(np.zeros(16))


def test_every_mechanism_has_a_key_that_never_changes():
    # Links, files of studies and style sheets hold these keys and the names from before them.
    assert [mechanism_class.key for mechanism_class in MECHANISMS] == [
        "gaussian",
        "rank-deficient",
        "james-stein-zero",
        "james-stein-mean",
        "rank-deficient-james-stein-zero",
        "rank-deficient-james-stein",
        "laplace",
        "projected-laplace",
    ]
    for mechanism_class in MECHANISMS:
        assert by_key(mechanism_class.key) is mechanism_class
        assert by_key(mechanism_class.__name__) is mechanism_class
    assert list(OLD_NAMES.values()) == [mechanism_class.key for mechanism_class in MECHANISMS]
    with pytest.raises(ParameterError, match="rank-deficient-james-stein-zero"):
        by_key("nobody")
