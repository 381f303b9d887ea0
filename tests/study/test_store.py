"""Finished cells on disk: exact round trips, merges, and damaged or foreign files."""

import errno
import fcntl
import json
import os
import random
import re
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

from explorer.core.parameter import ParameterError
from explorer.study import folder
from explorer.study import store as module
from explorer.study.axes import plain
from explorer.study.errors import StudyError
from explorer.study.folder import locked, open_for_reading, open_for_writing
from explorer.study.spec import parse


@pytest.fixture
def rows(study):
    """Made-up results: these tests compute nothing."""
    numbers = random.Random(5)  # noqa: S311 - any floats
    names = study.kind.results
    return [(cell, {name: numbers.random() / 3 for name in names}) for cell in study.cells()]


@pytest.fixture
def store(tmp_path, text):
    return open_for_writing(tmp_path / "out", parse(text))


def parts(store):
    return sorted(path.name for path in store.folder.glob("*.parquet"))


def test_what_is_kept_comes_back_to_the_last_bit(store, rows):
    store.add(rows[:5])
    store.add(rows[7:8])
    finished, problems = open_for_reading(store.folder).read()
    assert finished == {cell.key: results for cell, results in [*rows[:5], rows[7]]}
    assert problems == []


def test_the_table_is_in_the_order_of_the_grid(store, rows, study):
    shuffled = random.Random(2).sample(rows, len(rows))  # noqa: S311 - an order
    for row in shuffled[:-1]:
        store.add([row])
    table = open_for_reading(store.folder).table()
    assert table.num_rows == len(rows) - 1
    missing = shuffled[-1][0]
    kept = [(cell, results) for cell, results in rows if cell != missing]
    for name in study.kind.results:
        assert table.column(name).to_pylist() == [results[name] for _, results in kept]
    for axis in study.kind.axes:
        values = [plain(getattr(cell, axis.name)) for cell, _ in kept]
        assert table.column(axis.name).to_pylist() == values


def test_the_files_are_parquet_that_explains_itself(store, rows, study):
    store.add(rows[:2])
    [path] = store.folder.glob("*.parquet")
    table = parquet.read_table(path)
    names = [axis.name for axis in study.kind.axes]
    assert table.column_names == ["cell", *names, *study.kind.results]
    said = json.loads(table.schema.metadata[b"explorer.study"])
    assert {name: said[name] for name in ("kind", "seed", "replicates")} == {
        "kind": "cost",
        "seed": 20261130,
        "replicates": 2000,
    }
    assert set(said) == {"kind", "seed", "replicates", "versions"}  # no path, no host, no time


def test_the_same_cells_give_the_same_files(tmp_path, text, rows):
    for name in ("one", "two"):
        kept = open_for_writing(tmp_path / name, parse(text))
        for row in rows[:3]:
            kept.add([row])
    files = [sorted((tmp_path / name).glob("*.parquet")) for name in ("one", "two")]
    assert [[path.name for path in found] for found in files] == [parts(kept)] * 2
    for one, two in zip(*files, strict=True):
        assert one.read_bytes() == two.read_bytes()


def test_small_files_are_merged(store, rows, monkeypatch):
    monkeypatch.setattr(module, "MOST_SMALL_FILES", 4)
    for row in rows[:10]:
        store.add([row])
    assert [name.partition("-")[0] for name in parts(store)] == ["merged", "merged", "part", "part"]
    finished, problems = store.read()
    assert finished == {cell.key: results for cell, results in rows[:10]}
    assert problems == []


def test_a_file_that_was_merged_meanwhile_is_no_problem(store, rows, monkeypatch):
    store.add(rows[:1])
    [path] = store.folder.glob("*.parquet")
    monkeypatch.setattr(store, "_files", lambda: [path.with_name("part-0.parquet"), path])
    assert store.read() == ({rows[0][0].key: rows[0][1]}, [])


def test_a_kill_in_the_middle_of_a_merge_loses_nothing(store, rows, monkeypatch):
    class KilledError(Exception):
        pass

    def killed(path):
        raise KilledError(path)

    monkeypatch.setattr(module, "MOST_SMALL_FILES", 4)
    monkeypatch.setattr(module.Path, "unlink", killed)
    for row in rows[:3]:
        store.add([row])
    with pytest.raises(KilledError):
        store.add(rows[3:4])
    assert len(parts(store)) == 5  # each cell twice
    assert store.read() == ({cell.key: results for cell, results in rows[:4]}, [])
    monkeypatch.undo()
    store.add(rows[4:6])
    assert len(store.read()[0]) == 6


@pytest.mark.parametrize("end", [-9, 2000, 3, 0])
def test_a_file_cut_short_is_told_and_left_out(store, rows, end):
    store.add(rows[:2])
    store.add(rows[2:3])
    path = store.folder / f"part-{rows[0][0].key}.parquet"
    path.write_bytes(path.read_bytes()[:end])
    finished, [problem] = store.read()
    assert finished == {rows[2][0].key: rows[2][1]}
    assert problem.startswith(f"{path.name} is left out: ")


def test_no_turned_bit_is_trusted(store, rows):
    # A bit that matters is noticed; one that does not leaves the results as they are.
    store.add(rows[:3])
    [path] = store.folder.glob("*.parquet")
    data, told = path.read_bytes(), 0
    for at in range(0, len(data), 11):
        path.write_bytes(data[:at] + bytes([data[at] ^ 64]) + data[at + 1 :])
        finished, problems = store.read()
        assert finished == ({} if problems else {cell.key: found for cell, found in rows[:3]}), at
        told += len(problems)
    assert told > 180


def test_a_file_of_another_study_is_told_and_left_out(store, rows, tmp_path, text):
    other = open_for_writing(tmp_path / "other", parse(text.replace("20261130", "8")))
    other.add(rows[:1])
    [path] = other.folder.glob("*.parquet")
    path.rename(store.folder / path.name)
    assert store.read() == ({}, [f"{path.name} is left out: it is of another study"])


def test_a_foreign_file_is_told_and_left_out(store):
    parquet.write_table(pa.table({"cell": ["a"]}), store.folder / "sales.parquet")
    assert store.read() == ({}, ["sales.parquet is left out: it is of another study"])


def test_a_file_that_contradicts_another_is_told(store, rows):
    store.add(rows[:2])
    [path] = store.folder.glob("*.parquet")
    path.rename(store.folder / "a.parquet")
    store.add([(rows[0][0], dict.fromkeys(rows[0][1], 0.5))])
    finished, problems = store.read()
    assert finished == {cell.key: results for cell, results in rows[:2]}
    assert problems == [f"{path.name} is left out: it contradicts another file"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("seed = 20261130", "seed = 8", "holds a study with seed 20261130, this one has 8"),
        ("replicates = 2000", "replicates = 9", "with replicates 2000, this one has 9"),
    ],
)
def test_another_study_is_refused(store, text, old, new, sentence):
    with pytest.raises(StudyError, match=sentence):
        open_for_writing(store.folder, parse(text.replace(old, new)))
    assert open_for_reading(store.folder).study == store.study  # the old declaration stays


def test_another_version_is_refused(store, text, monkeypatch):
    here = folder.setting()
    older = tuple((name, "1.0" if name == "numpy" else said) for name, said in here.versions)
    monkeypatch.setattr(folder, "setting", lambda: here._replace(versions=older))
    with pytest.raises(
        StudyError, match=r"holds a study with versions .*numpy 2.*, this one has .*numpy 1\.0"
    ):
        open_for_writing(store.folder, parse(text))


def test_a_larger_grid_goes_on(store, rows, text):
    store.add(rows)
    larger = open_for_writing(
        store.folder, parse(text.replace("mu = [0.25, 1]", "mu = [0.25, 0.5, 1]"))
    )
    finished, _ = larger.read()
    assert sum(cell.key in finished for cell in larger.study.cells()) == len(rows)
    assert len(larger.study) == len(rows) * 3 // 2


def test_what_a_killed_start_left_is_removed(store, text):
    left = store.folder / ".part-0.parquet.new"
    left.write_bytes(b"half")
    assert store.read() == ({}, [])
    open_for_writing(store.folder, parse(text))
    assert not left.exists()


def test_a_folder_of_other_things_is_left_alone(tmp_path, text):
    (tmp_path / "thesis.tex").write_text("dear")
    with pytest.raises(StudyError, match="is not empty and holds no study"):
        open_for_writing(tmp_path, parse(text))
    with pytest.raises(StudyError, match="holds no study"):
        open_for_reading(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_no_folder(tmp_path, text):
    (tmp_path / "out").write_text("")
    with pytest.raises(StudyError, match=r"cannot write in .*exists"):
        open_for_writing(tmp_path / "out", parse(text))


WHOLE = '{"kind": "cost", "seed": 1, "replicates": 2, "versions": {"numpy": "2"}}'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("[" * 10**5, "is no JSON"),
        ("[]", "holds no identity of a study"),
        ("{}", 'must have "kind", a text'),
        (WHOLE.replace('"cost"', "7"), 'must have "kind", a text'),
        (WHOLE.replace("1", "true"), 'must have "seed" and "replicates", whole numbers'),
        (WHOLE.replace('"replicates"', '"draws"'), 'must have "seed" and "replicates"'),
        (WHOLE.replace('{"numpy": "2"}', "3"), 'must have "versions", a text for each package'),
        (WHOLE.replace('"2"', "2"), 'must have "versions", a text for each package'),
    ],
)
def test_a_damaged_identity_is_refused_in_a_sentence(store, text, content, sentence):
    (store.folder / "identity.json").write_text(content)
    for start in (
        lambda: open_for_writing(store.folder, parse(text)),
        lambda: open_for_reading(store.folder),
    ):
        with pytest.raises(StudyError, match=rf"identity\.json' {re.escape(sentence)}"):
            start()


def test_a_damaged_declaration_is_told(store):
    (store.folder / "study.toml").write_text("name = 'a'")
    with pytest.raises(ParameterError, match="must have the key seed"):
        open_for_reading(store.folder)


def test_one_start_at_a_time(store):
    with (
        locked(store.folder),
        pytest.raises(StudyError, match="another start is at work in"),
        locked(store.folder),
    ):
        pass
    with locked(store.folder):  # and it is given back
        pass


def test_a_missing_package_is_said_in_one_sentence(monkeypatch, tmp_path, text):
    for name in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(StudyError) as told:
        open_for_writing(tmp_path / "out", parse(text))
    assert str(told.value) == (
        'studies need pyarrow, which is not installed; pip install "gdp-explorer[cluster]"'
    )
    assert not (tmp_path / "out").exists()


def test_a_full_disk_is_said_in_one_sentence(store, rows, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.Store, "_write", full)
    with pytest.raises(StudyError, match=r"cannot write in .*: No space left on device"):
        store.add(rows[:1])


def test_a_folder_with_other_things_gets_no_lock(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(StudyError, match="holds no study"), locked(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


POWER = """
name = "Power"
seed = 1
replicates = 100
kind = "power"

[grid]
mechanism = ["gaussian"]
mu = [0.5]
shape = [[10]]
pattern = ["split"]
n = [500]
strength = [0, 0.1, 0.2, 0.3]
"""


def test_files_of_before_an_axis_was_added_are_read_and_merged(tmp_path, monkeypatch):
    store = open_for_writing(tmp_path / "out", parse(POWER))
    rows = [(cell, {"power": 0.25, "standard_error": 0.125}) for cell in store.study.cells()]
    for row in rows[:2]:
        store.add([row])
    for path in store.folder.glob("*.parquet"):
        table = parquet.read_table(path).drop_columns(["neighbours", "records_per_person"])
        parquet.write_table(table, path)
    expected = {cell.key: results for cell, results in rows}
    assert store.read() == ({cell.key: results for cell, results in rows[:2]}, [])
    monkeypatch.setattr(module, "MOST_SMALL_FILES", 2)
    store.add(rows[2:3])  # old and new together
    assert [name.partition("-")[0] for name in parts(store)] == ["merged"]
    store.add(rows[3:])
    assert store.read() == (expected, [])
    [table] = [parquet.read_table(path) for path in store.folder.glob("merged*")]
    assert table.column("neighbours").to_pylist() in (
        [None, None, "replace"],
        ["replace", None, None],
    )


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_disk_without_locks_is_used_with_a_warning(tmp_path, monkeypatch, number):
    def flock(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)
    with locked(tmp_path / "out") as warning:
        assert warning.endswith(": make sure that no other start uses the folder at the same time")
        assert os.strerror(number) in warning


def test_a_lock_that_fails_otherwise_is_said_in_one_sentence(tmp_path, monkeypatch):
    def flock(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(StudyError, match=r"^cannot lock '.*out': Input/output error$"):
        locked(tmp_path / "out").__enter__()


def test_a_folder_that_cannot_be_listed_is_not_taken_for_an_empty_one(store, monkeypatch):
    def forbidden(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(module.Path, "iterdir", forbidden)
    with pytest.raises(StudyError, match=r"^cannot read '.*out': Permission denied$"):
        store.read()
    with pytest.raises(StudyError, match=r"^cannot read '.*out': Permission denied$"):
        open_for_reading(store.folder)
