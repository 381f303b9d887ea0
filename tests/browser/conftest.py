"""Chromium with a fresh profile for each test; nothing leaves this machine, and what tries is kept."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    expect,
    sync_playwright,
)

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]


SECONDS = 60
expect.set_options(timeout=1000 * SECONDS)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser; without one the tests are skipped, in CI they fail."""
    script = Path(__file__).parent / "chromium.sh"
    found = subprocess.run(["sh", script], capture_output=True, text=True, check=False)  # noqa: S603, S607 - our own script
    if found.returncode == 0:
        return found.stdout.strip()
    if os.environ.get("CI") == "true":
        pytest.fail(found.stderr.strip())
    pytest.skip(found.stderr.strip())


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def off_host() -> list[str]:
    """URLs that the page wanted from other machines; they were refused."""
    return []


@pytest.fixture
def console_errors() -> list[str]:
    """Error lines of the page's console and uncaught exceptions."""
    return []


@pytest.fixture
def page(
    browser: Browser, server: str, off_host: list[str], console_errors: list[str]
) -> Iterator[Page]:
    """A page of 1280 × 800 that has not gone anywhere yet; `page.goto(server)` opens the app."""
    home = urlsplit(server).netloc

    def record(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme.startswith("http") and parts.netloc != home:
            off_host.append(request.url)

    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        context.on("request", record)
        page = context.new_page()
        page.set_default_timeout(1000 * SECONDS)
        page.on("console", lambda line: line.type == "error" and console_errors.append(line.text))
        page.on("pageerror", lambda error: console_errors.append(str(error)))
        yield page


LOOK = Path(__file__).parent / "look.js"
DRAWN = "globalThis.look && look.plots().length && look.plots().every((name) => look.drawn()[name])"
WIDE = {"width": 1280, "height": 800}


class App:
    """The app in a visitor's tab, and what is done there; `look.js` finds what is on it.

    Attributes
    ----------
    first : dict
        Every control and its value on the first screen.
    urls, lines : list of str
        All that the tab asked for, and all that it wrote to the console.
    errors : list of str
        Errors of the console, uncaught exceptions and requests to other machines.
    """

    def __init__(self, browser: Browser, address: str, query: str = "", **options: Any) -> None:
        self.address = address
        self.urls: list[str] = []
        self.lines: list[str] = []
        self.errors: list[str] = []
        self.context = browser.new_context(**{"viewport": WIDE, "color_scheme": "light", **options})
        self.context.add_init_script(path=LOOK)
        self.context.on("request", self._record)
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * SECONDS)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.open(query)

    def open(self, query: str = "") -> None:
        self.page.goto(self.address + query)
        self.wait(DRAWN, timeout=3000 * SECONDS)
        self.wait_for_rest()
        self.first = self.look("controls()")

    def _record(self, request: Request) -> None:
        self.urls.append(request.url)
        parts = urlsplit(request.url)
        if parts.scheme.startswith("http") and parts.netloc != urlsplit(self.address).netloc:
            self.errors.append(f"asked for {request.url}")

    def _hear(self, line: ConsoleMessage) -> None:
        self.lines.append(line.text)
        if line.type == "error":
            self.errors.append(line.text)

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


@pytest.fixture(scope="session")
def shared(browser: Browser, server: str) -> Iterator[App]:
    app = App(browser, server)
    yield app
    app.context.close()


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
def visit(browser: Browser, server: str) -> Iterator[Callable[..., App]]:
    """`visit(query)` opens the app for another visitor."""
    apps = []

    def open_app(query: str = "", **options: Any) -> App:
        apps.append(App(browser, server, query, **options))
        return apps[-1]

    yield open_app
    for app in apps:
        app.context.close()
    assert [error for app in apps for error in app.errors] == []
