"""Running a study: missing cells are computed and saved, on this machine's cores by default."""

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from itertools import islice

from explorer.study.cells import Outcome, Task, compute
from explorer.study.errors import StudyError
from explorer.study.progress import Progress
from explorer.study.setting import Setting, setting
from explorer.study.store import Store
from explorer.study.worker import prepare

IN_HAND = 64  # cells for each worker; what is finished while a file is written shares the next
DEATHS = 3  # of workers in a row, with no cell finished in between

Batch = list[tuple[Task, Outcome]]
Executor = Callable[[Iterable[Task]], Generator[Batch]]


def run(store: Store, executor: Executor, progress: Callable[[int, int], Progress]) -> list[str]:
    """Compute the cells of a study that are not finished yet, and save each batch as it finishes.

    Parameters
    ----------
    store : Store
        Where they are saved.
    executor : callable
        Takes tasks; yields those that are computed, in any order, some at a time.
    progress : callable
        Takes the number of cells and how many are finished; returns the
        progress reporter.

    Returns
    -------
    list of str
        A sentence for each file of the folder that is left out, whose cells are computed again,
        and for results that may be rounded in different ways.

    Raises
    ------
    StudyError
        If a cell fails or its worker would give other numbers than this process. The cells that
        were finished before are saved.
    """
    results, problems = store.read()
    notes = [f"{problem}. It can be deleted" for problem in problems]
    study = store.study
    missing = [study.task(cell) for cell in study.cells() if cell.key not in results]
    finished = bool(results)
    if missing and finished and not store.identity.probe:
        notes.append(
            "the study does not record how its first results were rounded: on another family of"
            " processors the new ones differ in last bits"
        )
    reporter = progress(len(study), len(study) - len(missing))
    here = setting()
    with closing(executor(missing)) as batches, reporter:
        for batch in batches:
            for _, outcome in batch:
                _check(outcome.setting, here)
                if not finished:
                    store.set_arithmetic(outcome.setting.arithmetic)
                    finished = True
                store.identity.check_arithmetic(outcome.setting.arithmetic)
            store.add([(task.cell, outcome.results) for task, outcome in batch])
            reporter.advance(len(batch))
    return notes


def _check(there: Setting, here: Setting) -> None:
    for (name, version), (_, own) in zip(there.versions, here.versions, strict=True):
        if version != own:
            raise StudyError(
                f"a worker has {name} {version}, this process {own}; install the same version,"
                " since the results would not be the same"
            )


def on_cores(workers: int | None = None) -> Executor:
    """Return the executor that uses processes of this machine.

    Parameters
    ----------
    workers : int, optional
        Number of processes; default one for every core that this process may use.
    """
    count = workers or _cores()

    def execute(tasks: Iterable[Task]) -> Generator[Batch]:
        waiting, deaths = deque(tasks), 0
        while waiting:
            in_hand: dict[Future[Outcome], Task] = {}
            try:
                for batch in _with_pool(waiting, in_hand, min(count, len(waiting))):
                    deaths = 0
                    yield batch
            except BrokenProcessPool as error:
                deaths += 1
                if deaths == DEATHS:
                    # The oldest were at work; the others waited.
                    oldest = "; ".join(task.cell.title for task in islice(in_hand.values(), count))
                    raise StudyError(
                        f"worker processes died {DEATHS} times in a row, the last time at one of"
                        f" these cells: {oldest}"
                    ) from error
                waiting.extendleft(reversed(in_hand.values()))

    return execute


def _with_pool(
    waiting: deque[Task], in_hand: dict[Future[Outcome], Task], count: int
) -> Iterator[Batch]:
    """Yield what the processes finish, until nothing waits or one of them dies.

    What was not finished is left in `waiting` and `in_hand`.
    """
    with _processes(count) as pool:
        while waiting or in_hand:
            while waiting and len(in_hand) < IN_HAND * count:
                with _without_interrupts():  # a submission starts a process
                    future = pool.submit(compute, waiting[0])  # refused if the pool is broken
                in_hand[future] = waiting.popleft()
            done, _ = wait(in_hand, return_when=FIRST_COMPLETED)
            good = [future for future in done if future.exception() is None]
            if good:
                yield [(in_hand.pop(future), future.result()) for future in good]
            for future in done.difference(good):
                future.result()  # raises: a cell failed, or the pool is broken


@contextmanager
def _processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Give fresh processes, and end them at once however the block is left."""
    context = multiprocessing.get_context("spawn")  # a fork would inherit threads
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=prepare)
    try:
        yield pool
    finally:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Defer Ctrl-C for a moment; a process that starts in it never sees one.

    `prepare` would come too late: a Ctrl-C during its imports prints the traceback of each worker.
    """
    if sys.platform == "win32":
        yield
        return
    old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Windows or macOS
        return os.cpu_count() or 1
