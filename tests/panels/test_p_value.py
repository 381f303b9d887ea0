"""What one test says: the shaded share is the p-value, and p-values are uniform under the null."""

import dataclasses
import re

import pytest
from drawings import plain
from scipy import stats

from explorer.locale import text_for
from explorer.panels import p_value
from explorer.scenario import Scenario

en = text_for("en")
BASE = Scenario(view="tests")
DEPENDENT = Scenario(
    view="tests", test="independence", rows=2, columns=3, n=400, strength=0.2, pattern="interaction"
)


def traces(plot, mode):
    return [trace for trace in plot["figure"]["data"] if trace["mode"] == mode]


@pytest.mark.parametrize("statistic", ["ridge", "pearson", "projected"])
def test_the_shaded_share_is_the_p_value(statistic):
    for draw in range(6):
        scenario = dataclasses.replace(BASE, seed=draw, test_statistic=statistic, strength=0.1)
        result = p_value.PANEL.compute(scenario)
        count = len(result.null)
        assert result.facts.p_value == pytest.approx(
            (1 + (result.null >= result.statistic).sum()) / (count + 1)
        )
        plot = plain(p_value.PANEL.draw(result, en))
        below, beyond = (t for t in traces(plot, "lines") if t.get("fill"))
        shaded, rest = (sum(bars["y"][1:-1:2]) for bars in (beyond, below))
        assert shaded + rest == pytest.approx(1, rel=1e-12)
        assert (count * shaded + 1) / (count + 1) == pytest.approx(result.facts.p_value, abs=1e-9)
        [line] = [t for t in traces(plot, "lines") if not t.get("fill")]
        assert (line["x"] == result.statistic).all()


def test_p_values_of_uniform_tables_are_uniform():
    scenarios = (dataclasses.replace(BASE, strength=0.0, seed=d) for d in range(150))
    values = [p_value.PANEL.compute(scenario).facts.p_value for scenario in scenarios]
    assert stats.kstest(values, "uniform").pvalue > 1e-6


def test_the_verdict_is_said_on_both_sides_of_the_level():
    for seed in range(40):
        facts = p_value.PANEL.compute(dataclasses.replace(BASE, seed=seed, strength=0.12)).facts
        verdict = "is rejected" if facts.p_value <= 0.05 else "is not rejected"
        assert f"the uniform table {verdict}" in en.test_outcome(facts)
    at, above = (dataclasses.replace(facts, rejected=rejected) for rejected in (True, False))
    assert "the uniform table is rejected" in en.test_outcome(at)
    assert "the uniform table is not rejected" in en.test_outcome(above)


def test_one_table_is_tested_for_independence():
    values = [
        p_value.PANEL.compute(
            dataclasses.replace(DEPENDENT, seed=d, mu=2.0, strength=0.5)
        ).facts.p_value
        for d in range(5)
    ]
    assert max(values) < 0.01
    none = dataclasses.replace(DEPENDENT, pattern="split", rows=2, columns=4, mu=2.0, strength=0.5)
    # The rows differ, the columns do not: uniformity is refused and independence is not.
    values = [
        p_value.PANEL.compute(dataclasses.replace(none, seed=d)).facts.p_value for d in range(40)
    ]
    assert stats.kstest(values, "uniform").pvalue > 1e-6
    uniform = dataclasses.replace(none, test="goodness-of-fit")
    assert p_value.PANEL.compute(uniform).facts.p_value < 0.01
    assert re.search(
        "independence is (not )?rejected", en.test_outcome(p_value.PANEL.compute(none).facts)
    )
