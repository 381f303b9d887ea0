"""The pieces that all plots share: labels moved apart, kept axes, colours by name."""

import numpy as np
import pytest
from drawings import resolve
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from explorer.core.mechanisms import MECHANISMS
from explorer.panels import figure, palette

HEIGHTS = st.lists(st.floats(-5, 15), max_size=8).map(np.array)
CROWDED = st.lists(st.floats(3, 7) | st.floats(-1, 11), min_size=2, max_size=8).map(np.array)


@settings(max_examples=150, deadline=None)
@given(HEIGHTS, st.floats(0, 4))
@example(np.zeros(8), 1.0)
@example(np.array([3.0, 1.0, 1.0, 2.0]), 4.0)
def test_labels_are_moved_apart_in_their_order(heights, gap):
    before = heights.copy()
    places = figure.spread(heights, gap, 0.0, 10.0)
    assert places.shape == heights.shape
    assert (heights == before).all()
    assert (places >= 0).all()
    assert (places <= 10 + 1e-12).all()
    if len(heights) > 1:
        fitting = min(gap, 10 / (len(heights) - 1))
        sorted_places = places[np.argsort(heights, kind="stable")]
        assert (np.diff(sorted_places) >= fitting - 1e-12).all()


@settings(max_examples=40, deadline=None)
@given(CROWDED, st.floats(0.01, 1.4))
@example(np.array([5.0, 5.1, 5.2]), 1.0)
@example(np.array([9.0, 9.5, 9.9, 0.0, 0.1]), 1.0)
def test_labels_stay_as_near_as_may_be(heights, gap):
    # The same least squares by a general solver, from the gaps as constraints.
    wishes = np.sort(heights)
    places = np.sort(figure.spread(heights, gap, 0.0, 10.0))
    apart = {"type": "ineq", "fun": lambda x: np.diff(x) - gap}
    found = minimize(
        lambda x: ((x - wishes) ** 2).sum(),
        np.linspace(0, 10, len(wishes)),
        jac=lambda x: 2 * (x - wishes),
        bounds=[(0, 10)] * len(wishes),
        constraints=[apart],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert found.success
    np.testing.assert_allclose(places, found.x, atol=2e-5)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 9), max_size=6, unique=True).map(np.array))
def test_labels_that_fit_stay_where_they_are(heights):
    np.testing.assert_array_equal(figure.spread(heights.astype(float), 1.0, 0.0, 10.0), heights)


@pytest.mark.parametrize(
    ("span", "kept", "wanted"),
    [
        ((0, 1), None, (0, 1)),
        ((0, 1), (0, 2), (0, 2)),  # still fits
        ((0, 1), (0, 1), (0, 1)),
        ((0, 1), (0, 0.9), (0, 1)),  # would leave the plot
        ((0.1, 1), (0.2, 1.5), (0.1, 1)),
        ((0, 1), (-1, 2), (-1, 2)),  # three times as wide
        ((0, 1), (-1.01, 2), (0, 1)),  # would become a line at the bottom
    ],
)
def test_an_axis_is_kept_while_it_fits(span, kept, wanted):
    axis = None if kept is None else {"range": list(kept)}
    assert figure.keep(span, axis) == wanted


def test_both_themes_name_the_same_colours():
    light, dark = palette.palettes()["light"], palette.palettes()["dark"]
    assert light.keys() == dark.keys()
    assert light["gaussian"] == "#4D4D4D"
    assert dark["gaussian"] == "#BFBFBF"
    assert {mechanism_class.key for mechanism_class in MECHANISMS} <= light.keys()
    assert light["paper"] != dark["paper"]


def test_colour_names_are_resolved_wherever_they_stand():
    plot = {"a": ["@ink", 1.0, {"b": "@grid"}], "c": "ink", "d": np.ones(2)}
    done = resolve(plot, "dark")
    assert done["a"][0] == palette.DARK["ink"]
    assert done["a"][2]["b"] == palette.DARK["grid"]
    assert done["c"] == "ink"
    assert done["d"] is plot["d"]
    assert plot["a"][0] == "@ink"
    with pytest.raises(KeyError):
        resolve("@nothing")
