"""One visit of a page in Chromium: load it, step a slider, drag a slider."""

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chromium import FLAGS
from playwright.async_api import Browser, CDPSession, Page, async_playwright

PATIENT = """{
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (milliseconds) => timeout(Math.max(milliseconds, 60000));
}"""
PROBE = (Path(__file__).parent / "probe.js").read_text()
HANDLES = {
    "ours": ".gdp-{name} .noUi-handle",
    "stock": ".widget-inline-hbox:has(.widget-label:text-is('{symbol}')) .noUi-handle",
}
SYMBOLS = {"mu": "μ", "n": "n", "strength": "w"}
PLOTS = {"ours": 4, "stock": 3}
"""Densities, trade-off, cost, and in ours the table."""
CHANGED_BY_SIGNAL = {"ours": (2, 3), "stock": (2,)}
LOW, HIGH = 0.2, 0.8
"""Where on the slider's track a drag begins and turns."""


@dataclass(slots=True)
class Wire:
    """Bytes and frames on the websocket, and bytes over HTTP."""

    down: int = 0
    up: int = 0
    frames_down: int = 0
    frames_up: int = 0
    http: int = 0

    def __sub__(self, other: "Wire") -> "Wire":
        names = Wire.__slots__
        return Wire(*(getattr(self, name) - getattr(other, name) for name in names))

    def copy(self) -> "Wire":
        return self - Wire()


@dataclass(slots=True)
class Drag:
    """What was seen in a drag; times in ms since navigation, positions as shares of the track."""

    moves: list[tuple[float, float]]
    redraws: list[tuple[int, float, float | None]]
    which: tuple[int, ...]

    def full_redraws(self, seconds: float) -> int:
        """Return how often every plot was redrawn in the first seconds."""
        until = self.moves[0][0] + 1000 * seconds
        drawn = [index for index, at, _ in self.redraws if at <= until]
        return min(drawn.count(index) for index in self.which)

    def final(self) -> float:
        """Return the time from the last move until the last plot showed it, ms."""
        return max(at for _, at, _ in self.redraws) - self.moves[-1][0]

    def lags(self, first: float, last: float) -> list[float]:
        """Return how old the value was that the first plot showed, ms, between two seconds."""
        start = self.moves[0][0]
        near = 0.006  # half a notch, half a move and the third digit
        lags = []
        for _, at, mu in self.redraws:
            if mu is None or not start + 1000 * first <= at < start + 1000 * last:
                continue
            shown = position(mu)
            seen = [when for when, where in self.moves if when <= at and abs(where - shown) < near]
            if seen:
                lags.append(at - seen[-1])
        return lags


def position(mu: float) -> float:
    """Return where μ lies on the track of either build: a logarithmic one from 0.01 to 10."""
    return (math.log10(mu) + 2) / 3


@dataclass(slots=True)
class Visit:
    """A page that is open."""

    build: str
    page: Page
    devtools: CDPSession
    wire: Wire = field(default_factory=Wire)

    def handle(self, name: str) -> Any:
        """Return the handle of a slider."""
        selector = HANDLES[self.build].format(name=name, symbol=SYMBOLS[name])
        return self.page.locator(selector).first

    async def load(self, url: str) -> None:
        """Open the page and wait until every figure has been drawn."""
        await self.page.goto(url, wait_until="commit")
        await self.page.wait_for_function(
            "count => globalThis.bench?.plots().length >= count",
            arg=PLOTS[self.build],
            polling=50,
            timeout=240_000,
        )

    async def alive(self, seconds: float) -> tuple[int, float]:
        """Step a slider until every figure has answered, or give up.

        Returns
        -------
        int
            Figures that answered.
        float
            Seconds from navigation to the last answer.
        """
        deadline = time.monotonic() + seconds
        count = await self.page.evaluate("bench.watch()")
        await self.handle("mu").focus()
        answered: set[int] = set()
        keys = ("ArrowRight", "ArrowLeft")
        turn = 0
        while True:
            await self.page.keyboard.press(keys[turn % 2])
            turn += 1
            took = await self._settled(range(count), 1000)
            answered |= {index for index, one in enumerate(took) if one is not None}
            if len(answered) == count or time.monotonic() > deadline:
                break
        at = float(await self.page.evaluate("Math.max(...bench.last)")) / 1000
        return len(answered), at

    async def _settled(self, which: Any, milliseconds: float = 20_000) -> list[float | None]:
        call = "([which, timeout]) => bench.settled(which, timeout)"
        return list(await self.page.evaluate(call, [list(which), milliseconds]))

    async def step(self, which: tuple[int, ...], key: str) -> list[float]:
        """Press an arrow key; return for each plot how long its redraw took to come, ms."""
        await self.page.keyboard.press(key)
        took = await self._settled(which)
        if None in took:
            raise RuntimeError(f"a plot of {self.build} did not answer a step: {took}")
        await asyncio.sleep(0.1)
        return [float(one) for one in took if one is not None]

    async def drag(self, which: tuple[int, ...], seconds: float, period: float) -> Drag:
        """Drag μ to and fro with 60 moves a second, `period` seconds one way."""
        track = (
            await self.handle("mu")
            .locator("xpath=ancestor::*[contains(@class,'noUi-base')]")
            .bounding_box()
        )
        grip = await self.handle("mu").bounding_box()
        y = grip["y"] + grip["height"] / 2
        await self.page.mouse.move(grip["x"] + grip["width"] / 2, y)
        await self.page.mouse.down()
        await self._mouse(track["x"] + LOW * track["width"], y)
        await self.quiet()
        await self.page.evaluate("bench.moves.length = bench.redraws.length = 0")
        sent = []
        start = time.perf_counter()
        for turn in range(1, round(60 * seconds) + 1):
            share = (turn / 60 / period) % 2
            where = LOW + (HIGH - LOW) * (share if share <= 1 else 2 - share)
            await asyncio.sleep(max(0.0, start + turn / 60 - time.perf_counter()))
            move = self._mouse(track["x"] + where * track["width"], y)
            sent.append(asyncio.create_task(move))
        await asyncio.gather(*sent)
        await self.quiet()
        moves, redraws = await self.page.evaluate("[bench.moves, bench.redraws]")
        await self.page.mouse.up()
        await self.quiet()
        shares = [(at, (x - track["x"]) / track["width"]) for at, x in moves]
        return Drag(shares, [tuple(one) for one in redraws], which)

    async def _mouse(self, x: float, y: float) -> None:
        # Not awaited one by one: a busy page must not slow the hand.
        event = {"type": "mouseMoved", "x": x, "y": y, "button": "left", "buttons": 1}
        await self.devtools.send("Input.dispatchMouseEvent", event)

    async def quiet(self, seconds: float = 0.6) -> None:
        """Wait until nothing has been redrawn for a while."""
        seen = -1
        while (count := await self.page.evaluate("bench.redraws.length")) != seen:
            seen = count
            await asyncio.sleep(seconds)


@asynccontextmanager
async def chromium(path: str) -> AsyncIterator[Browser]:
    """Start a browser with an empty profile that reaches this machine only."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def visit(
    browser: Browser, build: str, *, patient: bool, css: str = ""
) -> AsyncIterator[Visit]:
    """Open an empty page whose traffic is counted.

    Parameters
    ----------
    browser : Browser
        Started by `chromium`.
    build : {"ours", "stock"}
        Whose controls will be used.
    patient : bool
        Whether widgets may take a minute to initialise instead of anywidget's two seconds.
    css : str
        Rules added to the page.
    """
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    await context.add_init_script(PROBE + (PATIENT if patient else "") + _style(css))
    page = await context.new_page()
    devtools = await context.new_cdp_session(page)
    one = Visit(build, page, devtools)
    page.on("websocket", lambda socket: _count(socket, one.wire))
    devtools.on("Network.loadingFinished", lambda event: _add(one.wire, event))
    await devtools.send("Network.enable")
    try:
        yield one
    finally:
        await context.close()


def _style(css: str) -> str:
    if not css:
        return ""
    return f"""addEventListener("DOMContentLoaded", () => {{
      const style = document.createElement("style");
      style.textContent = {css!r};
      document.head.append(style);
    }});"""


def _count(socket: Any, wire: Wire) -> None:
    def size(frame: Any) -> int:
        return len(frame.encode() if isinstance(frame, str) else frame)

    def down(frame: Any) -> None:
        wire.down += size(frame)
        wire.frames_down += 1

    def up(frame: Any) -> None:
        wire.up += size(frame)
        wire.frames_up += 1

    socket.on("framereceived", down)
    socket.on("framesent", up)


def _add(wire: Wire, event: dict[str, Any]) -> None:
    wire.http += round(event["encodedDataLength"])
