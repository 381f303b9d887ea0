"""BENCHMARKS.md: the table between its two markers."""

import os
import platform
import re
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil
from rounds import Alive, Numbers

FILE = Path(__file__).parents[2] / "BENCHMARKS.md"
BEGIN, END = "<!-- written by make bench: begin -->", "<!-- end -->"
CORE_BEGIN, CORE_END = "<!-- the core, written by make bench: begin -->", "<!-- the core: end -->"
PACKAGES = ("numpy", "scipy", "ipywidgets", "anywidget", "plotly", "voila", "ipykernel")
Rounds = list[dict[str, Numbers]]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what, in which unit, and what is allowed as ours over stock's."""

    key: str
    text: str
    show: Callable[[float], str]
    most: float | None = None
    least: float | None = None
    ours: str | None = None


def _ms(value: float) -> str:
    return f"{value:.0f} ms" if value >= 20 else f"{value:.1f} ms"


def _s(value: float) -> str:
    return f"{value:.1f} s"


def _kb(value: float) -> str:
    return f"{value / 1000:.1f} kB"


def _mb(value: float) -> str:
    return f"{value / 1e6:.2f} MB"


def _mib(value: float) -> str:
    return f"{value:.0f} MiB"


def _plain(value: float) -> str:
    return f"{value:.3g}"


ROWS = (
    Row("cpu", "server's processor time a step of μ, kernel and Voilà", _ms, most=1 / 6),
    Row("bytes", "bytes a step, both ways", _kb, most=1 / 3),
    Row("load bytes", "bytes a page load, HTTP and websocket", _mb, most=1 / 2),
    Row("step", "step of μ → every visible plot redrawn", _ms, most=0.7),
    Row("redraws", "redraws of every plot in a one-second drag", _plain, least=1.6),
    Row("load", "cold page load until every figure answers", _s, most=0.35),
    Row("memory", "memory of the kernel, page shown", _mib, most=0.55),
)
MORE = (
    Row("cpu kernel", "processor time a step, kernel", _ms),
    Row("cpu server", "processor time a step, Voilà", _ms),
    Row("renderer", "processor time a step, the page in Chromium", _ms),
    Row("bytes down", "bytes a step, to the browser", _kb),
    Row("bytes up", "bytes a step, to the kernel", _kb),
    Row("frames down", "frames a step, to the browser", _plain),
    Row("frames up", "frames a step, to the kernel", _plain),
    Row("load HTTP", "page load, HTTP", _mb),
    Row("load websocket", "page load, websocket", _mb),
    Row("step p95", "step of μ, 95th percentile", _ms),
    Row("step", "step of μ, ours with the stock build's plots alone", _ms, ours="step, same plots"),
    Row("step w", "step of w → every plot that changes", _ms),
    Row(
        "redraws",
        "redraws in a one-second drag, ours with those plots alone",
        _plain,
        ours="redraws, same plots",
    ),
    Row("final", "one-second drag: last move → last redraw", _ms),
    Row("long redraws", "ten-second drag: redraws a second", _plain),
    Row("lag first third", "ten-second drag: age of what is shown, first third", _ms),
    Row("lag last third", "ten-second drag: age of what is shown, last third", _ms),
    Row("long final", "ten-second drag: last move → last redraw", _ms),
)
STEADY = 1.2
"""A drag ends as quick as it began when its last third lags by at most so much more."""


def line(row: Row, rounds: Rounds) -> str:
    """Return a row of the table: medians, the median of the rounds' ratios, and the range."""
    ours = [one["ours"][row.ours or row.key] for one in rounds]
    stock = [one["stock"][row.key] for one in rounds]
    ratios = [a / b if b else float("nan") for a, b in zip(ours, stock, strict=True)]
    ratio = statistics.median(ratios)
    cells = [row.text, row.show(statistics.median(ours)), row.show(statistics.median(stock))]
    span = f" ({min(ratios):.2f}–{max(ratios):.2f})" if len(rounds) > 1 else ""
    cells.append(f"{ratio:.2f}{span}")
    if row.most is not None:
        cells += [f"≤ {row.most:.2f}", _verdict(ratio <= row.most)]
    if row.least is not None:
        cells += [f"≥ {row.least:.1f}", _verdict(ratio >= row.least)]
    return _cells(cells)


def _rounds(count: int) -> str:
    if count == 1:
        return "One round: each build was measured once, so small differences mean nothing."
    return f"Medians of {count} alternating rounds; in brackets the least and the largest ratio."


def _verdict(met: bool) -> str:
    return "met" if met else "**missed**"


def _cells(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _head(*names: str) -> list[str]:
    return [_cells(list(names)), "|" + "---|" * len(names)]


def table(rounds: Rounds, alive: dict[str, Alive], inside: dict[str, Any]) -> str:
    """Return everything between the markers."""
    ours, stock = (_steadiness(rounds, build) for build in ("ours", "stock"))
    return "\n".join(
        [
            machine(),
            "",
            _rounds(len(rounds)),
            "",
            *_head("", "ours", "stock", "ratio", "budget", ""),
            *(line(row, rounds) for row in ROWS),
            _cells(
                [
                    "age of what a ten-second drag shows, last third over first",
                    f"{ours:.2f}",
                    f"{stock:.2f}",
                    "",
                    f"ours ≤ {STEADY}",
                    _verdict(ours <= STEADY),
                ]
            ),
            _cells(
                [
                    "loads in a row with every figure alive",
                    *(f"{one.whole} of {len(one.answered)}" for one in alive.values()),
                    "",
                    "ours all",
                    _verdict(alive["ours"].whole == len(alive["ours"].answered)),
                ]
            ),
            _cells(
                [
                    "figures alive in those loads",
                    *(
                        f"{sum(one.answered)} of {one.figures * len(one.answered)}"
                        for one in alive.values()
                    ),
                    "",
                    "",
                    "",
                ]
            ),
            "",
            "What these are made of, and what has no budget:",
            "",
            *_head("", "ours", "stock", "ratio"),
            *(line(row, rounds) for row in MORE),
            *_imports(inside),
            "",
            "Time in Python from a control's message to its updates handed over:",
            "",
            *_head("control", "median", "95th percentile", "messages", "bytes", "stock's median"),
            *_controls(inside),
        ]
    )


def _steadiness(rounds: Rounds, build: str) -> float:
    return statistics.median(
        one[build]["lag last third"] / one[build]["lag first third"] for one in rounds
    )


def _imports(inside: dict[str, Any]) -> list[str]:
    rows = []
    for key, text, show in (
        ("seconds", "import and build in a fresh interpreter", _s),
        ("cpu", "the same, processor time", _s),
        ("memory", "memory of that interpreter", _mib),
    ):
        ours, stock = (
            statistics.median(run[key] for run in inside[build]) for build in ("ours", "stock")
        )
        rows.append(_cells([text, show(ours), show(stock), f"{ours / stock:.2f}"]))
    return rows


def _controls(inside: dict[str, Any]) -> list[str]:
    stock = inside["stock"][-1]["controls"]
    rows = []
    for name, seen in inside["ours"][-1]["controls"].items():
        same = stock.get(name)
        rows.append(
            _cells(
                [
                    name,
                    _ms(statistics.median(seen["times"])),
                    _ms(statistics.quantiles(seen["times"], n=20)[-1]),
                    f"{seen['messages']:.1f}",
                    _kb(seen["bytes"]),
                    _ms(statistics.median(same["times"])) if same else "",
                ]
            )
        )
    return rows


def core_table(lines: list[dict[str, Any]]) -> str:
    """Return the lines of the core: time against budget, and against what one would do instead."""
    rows = []
    for line in lines:
        most, other = line["most"], line["other_seconds"]
        ratio = other / line["seconds"] if other else None
        met = [] if most is None else [line["seconds"] <= most]
        met += [] if ratio is None or not line["least_ratio"] else [ratio >= line["least_ratio"]]
        rows.append(
            _cells(
                [
                    line["text"],
                    _time(line["seconds"]),
                    f"≤ {_time(most)}" if most else "",
                    f"{line['other']}: {_time(other)}" if other else line["other"],
                    f"{ratio:.3g} times" if ratio else "",
                    f"≥ {line['least_ratio']:g}" if line["least_ratio"] else "",
                    _verdict(all(met)) if met else "",
                ]
            )
        )
    head = _head("", "median", "budget", "instead", "ratio", "budget", "")
    return "\n".join([machine(), "", *head, *rows])


def _time(seconds: float) -> str:
    return _ms(1000 * seconds) if seconds < 1 else _s(seconds)


def machine() -> str:
    """Return where this was measured, without a date or a name."""
    load = os.getloadavg()[0]
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        f"{platform.system()}, {_processor()}, {psutil.cpu_count()} processors, "
        f"{psutil.virtual_memory().total / 2**30:.0f} GiB; Python {platform.python_version()}, "
        f"{packages}. Load average at the end {load:.1f}: browser, server and whatever else ran."
    )


def _processor() -> str:
    try:
        found = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return found[1] if found else platform.machine()


def write(text: str, begin: str = BEGIN, end: str = END) -> None:
    """Put the text between two markers."""
    whole = FILE.read_text()
    before, rest = whole.split(begin)
    after = rest.split(end)[1]
    FILE.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}")
