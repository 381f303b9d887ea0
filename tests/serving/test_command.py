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


HERE = "http://localhost:8866/"


@pytest.mark.parametrize(
    ("ip", "expected"),
    [
        ("localhost", (HERE, [])),
        ("127.0.0.1", ("http://127.0.0.1:8866/", [])),
        ("::1", ("http://[::1]:8866/", [])),
        ("192.0.2.7", ("http://192.0.2.7:8866/", ["http://192.0.2.7:8866/"])),
        ("0.0.0.0", (HERE, ["http://192.0.2.1:8866/", "http://198.51.100.2:8866/"])),  # noqa: S104 - not bound
        ("::", (HERE, ["http://192.0.2.1:8866/", "http://198.51.100.2:8866/"])),
    ],
)
def test_addresses_are_those_that_this_and_other_machines_can_use(ip, expected, monkeypatch):
    monkeypatch.setattr(command, "public_ips", lambda: ["192.0.2.1", "198.51.100.2"])
    assert command.addresses(ip, 8866) == expected


def test_a_machine_without_a_known_address_gives_its_name(monkeypatch):
    monkeypatch.setattr(command, "public_ips", list)
    monkeypatch.setattr(socket, "gethostname", lambda: "lab.example")
    assert command.addresses("", 80) == ("http://localhost:80/", ["http://lab.example:80/"])


def test_a_server_for_others_prints_where_they_find_it(start, tmp_path):
    options = ["--no-browser", "--port", "0", "--ip", "0.0.0.0"]  # noqa: S104 - is the point
    with start(tmp_path, [sys.executable, "-m", "explorer", *options]) as server:
        line = server.process.stdout.readline()
        found = re.fullmatch(r"Other machines reach it at (http://(?!localhost)\S+:\d+/)\n", line)
        assert found
        port = server.address.rsplit(":", 1)[1]
        assert found[1].endswith(f":{port}")


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
    scripts = {"gdp-explorer": "explorer.__main__:main"}  # Windows has another `explorer`
    assert project["scripts"] == scripts
    assert command.options().prog in scripts
