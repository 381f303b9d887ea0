"""What the table looks like: the draw, what is said of it, and the numbers in its cells."""

import dataclasses
import math
import re

import numpy as np
import pytest
from drawings import plain

from explorer.core.mechanisms import MECHANISMS
from explorer.core.sensitivity import Neighbours
from explorer.locale import text_for
from explorer.numerals import read_number
from explorer.panels import palette, table
from explorer.scenario import TYPED, Scenario, derive, with_counts
from explorer.tables import EXAMPLES, Counts

en = text_for("en")

every_mechanism = pytest.mark.parametrize("mechanism_class", MECHANISMS, ids=lambda one: one.key)
every_neighbour = pytest.mark.parametrize("neighbours", Neighbours)
HORSES = next(sample for sample in EXAMPLES if sample.key == "horse-kicks")


def drawn(scenario):
    return plain(table.PANEL.draw(table.PANEL.compute(scenario), en))


def notes(scenario):
    plot = drawn(scenario)
    return [*plot["above"], *plot["below"]]


def numbers(text):
    return [
        read_number(found, whole=False)
        for found in re.findall(r"\d[\d.\u202f]*(?:e\u2212?\d+)?", text)
    ]


@every_neighbour
@every_mechanism
def test_the_draw_is_that_of_the_mechanism_at_its_seed(mechanism_class, neighbours):
    scenario = Scenario(
        sampled=mechanism_class.key, neighbours=neighbours, seed=5, positive_part=True
    )
    result = table.PANEL.compute(scenario)
    rng = np.random.default_rng(5)
    wanted = derive(scenario).mechanism(mechanism_class).simulate(derive(scenario).expected, rng)
    np.testing.assert_array_equal(result.noisy, wanted.reshape(4, 4))
    np.testing.assert_array_equal(result.before, derive(scenario).expected.reshape(4, 4))
    again = table.PANEL.compute(dataclasses.replace(scenario, alpha=0.3, cost_axis="n"))
    np.testing.assert_array_equal(again.noisy, result.noisy)
    other = table.PANEL.compute(dataclasses.replace(scenario, seed=6))
    assert (other.noisy != result.noisy).all()


@every_neighbour
@every_mechanism
@pytest.mark.parametrize("n", [1, 200, 10**6, 10**13])
def test_the_total_is_kept_where_it_says_so(mechanism_class, neighbours, n):
    scenario = Scenario(sampled=mechanism_class.key, neighbours=neighbours, n=n)
    result = table.PANEL.compute(scenario)
    keeps = mechanism_class.on_span and neighbours == "replace"
    off = abs(result.noisy.sum() - n)
    # The noise of 16 cells is many records; adding up such numbers loses 16 units of n's last place.
    assert off < 1e-12 if keeps and n == 1 else off <= 32 * math.ulp(n) if keeps else off > 0
    said = notes(scenario)[3]
    assert ("total kept exactly" in said) is keeps
    if keeps:
        assert numbers(said) == [n]
    else:
        total, records = numbers(said)
        assert records == n
        assert total == pytest.approx(abs(result.noisy.sum()), rel=6e-5)


@every_mechanism
def test_the_picture_says_that_it_is_simulated(mechanism_class):
    before, noisy, *_ = notes(Scenario(sampled=mechanism_class.key))
    assert noisy == "one noisy table · simulated"
    assert before == "expected table, 200 records"
    data = drawn(Scenario())["figure"]
    assert data["layout"]["xaxis2"]["domain"][0] > data["layout"]["xaxis"]["domain"][1]
    assert [trace["xaxis"] for trace in data["data"]] == ["x", "x2"]


@pytest.mark.parametrize("sample", EXAMPLES, ids=lambda sample: sample.key)
def test_a_real_table_is_shown_as_it_is(sample):
    scenario = with_counts(Scenario(), sample.counts, sample.key)
    result = table.PANEL.compute(scenario)
    assert result.real
    np.testing.assert_allclose(result.before, sample.counts.rows, rtol=1e-9, atol=1e-6)
    first = notes(scenario)[0]
    assert first.startswith("the table, ")
    assert numbers(first) == [sample.counts.n]
    for changes in ({"n": sample.counts.n + 1}, {"strength": scenario.strength * 0.9}):
        moved = dataclasses.replace(scenario, **changes)
        assert not table.PANEL.compute(moved).real
        assert notes(moved)[0].startswith("expected table, ")


def test_cells_show_their_numbers():
    [before, noisy] = drawn(with_counts(Scenario(), HORSES.counts, HORSES.key))["figure"]["data"]
    assert before["text"] == [[str(count) for count in HORSES.counts.rows[0]]]
    for trace in (before, noisy):
        for text, value in zip(np.ravel(trace["text"]), trace["z"].ravel(), strict=True):
            shown = read_number(text, whole=False)
            assert shown == pytest.approx(value, abs=0.501 if value >= 100 else 0.0501)
            assert len(text) <= 4
            assert text not in {"−0.0", "-0.0"}
        for place, text in np.ndenumerate(trace["hovertext"]):
            row, column, value = re.fullmatch(r"row (\d+), column (\d+): (.*)", text).groups()
            assert (int(row) - 1, int(column) - 1) == place
            assert read_number(value, whole=False) == pytest.approx(trace["z"][place], rel=1e-5)
    assert before["zmin"] == noisy["zmin"] < before["zmax"] == noisy["zmax"]


@pytest.mark.parametrize(
    ("rows", "columns", "shown"),
    [(5, 5, True), (10, 10, True), (1, 100, True), (11, 10, False), (50, 50, False)],
)
def test_large_tables_have_no_numbers_in_their_cells(rows, columns, shown):
    for trace in drawn(Scenario(rows=rows, columns=columns))["figure"]["data"]:
        assert trace["z"].shape == (rows, columns)
        assert bool(trace["text"]) is bool(trace["texttemplate"]) is shown
        assert (trace["meta"]["room"]["width"] > 0) is shown


@pytest.mark.parametrize("n", [20, 200, 10**6, 10**13])
@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (4, 4), (3, 7), (10, 10)])
def test_the_room_of_the_numbers_holds_the_longest_in_every_cell(rows, columns, n):
    figure = drawn(Scenario(rows=rows, columns=columns, n=n))["figure"]
    margin, low, high = figure["layout"]["margin"], *figure["layout"]["xaxis"]["domain"]
    rooms = [trace["meta"]["room"] for trace in figure["data"]]
    assert rooms[0] == rooms[1]
    cell = (rooms[0]["width"] - margin["l"] - margin["r"]) * (high - low) / columns
    # A digit of DejaVu Sans, the widest font of the page, is 1303/2048 of the font's size; a minus
    # sign 1716/2048, which the space between the numbers has room for; a thin space 409/2048.
    texts = [text for trace in figure["data"] for text in np.ravel(trace["text"])]
    longest = max(1303 * len(text) - 894 * text.count("\u202f") for text in texts)
    digits = longest / 2048 * figure["data"][0]["textfont"]["size"]
    assert digits + 3 < cell < digits + 9
    assert rooms[0]["height"] / rows >= 15


@pytest.mark.parametrize("scenario", [Scenario(), Scenario(n=10**6), Scenario(rows=12, columns=12)])
def test_no_cell_lies_beyond_the_end_colours(scenario):
    for seed in range(20):
        result = drawn(dataclasses.replace(scenario, seed=seed))["figure"]["data"]
        cells = np.concatenate([trace["z"].ravel() for trace in result])
        for trace in result:
            assert trace["zmin"] <= cells.min()
            assert trace["zmax"] == cells.max()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_palest_cell_stands_out_from_the_page_and_all_carry_a_number(theme):
    colours = palette.palettes()[theme]
    assert palette.contrast(colours["cell-low"], colours["paper"]) > 1.25
    assert palette.contrast(colours["cell-high"], colours["cell-low"]) > 2
    for cell in ("cell-low", "cell-high"):
        assert palette.contrast(colours[cell], colours["ink"]) >= 4.5


def test_the_error_of_a_cell_is_exact_and_in_records():
    # σ² = 2/μ² = 8; on the span 15/16 of it in a cell; normal quantile 1.959963984540054.
    gaussian, deficient = (
        notes(Scenario(sampled=name))[2] for name in ("gaussian", "rank-deficient")
    )
    assert numbers(gaussian)[0] == pytest.approx(1.959963984540054 * math.sqrt(8), rel=0.005)
    assert numbers(deficient)[0] == pytest.approx(1.959963984540054 * math.sqrt(7.5), rel=0.005)
    for text in (gaussian, deficient):
        assert text.startswith("cell ± ")
        assert text.endswith(" at 95% · exact")
    shrunk = Scenario(sampled="rank-deficient-james-stein-zero")
    text = notes(shrunk)[2]
    cost = dict(zip(MECHANISMS, derive(shrunk).costs, strict=True))[MECHANISMS[4]]
    assert text.startswith("typical cell error ")
    assert numbers(text)[0] == pytest.approx(math.sqrt(cost / 16), rel=0.005)


@pytest.mark.parametrize(
    ("scenario", "sentence"),
    [
        # 200/16 = 12.5 a cell; w = 0.2 lifts one by 200 · 0.2 · √15/16 and lowers the others by a
        # 15th of it: 22.18 and 11.85, which is 10.33 apart or 3.77 of √7.5.
        (
            Scenario(),
            (
                "The fullest cell expects 22.2 records, the emptiest 11.9: a difference of 3.77 standard "
                "deviations of the noise in one cell."
            ),
        ),
        (
            Scenario(strength=0, sampled="gaussian"),
            "Every cell expects 12.5 records; Gaussian noise has a standard deviation of 2.83 in each.",
        ),
        (
            with_counts(Scenario(sampled="gaussian"), Counts(((3, 5), (3, 5))), TYPED),
            (
                "The fullest cell holds 5.00 records, the emptiest 3.00: a difference of 0.707 standard "
                "deviations of the noise in one cell."
            ),
        ),
    ],
    ids=["first", "uniform", "typed"],
)  # fmt: skip
def test_the_table_is_put_into_words(scenario, sentence):
    assert drawn(scenario)["sentence"] == sentence


def test_a_table_is_not_pulled():
    assert table.PANEL.drag(Scenario(), 0.5, 0.5) is None
