"""A visitor without a browser."""

import http.client
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

import psutil
import pytest
from patience import SECONDS
from websockets.sync.client import ClientConnection, connect


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Visitor:
    """Keeps cookies, follows nothing and sends paths as they are."""

    address: str
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, path: str = "/", method: str = "GET", form: Any = None, **headers: str) -> Answer:
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=SECONDS)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, form and urlencode(form), headers)
            response = connection.getresponse()
            for cookie in response.headers.get_all("Set-Cookie", []):
                name, value = cookie.split(";")[0].split("=", 1)
                self.cookies[name] = value
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def open(self) -> str:
        """Open the app and return the id of its kernel."""
        return kernel_id(self.ask().text)

    def channels(self, kernel: str, **options: Any) -> ClientConnection:
        url = f"ws://{urlsplit(self.address).netloc}/api/kernels/{kernel}/channels"
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return connect(url, proxy=None, additional_headers={"Cookie": cookie}, **options)

    def end(self, kernel: str, **form: str) -> int:
        return self.ask(f"/voila/api/shutdown/{kernel}", "POST", form).status


def kernel_id(html: str) -> str:
    return json.loads(re.search(r"dataset\.kernelId = (\"[^\"]+\")", html)[1])


@dataclass
class Guest(Visitor):
    """A visitor with an open page."""

    page: Answer | None = None
    kernel: str = ""
    process: psutil.Process | None = None


@pytest.fixture
def visitor(server: str) -> Visitor:
    return Visitor(server)


@pytest.fixture(scope="session")
def visit() -> Callable[[str], Visitor]:
    """`visit(address)` is a visitor of another server."""
    return Visitor


@pytest.fixture(scope="session")
def guest(running: Any) -> Iterator[Guest]:
    """A page opened once for the tests that leave its kernel as it is."""
    guest = Guest(running.address)
    guest.page = guest.ask("/?template=lab&theme=dark")
    guest.kernel = kernel_id(guest.page.text)
    guest.process = running.kernel(guest.kernel)
    yield guest
    guest.end(guest.kernel, _xsrf=guest.cookies["_xsrf"])
    guest.process.wait(SECONDS)
