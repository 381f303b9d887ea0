"""Text files in any usual encoding, and files that are replaced as a whole."""

import codecs
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from explorer.study.errors import StudyError

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
UNMARKED = {(False, True): "utf-16-le", (True, False): "utf-16-be", (False, False): "utf-8"}
LARGEST_FILE = 1 << 26  # bytes of a study's file

PAUSES_SECONDS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""Before each new attempt to rename over a file that another program has open, on Windows."""


def read_text(path: Path) -> str:
    """Return the text of a file in UTF-8, UTF-16 or UTF-32, with a byte-order mark or without.

    Raises
    ------
    StudyError
        If it cannot be read or has another encoding.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise StudyError(f"cannot read {str(path)!r}: {reason(error)}") from error
    if len(data) > LARGEST_FILE:
        raise StudyError(f"cannot read {str(path)!r}: it is too large for a study's file")
    encoding = next((name for mark, name in MARKS if data.startswith(mark)), None)
    if encoding is None:
        # TOML begins with ASCII: the place of its zero byte tells the order in UTF-16.
        zeros = (data[:1] == b"\0", data[1:2] == b"\0")
        encoding = UNMARKED.get(zeros, "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise StudyError(
            f"cannot read {str(path)!r}: byte {error.start + 1} is no {encoding.upper()};"
            " save it as UTF-8"
        ) from error
    if "\0" in text:
        raise StudyError(f"cannot read {str(path)!r}: it is no text; give the study's TOML file")
    return text


def reason(error: OSError) -> str:
    """Return why the system refused, in its words; pyarrow raises errors without a number."""
    return error.strerror or str(error).partition("\n")[0].rstrip(".") or type(error).__name__


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a name to write to, then rename the file to `path`.

    The file is synced before and the folder after: a crash at any time leaves the old file or the
    new one. What was written is removed if the block raises.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        _rename(new, path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    with suppress(OSError):  # Windows has no folders to open
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _rename(new: Path, path: Path) -> None:
    """Rename; on Windows a file that another program has open refuses for a while."""
    for pause in PAUSES_SECONDS:
        try:
            new.replace(path)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    new.replace(path)


def write_text(path: Path, text: str) -> None:
    """Replace a file by a text in UTF-8.

    Raises
    ------
    StudyError
        If it cannot be written; a file that was there is left as it was.
    """
    try:
        with replacing(path) as new:
            new.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StudyError(f"cannot write {str(path)!r}: {reason(error)}") from error
