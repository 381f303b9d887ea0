"""Long work beside the page: one piece at a time, in a thread, cancelled when it is out of date.

A piece that has begun cannot be stopped: it ends first and memoises its result.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

LOG = logging.getLogger("explorer")
DEBOUNCE = 0.15  # seconds without a change before work begins
REPORT_EVERY = 0.25  # least seconds between progress updates

Piece = Callable[[], object]


class Work:
    """Does the pieces of one task in their order, between the messages of the page.

    Where no event loop runs, outside a kernel, a task is done at once.

    Attributes
    ----------
    report : callable
        Called after pieces with how many are done and of how many, at most four times a second
        and at the end; never for a cancelled task.
    fail : callable
        Called when a piece fails, which ends the task.
    """

    def __init__(self, report: Callable[[int, int], None], fail: Callable[[], object]) -> None:
        self.report, self.fail = report, fail
        self._task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1)  # starts with its first piece

    def start(self, pieces: Iterable[Piece]) -> None:
        """Cancel the current task and begin another; no pieces are no task."""
        self.stop()
        listed = list(pieces)
        if not listed:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            for piece in listed:
                piece()
            self.report(len(listed), len(listed))
            return
        self._task = loop.create_task(self._do(listed))

    def stop(self) -> None:
        """Cancel the current task."""
        if self._task is not None:
            self._task.cancel()
        self._task = None

    @property
    def busy(self) -> bool:
        """Whether a task is running."""
        return self._task is not None and not self._task.done()

    async def _do(self, pieces: list[Piece]) -> None:
        await asyncio.sleep(DEBOUNCE)
        loop = asyncio.get_running_loop()
        reported = loop.time()
        try:
            for done, piece in enumerate(pieces, start=1):
                await loop.run_in_executor(self._thread, piece)
                if done == len(pieces) or loop.time() - reported > REPORT_EVERY:
                    self.report(done, len(pieces))
                    reported = loop.time()
        except Exception as error:  # noqa: BLE001 - nobody else would see it
            LOG.error("long work failed: %s", type(error).__name__)  # noqa: TRY400 - values stay out
            self.fail()
