"""The report of a study: table, figures, confidence bands, and gaps."""

import random
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from explorer.core.mechanisms import Gaussian
from explorer.panels.look import DASHES, look
from explorer.study import figures, report
from explorer.study.figures import Line
from explorer.study.folder import open_for_writing
from explorer.study.report import measured, page
from explorer.study.spec import parse


class Reader(HTMLParser):
    """The tables as lists of lists of texts, the other texts, and the attributes."""

    def __init__(self):
        super().__init__()
        self.tables, self.texts, self.tags, self.links = [], [], ["html"], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in {"src", "href", "srcset"}]
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])

    def handle_endtag(self, tag):
        self.tags.append(f"after {tag}")

    def handle_data(self, data):
        if self.tags[-1] in {"td", "th"}:
            self.tables[-1][-1].append(data)
        else:
            self.texts.append(data)


def read(html):
    reader = Reader()
    reader.feed(html)
    return reader


def figures_of(html):
    found = [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", html)]  # noqa: S314 - our own
    return [svg for svg in found if svg.get("role") == "img"]


@pytest.fixture
def store(tmp_path, text):
    """A finished study of made-up results: the cell's number, ± its hundredth."""
    kept = open_for_writing(tmp_path / "out", parse(text))
    names = ("cost", "standard_error", "exact")
    cells = list(kept.study.cells())
    kept.add(
        [
            (cell, dict(zip(names, (n + 1.0, (n + 1) / 100, n + 1.5), strict=True)))
            for n, cell in enumerate(cells)
        ]
    )
    return kept


def test_all_cells_are_in_the_table(store):
    declaration, results = read(page(store)).tables
    assert results[0] == [
        "mechanism",
        "privacy parameter, μ",
        "signal strength, Cohen’s w",
        "total squared error, records² ± standard error",
        "exact",
    ]
    assert len(results) == 1 + 24
    assert results[1] == ["Gaussian", "0.25", "0", "1.000 ± 0.010", "1.5"]
    assert results[8] == ["James–Stein → mean", "0.25", "0.1", "8.000 ± 0.080", "8.5"]
    assert results[-1] == ["Laplace", "1", "0.5", "24.00 ± 0.24", "24.5"]
    assert ["seed", "20261130"] in declaration
    assert ["cells", "24 finished of 24"] in declaration
    assert ["levels of the table", "4 × 4"] in declaration
    assert ["positive part of the shrinkage", "yes"] in declaration


def test_a_figure_for_each_mu_has_a_line_for_each_mechanism(store):
    first, second = figures_of(page(store))
    assert next(first.iter("text")).text == "μ = 0.25"
    assert second.get("aria-label") == (
        "total squared error, records² against signal strength, Cohen’s w at μ = 1"
    )
    keys = ["gaussian", "james-stein-mean", "rank-deficient-james-stein", "laplace"]
    names = ["Gaussian", "James–Stein → mean", "rank-deficient JS", "Laplace"]
    for svg in (first, second):
        groups = list(svg.iter("g"))
        assert [group.find("title").text for group in groups] == names
        for key, group in zip(keys, groups, strict=True):
            path = group.find("path")
            assert path.get("stroke") == f"var(--{key})"
            assert path.get("stroke-dasharray") == DASHES[look(key).dash]
            assert len(group.findall("circle")) == 3
    texts = [text.text for text in second.iter("text")]
    assert texts[-2:] == ["signal strength, Cohen’s w", "total squared error, records² (log scale)"]


def test_the_marks_lie_where_the_axes_say(store):
    svg, _ = figures_of(page(store))
    # Ticks of both axes give the scales: places are linear in w, logarithmic in the cost.
    ticks = [text for text in svg.iter("text") if text.get("text-anchor") and text.get("x")]
    across = {
        float(t.text): float(t.get("x"))
        for t in ticks
        if t.get("text-anchor") == "middle" and t.text[0].isdigit()
    }
    down = {float(t.text): float(t.get("y")) for t in ticks if t.get("text-anchor") == "end"}
    left, right = min(across), max(across)
    for mark, w in zip(list(svg.iter("circle"))[:3], (0, 0.1, 0.5), strict=True):
        share = (float(mark.get("cx")) - across[left]) / (across[right] - across[left])
        assert left + share * (right - left) == pytest.approx(w, abs=0.001)
    low, high = min(down), max(down)
    cells = [1, 2, 3, 7, 8, 9, 13, 14, 15, 19, 20, 21]
    for mark, cost in zip(svg.iter("circle"), cells, strict=True):
        share = (float(mark.get("cy")) - down[low]) / (down[high] - down[low])
        assert low * (high / low) ** share == pytest.approx(cost, rel=0.01)


def test_the_bands_are_intervals_of_95_percent(store):
    svg, _ = figures_of(page(store))
    band, mark = svg.find("path[@class='band']"), next(svg.iter("circle"))
    heights = [float(y) for _, y in re.findall(r"([\d.]+) ([\d.]+)", band.get("d"))]
    y = figures.vertical([Line(Gaussian, [(0, 1.0, 0.01), (0, 21.0, 0.21)])], None)
    assert float(mark.get("cy")) == pytest.approx(y.at(1), abs=0.06)
    assert heights[0] == pytest.approx(y.at(1 + 0.0196), abs=0.06)
    assert heights[-1] == pytest.approx(y.at(1 - 0.0196), abs=0.06)


def test_the_page_needs_nothing_else(store):
    html = page(store)
    assert "http" not in html
    assert "url(" not in html
    reader = read(html)
    assert reader.links == []
    assert not {"script", "link", "img", "iframe"} & set(reader.tags)
    assert str(store.folder) not in html


def test_both_themes_have_every_colour(store):
    html = page(store)
    light, dark = re.findall(r":root\{([^}]*)\}", html)
    for name in set(re.findall(r"var\(--([\w-]+)\)", html)):
        assert f"--{name}:" in light
        assert f"--{name}:" in dark
    assert f"--laplace:{look('laplace').colour};" in light
    assert f"--laplace:{look('laplace').colour_dark};" in dark


def test_a_study_that_is_not_finished_says_so(tmp_path, text, store):
    part = open_for_writing(tmp_path / "part", parse(text))
    finished, _ = store.read()
    cells = list(part.study.cells())
    part.add([(cell, finished[cell.key]) for cell in cells if cell not in (cells[1], cells[23])])
    html = page(part)
    reader = read(html)
    assert "2 of 24 cells are missing: the study is not finished." in " ".join(reader.texts)
    declaration, results = reader.tables
    assert ["cells", "22 finished of 24"] in declaration
    assert len(results) == 1 + 22
    first, second = figures_of(html)
    gaussian = next(first.iter("g"))
    assert gaussian.find("path").get("d").count("M") == 2  # no line over the gap
    assert len(gaussian.findall("circle")) == 2
    assert len(list(second.iter("circle"))) == 11


def test_a_study_without_results_has_a_report(tmp_path, text):
    html = page(open_for_writing(tmp_path / "new", parse(text)))
    assert "24 of 24 cells are missing" in html
    assert len(figures_of(html)) == 2


def test_what_is_not_trusted_is_told(store):
    (store.folder / "part-x.parquet").write_bytes(b"<b>")
    assert "part-x.parquet is left out: " in page(store)


def test_a_title_is_text(tmp_path, text):
    html = page(
        open_for_writing(
            tmp_path / "new", parse(text.replace("A small study", "<script>1</script> & µ"))
        )
    )
    assert "<script>" not in html
    assert html.count("&lt;script&gt;1&lt;/script&gt; &amp; µ") == 2


def test_more_axes_make_more_figures(tmp_path, text, monkeypatch):
    more = text.replace("n = [200]", "n = [50, 200]").replace("[[4, 4]]", "[[4, 4], [3]]")
    html = page(open_for_writing(tmp_path / "new", parse(more)))
    titles = [next(svg.iter("text")).text for svg in figures_of(html)]
    assert titles[:2] == ["shape = 4 × 4, n = 50, μ = 0.25", "shape = 4 × 4, n = 50, μ = 1"]
    assert len(titles) == 8
    monkeypatch.setattr(report, "MOST_FIGURES", 3)
    html = page(open_for_writing(tmp_path / "new", parse(more)))
    assert len(figures_of(html)) == 3
    assert "The first 3 of 8 figures." in html


def test_a_long_table_is_cut_and_says_so(store, monkeypatch):
    monkeypatch.setattr(report, "MOST_ROWS", 5)
    html = page(store)
    assert len(read(html).tables[1]) == 1 + 5
    assert "The first 5 of 24 cells; all are in the folder." in html


@pytest.mark.parametrize(
    ("old", "new", "along"),
    [
        ("", "", "strength"),
        ("n = [200]", "n = [20, 50, 100, 200]", "n"),
        ("strength = [0, 0.1, 0.5]", "strength = [0]", "mu"),
    ],
)
def test_the_longest_axis_of_numbers_runs_across(tmp_path, text, old, new, along):
    store = open_for_writing(tmp_path / "new", parse(text.replace(old, new)))
    assert report.across(store.study).axis.name == along
    labels = [svg.get("aria-label") for svg in figures_of(page(store))]
    assert labels
    assert all(f"against {store.study.along(along).axis.title}" in label for label in labels)


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (612.345, 3.567, "612.3 ± 3.6"),
        (0.123456, 0.00098, "0.12346 ± 0.00098"),
        (7677.2, 30.2, "7677 ± 30"),
        (12345.6, 999.9, "12346 ± 1000"),
        (32.0, 0.0, "32 ± 0"),
    ],
)
def test_a_value_has_the_digits_its_error_allows(value, error, text):
    assert measured(value, error) == text


def test_ticks_are_few_round_and_on_the_axis():
    numbers = random.Random(3)  # noqa: S311 - any axes
    for _ in range(500):
        low = 10 ** numbers.uniform(-8, 8)
        high = low * 10 ** numbers.uniform(0.05, 9)
        for logarithmic in (False, True):
            axis = figures.Axis(low, high, logarithmic, 0, 100)
            ticks = axis.ticks()
            assert 2 <= len(ticks) <= 10
            assert all(low * (1 - 1e-6) <= tick <= high * (1 + 1e-6) for tick in ticks)
            assert all(float(f"{tick:.3g}") == pytest.approx(tick, rel=1e-9) for tick in ticks)
            assert ticks == sorted(set(ticks))


def test_an_axis_of_one_value_has_it_in_the_middle():
    assert figures.Axis(5, 5, logarithmic=False, begin=0, end=100).at(5) == 50
    assert figures.Axis(5, 5, logarithmic=True, begin=0, end=100).at(5) == pytest.approx(50)
    assert figures.Axis(0, 1, logarithmic=False, begin=0, end=100).at(7) == 100


POWER = """
name = "Power"
seed = 1
replicates = 100
kind = "power"

[grid]
mechanism = ["Gaussian", "Laplace"]
mu = [0.5]
shape = [[10]]
pattern = ["split"]
n = [500]
strength = [0, 0.3]
"""


def test_power_is_drawn_between_0_and_1(tmp_path):
    store = open_for_writing(tmp_path / "out", parse(POWER))
    store.add([(cell, {"power": 0.5, "standard_error": 0.05}) for cell in store.study.cells()])
    html = page(store)
    [svg] = figures_of(html)
    texts = [text.text for text in svg.iter("text")]
    assert texts[-2:] == ["signal strength, Cohen’s w", "power of the test"]
    ends = [text for text in svg.iter("text") if text.get("text-anchor") == "end"]
    assert [text.text for text in ends] == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    middle = (float(ends[0].get("y")) + float(ends[-1].get("y"))) / 2
    assert {float(mark.get("cy")) for mark in svg.iter("circle")} == {middle}
    assert read(html).tables[1][-1] == ["Laplace", "0.3", "0.500 ± 0.050"]


def test_bands_that_reach_0_do_not_stretch_the_decades():
    y = figures.vertical([Line(Gaussian, [(0, 4.0, 3.0), None, (1, 8.0, 0.1)])], None)
    assert y.logarithmic
    assert y.low == pytest.approx(4 / 1.1)
    assert y.at(-1.88) == y.at(y.low)
    assert not figures.vertical([Line(Gaussian, [(0, 0.0, 0.0)])], None).logarithmic
