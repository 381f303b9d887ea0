"""Chromium with a fresh profile for each test, which reaches this machine only."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import chromium
import psutil
import pytest
from patience import SECONDS
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Request,
    WebSocket,
    expect,
    sync_playwright,
)

expect.set_options(timeout=1000 * SECONDS)

LOOK = Path(__file__).parent / "look.js"
DRAWN = "globalThis.look && look.plots().length && look.plots().every((name) => look.drawn()[name])"
WIDE = {"width": 1280, "height": 800}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; without one the tests are skipped, in CI they fail."""
    try:
        path = chromium.executable()
    except FileNotFoundError as error:
        leave = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        leave(str(error))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
        yield browser
        browser.close()


class Tab:
    """A visitor's tab of 1280 × 800 that has not gone anywhere yet.

    Attributes
    ----------
    address : str
        The server's.
    urls, lines : list of str
        All that the tab requested, and all that it wrote to the console.
    errors : list of str
        Errors of the console, uncaught exceptions and requests to other machines.
    """

    def __init__(self, browser: Browser, server: Any, **options: Any) -> None:
        self.server = server
        self.address = server.address
        self.urls: list[str] = []
        self.lines: list[str] = []
        self.errors: list[str] = []
        self._kernels: set[psutil.Process] = set()
        self.context = browser.new_context(**{"viewport": WIDE, "color_scheme": "light", **options})
        self.context.on("request", self._record)
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * SECONDS)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("websocket", self._meet)

    def _record(self, request: Request) -> None:
        self.urls.append(request.url)
        parts = urlsplit(request.url)
        if parts.scheme.startswith("http") and parts.netloc != urlsplit(self.address).netloc:
            self.errors.append(f"asked for {request.url}")

    def _hear(self, line: ConsoleMessage) -> None:
        self.lines.append(line.text)
        if line.type == "error":
            self.errors.append(line.text)

    def _meet(self, socket: WebSocket) -> None:
        identity = re.search(r"/api/kernels/([^/]+)/channels", socket.url)
        if identity:
            with suppress(LookupError, psutil.Error):  # it has ended already
                self._kernels.add(self.server.kernel(identity[1]))

    @property
    def kernel_id(self) -> str:
        """The id of the kernel behind the page."""
        return self.page.evaluate("document.body.dataset.kernelId")

    @property
    def kernel(self) -> psutil.Process:
        """The process of the kernel behind the page."""
        return self.server.kernel(self.kernel_id)

    def wait_until_idle(self) -> None:
        """Wait until the page has time; a tab that closes has half a second to say goodbye."""
        self.page.evaluate("new Promise((idle) => requestIdleCallback(idle))")

    def close(self) -> None:
        """Leave the page, and wait until all kernels that it has had are gone."""
        if not self.page.is_closed():
            self.page.mouse.up()
            self.page.goto("about:blank")
        _, alive = psutil.wait_procs(self._kernels, timeout=SECONDS)
        self.context.close()
        assert alive == []


class App(Tab):
    """The app in a visitor's tab, and what is done there; `look.js` finds what is on it.

    Attributes
    ----------
    first : dict
        Every control and its value on the first screen.
    """

    def __init__(self, browser: Browser, server: Any, query: str = "", **options: Any) -> None:
        super().__init__(browser, server, **options)
        self.context.add_init_script(path=LOOK)
        self.open(query)

    def open(self, query: str = "") -> None:
        self.page.goto(self.address + query)
        self.wait(DRAWN)
        self.wait_for_rest()
        self.first = self.look("controls()")

    def begin(self) -> None:
        """Go to the first screen, whatever was done before."""
        self.page.mouse.up()
        self.page.set_viewport_size(WIDE)
        self.page.emulate_media(color_scheme="light")
        self.button("Reset").click()
        self.wait_for_rest()
        self.page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")

    def look(self, call: str, arg: Any = None) -> Any:
        """Return a value of `look.js`; `arg` may stand in the call."""
        return self.page.evaluate(f"(arg) => look.{call}", arg)

    def wait(self, condition: str, arg: Any = None, **options: Any) -> None:
        """Wait until a condition on the page holds; `arg` may stand in it."""
        self.page.wait_for_function(f"(arg) => {condition}", arg=arg, **options)

    def wait_for_rest(self) -> None:
        """Wait until the kernel has answered all that was done and the page has shown it."""
        self.wait("look.rests()")

    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.page.url).query, keep_blank_values=True))

    def controls(self) -> dict[str, Any]:
        return self.look("controls()")

    def row(self, name: str) -> Locator:
        return self.page.locator(f".gdp-row.gdp-{name}")

    def box(self, name: str) -> Locator:
        return self.row(name).locator("input")

    def label(self, name: str) -> str:
        return self.box(name).get_attribute("aria-label")

    def handle(self, name: str) -> Locator:
        return self.row(name).locator(".noUi-handle")

    def message(self, name: str) -> Locator:
        return self.row(name).get_by_role("alert")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def choice(self, name: str) -> Locator:
        return self.page.get_by_role("combobox", name=name, exact=True)

    def enter(self, name: str, text: str, key: str = "Enter") -> None:
        """Type into a number box."""
        self.box(name).fill(text)
        self.box(name).press(key)

    def grab(self, place: Locator, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
        """Press the mouse's button on a place and return where that was."""
        at = place.bounding_box()
        x, y = at["x"] + across * at["width"], at["y"] + down * at["height"]
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        return x, y


@pytest.fixture
def tab_at(browser: Browser) -> Iterator[Callable[[Any], Tab]]:
    """`tab_at(server)` is a tab that has not gone anywhere yet."""
    tabs: list[Tab] = []

    def open_tab(server: Any) -> Tab:
        tabs.append(Tab(browser, server))
        return tabs[-1]

    yield open_tab
    for tab in tabs:
        tab.close()


@pytest.fixture
def tab(tab_at: Callable[[Any], Tab], running: Any) -> Tab:
    """A tab that has not gone anywhere yet."""
    return tab_at(running)


@pytest.fixture(scope="session")
def shared(browser: Browser, running: Any) -> Iterator[App]:
    app = App(browser, running)
    yield app
    app.close()


@pytest.fixture
def app(shared: App) -> Iterator[App]:
    """The app at its first screen in a tab that tests share; it may complain of nothing."""
    shared.begin()
    if shared.controls() != shared.first:
        shared.open()
    yield shared
    errors, shared.errors = shared.errors, []
    assert errors == []


@pytest.fixture
def visit(browser: Browser, running: Any) -> Iterator[Callable[..., App]]:
    """`visit(query)` opens the app for another visitor."""
    apps: list[App] = []

    def open_app(query: str = "", **options: Any) -> App:
        apps.append(App(browser, running, query, **options))
        return apps[-1]

    yield open_app
    for app in apps:
        app.close()
    assert [error for app in apps for error in app.errors] == []
