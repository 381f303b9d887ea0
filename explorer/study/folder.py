"""Opening the folder of a study, to write in it or to read it, and the lock of a run."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from explorer.study.errors import StudyError
from explorer.study.files import read_text, reason, write_text
from explorer.study.identity import Identity
from explorer.study.optional import require
from explorer.study.setting import setting
from explorer.study.spec import Study, parse
from explorer.study.store import IDENTITY, Store

SPEC = "study.toml"
LOCK = "lock"
NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL}
"""What a disk answers that has no locks, most of them network disks."""


def open_for_writing(folder: Path, study: Study) -> Store:
    """Open a folder for a study that starts or goes on.

    Parameters
    ----------
    folder : Path
        A folder of this study, an empty one, or one that is still to be made.
    study : Study
        The study, whose file is copied beside the results. Its grid and name may differ from
        those of the last start.

    Returns
    -------
    Store
        The study's folder.

    Raises
    ------
    StudyError
        If the folder holds something else, or a study of another kind, seed, number of
        replicates or version; if it cannot be written in; or if a package is missing.
    """
    require("pyarrow.parquet")
    identity = Identity.of(study, setting())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / IDENTITY
        if path.exists():
            old = _identity_in(folder)
            old.check(identity, str(folder))
            identity = old
        else:
            _refuse_foreign(folder)
            write_text(path, identity.to_json(indent=2) + "\n")
        for abandoned in folder.glob(".*.new"):  # by a start that was killed
            abandoned.unlink()
    except OSError as error:
        raise StudyError(f"cannot write in {str(folder)!r}: {reason(error)}") from error
    write_text(folder / SPEC, study.text)
    return Store(folder, study, identity)


def _refuse_foreign(folder: Path) -> None:
    """Raise `StudyError` for a folder with something in it that is no study."""
    others = (path for path in folder.iterdir() if path.name != LOCK)
    if not (folder / IDENTITY).exists() and any(others):
        raise StudyError(f"{str(folder)!r} is not empty and holds no study; choose another --out")


def open_for_reading(folder: Path) -> Store:
    """Open the folder of a study to read its results.

    Raises
    ------
    ParameterError
        If its study.toml declares no study.
    StudyError
        If the folder holds no study, cannot be read, or pyarrow is missing.
    """
    require("pyarrow.parquet")
    try:
        if not any(path.name == SPEC for path in folder.iterdir()):
            raise StudyError(f"{str(folder)!r} holds no study")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StudyError(f"{str(folder)!r} holds no study: {reason(error)}") from error
    except OSError as error:
        raise StudyError(f"cannot read {str(folder)!r}: {reason(error)}") from error
    return Store(folder, parse(read_text(folder / SPEC)), _identity_in(folder))


@contextmanager
def locked(folder: Path) -> Iterator[str | None]:
    """Keep a second start out of a folder for a while.

    The lock goes with the process, however that ends. The folder is made if it is not there.

    Yields
    ------
    str or None
        A warning if the disk or the system has no locks.

    Raises
    ------
    StudyError
        If another start has the lock, or the folder holds something else or cannot be written in.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_foreign(folder)
        file = (folder / LOCK).open("w")
    except OSError as error:
        raise StudyError(f"cannot write in {str(folder)!r}: {reason(error)}") from error
    with file:
        yield _lock(file.fileno(), folder)


def _lock(descriptor: int, folder: Path) -> str | None:
    try:
        import fcntl  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise StudyError(f"another start is at work in {str(folder)!r}") from error
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise StudyError(f"cannot lock {str(folder)!r}: {reason(error)}") from error
        return (
            f"the disk of {str(folder)!r} has no locks ({reason(error)}): make sure that no other"
            " start uses the folder at the same time"
        )
    return None


def _identity_in(folder: Path) -> Identity:
    path = folder / IDENTITY
    try:
        return Identity.from_json(read_text(path))
    except ValueError as error:
        raise StudyError(f"{str(path)!r} {error}") from error
