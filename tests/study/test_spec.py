import json
import re
import tomllib
from pathlib import Path

import pytest

from explorer.core.parameter import ParameterError
from explorer.study import kinds
from explorer.study.spec import parse

README = Path(__file__).parents[2] / "README.md"


def changed(text, **keys):
    """The text with other values of some keys, as TOML."""
    for key, value in keys.items():
        assert re.search(rf"^{key} = ", text, re.MULTILINE)
        text = re.sub(rf"^{key} = .*$", f"{key} = {value}", text, flags=re.MULTILINE)
    return text


def test_a_study_is_read(text):
    study = parse(text)
    assert (study.name, study.seed, study.replicates) == ("A small study", 20261130, 2000)
    assert study.kind.name == "cost"
    assert dict(study.grid)["shape"] == ((4, 4),)
    assert dict(study.grid)["neighbours"] == ("replace",)  # by default
    assert len(study) == 4 * 2 * 3 == len(list(study.cells()))


def test_cells_come_in_the_order_of_the_grid(text):
    first, second, *_, last = parse(text).cells()
    assert dict(first.parameters)["strength"] == 0
    assert dict(second.parameters)["strength"] == 0.1
    assert {name: dict(last.parameters)[name] for name in ("mechanism", "mu", "strength")} == {
        "mechanism": "Laplace",
        "mu": 1.0,
        "strength": 0.5,
    }


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"name": '" "'}, "name (title of the study) must be a text that is not empty"),
        ({"seed": "-1"}, "seed (seed of the random numbers) must be a whole number in [0, "),
        ({"seed": "1.5"}, "seed (seed of the random numbers) must be a whole number in [0, "),
        ({"seed": "true"}, "seed (seed of the random numbers) must be a whole number in [0, "),
        ({"replicates": "1"}, "replicates (draws in each cell) must be a whole number in [2, "),
        ({"replicates": "1_000_000_001"}, "replicates (draws in each cell) must be a whole number"),
        ({"kind": '"size"'}, "kind (what is simulated) must be one of cost, power"),
        ({"kind": "[]"}, "kind (what is simulated) must be one of cost, power"),
        ({"mechanism": '["Gausian"]'}, "mechanism (mechanism) must be one of Gaussian, RankDef"),
        ({"mechanism": "[1]"}, "mechanism (mechanism) must be one of Gaussian, RankDeficient"),
        ({"mechanism": "[]"}, "mechanism (mechanism) must be a list with at least one value"),
        (
            {"mechanism": '"Laplace"'},
            "mechanism (mechanism) must be a list with at least one value",
        ),
        ({"mu": "[0.5, 0.5]"}, "mu (privacy parameter, μ) must not have a value twice"),
        ({"mu": "[1, 1.0]"}, "mu (privacy parameter, μ) must not have a value twice"),
        (
            {"strength": "[0.0, -0.0]"},
            "strength (signal strength, Cohen’s w) must not have a value",
        ),
        ({"mu": "[0]"}, "μ (GDP parameter) must lie in [1e-50, 1e+50], got mu=0"),
        ({"mu": "[nan]"}, "μ (GDP parameter) must lie in [1e-50, 1e+50], got mu=nan"),
        ({"mu": '["1"]'}, "μ (GDP parameter) must lie in [1e-50, 1e+50], got mu='1'"),
        ({"n": "[200.5]"}, "n (number of records) must be a whole number in [0, 1e+09]"),
        ({"shape": "[[1]]"}, "r × c (levels of the table) must make at least 2 cells"),
        ({"shape": "[4]"}, "r × c (levels of the table) must be whole numbers of at least 1"),
        ({"shape": "[[51, 50]]"}, "r × c (levels of the table) must make at most 2500 cells"),
        ({"pattern": '["blob"]'}, "pattern (pattern of the table) must be one of spike, split,"),
        ({"strength": "[4.0]"}, "w (signal strength, Cohen's w) must be at most 3.87298"),
        ({"shape": "[[16]]", "pattern": '["interaction"]'}, "needs at least two rows and two col"),
    ],
)
def test_what_cannot_be_is_refused_in_words(text, keys, sentence):
    with pytest.raises(ParameterError, match=re.escape(sentence)):
        parse(changed(text, **keys))


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("neighbours = ['none']", "must be one of replace, add-remove"),
        ("positive_part = [1]", "positive_part (positive part of the shrinkage) must be true or"),
        ("records_per_person = [0]", "k (records of one person) must be a whole number in [1, "),
        ("level = [0.05]", "axis (axes of the study) may have shape, pattern, n, neighbours, "),
        ("mu = [1", "file (study file) must be TOML (Unclosed array"),
        ("[more]\na = 1", "key (study file) may have name, seed, replicates, kind, grid only"),
    ],
)
def test_what_is_too_much_is_refused_in_words(text, more, sentence):
    with pytest.raises(ParameterError, match=re.escape(sentence)):
        parse(f"{text}\n{more}\n")


@pytest.mark.parametrize("key", ["name", "seed", "replicates", "kind", "grid"])
def test_every_key_is_needed(text, key):
    cut = re.sub(rf"^\[{key}\](.|\n)*|^{key} = .*$", "", text, flags=re.MULTILINE)
    with pytest.raises(ParameterError, match=f"must have the key {key}, got"):
        parse(cut)


def test_an_axis_without_default_is_needed(text):
    with pytest.raises(ParameterError, match="must have the axis n, got"):
        parse(re.sub(r"^n = .*$", "", text, flags=re.MULTILINE))


def test_a_grid_is_a_table(text):
    with pytest.raises(ParameterError, match="must be a table of lists"):
        parse(f"{text.partition('[grid]')[0]}\ngrid = 3\n")


def test_a_million_cells_are_enough(text):
    most = changed(text, n=[*range(41_667)])
    with pytest.raises(ParameterError, match="must make at most 1000000 cells, got cells=1000008"):
        parse(most)
    assert len(parse(changed(text, n=[*range(41_666)]))) == 999_984


@pytest.mark.parametrize("kind", kinds.KINDS, ids=lambda kind: kind.name)
def test_every_kind_names_what_it_gives(kind):
    names = [axis.name for axis in kind.axes]
    assert len(set(names)) == len(names)
    assert {"mechanism", "mu"} <= set(names)  # a figure draws a line for each, a panel for each
    assert set(kind.together) <= set(names)
    assert {kind.value, kind.error} <= set(kind.results)
    assert kinds.kind_of(kind.name) is kind
    for axis in kind.axes:
        assert all(axis.read(json.loads(json.dumps(value))) == value for value in axis.default)


def test_the_study_of_the_readme_is_one():
    [block] = re.findall(r"```toml\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(parse(block)) > 1
    assert set(tomllib.loads(block)) == {"name", "seed", "replicates", "kind", "grid"}
