"""What the attacker sees and can achieve: the numbers in the plots and in their words."""

import math
import re

import mpmath
import numpy as np
import pytest
from drawings import plain
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from explorer.core.mechanisms import Laplace
from explorer.core.sensitivity import Neighbours
from explorer.locale import text_for
from explorer.panels import densities, tradeoff
from explorer.scenario import Scenario, derive

en = text_for("en")

SCENARIOS = [
    Scenario(),
    Scenario(mu=1.0, neighbours="add-remove", tradeoff_log=True),
    Scenario(mu=4.0, alpha=1e-4, delta=1e-3),
    Scenario(mu=0.01, alpha=0.9, delta=1e-12, tradeoff_log=True),
]
every_scenario = pytest.mark.parametrize("scenario", SCENARIOS)


def quantile(level):
    """z with P(Z > z) = level, by mpmath at 40 digits and without `scipy.special`."""
    with mpmath.workdps(40):
        return mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * mpmath.mpf(level))


def missed(level, mu):
    """G_μ by mpmath at 40 digits."""
    with mpmath.workdps(40):
        return float(mpmath.ncdf(quantile(level) - mpmath.mpf(mu)))


def drawn(panel, scenario):
    return plain(panel.PANEL.show(scenario, en))


def traces(plot, **wanted):
    """Traces of a plot with these values, `colour` being that of the line or marker."""
    found = []
    for trace in plot["figure"]["data"]:
        part = trace.get("line") or trace.get("marker") or trace.get("textfont")
        values = {**trace, "colour": part["color"], "dash": part.get("dash")}
        if all(values.get(name) == value for name, value in wanted.items()):
            found.append(trace)
    return found


def one(plot, **wanted):
    [trace] = traces(plot, **wanted)
    return trace


@every_scenario
def test_threshold_and_areas_are_those_of_the_two_errors(scenario):
    plot = drawn(densities, scenario)
    threshold, beta = float(quantile(scenario.alpha)), missed(scenario.alpha, scenario.mu)
    rule = one(plot, mode="lines", colour="@ink")
    handle = one(plot, mode="markers")
    assert [*rule["x"], *handle["x"]] == pytest.approx([threshold] * 3, rel=1e-12)
    for colour, area, mean in (
        ("@outside-area", scenario.alpha, 0.0),
        ("@inside-area", 1 - beta, scenario.mu),
    ):
        trace = one(plot, colour=colour, fill="tozeroy")
        assert trace["x"][0] == pytest.approx(max(threshold, mean - 4))
        assert np.trapezoid(trace["y"], trace["x"]) == pytest.approx(area, abs=5e-4)
    for colour, mean in (("@outside", 0.0), ("@accent", scenario.mu)):
        curve = one(plot, colour=colour, mode="lines")
        assert curve["x"][np.argmax(curve["y"])] == pytest.approx(mean, abs=1e-12)
        assert curve["y"].max() == pytest.approx(1 / math.sqrt(2 * math.pi), rel=1e-12)
        assert np.trapezoid(curve["y"], curve["x"]) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("scenario", "hover", "sentence"),
    [
        (
            Scenario(),
            "accuse above 1.645: α 5.00%, power 12.6%",  # 1 - 0.873865101806569707
            (
                "Where the record is someone else’s, the attacker accuses in 5 of 100 cases; "
                "where it is this person’s, in 13 of 100."
            ),
        ),
        (
            Scenario(mu=1.0, alpha=0.5, neighbours="add-remove"),
            "accuse above 0: α 50.0%, power 84.1%",  # 1 - 0.158655253931457051
            "The attacker accuses 50 of 100 people who are not in the data, and 84 of 100 who are.",
        ),
    ],
)
def test_the_densities_are_put_into_words(scenario, hover, sentence):
    plot = drawn(densities, scenario)
    assert one(plot, mode="markers")["hovertext"] == [hover]
    assert plot["sentence"] == sentence


@pytest.mark.parametrize(
    ("neighbours", "inside"), [("replace", "this person"), ("add-remove", "in the data")]
)
def test_the_curve_on_the_right_is_that_of_the_person(neighbours, inside):
    plot = drawn(densities, Scenario(mu=2.0, neighbours=neighbours))
    curves, _accuse = traces(plot, mode="text")
    by_colour = dict(zip(curves["textfont"]["color"], curves["text"], strict=True))
    assert by_colour["@accent"].startswith(inside)


@settings(max_examples=50, deadline=None)
@given(st.floats(1e-5, 0.99), st.floats(0.01, 8), st.booleans())
def test_pulling_the_marked_point_to_its_own_place_changes_nothing(alpha, mu, logarithmic):
    scenario = Scenario(alpha=alpha, mu=mu, tradeoff_log=logarithmic)
    for panel in (densities, tradeoff):
        [x], [y] = (one(drawn(panel, scenario), mode="markers")[axis] for axis in "xy")
        assert panel.PANEL.drag(scenario, x, y)["alpha"] == pytest.approx(alpha, rel=0.006)
        assert panel.PANEL.drag(scenario, x, y + 1) == panel.PANEL.drag(scenario, x, y)


@every_scenario
def test_the_marked_attack_lies_on_the_gaussian_curve(scenario):
    plot = drawn(tradeoff, scenario)
    beta = missed(scenario.alpha, scenario.mu)
    [x], [y] = (one(plot, mode="markers")[axis] for axis in "xy")
    level = 10**x if scenario.tradeoff_log else x
    assert (level, y) == pytest.approx((scenario.alpha, beta), rel=1e-12)
    rule = one(plot, colour="@rule")
    assert rule["x"].tolist() == [x, x]
    curve = one(plot, colour="@accent", mode="lines")
    levels = 10 ** curve["x"] if scenario.tradeoff_log else curve["x"]
    inside = (levels > 1e-30) & (levels < 1 - 1e-14)
    wanted = [missed(level, scenario.mu) for level in levels[inside]]
    assert curve["y"][inside] == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    assert one(plot, dash="dash")["y"] == pytest.approx(1 - levels)
    [name] = [text for text in names(plot) if text.startswith("●")]
    alpha, shown = map(float, re.findall(r"([\d.]+)%", name))
    assert alpha == pytest.approx(100 * scenario.alpha, rel=1e-12)
    assert shown == pytest.approx(100 * beta, rel=0.005)
    assert one(plot, mode="markers")["hovertext"] == [name]


def names(plot):
    return one(plot, mode="text")["text"]


def pair(plot, logarithmic):
    [*_, trace] = traces(plot, colour="@mute", dash="solid")
    return (10 ** trace["x"] if logarithmic else trace["x"]), trace["y"]


@settings(max_examples=50, deadline=None)
@given(st.floats(0.05, 6), st.floats(1e-12, 0.01))
@example(0.5, 1e-6)
def test_the_tangent_pair_touches_the_curve_from_below(mu, delta):
    plot = drawn(tradeoff, Scenario(mu=mu, delta=delta))
    (start, meet, end), betas = pair(plot, logarithmic=False)
    assert (start, betas[0], end) == (0, 1 - delta, 1 - delta)
    assert meet == pytest.approx(betas[1], rel=1e-12)
    assert betas[2] == pytest.approx(0, abs=1e-15)
    slope = (betas[1] - betas[0]) / meet  # -e^ε, as drawn
    alpha = ndtr(np.linspace(-12 - mu, 12, 2000))
    gaussian = np.array([float(b) for b in ndtr(-np.linspace(-12 - mu, 12, 2000) - mu)])
    assert (1 - delta + slope * alpha <= gaussian + 1e-9).all()
    # G_μ has slope -e^ε at α = Φ(-ε/μ - μ/2), where β = Φ(ε/μ - μ/2).
    epsilon = math.log(-slope)
    if epsilon > 1e-6:
        touch, beta = ndtr(-epsilon / mu - mu / 2), ndtr(epsilon / mu - mu / 2)
        assert 1 - delta + slope * touch == pytest.approx(beta, abs=1e-9)
    shown = next(text for text in names(plot) if "ε, δ" in text).split()[-1]
    assert float(shown.replace("\u202f", "")) == pytest.approx(epsilon, rel=0.005, abs=1e-6)


def test_the_tangent_pair_bends_on_a_logarithmic_axis():
    # ε at μ = 0.5 and δ = 1e-6, by mpmath at 30 digits:
    #
    #     findroot(lambda e: ncdf(m/2 - e/m) - exp(e)*ncdf(-m/2 - e/m) - mpf("1e-6"), 2)
    slope = math.exp(2.25408465021974094)
    alpha, beta = pair(drawn(tradeoff, Scenario(tradeoff_log=True)), logarithmic=True)
    for level in (1e-5, 1e-3, 0.01, 0.05, 0.3, 0.9):
        shown = np.interp(math.log10(level), np.log10(alpha), beta)
        lines = 1 - 1e-6 - slope * level, (1 - 1e-6 - level) / slope
        assert shown == pytest.approx(max(lines), abs=0.01)


def test_an_epsilon_of_zero_is_the_diagonal_moved_down():
    alpha, beta = pair(drawn(tradeoff, Scenario(mu=0.01, delta=0.1)), logarithmic=False)
    assert alpha + beta == pytest.approx([0.9] * 3)


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("mu", [0.1, 1.0, 3.0])
def test_laplace_noise_is_as_private_as_the_gaussian_curve_and_no_more(neighbours, mu):
    scenario = Scenario(mu=mu, neighbours=neighbours)
    plot = drawn(tradeoff, scenario)
    laplace = one(plot, colour="@laplace", mode="lines")
    above = laplace["y"] - one(plot, colour="@accent", mode="lines")["y"]
    assert above.min() > -1e-9
    assert above[1:-1].min() < 2e-3
    mechanism = derive(scenario).mechanism(Laplace)
    assert laplace["y"] == pytest.approx(mechanism.tradeoff(laplace["x"]), abs=1e-12)


@pytest.mark.parametrize(
    ("hidden", "visible"),
    [((), True), (("laplace",), True), (("laplace", "projected-laplace"), False)],
)
def test_the_laplace_curve_is_shown_with_its_mechanisms(hidden, visible):
    plot = drawn(tradeoff, Scenario(hidden=hidden))
    assert one(plot, colour="@laplace", mode="lines")["visible"] is visible
    assert (en.laplace_curve in names(plot)) is visible


@pytest.mark.parametrize(
    ("scenario", "sentence"),
    [
        (
            Scenario(mu=1.0),  # power 1 - 0.740488977158555929
            (
                "An attacker who accuses 5 of 100 innocent people catches at most 26 of 100 "
                "targets; guessing catches 5 of 100."
            ),
        ),
        (
            Scenario(mu=100.0, alpha=1e-6),
            (
                "An attacker who accuses 1 of 1\u202f000\u202f000 innocent people catches at most "
                "100 of 100 targets; guessing catches 1 of 1\u202f000\u202f000."
            ),
        ),
    ],
)
def test_the_trade_off_is_put_into_words(scenario, sentence):
    assert drawn(tradeoff, scenario)["sentence"] == sentence
