"""The trade-off function and the profile of Laplace noise.

Reference: the textbook alternating sum, exact at 120 digits. With ν the tilted distribution of the loss (see
`explorer.core.laplace._privacy_loss`), its Laplace transform is the product of cosh(aλ) + sinh(aλ)/(2λ), which
expands into one shifted polynomial for each vector of signs. The package adds positive terms only, and
for one or two shifts uses closed forms.
"""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from explorer.core import laplace, tradeoff
from explorer.core.laplace._privacy_loss import LARGEST, loss_distribution
from explorer.core.parameter import ParameterError
from explorer.core.tradeoff.closed_forms import _any_shifts

DIGITS = 120
TIGHT = 1e-12


@cache
def signed_polynomials(shifts):
    """For each sign vector s: where its polynomial begins, and the coefficients of x^(k-1)/(k-1)!."""
    terms = []
    with mp.workdps(DIGITS):
        for signs in product((1, -1), repeat=len(shifts)):
            coefficients = [mpf(1)]
            for sign in signs:
                coefficients = [
                    (coefficients[k] if k < len(coefficients) else 0)
                    + (coefficients[k - 1] * sign / mpf(2) if k else 0)
                    for k in range(len(coefficients) + 1)
                ]
            begin = -sum(sign * mpf(shift) for sign, shift in zip(signs, shifts, strict=True))
            terms.append((begin, [c / 2 ** len(shifts) for c in coefficients]))
    return terms


def tail(loss, shifts, tilt):
    """Probability of a loss above `loss`: unshifted distribution for tilt 1/2, shifted for -1/2."""
    with mp.workdps(DIGITS):
        # ν is symmetric: integrate exp(-tilt l) below -loss.
        rate, total = -mpf(tilt), mpf(0)
        for begin, (atom, *coefficients) in signed_polynomials(shifts):
            length = -mpf(loss) - begin
            if length <= 0:
                continue
            end = mp.exp(rate * length)
            integral, power = (end - 1) / rate, mpf(1)
            part = atom + coefficients[0] * integral
            for k, coefficient in enumerate(coefficients[1:], start=1):
                power *= length / k
                integral = (power * end - integral) / rate
                part += coefficient * integral
            total += mp.exp(rate * begin) * part
        return mp.exp(-sum(map(mpf, shifts)) / 2) * total


def exact_point(loss, shifts):
    """Errors of the test that rejects above `loss`, the first of them rounded to a float."""
    with mp.workdps(DIGITS):
        alpha, beta = tail(loss, shifts, -0.5), tail(-mpf(loss), shifts, -0.5)
        rounded = float(alpha)
        return rounded, beta - mp.exp(loss) * (mpf(rounded) - alpha)


vectors = st.one_of(
    st.lists(st.floats(-3, 1.3).map(lambda exponent: 10**exponent), min_size=1, max_size=4),
    st.tuples(st.floats(0.001, 10), st.integers(1, 5)).map(lambda pair: [pair[0]] * pair[1]),
)


# No part of the sum of equal shifts, where an atom would make the two errors ambiguous.
places = st.integers(-999, 998).map(lambda thousandth: (thousandth + 0.3819) / 1000)


@settings(max_examples=50, deadline=None)
@given(vectors, places)
@example([1.0, 1.0], 0.2)
@example([1.0, 1.0], -0.2)
@example([0.3], 0.5)
@example([1.0, 2.0, 3.0], 0.05)  # sums meet, in one knot
@example([0.1, 0.2, 0.3], 1e-3)  # and here but for rounding
@example([1e-9, 1.0], 0.5)
@example([5.0, 0.01, 0.01], 0.7)
@example([0.47, 3.84, 10.23, 14.47], 0.48)  # pieces of degree 2 cut at both ends
@example([0.1, 1.0, 1.5, 2.0], 0.1)  # an interval cut in three
@example([0.1, 1.0, 1.5, 2.0], -0.1)
def test_tradeoff_matches_the_alternating_sum(shifts, place):
    shifts = tuple(shifts)
    alpha, beta = exact_point(place * sum(shifts), shifts)
    assume(0 < alpha < 1 - 1e-9)  # nearer to one the reference is itself only linear
    assert tradeoff.laplace(alpha, shifts) == pytest.approx(float(beta), rel=TIGHT, abs=0)


@settings(max_examples=50, deadline=None)
@given(vectors, places.map(abs))
@example([0.5, 0.5, 0.5], 0.4 / 1.5)
@example([0.47, 3.84, 10.23, 14.47], 0.48)
@example([0.1, 1.0, 1.5, 2.0], 0.1)  # an interval cut in three
def test_delta_matches_the_alternating_sum(shifts, place):
    shifts = tuple(shifts)
    epsilon = place * sum(shifts)
    with mp.workdps(DIGITS):
        exact = tail(epsilon, shifts, 0.5) - mp.exp(epsilon) * tail(epsilon, shifts, -0.5)
    assert laplace.delta(epsilon, shifts) == pytest.approx(float(exact), rel=TIGHT, abs=0)


@pytest.mark.parametrize(
    ("shifts", "epsilon", "delta"),
    [
        ([1], 0.5, -math.expm1(-0.25)),
        ([0.5, 0.5], 0, 0.24183667535920822),
        ([1, 1], 0.5, 0.350495989981104778),
        ([1, 1], 1.9, 0.0249898398867681407),
        ([1, 1], 2, 0),
        ([0.5] * 3, 0.4, 0.185418986469050347),
        ([0.4] * 4, 0.9, 0.0572906621021556058),
        ([0.3] * 6, 0.5, 0.122466893844448831),
        ([1, 0.3, 0], 0.5, 0.229131947059014804),
        ([1, 0.6, 0.2], 0.1, 0.388796647313320862),
        ([200] * 3, 590, 0.94693866738220194661),  # the smallest loss, -600, is far from ε
        ([100, 150, 500], 749, 0.14706625977910924806),
        ([350, 349], 350, 1),
        ([0, 0], 0, 0),
        ([], 0.1, 0),
        ([math.inf], 5, 1),
        ([1, math.inf], math.inf, 0),
        ([1, 2], math.inf, 0),
    ],
)
def test_delta(shifts, epsilon, delta):
    computed = laplace.delta(epsilon, shifts)
    assert computed == pytest.approx(delta, rel=TIGHT, abs=0)
    assert computed <= 1


@pytest.mark.parametrize(
    ("alpha", "beta"),
    [
        (0.01, 0.926109439010693498),
        (0.03, 0.778328317032080493),
        (0.05, 0.652961332782037132),
        (0.1, 0.490926516981820895),
        (0.2, 0.351819161757163482),
        (0.3, 0.251819161757163482),
        (0.5, 0.0959572943607118807),
        (0.74, 0.0352146989138470846),
        (0.9, 0.0135335283236612692),
        (0, 1),
        (1, 0),
    ],
)
def test_tradeoff_of_two_shifts_of_one(alpha, beta):
    # Enumeration of the five pieces with 30 digits.
    assert tradeoff.laplace(alpha, [1, 1]) == pytest.approx(beta, rel=1e-14, abs=0)


@pytest.mark.parametrize("a", [1e-6, 0.01, 0.5, 3.0, 20.0, 100.0, 300.0, 400.0])
@pytest.mark.parametrize("count", [1, 2])
def test_closed_forms_agree_with_the_general_distribution(a, count):
    alpha = np.concatenate(
        [np.geomspace(1e-300, 0.5, 200), np.linspace(0, 1, 101), 1 - np.geomspace(1e-12, 0.5, 60)]
    )
    closed = tradeoff.laplace(alpha, [a] * count)
    general = _any_shifts(alpha, loss_distribution((a,) * count))
    seen = closed > 1e-300
    np.testing.assert_allclose(general[seen], closed[seen], rtol=TIGHT)
    assert np.all(general[~seen] < 1e-299)


@pytest.mark.parametrize(
    "shifts",
    [(2,), (1, 1), (0.7, 0.7, 0.7), (1, 0.6, 0.2), (0.2,) * 12, (1.0,) * 40, (400.0, 400.0)],
)
def test_curve_decreases_is_convex_and_its_own_inverse(shifts):
    alpha = np.linspace(0, 1, 301)
    beta = tradeoff.laplace(alpha, shifts)
    assert beta[0] == 1
    assert beta[-1] == 0
    assert np.all(np.diff(beta) <= 1e-15)
    assert np.all(np.diff(beta, 2) >= -1e-14)
    assert np.all(beta <= 1 - alpha + 1e-15)
    inner = (beta > 1e-3) & (beta < 0.999)
    back = tradeoff.laplace(beta[inner], shifts)
    np.testing.assert_allclose(back, alpha[inner], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    "shifts",
    [
        *((0.3,) * 20, (3.0,) * 60, (0.01, 2, 0.4, 0.4), (9, 1, 1, 1)),
        *((150.0,) * 40, (400.0,) * 12, (600.0, 1.0)),  # most of an interval holds next to nothing
    ],
)
def test_both_distributions_of_the_loss_have_mass_one(shifts):
    total = loss_distribution(shifts).reached[:, 0]
    assert total[[0, 2]] == pytest.approx([1, 1], rel=1e-13, abs=0)


@pytest.mark.parametrize(
    "shifts",
    [
        *((3.0,), (0.3,) * 20, (0.01, 2, 0.4, 0.4), (1, 0.6, 0.2), (0.1, 1.0, 1.5, 2.0)),
        (20, 20 + 2.5e-10, 20 + 5e-10),  # the third cuts very near an end of an interval
    ],
)
def test_the_measure_is_scaled_to_mass_one(shifts):
    # That of one shift a has mass 1 + a/2, and convolution multiplies masses.
    distribution = loss_distribution(shifts)
    mass = distribution.atoms.sum() + np.diff(distribution.knots) @ distribution.densities.mean(
        axis=1
    )
    assert mass == pytest.approx(1, rel=1e-13, abs=0)
    logs = sum(math.log1p(shift / 2) for shift in shifts)
    assert distribution.log_mass == pytest.approx(logs, rel=1e-13, abs=0)


@pytest.mark.parametrize(
    ("shifts", "unit"),
    [
        ((0.3, 0.1 + 0.2), 0.3),
        ((0.1, 0.2, 0.3), 0.1),
        (tuple(k / 10 for k in range(1, 21)), 0.1),
        ((1 / 3, 2 / 3, 1.0, 1 / 3 + 2 / 3), 1 / 3),
    ],
)
def test_sums_that_differ_by_rounding_only_are_one_knot(shifts, unit):
    # Enumeration in whole numbers.
    sums = {0}
    for shift in shifts:
        whole = round(shift / unit)
        sums = {total + sign * whole for total in sums for sign in (1, -1)}
    knots = unit * np.array(sorted(sums))
    np.testing.assert_allclose(
        loss_distribution(shifts).knots, knots, rtol=0, atol=1e-14 * knots[-1]
    )


def test_many_small_shifts_approach_the_gaussian():
    alpha = np.linspace(0.01, 0.99, 99)
    shifts = np.full(64, 1 / 8)
    gap = tradeoff.laplace(alpha, shifts) - tradeoff.gaussian(alpha, 1)
    assert np.abs(gap).max() < 0.01
    assert np.abs(gap).max() > 1e-4


def test_simulated_tests_make_the_errors_of_the_curve():
    # 400 000 draws each: six standard errors, false alarm below 1e-8 for all comparisons together.
    shifts, count = np.array([1.0, 0.6, 0.2]), 400_000
    rng = np.random.default_rng(20)
    noise = rng.laplace(size=(2, count, 3)) + np.array([np.zeros(3), shifts])[:, np.newaxis]
    loss = (np.abs(noise) - np.abs(noise - shifts)).sum(axis=-1)
    for threshold in (-0.9, -0.2, 0.1, 0.7, 1.3):
        alpha, beta = np.mean(loss[0] > threshold), np.mean(loss[1] <= threshold)
        curve = tradeoff.laplace([alpha - 0.005, alpha + 0.005], shifts)
        slope = (curve[0] - curve[1]) / 0.01
        error = math.sqrt(beta * (1 - beta) / count) + slope * math.sqrt(
            alpha * (1 - alpha) / count
        )
        assert tradeoff.laplace(alpha, shifts) == pytest.approx(beta, abs=6 * error)


def test_zero_and_infinite_shifts():
    alpha = np.array([0, 1e-9, 0.3, 1])
    assert tradeoff.laplace(alpha, []).tolist() == (1 - alpha).tolist()
    assert tradeoff.laplace(alpha, [0, 0]).tolist() == (1 - alpha).tolist()
    assert tradeoff.laplace(alpha, [0, math.inf]).tolist() == [1, 0, 0, 0]
    assert tradeoff.laplace(alpha, [0, 2, 0]).tolist() == tradeoff.laplace(alpha, [2]).tolist()
    assert tradeoff.laplace(alpha, [2, 1]).tolist() == tradeoff.laplace(alpha, [1, 2]).tolist()


def test_no_shift_loses_nothing_at_any_epsilon():
    assert laplace.delta([0, 0.5], [0, 0]).tolist() == [0, 0]
    assert laplace.delta(np.empty((0, 2)), []).shape == (0, 2)


def test_deltas_of_an_array_are_those_of_its_entries():
    epsilon = np.array([[0.0, 0.4, 1.1], [2.2, 3.0, 9.0]])
    for shifts in ([1, 2], [0.5] * 4):
        one_by_one = [[laplace.delta(entry, shifts) for entry in row] for row in epsilon]
        np.testing.assert_allclose(laplace.delta(epsilon, shifts), one_by_one, rtol=1e-14)


def test_shifts_may_come_in_any_shape():
    assert tradeoff.laplace(0.3, 2) == tradeoff.laplace(0.3, [2])
    assert tradeoff.laplace(0.3, [[1, 3], [2, 1]]) == tradeoff.laplace(0.3, [1, 1, 2, 3])
    assert laplace.delta(0.3, 2) == laplace.delta(0.3, [2])
    assert laplace.delta(0.3, [[1, 3], [2, 1]]) == laplace.delta(0.3, [1, 1, 2, 3])


def test_as_many_pieces_as_are_allowed():
    # The sums of these are all even numbers up to 256.
    shifts = (1.0, *(2.0**k for k in range(8)))
    assert len(loss_distribution(shifts).densities) == LARGEST
    with mp.workdps(DIGITS):
        exact = tail(9.5, shifts, 0.5) - mp.exp(9.5) * tail(9.5, shifts, -0.5)
    assert laplace.delta(9.5, shifts) == pytest.approx(float(exact), rel=TIGHT, abs=0)
    with pytest.raises(ParameterError, match=f"at most {LARGEST} pieces"):
        loss_distribution((1.0, *shifts))


def test_shifts_with_too_many_sums_are_refused():
    rng = np.random.default_rng(1)
    with pytest.raises(ParameterError, match=f"at most {LARGEST} pieces"):
        tradeoff.laplace(0.1, rng.random(12))
    with pytest.raises(ParameterError, match=f"at most {LARGEST} pieces"):
        laplace.delta(0.1, rng.random(12))
