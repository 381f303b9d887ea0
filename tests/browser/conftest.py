"""Chromium with a fresh profile for each test; nothing leaves this machine, and what tries is kept."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

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
