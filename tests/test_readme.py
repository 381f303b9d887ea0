"""What README and the pages in docs tell a reader to do works and gives the numbers they print."""

import itertools
import math
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from explorer.core import gdp, quantities
from explorer.core.mechanisms import RankDeficientGaussian, RankDeficientJamesSteinZero
from explorer.core.parameter import Parameter
from explorer.scenario import PRESETS, Scenario, derive, from_query
from explorer.serving import command
from explorer.tables import EXAMPLES

ROOT = Path(__file__).parents[1]
PAGES = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "BENCHMARKS.md")),
    *sorted((ROOT / "docs").glob("*.md")),
)
COPIES = tuple(sorted((ROOT / "docs" / "notebooks").glob("*.md")))
GENERATED = {"accuracy.md", "mutants.md"}
WRITTEN = tuple(page for page in PAGES if page.name not in GENERATED)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DOORS = tuple(ROOT / "docs" / name for name in ("teaching.md", "planning.md"))


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "numbers"), [("docs/library.md", 6), ("docs/planning.md", 3)], ids=["library", "plan"]
)
def test_an_example_gives_the_numbers_beside_it(name, numbers):
    [block] = re.findall(r"```python\n(.*?)```", text_of(name), re.DOTALL)
    names, checked = {}, 0
    for line in block.splitlines():
        code, _, comment = line.partition("#")
        number = re.match(r"\s*(\d+[.]\d+)…", comment)
        if not number:
            exec(code, names)  # noqa: S102 - the page's own lines
            continue
        digits = len(number[1].partition(".")[2])
        value = float(np.asarray(eval(code, names)))  # noqa: S307 - the page's own lines
        assert 0 <= value - float(number[1]) < 10.0**-digits
        checked += 1
    assert checked == numbers


@pytest.mark.parametrize("page", [*PAGES, *COPIES], ids=lambda page: page.name)
def test_every_file_that_a_page_links_to_exists(page):
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#:]+)\)", text) + re.findall(
        r"^\[\w+\]: (\S+)$", text, re.MULTILINE
    )
    for link in links:
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", DOORS, ids=lambda page: page.stem)
def test_every_prepared_page_is_opened_as_it_is_written(page):
    queries = re.findall(r"http://localhost:8866/\?([^)]*)", page.read_text(encoding="utf-8"))
    assert queries
    for query in queries:
        scenario, problems = from_query(query)
        assert problems == (), query
        for part in query.split("&"):
            name, value = part.split("=")
            assert getattr(scenario, name) == float(value), query


def test_the_port_of_the_prepared_pages_is_that_of_the_command():
    assert command.options().parse_args([]).port == 8866


def run(*arguments, folder=None):
    """Return what the command prints; it must succeed."""
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "explorer", *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    return done.stdout


def commands_of(page):
    """Lines of a page's console blocks that call the command, without comments."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line.partition("#")[0].split() for block in blocks for line in block.splitlines()]
    return [line[1:] for line in lines if line[:1] == ["gdp-explorer"]]


def test_the_options_that_pages_name_exist():
    commands = [command for page in WRITTEN for command in commands_of(page)]
    assert len(commands) >= 5
    for words in commands:
        verbs = list(itertools.takewhile(str.isalpha, words[:2]))
        options = {word for word in words if word.startswith("--")}
        assert options <= set(re.findall(r"--[a-z-]+", run(*verbs, "--help"))), words


def test_the_study_of_the_page_runs_and_is_reported(tmp_path):
    [study] = re.findall(r"```toml\n(.*?)```", text_of("docs/studies.md"), re.DOTALL)
    few = study.replace("replicates = 100000", "replicates = 100")
    assert few != study
    (tmp_path / "cost.toml").write_text(few, encoding="utf-8")
    local, _, report = commands_of(ROOT / "docs" / "studies.md")
    run(*local, folder=tmp_path)
    run(*report, folder=tmp_path)
    assert "<svg" in (tmp_path / "cost" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "quantity",
    [value for value in vars(quantities).values() if isinstance(value, Parameter)],
    ids=lambda quantity: quantity.name,
)
def test_the_glossary_has_the_symbol_of_every_quantity(quantity):
    symbols = re.findall(r"^\| [^|]+ \| ([^|]+) \|", text_of("docs/glossary.md"), re.MULTILINE)
    listed = {symbol.strip() for cell in symbols for symbol in cell.replace("−", "-").split(",")}
    assert quantity.symbol in listed


def caught(mu, alpha):
    """Targets of 100 that the best attacker finds: a bound, rounded up to two digits."""
    power = 100 * float(gdp.power(alpha, mu))
    return f"{math.ceil(10 * power) / 10:g}" if power < 10 else f"{math.ceil(power)}"


def cell_error(scenario):
    """Half width of the error of a cell at 95%, in three significant digits."""
    return f"± {derive(scenario).mechanism(RankDeficientGaussian).half_width(0.95):#.3g}"


def shrunk_cost(scenario):
    """Cost of shrinkage to the uniform table, in three significant digits."""
    derived = derive(scenario)
    cost = derived.mechanism(RankDeficientJamesSteinZero).l2_cost(derived.expected)
    return f"{cost:.3g}"


def test_the_lesson_has_the_numbers_of_the_page():
    lesson = text_of("docs/teaching.md")
    assert f"At most {caught(0.5, 0.05)}. Guessing finds 5." in lesson
    assert f"{caught(0.5, 0.2)} of 100 found, 20 of 100 accused wrongly" in lesson
    assert (
        f"{caught(2, 0.05)} of 100 at μ = 2, and at most {caught(0.1, 0.05)} at μ = 0.1" in lesson
    )
    wide, narrow = Scenario(mu=0.1), Scenario(mu=0.5)
    assert f"{cell_error(narrow)} at μ = 0.5, and to {cell_error(wide)} at μ = 0.1" in lesson
    assert f"is {np.ptp(derive(narrow).expected):.3g} above the others" in lesson
    none, strong = Scenario(strength=0), Scenario(strength=1)
    plain = derive(none).mechanism(RankDeficientGaussian).l2_cost(derive(none).expected)
    saved = f"{shrunk_cost(none)} instead of {plain:.3g} records² at w = 0"
    assert f"{saved}, and {shrunk_cost(strong)} at w = 1" in lesson


def test_the_plan_has_the_numbers_of_the_page():
    plan, scenario = text_of("docs/planning.md"), Scenario(rows=2, columns=3, n=1000, mu=0.253)
    epsilon = f"{gdp.epsilon(1e-6, scenario.mu):.3g}"
    assert f"rank-deficient {cell_error(scenario)}" in plan
    assert f"finds at most {caught(scenario.mu, 0.05)} of 100 targets, and ε is {epsilon} " in plan
    assert f"(ε = {epsilon} at δ = 10⁻⁶); n = 1 000 is public; each cell" in plan


def test_the_design_lists_the_packages_and_their_layers():
    design = text_of("docs/design.md")
    packages = {path.parent.name for path in (ROOT / "explorer").glob("*/__init__.py")}
    assert set(re.findall(r"^[├└]── (\w+)/", design, re.MULTILINE)) == packages
    [contract] = [one for one in PROJECT["tool"]["importlinter"]["contracts"] if "layers" in one]
    layers = [set(layer.split(" | ")) for layer in contract["layers"] if layer != "__main__"]
    listed = re.findall(r"^\d\. (.*)$", design, re.MULTILINE)
    assert [set(re.findall(r"`(\w+)`", line)) for line in listed] == layers


def test_the_design_gives_a_reason_for_every_dependency():
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    lists = [project["dependencies"], *project["optional-dependencies"].values(), *groups.values()]
    texts = [text for dependencies in lists for text in dependencies if isinstance(text, str)]
    names = {re.match(r"[\w-]+", text)[0] for text in texts} - {"gdp-explorer"}
    table = re.findall(r"^\| (\*.*?) \| .{10,}\|$", text_of("docs/design.md"), re.MULTILINE)
    assert set(re.findall(r"\*([\w-]+)\*", " ".join(table))) == names


def test_the_lesson_counts_the_presets_and_the_tables():
    counts = {7: "seven prepared pages", 8: "eight real tables"}
    assert counts[len(PRESETS)] in text_of("docs/teaching.md")
    assert counts[len(EXAMPLES)] in text_of("docs/teaching.md")


def test_the_warning_stands_before_anything_that_can_be_typed():
    plan = text_of("docs/planning.md")
    assert plan.index("Type only public or made-up counts") < plan.index("## ")
    assert "type only public or made-up counts" in text_of("README.md")


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_prose_has_short_lines(page):
    text = re.sub(
        r"```.*?```|<!-- .*?: begin -->.*?<!-- ",
        "",
        page.read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )
    prose = [line for line in text.splitlines() if not re.match(r"\s*[|#]|\[", line)]
    assert [line for line in prose if len(line) > 120] == []
