"""The read-outs: every number against another route, every text against its number."""

import math
import re

import mpmath
import numpy as np
import pytest
from drawings import plain
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.mechanisms import MECHANISMS
from explorer.core.sensitivity import Neighbours
from explorer.locale import text_for
from explorer.locale.numbers import typed
from explorer.numerals import read_number
from explorer.panels import readouts
from explorer.scenario import Scenario, derive

en = text_for("en")

SUPERSCRIPT = re.compile(r"10\^(\u2212[\d.\u202f]+)")


def items(scenario):
    drawn = plain(readouts.PANEL.draw(readouts.PANEL.compute(scenario), en))["items"]
    return {item["label"]: item for item in drawn}


def numbers(text):
    """The numbers of a text; percentages as fractions."""
    found = re.findall(r"(?:\u2212?\d[\d.\u202f]*(?:e\u2212?\d+)?)%?", text)
    return [read_number(text, whole=False) for text in found]


def title(item):
    return float(item["title"].split()[0])


def phi(x):
    return mpmath.ncdf(x)


def delta(epsilon, mu):
    """δ(ε) of μ-GDP by mpmath at 40 digits."""
    with mpmath.workdps(40):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return phi(m / 2 - e / m) - mpmath.exp(e) * phi(-m / 2 - e / m)


# ε at (μ, δ), by mpmath at 30 digits:
#
#     findroot(lambda e: ncdf(m/2 - e/m) - exp(e)*ncdf(-m/2 - e/m) - delta, start)
CASES = [
    (Scenario(), 2.25408465021974094),
    (Scenario(mu=1.0, neighbours="add-remove", alpha=0.1), 4.88655411746221200),
    (Scenario(mu=0.1, delta=1e-5, records_per_person=4, rows=2, columns=3), 0.340669364684326411),
    (Scenario(mu=2.0, alpha=1e-6, n=10**6, strength=0.01, pattern="trend"), 10.9971512142206511),
]


@pytest.mark.parametrize(("scenario", "epsilon"), CASES)
def test_every_read_out_is_the_number_of_another_route(scenario, epsilon):
    replace = scenario.neighbours == "replace"
    mu, k, p, n = scenario.mu, scenario.records_per_person, scenario.p, scenario.n
    l2 = k * math.sqrt(2) if replace else k
    sigma = l2 / mu
    with mpmath.workdps(40):
        z = mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * mpmath.mpf(scenario.alpha))
        power = float(phi(mpmath.mpf(mu) - z))
        advantage = float(2 * phi(mpmath.mpf(mu) / 2) - 1)
    rank = p - 1 if replace else p
    half = 1.959963984540054 * sigma
    departure = derive(scenario).expected - n / p
    wanted = {
        "noise σ": sigma,
        "cell at 95%": half,
        "rank-deficient": half * math.sqrt(rank / p),
        "rank": rank,
        "Δ₁": 2 * k if replace else k,
        "Δ₂": l2,
        "noncentrality τ": departure @ departure / sigma**2,
        f"ε at δ {typed(scenario.delta)}": epsilon,
        "δ at ε 1": float(delta(1, mu)),
        f"power at α {en.numbers.chosen_percent(scenario.alpha)}": power,
        "advantage": advantage,
    }
    shown = items(scenario)
    assert shown.keys() == {*wanted, "Laplace b"}
    for label, value in wanted.items():
        assert title(shown[label]) == pytest.approx(value, rel=1e-9), label
        said = numbers(shown[label]["value"])[0]
        if shown[label]["kind"] == "bound":
            assert value * (1 - 1e-9) <= said <= value * 1.0101, label
        else:
            assert said == pytest.approx(value, rel=0.0051), label
    assert shown["rank"]["value"] == f"{rank} of {p}"


@pytest.mark.parametrize("mu", [0.1, 0.5, 1.0, 2.0])
def test_the_laplace_scale_hides_a_shift_of_one_just_enough(mu):
    # One shift: b = 1/ε with ε = -2 log(2Φ(-μ/2)), where both errors are equal.
    with mpmath.workdps(30):
        b = float(-1 / (2 * mpmath.log(2 * phi(-mpmath.mpf(mu) / 2))))
    shown = items(Scenario(mu=mu, neighbours="add-remove"))["Laplace b"]
    assert title(shown) == pytest.approx(b, rel=1e-9)
    assert numbers(shown["value"]) == [pytest.approx(b, rel=0.0051)]


@pytest.mark.parametrize("neighbours", Neighbours)
def test_every_read_out_says_what_it_is(neighbours):
    shown = items(Scenario(neighbours=neighbours))
    bounds = {"power at α 5%", "advantage"}  # no attacker does better, some do worse
    assert {label for label, item in shown.items() if item["kind"] == "bound"} == bounds
    assert {item["kind"] for item in shown.values()} == {"exact", "bound"}


@settings(max_examples=40, deadline=None)
@given(
    st.floats(1e-3, 100), st.floats(1e-300, 1 - 1e-12), st.floats(1e-300, 0.999), st.integers(1, 50)
)
def test_every_text_says_the_number_that_it_stands_for(mu, alpha, delta_, records):
    scenario = Scenario(mu=mu, alpha=alpha, delta=delta_, records_per_person=records)
    for label, item in items(scenario).items():
        text = item["value"]
        if SUPERSCRIPT.fullmatch(text):
            assert text == item["title"] or title(item) < 1e-299
            continue
        exact = title(item)
        if text.startswith("> 99.9%"):
            assert 0.9995 <= exact < 1 or item["title"] == "1"
        elif text.startswith("< "):
            assert exact < 1e-307
        elif item["kind"] == "bound":  # rounded up: no attacker does better
            assert exact * (1 - 1e-9) <= numbers(text)[0] <= exact * 1.0101, label
        else:
            assert numbers(text)[0] == pytest.approx(exact, rel=0.0051, abs=0), label


@pytest.mark.parametrize("mu", [0.01, 0.02, 0.001])
def test_a_delta_too_small_for_a_double_is_shown_by_its_logarithm(mu):
    item = items(Scenario(mu=mu))["δ at ε 1"]
    with mpmath.workdps(40):
        wanted = float(mpmath.log10(delta(1, mu)))
    power = SUPERSCRIPT.fullmatch(item["value"])[1]
    assert read_number(power, whole=False) == pytest.approx(wanted, rel=5e-4)
    assert item["title"] != "0"


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("positive_part", [False, True])
def test_costs_stand_beside_their_share_of_the_gaussian_one(neighbours, positive_part):
    scenario = Scenario(neighbours=neighbours, positive_part=positive_part, hidden=("laplace",))
    costs = np.array(derive(scenario).costs)
    drawn = plain(readouts.PANEL.draw(readouts.PANEL.compute(scenario), en))["costs"]
    assert [item["label"] for item in drawn] == [
        en.mechanism_short(mechanism_class.key, neighbours) for mechanism_class in MECHANISMS
    ]
    for item, cost, share in zip(drawn, costs, costs / costs[0], strict=True):
        shown = numbers(item["value"])
        assert shown == [pytest.approx(cost, rel=0.0051), pytest.approx(share, abs=0.0051)]
        exact, percentage = numbers(item["title"].replace("records²", ""))
        assert exact == pytest.approx(cost, rel=1e-11)
        assert percentage == pytest.approx(share, rel=1e-7)
        assert item["kind"] == "exact"
    assert drawn[0]["value"].endswith("· 100%")
