"""The running app, and the order of the tests: those that need a browser come last."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from patience import SECONDS

# One thread, before NumPy is imported: BLAS threads that wait for each other make a busy machine slow.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

ROOT = Path(__file__).parents[1]
BROWSER = Path(__file__).parent / "browser"
COMMAND = [sys.executable, "-m", "explorer", "--no-browser", "--port", "0"]


@dataclass(frozen=True)
class Server:
    """A server that answers at `address`."""

    address: str
    process: subprocess.Popen[str]
    log: Path

    def kernel(self, identity: str) -> psutil.Process:
        """Return the process of a kernel; its command line names the connection file.

        Raises
        ------
        LookupError
            If no such kernel runs.
        """
        file = f"kernel-{identity}.json"
        for process in psutil.Process(self.process.pid).children(recursive=True):
            with suppress(psutil.Error):  # another kernel may end meanwhile
                if any(word.endswith(file) for word in process.cmdline()):
                    return process
        raise LookupError(f"no kernel {identity} runs")


@contextmanager
def serve(folder: Path, command: Sequence[str] = COMMAND) -> Iterator[Server]:
    """Run `command` in `folder`, which also takes its temporary files, until the caller is done."""
    log = folder / "server.log"
    places = {"PYTHONPATH": str(ROOT), "TMPDIR": str(folder), "HOME": str(folder)}
    with (
        log.open("w") as errors,
        subprocess.Popen(  # noqa: S603 - our own command
            command,
            cwd=folder,
            env={**os.environ, **places},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        late = threading.Timer(SECONDS, process.kill)
        late.start()
        line = process.stdout.readline()
        late.cancel()
        found = re.search(r"http://\S+", line)
        try:
            if not found:
                pytest.fail(f"no address within {SECONDS} s: {line!r}\n{log.read_text()}")
            yield Server(found[0], process, log)
        finally:
            stop(process)


def stop(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        kernels = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
        for kernel in psutil.wait_procs(kernels, timeout=SECONDS)[1]:
            kernel.kill()


@pytest.fixture(scope="session")
def start() -> Callable[..., AbstractContextManager[Server]]:
    """`with start(folder)` runs a server of one's own, `start(folder, command)` another command."""
    return serve


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="session")
def server(running: Server) -> str:
    """Address of the running app."""
    return running.address


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    running = getattr(item, "funcargs", {}).get("running")
    if report.failed and running:
        report.sections.append(("log of the server", running.log.read_text()))
    return report
