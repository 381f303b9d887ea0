"""Sliders: from notches to values and back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.app.control import FIELDS
from explorer.app.quantities import DECLARED as PARAMETERS
from explorer.app.quantities import QUANTITIES
from explorer.app.scale import Scale
from explorer.scenario import Scenario

SCALES = {quantity.name: quantity.scale(Scenario()) for quantity in QUANTITIES if quantity.scale}
SCALES["flat"] = Scale(0.01, 0.01, logarithmic=True, zero=True)  # a table without a direction
SCALES["linear"] = Scale(-1.0, 3.0)
every_scale = pytest.mark.parametrize("name", SCALES)


@every_scale
def test_notches_climb_from_end_to_end(name):
    scale = SCALES[name]
    values = [scale.value(notch) for notch in range(scale.notches + 1)]
    assert values == sorted(values)
    assert values[0] == (0.0 if scale.zero else scale.low)
    assert values[-1] == scale.high
    ends = (scale.low, scale.high)
    assert all(value in ends or value == float(f"{value:.3g}") for value in values)
    if scale.whole:
        assert all(value == round(value) for value in values)


@pytest.mark.parametrize("name", sorted(SCALES.keys() - {"flat"}))
def test_a_slider_stands_where_it_was_put(name):
    scale = SCALES[name]
    for notch in range(scale.notches + 1):
        value = scale.value(notch)
        back = scale.notch(value)
        assert back == notch or scale.value(back) == pytest.approx(value, rel=0.006)


@every_scale
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_typed_value_is_near_its_notch(name, data):
    scale = SCALES[name]
    value = data.draw(st.floats(scale.low, scale.high))
    value = round(value) if scale.whole else value
    notch = scale.notch(value)
    assert 0 <= notch <= scale.notches
    below, above = scale.value(max(notch - 1, 0)), scale.value(min(notch + 1, scale.notches))
    assert below * (1 - 0.005 * (below > 0)) - 1e-12 <= value
    assert value <= above + 0.006 * abs(above) + 1e-12


@every_scale
@settings(max_examples=30, deadline=None)
@given(value=st.floats(0, 1e300))
def test_a_value_beyond_the_slider_is_at_its_end(name, value):
    scale = SCALES[name]
    notch = scale.notch(value)
    assert 0 <= notch <= scale.notches
    if value > scale.high > scale.low:
        assert notch == scale.notches


def test_a_logarithmic_scale_is_even_in_ratios():
    scale = Scale(0.01, 100.0, logarithmic=True)
    assert scale.value(scale.notches // 2) == pytest.approx(1.0, rel=0.005)
    assert scale.notch(1.0) == scale.notches // 2
    linear = SCALES["linear"]
    assert linear.value(linear.notches // 2) == pytest.approx(1.0)
    assert linear.notch(0.0) == linear.notches // 4


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_starts_where_its_slider_shows_it(name):
    parameter, default = PARAMETERS[name], FIELDS[name].default
    assert getattr(Scenario(), name) == default
    if name in SCALES:
        scale = SCALES[name]
        assert 0 < scale.notch(default) < scale.notches
        assert parameter.low <= scale.low < scale.high <= parameter.high
