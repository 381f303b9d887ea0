"""The options of the command and the sentences that refuse them."""

import json
import re
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import SECONDS

from explorer.serving import command

ROOT = Path(__file__).parents[2]


def explorer(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "explorer", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_taken_port_is_said_in_one_sentence(taken):
    run = explorer("--port", str(taken), "--ip", "127.0.0.1")
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr == f"gdp-explorer: port {taken} is taken; choose another with --port.\n"


@pytest.mark.parametrize("port", ["abc", "-1", "65536", "80.5", ""])
def test_a_bad_port_is_refused(port, capsys):
    with pytest.raises(SystemExit) as left:
        command.main(["--port", port])
    assert left.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert (
        last
        == f"gdp-explorer: error: argument --port: {port!r} is no port; give a whole number up to 65535"
    )


def test_an_address_of_another_machine_is_refused():
    run = explorer("--ip", "192.0.2.1")  # from a range set aside for documentation
    assert run.returncode == 1
    assert re.fullmatch(r"gdp-explorer: cannot listen on '192\.0\.2\.1': .+\.\n", run.stderr)


@pytest.mark.parametrize(
    ("ip", "expected"),
    [
        ("localhost", "http://localhost:8866/"),
        ("127.0.0.1", "http://127.0.0.1:8866/"),
        ("0.0.0.0", "http://localhost:8866/"),  # noqa: S104 - not bound
        ("::", "http://localhost:8866/"),
        ("::1", "http://[::1]:8866/"),
    ],
)
def test_the_address_can_be_typed_into_a_browser(ip, expected):
    assert command.address(ip, 8866) == expected


def test_without_a_screen_no_browser_is_opened(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert not command.has_browser()


def test_the_notebook_is_one_call_without_outputs():
    notebook = json.loads(command.notebook().read_text(encoding="utf-8"))
    (cell,) = notebook["cells"]
    assert "".join(cell["source"]) == "from explorer.app import explorer\n\nexplorer()"
    assert cell["outputs"] == []


def test_the_installed_command_has_the_name_that_it_says():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    scripts = {"gdp-explorer": "explorer.serving.command:main"}  # Windows has another `explorer`
    assert project["scripts"] == scripts
    assert command.options().prog in scripts
