"""The scheduler and the workers of a Dask cluster: where they are, and what they lack."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from explorer.study.errors import StudyError
from explorer.study.files import read_text, reason

SCHEMES = ("tcp", "tls", "ws", "wss", "ucx")


def scheduler_address(address: str | None, file: Path | None, seconds: float) -> str:
    """Return the address of a scheduler that answers.

    Parameters
    ----------
    address : str, optional
        As ``tcp://host:port``; ``host:port`` for short.
    file : Path, optional
        The file that the scheduler wrote, if no address is given.
    seconds : float
        To wait for an answer.

    Raises
    ------
    StudyError
        If the address or the file is none, or nothing answers there.
    """
    if address is None and file is not None:
        address = _address_in(file)
    text = address or ""
    scheme, _, place = text.rpartition("://")
    host, _, port = place.rpartition(":")
    is_port = port.isascii() and port.isdecimal() and 0 < int(port[:6]) < 1 << 16
    if (scheme or "tcp") not in SCHEMES or not host or not is_port:
        raise StudyError(f"{text!r} is no address of a Dask scheduler; give tcp://host:port")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), seconds) as connection:
            # A scheduler speaks first. Dask's client waits without end for something that does not.
            silent = scheme in {"", "tcp"} and not connection.recv(1)
    except (OSError, UnicodeError) as error:
        why = reason(error) if isinstance(error, OSError) else "no name of a host"
        raise StudyError(f"no Dask scheduler answers at {text!r}: {why}") from error
    if silent:
        raise StudyError(f"no Dask scheduler answers at {text!r}: the connection was closed")
    return text


def _address_in(file: Path) -> str:
    if not file.exists():
        raise StudyError(f"there is no scheduler file {str(file)!r}")
    try:
        address = json.loads(read_text(file))["address"]
    except (ValueError, RecursionError, LookupError, TypeError) as error:
        raise StudyError(
            f"{str(file)!r} is no file of a Dask scheduler: it must hold JSON with an address, as"
            " dask scheduler --scheduler-file writes it"
        ) from error
    return str(address)


class Machines:
    """Examines the machines of a cluster.

    Parameters
    ----------
    client : distributed.Client
        A connection to the scheduler.
    place : str
        The scheduler's address, for sentences.
    seconds : float
        To wait for a first worker.
    """

    def __init__(self, client: Any, place: str, seconds: float) -> None:
        self._client = client
        self._place = place
        self._seconds = seconds
        self._checked: set[str] = set()

    def check(self) -> None:
        """Raise `StudyError` if there is no worker, or a machine lacks this package."""
        try:
            self._client.wait_for_workers(1, timeout=self._seconds)
            workers = set(self._client.scheduler_info()["workers"])
            lacks = {}
            if not self._checked:
                lacks[f"the scheduler {self._place}"] = self._client.run_on_scheduler(_import())
            new = sorted(workers - self._checked)
            answers = self._client.run(_import(), workers=new, on_error="return") if new else {}
        except TimeoutError as error:
            raise StudyError(
                f"the scheduler at {self._place} has had no worker for {self._seconds:g} s; start"
                f" one with: dask worker {self._place}"
            ) from error
        except OSError as error:
            raise StudyError(
                "the scheduler is gone; when it is back, the same command goes on"
            ) from error
        lacks |= {f"the worker {name}": answer for name, answer in answers.items()}
        for name, answer in lacks.items():
            if answer:
                raise StudyError(
                    f"{name} cannot import what it needs ({answer});"
                    ' install "gdp-explorer[cluster]" there too'
                )
        self._checked |= workers


def _import() -> Callable[[], str]:
    """Return a function that Dask sends by value, so that it runs where this package is missing."""

    def missing() -> str:
        from importlib import import_module  # noqa: PLC0415 - on the other machine

        try:
            import_module("explorer.study.cells")
        except Exception as error:  # noqa: BLE001 - whatever goes wrong there is reported here
            return str(error) or type(error).__name__
        return ""

    return missing
