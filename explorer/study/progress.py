"""How far a study is, on one line."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, TextIO

SHARE = 0.1  # of the cells, from line to line where no terminal rewrites the line
INTERVAL = 0.2  # seconds from line to line on a terminal


class Progress:
    """Reports how many cells are finished, the time taken and the time left.

    On a terminal one line is rewritten; elsewhere a line is added for every tenth of the cells.

    Parameters
    ----------
    total, finished : int
        Cells of the study, and those finished by an earlier start.
    stream : text stream
        Where the lines go.
    clock : callable, optional
        Seconds from any beginning.
    """

    def __init__(
        self,
        total: int,
        finished: int,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total = total
        self._finished = self._before = finished
        self._stream = stream
        self._clock = clock
        self._begin = clock()
        self._terminal = stream.isatty()
        self._reported: tuple[int, float] | None = None

    @property
    def line(self) -> str:
        """For instance ``120 of 400 cells, 30 s, about 1 min 10 s to go``."""
        elapsed = self._clock() - self._begin
        parts = [f"{self._finished} of {self._total} cells", duration(elapsed)]
        now, left = self._finished - self._before, self._total - self._finished
        if now and left:
            parts.append(f"about {duration(elapsed / now * left)} to go")
        return ", ".join(parts)

    def advance(self, cells: int) -> None:
        """Count more finished cells, and report them if it is time to."""
        self._finished += cells
        if self._reported is None or self._due(*self._reported):
            self._report()

    def _due(self, finished: int, at: float) -> bool:
        if self._terminal:
            return self._clock() - at >= INTERVAL
        return self._finished - finished >= SHARE * self._total

    def _report(self) -> None:
        self._reported = self._finished, self._clock()
        # On a terminal: back to the line's begin, and clear what is longer than the new text.
        line = f"\r{self.line}\033[K" if self._terminal else f"{self.line}\n"
        self._stream.write(line)
        self._stream.flush()

    def __enter__(self) -> Self:
        """Report where the study stands."""
        self._report()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Report where it ended, and end the line."""
        if self._reported is None or self._reported[0] != self._finished:
            self._report()
        if self._terminal:
            self._stream.write("\n")
            self._stream.flush()


def duration(seconds: float) -> str:
    """Return a time for a person: ``8 s``, ``2 min 5 s``, ``3 h 20 min``, ``2 d 4 h``."""
    whole = round(seconds)
    for unit, size, smaller, part in (
        ("d", 86400, "h", 3600),
        ("h", 3600, "min", 60),
        ("min", 60, "s", 1),
    ):
        if whole >= size:
            rest = whole % size // part
            return f"{whole // size} {unit} {rest} {smaller}" if rest else f"{whole // size} {unit}"
    return f"{whole} s"
