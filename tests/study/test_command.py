"""The study command: runs, reports, and its sentences for errors."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from explorer.serving import command as explorer
from explorer.study import command
from explorer.study.folder import locked, open_for_writing
from explorer.study.spec import parse

ROOT = Path(__file__).parents[2]


@pytest.fixture
def file(tmp_path, text):
    path = tmp_path / "small.toml"
    few = re.sub(r"^mechanism = .*$", 'mechanism = ["Gaussian"]', text, flags=re.MULTILINE)
    path.write_text(few)
    return path


def last_line(capsys):
    told = capsys.readouterr()
    assert told.out == ""
    return told.err.splitlines()[-1]


def test_a_study_is_run_and_reported(file, tmp_path, capsys):
    assert explorer.main(["study", "run", str(file), "--workers", "1"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "0 of 6 cells, 0 s"
    assert lines[-2].startswith("6 of 6 cells, ")
    assert lines[-1] == f"finished: gdp-explorer study report {tmp_path / 'small'}"
    assert explorer.main(["study", "report", str(tmp_path / "small")]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == (f"{tmp_path / 'small' / 'report.html'}\n", "")
    html = (tmp_path / "small" / "report.html").read_text()
    assert "6 finished of 6" in html
    other = tmp_path / "other.html"
    assert command.main(["report", str(tmp_path / "small"), "--html", str(other)]) == 0
    assert other.read_text() == html


def test_the_explorer_tells_of_studies():
    run = subprocess.run(
        [sys.executable, "-m", "explorer", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "gdp-explorer study --help" in run.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "the following arguments are required: run | report"),
        (["run"], "the following arguments are required: FILE"),
        (["run", "a", "--workers", "0"], "'0' is no number of workers; give a whole number from 1"),
        (["run", "a", "--workers", "x"], "'x' is no number of workers; give a whole number from 1"),
        (["run", "a", "--workers", "1", "--scheduler", "b"], "not allowed with argument --workers"),
        (["report"], "the following arguments are required: FOLDER"),
    ],
)
def test_bad_options_are_refused(words, sentence, capsys):
    with pytest.raises(SystemExit) as left:
        command.main(words)
    assert left.value.code == 2
    assert sentence in last_line(capsys)


def test_a_bad_study_is_said_in_one_sentence(file, capsys):
    file.write_text(file.read_text().replace("mu = [0.25, 1]", "mu = [0.25, -1]"))
    assert command.main(["run", str(file)]) == 1
    assert last_line(capsys) == (
        "gdp-explorer: μ (GDP parameter) must lie in [1e-50, 1e+50], got mu=-1."
    )
    assert not file.with_suffix("").exists()


def test_a_file_that_is_not_there_is_said(tmp_path, capsys):
    missing = str(tmp_path / "a.toml")
    assert command.main(["run", missing]) == 1
    assert last_line(capsys) == f"gdp-explorer: cannot read {missing!r}: No such file or directory."


def test_a_file_without_ending_needs_a_folder(tmp_path, file, capsys):
    plain = file.rename(tmp_path / "small")
    assert command.main(["run", str(plain)]) == 1
    assert last_line(capsys) == (
        f"gdp-explorer: choose a folder for the results of {str(plain)!r} with --out."
    )


def test_a_folder_without_a_study_has_no_report(tmp_path, capsys):
    assert command.main(["report", str(tmp_path)]) == 1
    assert last_line(capsys) == f"gdp-explorer: {str(tmp_path)!r} holds no study."


def test_a_report_that_cannot_be_written_is_said(tmp_path, file, capsys):
    open_for_writing(tmp_path / "out", parse(file.read_text()))
    path = str(tmp_path / "nowhere" / "a.html")
    assert command.main(["report", str(tmp_path / "out"), "--html", path]) == 1
    assert last_line(capsys).startswith(f"gdp-explorer: cannot write {path!r}: ")


def test_what_is_not_trusted_is_told_and_computed_again(tmp_path, file, capsys):
    folder = tmp_path / "small"
    open_for_writing(folder, parse(file.read_text()))
    (folder / "part-0.parquet").write_bytes(b"PAR1")
    assert command.main(["run", str(file), "--workers", "1"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert "6 of 6 cells, " in told[-3]
    assert told[-2].startswith("gdp-explorer: part-0.parquet is left out: ")
    assert told[-2].endswith(". It can be deleted.")


def test_a_second_start_leaves_the_first_one_alone(tmp_path, file, capsys):
    folder = tmp_path / "small"
    open_for_writing(folder, parse(file.read_text()))
    half = folder / ".part-9.parquet.new"
    with locked(folder):
        half.write_bytes(b"half")
        kept = (folder / "study.toml").read_text()
        file.write_text(file.read_text().replace("mu = [", "mu = [2, "))
        assert command.main(["run", str(file), "--workers", "1"]) == 1
        assert "another start is at work" in last_line(capsys)
        assert half.read_bytes() == b"half"
        assert (folder / "study.toml").read_text() == kept


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_study_from_an_editor_of_windows_is_run_and_resumed(file, encoding, capsys):
    file.write_bytes(file.read_text().replace("\n", "\r\n").encode(encoding))
    for computed in ("0", "6"):
        assert command.main(["run", str(file), "--workers", "1"]) == 0
        assert capsys.readouterr().err.startswith(f"{computed} of 6 cells")
    assert command.main(["report", str(file.with_suffix(""))]) == 0


def test_a_report_that_fails_leaves_the_old_one(file, capsys, monkeypatch):
    folder = file.with_suffix("")
    open_for_writing(folder, parse(file.read_text()))
    assert command.main(["report", str(folder)]) == 0
    old = (folder / "report.html").read_bytes()

    def full(self, text, **_):
        self.write_bytes(text.encode()[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    assert command.main(["report", str(folder)]) == 1
    assert capsys.readouterr().err.endswith("report.html': No space left on device.\n")
    assert (folder / "report.html").read_bytes() == old


# The command, but for a signal that it sends itself when it imports a module.
INTERRUPTED_AT = """
import os, runpy, signal, sys

_, module, *words = sys.argv


class Interrupt:
    def find_spec(self, name, *_):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)


sys.meta_path.insert(0, Interrupt())
sys.argv = ["gdp-explorer", *words]
runpy.run_module("explorer", run_name="__main__")
"""


@pytest.mark.parametrize(
    "module",
    ["explorer.serving.command", "jupyter_client", "numpy", "pyarrow", "explorer.study.run"],
)
def test_ctrl_c_during_the_imports_ends_in_silence(file, module, start, tmp_path):
    process = start("-c", INTERRUPTED_AT, module, "study", "run", str(file), "--workers", "1")
    assert process.wait(60) == 130
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_ctrl_c_while_workers_start_prints_no_traceback(file, start, until, tmp_path):
    # Ctrl-C reaches the whole process group; the workers are still importing.
    process = start("-m", "explorer", "study", "run", str(file), "--workers", "2", group=True)
    until(
        lambda: [
            c for c in psutil.Process(process.pid).children() if "spawn_main" in str(c.cmdline())
        ]
    )
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(60) == 130
    log = (tmp_path / "log").read_text()
    assert "Traceback" not in log
    assert log.splitlines()[-1].endswith("The same command goes on from there.")
