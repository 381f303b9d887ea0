"""The text of a study: what is read, and the sentence for what is refused."""

import dataclasses
import re
import tomllib
from pathlib import Path

import pytest

from explorer.core.mechanisms import Laplace
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Neighbours
from explorer.study import kinds
from explorer.study.axes import plain
from explorer.study.spec import parse

DOCUMENT = Path(__file__).parents[2] / "docs" / "studies.md"


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
    assert study.along("shape").values == ((4, 4),)
    assert study.along("neighbours").values == (Neighbours.REPLACE,)  # by default
    assert len(study) == 4 * 2 * 3 == len(list(study.cells()))


def test_cells_come_in_the_order_of_the_grid(text):
    first, second, *_, last = parse(text).cells()
    assert first.strength == 0
    assert second.strength == 0.1
    assert (last.mechanism, last.mu, last.strength) == (Laplace, 1.0, 0.5)


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"name": '" "'}, "name (title of the study) must be a text that is not empty"),
        ({"seed": "-1"}, "seed (seed of the random numbers) must be a whole number in [0, "),
        ({"seed": "1.5"}, "seed (seed of the random numbers) must be a whole number in [0, "),
        ({"seed": "true"}, "seed (seed of the random numbers) must be a whole number in [0, "),
        (
            {"replicates": "1"},
            "replicates (simulated releases in each cell) must be a whole number in [2, ",
        ),
        (
            {"replicates": "1_000_000_001"},
            "replicates (simulated releases in each cell) must be a whole number",
        ),
        ({"kind": '"size"'}, "kind (what is simulated) must be one of cost, power"),
        ({"kind": "[]"}, "kind (what is simulated) must be one of cost, power"),
        ({"mechanism": '["Gausian"]'}, "mechanism (mechanism) must be one of gaussian, rank-def"),
        ({"mechanism": "[1]"}, "mechanism (mechanism) must be one of gaussian, rank-deficient"),
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
        (
            "positive_part = [1]",
            "positive_part (positive part of the shrinkage) must be one of true, f",
        ),
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
    assert names == [field.name for field in dataclasses.fields(kind.cell_class)]
    assert len(set(names)) == len(names)
    assert {"mechanism", "mu"} <= set(names)  # a figure draws a line for each, a panel for each
    assert set(kind.together) <= set(names)
    assert {kind.value, kind.error} <= set(kind.results)
    assert kinds.kind_of(kind.name) is kind
    for axis in kind.axes:
        assert all(axis.read(plain(value)) == value for value in axis.default)


def test_the_study_of_the_documentation_is_one():
    [block] = re.findall(r"```toml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert len(parse(block)) > 1
    assert set(tomllib.loads(block)) == {"name", "seed", "replicates", "kind", "grid"}


@pytest.mark.parametrize("kind", kinds.KINDS, ids=lambda kind: kind.name)
def test_an_axis_keeps_the_values_of_a_file(kind):
    for axis in kind.axes:
        for value in axis.default:
            assert type(axis.read(plain(value))) is type(value)


def test_a_mechanism_is_read_by_its_key_and_by_the_class_name_of_older_studies(text):
    names = '["gaussian", "james-stein-mean", "rank-deficient-james-stein", "laplace"]'
    by_key = parse(changed(text, mechanism=names))
    assert by_key.grid == parse(text).grid
    assert list(by_key.cells()) == list(parse(text).cells())
    with pytest.raises(
        ParameterError, match="must not have a value twice, got mechanism='laplace'"
    ):
        parse(changed(text, mechanism='["Laplace", "laplace"]'))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = " + "[" * 5000, "file (study file) must be TOML ("),
        ("a = " + "9" * 5000, "file (study file) must be TOML ("),
        ("seed = 0x" + "f" * 5000, "file (study file) must be TOML (a whole number has more than"),
        ("seed = 18446744073709551616", "must be TOML (a whole number has more than 64 bits)"),
    ],
)
def test_text_that_only_looks_like_toml_is_refused(text, sentence):
    with pytest.raises(ParameterError, match=re.escape(sentence)):
        parse(text)


@pytest.mark.parametrize("value", ["1979-05-27", "[{a = 1}]", "{a = 1}", "[[]]", "[true]", "[inf]"])
@pytest.mark.parametrize("axis", ["mechanism", "mu", "shape", "pattern", "n", "strength"])
def test_a_value_of_another_type_is_refused_with_the_name_of_its_axis(text, axis, value):
    with pytest.raises(ParameterError) as refused:
        parse(changed(text, **{axis: value}))
    assert refused.value.name == axis


def test_lines_may_end_in_any_way(text):
    for end in ("\r\n", "\r"):
        assert parse(text.replace("\n", end)) == parse(text)
