"""The folder of a study: what it belongs to, and who may write in it."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from explorer.study.cells import setting
from explorer.study.error import StudyError, optional
from explorer.study.spec import Study, parse
from explorer.study.store import Store, replacing

SPEC = "study.toml"
IDENTITY = "identity.json"
LOCK = "lock"


def begin(folder: Path, text: str) -> Store:
    """Open a folder for a study that starts or goes on.

    Parameters
    ----------
    folder : Path
        A folder of this study, an empty one, or one that is still to be made.
    text : str
        The study's file, which is kept beside the results. Its grid and name may differ from
        those of the last start.

    Returns
    -------
    Store
        The study's folder.

    Raises
    ------
    ParameterError
        If the text declares no study.
    StudyError
        If the folder holds something else, or a study of another kind, seed, number of
        replicates or version; or a package is missing.
    """
    study = parse(text)
    optional("pyarrow.parquet")
    identity = _identity(study)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        known = folder / IDENTITY
        if known.exists():
            _agree(folder, _identity_in(folder), identity)
        else:
            _refuse_foreign(folder)
            with replacing(known) as new:
                new.write_text(json.dumps(identity, indent=2) + "\n", encoding="utf-8")
        for left in folder.glob(".*.new"):  # by a start that was killed
            left.unlink()
        with replacing(folder / SPEC) as new:
            new.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StudyError(f"cannot write in {str(folder)!r}: {error.strerror}") from error
    return Store(folder, study, identity)


def _refuse_foreign(folder: Path) -> None:
    """Raise `StudyError` for a folder with something in it that is no study."""
    others = (path for path in folder.iterdir() if path.name != LOCK)
    if not (folder / IDENTITY).exists() and any(others):
        raise StudyError(f"{str(folder)!r} is not empty and holds no study; choose another --out")


def look(folder: Path) -> Store:
    """Open the folder of a study to look at it.

    Raises
    ------
    ParameterError
        If its study.toml declares no study.
    StudyError
        If the folder holds no study, or pyarrow is missing.
    """
    optional("pyarrow.parquet")
    try:
        text = (folder / SPEC).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError(f"{str(folder)!r} holds no study") from error
    return Store(folder, parse(text), _identity_in(folder))


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a second start out of a folder for a while, where the system has such locks.

    The lock goes with the process, however that ends. The folder is made if it is not there.

    Raises
    ------
    StudyError
        If another start has it, or the folder holds something else or cannot be written in.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_foreign(folder)
        lock = (folder / LOCK).open("w")
    except OSError as error:
        raise StudyError(f"cannot write in {str(folder)!r}: {error.strerror}") from error
    with lock as file:
        with suppress(ImportError):  # no such locks on Windows
            import fcntl  # noqa: PLC0415 - not everywhere

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise StudyError(f"another start is at work in {str(folder)!r}") from error
        yield


def _identity(study: Study) -> dict[str, Any]:
    return {
        "kind": study.kind.name,
        "seed": study.seed,
        "replicates": study.replicates,
        "versions": dict(setting().versions),
    }


def _identity_in(folder: Path) -> dict[str, Any]:
    try:
        identity = json.loads((folder / IDENTITY).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StudyError(f"{str(folder / IDENTITY)!r} cannot be read") from error
    if not isinstance(identity, dict):
        raise StudyError(f"{str(folder / IDENTITY)!r} is no identity of a study")
    return identity


def _agree(folder: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    for name, value in new.items():
        if old.get(name) != value:
            raise StudyError(
                f"{str(folder)!r} holds a study with {name} {old.get(name)}, this one has {value};"
                " choose another --out, since the results would not belong together"
            )
