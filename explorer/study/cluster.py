"""A study's cells on a Dask cluster that somebody else started."""

import logging
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

from explorer.study.cells import Outcome, Task, compute
from explorer.study.errors import StudyError
from explorer.study.machines import Machines, scheduler_address
from explorer.study.optional import require
from explorer.study.run import Batch, Executor

IN_HAND = 4096  # cells the scheduler knows of at a time
CHUNK = 64  # of them sent before a look at what is finished
RETRIES = 2
LOGGERS = ("distributed", "tornado", "tornado.application")
CONNECT_SECONDS = 10  # to reach the scheduler
SILENCE_SECONDS = 10  # without a result, before the workers are examined
POLL_SECONDS = 0.05


def on_cluster(address: str | None = None, file: Path | None = None) -> Executor:
    """Return the executor that uses the workers of a Dask scheduler.

    Parameters
    ----------
    address : str, optional
        The scheduler's address, ``tcp://host:port``.
    file : Path, optional
        The file that it wrote (``dask scheduler --scheduler-file``), if no address is given.

    Returns
    -------
    callable
        As `run` takes it. Cells of a worker that dies go to the others. It raises `StudyError`
        if the scheduler ends, if there is no worker for a while, if a machine lacks this package,
        or if a worker may use several threads for linear algebra.

    Raises
    ------
    StudyError
        If the address or the file names no scheduler that answers, or Dask is missing.
    """
    require("distributed")
    place = scheduler_address(address, file, CONNECT_SECONDS)

    def execute(tasks: Iterable[Task]) -> Generator[Batch]:
        waiting = iter(tasks)
        first = list(islice(waiting, 1))
        if not first:
            return
        with _quiet(), _client(place) as client:
            machines = Machines(client, place, SILENCE_SECONDS)
            machines.check()
            yield from _compute(client, machines, chain(first, waiting))

    return execute


def _compute(client: Any, machines: Machines, waiting: Iterator[Task]) -> Iterator[Batch]:
    """Yield the tasks as the cluster finishes them."""
    import distributed  # noqa: PLC0415 - optional

    in_hand: dict[Any, Task] = {}
    finished = distributed.as_completed(loop=client.loop, with_results=True, raise_errors=False)
    last = time.monotonic()
    while True:
        new = list(islice(waiting, min(CHUNK, IN_HAND - len(in_hand))))
        # One message for all of them; `pure` would make equal cells of two studies one.
        futures = client.map(compute, new, pure=False, retries=RETRIES) if new else []
        in_hand.update(zip(futures, new, strict=True))
        finished.update(futures)
        if not in_hand:
            return
        ready = finished.next_batch(block=False)
        if ready or new:
            last = time.monotonic()
        else:  # as often as a blocking call of Dask looks
            time.sleep(POLL_SECONDS)
            if time.monotonic() - last > SILENCE_SECONDS:
                machines.check()
                last = time.monotonic()
        done = [(in_hand.pop(future), result) for future, result in ready]
        good = [(task, result) for task, result in done if isinstance(result, Outcome)]
        for _, outcome in good:
            _check_threads(outcome.setting.threads)
        if good:
            yield good
        for task, result in done:
            if not isinstance(result, Outcome):
                raise _failure(task, result)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask from printing the tracebacks of a lost connection, which a sentence reports."""
    handlers = [h for name in LOGGERS for h in logging.getLogger(name).handlers]
    levels = [handler.level for handler in handlers]
    for handler in handlers:
        handler.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for handler, level in zip(handlers, levels, strict=True):
            handler.setLevel(level)


def _client(place: str) -> Any:
    import distributed  # noqa: PLC0415 - optional

    try:
        return distributed.Client(place, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:  # whatever something else than a scheduler makes of the messages
        raise StudyError(f"no Dask scheduler answers at {place!r}") from error


def _check_threads(threads: str) -> None:
    if threads != "1":
        raise StudyError(
            "a worker may use several threads for linear algebra, which changes last bits; start it"
            " with a nanny, as dask worker does by default, or with OMP_NUM_THREADS=1"
        )


def _failure(task: Task, result: Any) -> StudyError:
    """Return what is wrong with a cell that has no outcome, in a sentence.

    Dask gives what was raised, as (type, exception, traceback), or a CancelledError if it knows
    nothing.
    """
    if isinstance(result, BaseException):
        return StudyError("the scheduler is gone; when it is back, the same command goes on")
    error: BaseException = result[1]
    if isinstance(error, StudyError):
        return error
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ImportError):
            return StudyError(
                f"the scheduler or a worker cannot import what it needs ({cause}); install"
                ' "gdp-explorer[cluster]" there too'
            )
        cause = cause.__cause__
    return StudyError(f"the cell {task.cell.title} failed: {type(error).__name__}: {error}")
