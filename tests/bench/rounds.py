"""What is measured in the browser: rounds of both builds, and loads in a row."""

import asyncio
import math
import statistics
import time
from dataclasses import dataclass, field

from playwright.async_api import Browser
from server import Server, renderers, unique_memory
from visit import CHANGED_BY_SIGNAL, PLOTS, Drag, Visit, chromium, visit

STEPS = 40
DRAGS = 2
LONG = 10.0
SAME_PLOTS = ".gdp-table, .gdp-readouts { display: none !important; }"
"""Hides what the stock build does not show."""

Numbers = dict[str, float]


@dataclass(slots=True)
class Alive:
    """Figures that answered, load by load, out of so many."""

    figures: int
    answered: list[int] = field(default_factory=list)

    @property
    def whole(self) -> int:
        """Number of loads with every figure alive."""
        return self.answered.count(self.figures)


async def measure(path: str, build: str, server: Server) -> Numbers:
    """Load the page once in a fresh browser, step and drag; return medians and sums."""
    async with chromium(path) as browser, visit(browser, build, patient=True) as one:
        await one.load(server.url)
        count, seconds = await one.alive(120)
        kernel = server.kernel()
        numbers: Numbers = {
            "load": seconds,
            "alive": count,
            "load HTTP": one.wire.http,
            "load websocket": one.wire.down + one.wire.up,
            "load bytes": one.wire.http + one.wire.down + one.wire.up,
            "memory": unique_memory(kernel),
        }
        await one.quiet()
        which = tuple(range(PLOTS[build]))
        before = server.cpu(kernel), one.wire.copy(), renderers()
        times = await _steps(one, which, STEPS)
        await asyncio.sleep(1)  # what answers the last step belongs to it
        page = renderers() - before[2]
        cpu, wire = server.cpu(kernel) - before[0], one.wire - before[1]
        numbers |= {
            "step": statistics.median(times),
            "step p95": statistics.quantiles(times, n=20)[-1],
            "cpu": 1000 * (cpu.kernel + cpu.server) / STEPS,
            "cpu kernel": 1000 * cpu.kernel / STEPS,
            "cpu server": 1000 * cpu.server / STEPS,
            "renderer": 1000 * page / STEPS,
            "bytes": (wire.down + wire.up) / STEPS,
            "bytes down": wire.down / STEPS,
            "bytes up": wire.up / STEPS,
            "frames down": wire.frames_down / STEPS,
            "frames up": wire.frames_up / STEPS,
        }
        drags = [await one.drag(which, 1.0, 1.0) for _ in range(DRAGS)]
        numbers["redraws"] = statistics.median(drag.full_redraws(1.0) for drag in drags)
        numbers["final"] = statistics.median(drag.final() for drag in drags)
        numbers |= _long(await one.drag(which, LONG, LONG / 4))
        await one.handle("strength").focus()
        fewer = await _steps(one, CHANGED_BY_SIGNAL[build], STEPS // 3)
        numbers["step w"] = statistics.median(fewer)
        if build == "ours":
            numbers |= await _same_plots(one)
    server.end_kernels()
    return numbers


async def _steps(one: Visit, which: tuple[int, ...], count: int) -> list[float]:
    """Step to and fro; return when the last plot of each step was redrawn, ms."""
    keys = ["ArrowRight"] * (count // 2) + ["ArrowLeft"] * (count - count // 2)
    return [max(await one.step(which, key)) for key in keys]


def _long(drag: Drag) -> Numbers:
    first, last = drag.lags(0, LONG / 3), drag.lags(LONG - LONG / 3, LONG + 5)
    return {
        # A page so busy that it drew nothing in a third has no age to show.
        "lag first third": statistics.median(first or [math.nan]),
        "lag last third": statistics.median(last or [math.nan]),
        "long redraws": drag.full_redraws(LONG) / LONG,
        "long final": drag.final(),
    }


async def _same_plots(one: Visit) -> Numbers:
    """Measure again with the plots of the stock build alone."""
    await one.page.add_style_tag(content=SAME_PLOTS)
    await one.handle("mu").focus()
    await one.quiet()
    which = tuple(range(PLOTS["stock"]))
    times = await _steps(one, which, STEPS // 2)
    drag = await one.drag(which, 1.0, 1.0)
    return {
        "step, same plots": statistics.median(times),
        "redraws, same plots": drag.full_redraws(1.0),
    }


async def loads(
    path: str, servers: dict[str, Server], alive: dict[str, Alive], stock_until: float
) -> None:
    """Load ours ten times as a visitor does; the stock build between, while there is time."""
    async with chromium(path) as browser:
        for _ in range(10):
            for build in ("ours", "stock"):
                if build == "stock" and alive[build].answered and time.monotonic() > stock_until:
                    continue
                alive[build].answered.append(await _load(browser, build, servers[build]))


async def _load(browser: Browser, build: str, server: Server) -> int:
    async with visit(browser, build, patient=False) as one:
        await one.load(server.url)
        answered, _ = await one.alive(8)
    server.end_kernels()
    return answered
