"""What a test can see: power against other routes, the plan, and what is simulated."""

import dataclasses

import numpy as np
import pytest
from drawings import plain
from scipy import stats

from explorer.core import chisq
from explorer.core.mechanisms import MECHANISMS, RankDeficientGaussian
from explorer.locale import text_for
from explorer.locale.accuracy import Accuracy
from explorer.locale.power import LeastStatus
from explorer.panels import _power_curves as powers
from explorer.panels import power
from explorer.panels._bounded_cache import BoundedCache
from explorer.scenario import Scenario, derive

en = text_for("en")

BASE = Scenario(view="tests")
NAMES = [mechanism_class.key for mechanism_class in MECHANISMS]
RANK_DEFICIENT = NAMES.index("rank-deficient")
FALSE_ALARM = 1e-6 / 100
SIGMAS = float(stats.norm.isf(FALSE_ALARM / 2))


@pytest.fixture(autouse=True)
def nothing_simulated(monkeypatch):
    monkeypatch.setattr(powers, "_SIMULATED", BoundedCache(200))
    monkeypatch.setattr(powers, "_PLANS", BoundedCache(200))


def traces(plot, mode):
    return [trace for trace in plot["figure"]["data"] if trace["mode"] == mode]


def test_the_ceiling_is_near_the_noncentral_law_without_noise():
    # For n records and 15 degrees the test of the table itself is nearly noncentral χ², ncp nw².
    scenario = dataclasses.replace(BASE, n=10**6, strength=0.004)
    result = power.PANEL.compute(scenario)
    critical = stats.chi2.isf(0.05, 15)
    assert result.ceiling_now == pytest.approx(stats.ncx2.sf(critical, 15, 16.0), abs=2e-3)


def test_rank_deficient_noise_leaves_the_noncentral_law_of_a_larger_variance():
    # Near the uniform table T is (1 + σ²p/n) χ²₁₅ with ncp nw²/(1 + σ²p/n).
    scenario = dataclasses.replace(BASE, n=10**6, strength=0.004, mu=0.01)
    result = power.PANEL.compute(scenario)
    more = 1 + 2 / 0.01**2 * 16 / 10**6
    wanted = stats.ncx2.sf(stats.chi2.isf(0.05, 15), 15, 16.0 / more)
    assert result.now[RANK_DEFICIENT] == pytest.approx(wanted, abs=2e-3)
    assert result.error[RANK_DEFICIENT] == 0


def test_curves_start_at_the_level_and_rise_to_one():
    result = power.PANEL.compute(BASE)
    assert (np.diff(result.x) > 0).all()
    assert result.power[:, 0] == pytest.approx(0.05, abs=0.01)
    assert result.power[:, -1] == pytest.approx(1.0, abs=1e-3)
    assert (np.diff(result.power, axis=1) > -0.01).all()
    assert (result.ceiling >= result.power - 0.02).all()
    rising = (result.power[RANK_DEFICIENT] > 0.1) & (result.power[RANK_DEFICIENT] < 0.9)
    assert rising.sum() >= 4  # the points lie where the power rises


def test_simulation_agrees_with_the_curve_and_is_kept():
    hidden = tuple(name for name in NAMES if name != "rank-deficient")
    scenario = dataclasses.replace(BASE, hidden=hidden, n=2000)
    assert np.isnan(power.PANEL.compute(scenario).simulated).all()
    pieces = power.PANEL.simulation.pieces(scenario)
    assert len(pieces) == 10
    pieces[0]()
    first = power.PANEL.compute(scenario)
    assert np.isfinite(first.simulated[RANK_DEFICIENT]).all()
    for piece in pieces[1:]:
        piece()
    result = power.PANEL.compute(scenario)
    half = result.half_width[RANK_DEFICIENT]
    assert (half < 0.7 * first.half_width[RANK_DEFICIENT]).all()
    assert half.max() <= 1.96 * 0.005
    mechanism = derive(scenario).mechanism(RankDeficientGaussian)
    alternatives = powers.curve(scenario, None, result.simulated_x).probabilities
    normal = chisq.asymptotic_power(mechanism, np.full(16, 1 / 16), 2000, alternatives, 0.05)
    away = np.abs(result.simulated[RANK_DEFICIENT] - normal.power)
    assert (away < SIGMAS * half / 1.96 + 0.004).all()  # 0.004: the table is not quite normal
    assert np.isnan(power.PANEL.compute(dataclasses.replace(scenario, mu=0.51)).simulated).all()


def test_the_same_draw_is_simulated_the_same():
    scenario = dataclasses.replace(BASE, hidden=tuple(NAMES[1:]), rows=2, columns=2)
    results = []
    for _ in range(2):
        for piece in power.PANEL.simulation.pieces(scenario)[:2]:
            piece()
        results.append(power.PANEL.compute(scenario).simulated[0])
    assert (results[0] == results[1]).all()
    other = dataclasses.replace(scenario, seed=1)
    for piece in power.PANEL.simulation.pieces(other)[:2]:
        piece()
    assert (power.PANEL.compute(other).simulated[0] != results[0]).any()


def test_points_and_intervals_are_drawn_once_they_are_simulated():
    hidden = tuple(NAMES[1:])
    scenario = dataclasses.replace(BASE, hidden=hidden)
    before = plain(power.PANEL.draw(power.PANEL.compute(scenario), en))
    assert not any("error_y" in t and t["visible"] for t in before["figure"]["data"])
    power.PANEL.simulation.pieces(scenario)[0]()
    result = power.PANEL.compute(scenario)
    drawn = plain(power.PANEL.draw(result, en))
    [points] = [t for t in drawn["figure"]["data"] if "error_y" in t and t["visible"]]
    assert (points["y"] == result.simulated[0]).all()
    assert (points["error_y"]["array"] == result.half_width[0]).all()
    assert all("simulated power" in text for text in points["hovertext"])


def test_the_axis_of_power_has_whole_percentages():
    [*_, axis] = [power.PANEL.show(BASE, en).figure.layout[name] for name in ("xaxis", "yaxis")]
    assert axis["ticktext"] == ["0", "20%", "40%", "60%", "80%", "100%"]


def test_the_sentence_names_the_mechanism_that_sees_most():
    result = power.PANEL.compute(dataclasses.replace(BASE, mu=0.2))
    best = MECHANISMS[int(np.nanargmax(result.now))].key
    assert f"({en.mechanism_short(best, result.neighbours)})" in en.test_power(result.facts)
    alone = power.PANEL.compute(dataclasses.replace(BASE, hidden=tuple(NAMES)))
    assert "Tick a mechanism" in en.test_power(alone.facts)


def plan_of(scenario):
    return en.test_plan(power.PANEL.compute(scenario).plan)


def test_the_plan_is_found_for_the_drawn_mechanism():
    assert plan_of(BASE) == [
        "80% power, rank-deficient: n ≥ …",
        "μ ≥ … at this n",
    ]
    [piece] = power.PANEL.background.pieces(BASE)
    piece()
    assert power.PANEL.background.pieces(BASE) == []
    plan = power.PANEL.compute(BASE).plan
    assert plan_of(BASE) == [
        f"80% power, rank-deficient: n ≥ {plan.records.value:.0f}",
        "no μ suffices at this n",
    ]
    assert plan.mu.status is LeastStatus.IMPOSSIBLE
    assert power.PANEL.compute(BASE).ceiling_now < 0.8  # so it is right that no μ suffices
    enough, fewer = (
        power.PANEL.compute(dataclasses.replace(BASE, n=int(plan.records.value) - less)).now[
            RANK_DEFICIENT
        ]
        for less in (0, 1)
    )
    assert fewer < 0.8 <= enough + 1e-12
    other = dataclasses.replace(BASE, sampled="gaussian")
    assert len(power.PANEL.background.pieces(other)) == 1


def test_the_planned_mu_is_just_enough():
    scenario = dataclasses.replace(BASE, n=700)
    [piece] = power.PANEL.background.pieces(scenario)
    piece()
    mu = powers.plan(scenario)[1].value
    reached = power.PANEL.compute(dataclasses.replace(scenario, mu=mu)).now[RANK_DEFICIENT]
    assert reached == pytest.approx(0.8, abs=1e-5)


def test_no_signal_needs_more_than_any_n():
    scenario = dataclasses.replace(BASE, strength=0.0)
    power.PANEL.background.pieces(scenario)[0]()
    assert plan_of(scenario) == [
        "80% power, rank-deficient: no n suffices",
        "no μ suffices at this n",
    ]


def test_the_plan_is_rounded_up_to_three_digits():
    def said(n, mu):
        [of] = [powers._planned(BASE)]
        powers._PLANS.put(of, (chisq.Answer(n, ""), chisq.Answer(mu, "")))
        return plan_of(BASE)

    assert said(4811.0, 0.37611)[0].endswith("n ≥ 4\u202f820")
    assert said(4811.0, 0.37611)[1] == "μ ≥ 0.377 at this n"
    assert said(37.0, 0.376)[0].endswith("n ≥ 37")
    assert said(37.0, 0.376)[1] == "μ ≥ 0.376 at this n"
    assert said(37.0, 1e-7)[1] == "any μ suffices at this n"


def test_an_uncertain_power_says_so():
    result = power.PANEL.compute(BASE)
    laplace = NAMES.index("laplace")
    assert result.error[RANK_DEFICIENT] == 0
    assert result.error[laplace] > 0
    texts = [
        t
        for trace in plain(power.PANEL.draw(result, en))["figure"]["data"]
        for t in trace.get("hovertext", [])
    ]
    assert any(t.startswith("Laplace: power") and "±" in t for t in texts)
    assert "approximate" in en.test_power(result.facts)


def test_n_is_not_public_where_a_person_joins_or_leaves():
    assert "public" not in en.test_power(power.PANEL.compute(BASE).facts)
    other = dataclasses.replace(BASE, neighbours="add-remove")
    assert "takes n as public" in en.test_power(power.PANEL.compute(other).facts)


DEPENDENT = Scenario(
    view="tests", test="independence", rows=2, columns=3, n=400, strength=0.2, pattern="interaction"
)


def test_independence_has_no_curve_before_it_is_simulated():
    result = power.PANEL.compute(DEPENDENT)
    assert np.isnan(result.power).all()
    assert np.isnan(result.now).all()
    assert power.PANEL.background.pieces(DEPENDENT) == []
    drawn = plain(power.PANEL.draw(result, en))
    assert "“Simulate” estimates how many with noise" in drawn["sentence"]
    assert drawn["above"] == []
    assert "Gaussian" in [text for t in traces(drawn, "text") for text in t["text"]]


def test_the_ceiling_of_independence_is_the_classical_power():
    # 2 x 3 cells with the pattern (1, 0, -1) by rows: ncp n w^2, as both margins are uniform.
    result = power.PANEL.compute(DEPENDENT)
    wanted = stats.ncx2.sf(stats.chi2.isf(0.05, 2), 2, 400 * 0.2**2)
    assert result.ceiling_now == pytest.approx(wanted, rel=1e-9)
    # And of a table of independent rows and columns it is the level.
    trend = power.PANEL.compute(dataclasses.replace(DEPENDENT, pattern="split", rows=2, columns=2))
    assert trend.ceiling == pytest.approx(0.05, rel=1e-9)


def test_simulated_independence_becomes_the_curve(monkeypatch):
    monkeypatch.setattr(powers, "BOOTSTRAP_REPLICATES", 400)
    hidden = tuple(name for name in NAMES if name != "rank-deficient")
    scenario = dataclasses.replace(DEPENDENT, hidden=hidden, mu=2.0)
    pieces = power.PANEL.simulation.pieces(scenario)
    assert len(pieces) == 4
    for piece in pieces:
        piece()
    result = power.PANEL.compute(scenario)
    i = RANK_DEFICIENT
    points = result.simulated[i]
    inside = (result.x >= result.simulated_x[0]) & (result.x <= result.simulated_x[-1])
    assert np.isfinite(result.power[i][inside]).all()
    assert np.isnan(result.power[i][~inside]).all()
    assert min(points) - 1e-12 <= result.now[i] <= max(points) + 1e-12
    assert (points <= 1).all()
    spread = np.sqrt(0.25 / 400)
    critical = stats.chi2.isf(0.05, 2)
    ceiling = stats.ncx2.sf(critical, 2, 400 * result.simulated_x**2)
    assert (points < ceiling + SIGMAS * spread).all()
    assert points[-1] > 0.9
    assert result.accuracy[i] is Accuracy.INTERPOLATED
    assert "interpolated between simulated points" in en.test_power(result.facts)


def test_a_simulation_serves_every_scenario_with_the_same_curves():
    simulation = power.PANEL.simulation
    for change in ({"alpha": 0.2}, {"delta": 1e-9}, {"tradeoff_log": True}, {"strength": 0.3}):
        assert simulation.same(BASE, dataclasses.replace(BASE, **change))
    for change in ({"mu": 0.4}, {"n": 300}, {"seed": 2}, {"hidden": ("laplace",)}):
        assert not simulation.same(BASE, dataclasses.replace(BASE, **change))
