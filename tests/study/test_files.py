"""Encodings of a study's file, and files that are replaced as a whole."""

import pytest

from explorer.study import files
from explorer.study.errors import StudyError
from explorer.study.files import read_text, replacing, write_text

TEXT = 'name = "Größe μ"\n'


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_a_text_is_read_in_the_encodings_of_editors(tmp_path, encoding):
    path = tmp_path / "a.toml"
    path.write_bytes(TEXT.encode(encoding))
    assert read_text(path) == TEXT
    path.write_bytes(b"\xfe\xff" + TEXT.encode("utf-16-be"))
    assert read_text(path) == TEXT


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("Größe".encode("latin-1"), "byte 3 is no UTF-8; save it as UTF-8"),
        (TEXT.encode("utf-16")[:-1], "is no UTF-16; save it as UTF-8"),
        (b"PAR1\x00\x00", "it is no text; give the study's TOML file"),
    ],
)
def test_what_is_no_text_is_refused_in_a_sentence(tmp_path, content, sentence):
    path = tmp_path / "a.toml"
    path.write_bytes(content)
    with pytest.raises(StudyError, match=sentence):
        read_text(path)


def test_a_folder_and_a_huge_file_are_no_study(tmp_path, monkeypatch):
    with pytest.raises(StudyError, match="Is a directory"):
        read_text(tmp_path)
    monkeypatch.setattr(files, "LARGEST_FILE", 10)
    (tmp_path / "a").write_text("a" * 11)
    with pytest.raises(StudyError, match="too large for a study's file"):
        read_text(tmp_path / "a")


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("good")

    def full(self, text, **_):
        self.write_bytes(text[:2].encode())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.Path, "write_text", full)
    with pytest.raises(
        StudyError, match=r"^cannot write '.*report.html': No space left on device$"
    ):
        write_text(path, "better")
    assert path.read_text() == "good"
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.html"]


def busy(monkeypatch, times):
    """Make renaming fail as on Windows while another program has the file open."""
    attempts, pauses = [], []
    rename = files.Path.replace

    def replace(self, target):
        attempts.append(target)
        if len(attempts) <= times:
            raise PermissionError(13, "Access is denied")
        return rename(self, target)

    monkeypatch.setattr(files.Path, "replace", replace)
    monkeypatch.setattr(files.time, "sleep", pauses.append)
    return attempts, pauses


def test_a_file_in_use_is_replaced_when_it_is_free(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_text("old")
    attempts, pauses = busy(monkeypatch, 4)
    write_text(path, "new")
    assert path.read_text() == "new"
    assert len(attempts) == 5
    assert pauses == [0.05, 0.1, 0.2, 0.4]


def test_a_file_that_stays_in_use_is_said_in_one_sentence(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_text("old")
    _, pauses = busy(monkeypatch, 100)
    with pytest.raises(StudyError, match=r"^cannot write '.*a': Access is denied$"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert sum(pauses) < 5


def test_an_interrupted_block_leaves_nothing_behind(tmp_path):
    def interrupted():
        with replacing(tmp_path / "a") as new:
            new.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []
