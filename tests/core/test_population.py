"""Cell probabilities of each pattern: directions, strengths and strongest tables."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from explorer.core import population
from explorer.core.parameter import ParameterError

quick = settings(max_examples=60, deadline=None)
shapes = (
    st.lists(st.integers(1, 12), min_size=1, max_size=4)
    .map(tuple)
    .filter(lambda shape: 2 <= math.prod(shape) <= 300)
)


@st.composite
def populations(draw):
    """A shape with a pattern: a name, or a table of counts that is not uniform."""
    shape = draw(shapes)
    if draw(st.booleans()):
        return shape, draw(st.sampled_from(population.patterns_for(shape)))
    count = st.one_of(st.integers(0, 50), st.integers(0, 10**9))
    counts = draw(st.lists(count, min_size=math.prod(shape), max_size=math.prod(shape)))
    assume(len(set(counts)) > 1)
    return shape, counts


def test_first_screen():
    shape, n, mu, w = (4, 4), 200, 0.5, 0.2
    pi = population.probabilities(shape, "spike", w)
    expected = [[11.9] * 4, [11.9, 22.2, 11.9, 11.9], [11.9] * 4, [11.9] * 4]
    assert (n * pi).reshape(shape).round(1).tolist() == expected
    variance = 2 / mu**2
    tau = ((n * pi - n / 16) ** 2).sum() / variance
    assert tau == pytest.approx(12.5, rel=1e-13)
    assert n**2 * w**2 / (16 * variance) == pytest.approx(12.5, rel=1e-13)


# By hand with fractions: π = (1, 0, ...) has w² = p Σπ² - 1 = p - 1; half the cells empty
# w = 1; (0, 1, 2, 3)/6 has w² = 4·14/36 - 1 = 5/9; 2 × 3 with scores (1, 0, -1) ⊗ (1, -1)
# at its end is (2, 1, 0, 0, 1, 2)/6, w² = 6·10/36 - 1 = 2/3.
@pytest.mark.parametrize(
    ("shape", "pattern", "squared", "end"),
    [
        ((2, 2), "spike", 3, [0, 0, 0, 1]),
        ((3, 3), "spike", 8, [0, 0, 0, 0, 1, 0, 0, 0, 0]),
        ((3,), "spike", 2, [0, 1, 0]),
        ((1, 4), "spike", 3, [0, 1, 0, 0]),
        ((2, 2), "split", 1, [Fraction(1, 2), Fraction(1, 2), 0, 0]),
        ((5,), "split", Fraction(4, 5), [Fraction(a, 5) for a in (2, 2, 1, 0, 0)]),
        ((2, 2), "trend", Fraction(5, 9), [Fraction(a, 6) for a in (0, 1, 2, 3)]),
        ((2, 2), "interaction", 1, [Fraction(1, 2), 0, 0, Fraction(1, 2)]),
        ((2, 3), "interaction", Fraction(2, 3), [Fraction(a, 6) for a in (2, 1, 0, 0, 1, 2)]),
    ],
)
def test_strongest_table_of_a_pattern(shape, pattern, squared, end):
    strongest = population.max_strength(shape, pattern)
    assert strongest == pytest.approx(math.sqrt(squared), rel=1e-14)
    pi = population.probabilities(shape, pattern, strongest)
    assert pi == pytest.approx([float(a) for a in end], abs=1e-15)


def test_spike_is_no_corner_where_there_is_room():
    corners = {(i, j) for i in (0, 3) for j in (0, 4)}
    for shape in ((4, 5), (3, 3), (2, 3)):
        cell = np.unravel_index(population.direction(shape, "spike").argmax(), shape)
        assert cell == (1, 1)
        assert cell not in corners


@quick
@given(populations())
def test_direction_is_a_unit_vector_of_zero_sum(case):
    u = population.direction(*case)
    assert np.linalg.norm(u) == pytest.approx(1, rel=1e-14)
    assert abs(u.sum()) < 1e-13


@quick
@given(populations(), st.floats(0, 1))
def test_probabilities_have_the_requested_strength(case, share):
    w = share * population.max_strength(*case)
    pi = population.probabilities(*case, w)
    assert (pi >= 0).all()
    assert pi.sum() == pytest.approx(1, abs=1e-13)
    assert population.strength(pi) == pytest.approx(w, rel=1e-9, abs=1e-14)


@quick
@given(populations())
def test_strongest_table_has_an_empty_cell_and_no_stronger_one_is_given(case):
    strongest = population.max_strength(*case)
    assert population.probabilities(*case, strongest).min() == pytest.approx(0, abs=1e-15)
    with pytest.raises(ParameterError) as caught:
        population.probabilities(*case, strongest * 1.001)
    assert caught.value.name == "strength"


@quick
@given(populations())
def test_a_table_is_its_own_pattern_at_its_own_strength(case):
    shape, pattern = case
    pi = population.probabilities(shape, pattern, population.max_strength(shape, pattern) / 3)
    again = population.probabilities(shape, 17 * pi.reshape(shape), population.strength(pi))
    assert again == pytest.approx(pi, abs=1e-14)


@quick
@given(shapes)
def test_interaction_leaves_every_margin_of_one_variable_uniform(shape):
    assume("interaction" in population.patterns_for(shape))
    u = population.direction(shape, "interaction").reshape(shape)
    for axis in range(len(shape)):
        others = tuple(other for other in range(len(shape)) if other != axis)
        np.testing.assert_allclose(u.sum(axis=others), 0, atol=1e-13)


def test_interaction_is_that_of_the_first_two_variables_with_levels():
    u = population.direction((1, 2, 3, 4), "interaction").reshape(2, 3, 4)
    np.testing.assert_allclose(u, u[:, :, :1] + np.zeros(4), rtol=1e-14)
    assert u[0, 0, 0] > 0


def test_trend_rises_by_equal_steps_and_split_falls_once():
    trend, split = (population.direction((3, 5), name) for name in ("trend", "split"))
    steps = np.diff(trend)
    np.testing.assert_allclose(steps, steps[0], rtol=1e-13)
    assert steps[0] > 0
    assert [key for key, _ in itertools.groupby(np.sign(split))] == [1, 0, -1]


@pytest.mark.parametrize("weights", [[3, 3, 3, 3], [0.1] * 4, [[1e-300] * 2] * 2])
def test_uniform_weights_have_no_direction(weights):
    assert population.direction((2, 2), weights).tolist() == [0] * 4
    assert population.max_strength((2, 2), weights) == 0
    assert population.probabilities((2, 2), weights, 0).tolist() == [0.25] * 4
    with pytest.raises(ParameterError):
        population.probabilities((2, 2), weights, 0.1)


def test_rounding_makes_no_probability_negative():
    for p in range(2, 60):
        for pattern in population.patterns_for((p,)):
            strongest = population.max_strength((p,), pattern)
            assert (population.probabilities((p,), pattern, strongest) >= 0).all()


@pytest.mark.parametrize("factor", [1e-300, 1e-200, 7, 1e95])
def test_weights_have_any_scale(factor):
    weights = np.array([3.0, 1, 4, 1, 5, 9])
    direction = population.direction((2, 3), weights)
    assert population.direction((2, 3), factor * weights) == pytest.approx(direction, rel=1e-14)


def test_strengths_broadcast():
    w = np.array([[0.0, 0.1], [0.2, 0.3]])
    pi = population.probabilities((4, 4), "trend", w)
    assert pi.shape == (2, 2, 16)
    assert population.strength(pi) == pytest.approx(w, abs=1e-15)
    assert pi[1, 0].tolist() == population.probabilities((4, 4), "trend", 0.2).tolist()


def test_one_row_has_no_interaction():
    assert population.patterns_for((2, 2)) == population.PATTERNS
    assert population.patterns_for((1, 5)) == ("spike", "split", "trend")
    with pytest.raises(ParameterError, match="at least two rows and two columns"):
        population.direction((5,), "interaction")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: population.direction((2, 2), "stripe"), "pattern"),
        (lambda: population.direction((2, 2), [1, 2, 3]), "pattern"),
        (lambda: population.direction((2, 2), [1, 2, 3, -1]), "pattern"),
        (lambda: population.direction((2, 2), [0, 0, 0, 0]), "pattern"),
        (lambda: population.direction((2, 2), [1, 2, 3, np.nan]), "pattern"),
        (lambda: population.patterns_for((1, 1)), "shape"),
        (lambda: population.probabilities((2, 2), "spike", -0.1), "strength"),
        (lambda: population.probabilities((2, 2), "spike", np.nan), "strength"),
        (lambda: population.probabilities((2, 2), "split", [0.5, 1.01]), "strength"),
        (lambda: population.strength([0.5, 0.6]), "probabilities"),
        (lambda: population.strength([1.5, -0.5]), "probabilities"),
        (lambda: population.strength(0.5), "probabilities"),
    ],
)
def test_refused_arguments_are_named(call, name):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.name == name


@pytest.mark.parametrize("least", [1 - 3e-12, 1 - 1e-9, 1 - 1e-5])
@pytest.mark.parametrize("unit", [1.0, 3.0, 1e90, 1e-90])
def test_nearly_uniform_weights_have_probabilities_of_sum_one(least, unit):
    # Whatever the last cell lacks, the direction is (1, 1, -2)/√6.
    weights = unit * np.array([1, 1, least])
    most = population.max_strength((3,), weights)
    assert most == pytest.approx(2**-0.5, rel=1e-14, abs=0)
    for w in (most, most / 3):
        pi = population.probabilities((3,), weights, w)
        assert abs(pi.sum() - 1) < 1e-15
        assert pi == pytest.approx(1 / 3 + w * np.array([1, 1, -2]) / 18**0.5, abs=1e-15)


def test_strength_takes_probabilities_in_single_precision():
    pi = np.float32([0.1, 0.2, 0.7])
    assert population.strength(pi) == pytest.approx(population.strength([0.1, 0.2, 0.7]), rel=1e-6)
