"""The two servers: started, asked for what they cost, and ended."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MIB = 2**20


@dataclass(frozen=True, slots=True)
class Cpu:
    """Seconds of processor time, user and system."""

    kernel: float
    server: float

    def __sub__(self, other: "Cpu") -> "Cpu":
        return Cpu(self.kernel - other.kernel, self.server - other.server)


class Server:
    """One of the two builds, served."""

    def __init__(self, url: str, process: psutil.Process) -> None:
        self.url = url
        self._process = process

    def kernel(self) -> psutil.Process:
        """Return the newest kernel."""
        kernels = [
            child for child in self._process.children(recursive=True) if _kernel_id(child) != ""
        ]
        return max(kernels, key=lambda kernel: kernel.create_time())

    def cpu(self, kernel: psutil.Process) -> Cpu:
        """Return what this kernel and the server have used so far."""
        return Cpu(_used(kernel), _used(self._process))

    def memory(self) -> float:
        """Return the server's own memory, MiB."""
        return unique_memory(self._process)

    def end_kernels(self) -> None:
        """End every kernel, which a closed tab of the stock build never does."""
        for child in self._process.children(recursive=True):
            if identity := _kernel_id(child):
                request = urllib.request.Request(  # noqa: S310 - our own server's address
                    f"{self.url}voila/api/shutdown/{identity}",
                    data=b"",
                    headers={"Cookie": "_xsrf=00ff", "X-Xsrftoken": "00ff"},
                )
                with urllib.request.urlopen(request, timeout=30):  # noqa: S310 - the same
                    pass


def unique_memory(process: psutil.Process) -> float:
    """Return the memory that ending the process would free, MiB."""
    return float(process.memory_full_info().uss) / MIB


def _line(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def _kernel_id(process: psutil.Process) -> str:
    found = re.search(r"kernel-([0-9a-f-]{36})\.json", _line(process))
    return found[1] if found else ""


def _used(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def renderers() -> float:
    """Return the seconds that the pages of this process's browser have used, user and system."""
    children = psutil.Process().children(recursive=True)
    return sum(_used(child) for child in children if "--type=renderer" in _line(child))


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment() -> dict[str, str]:
    """Return the environment of both servers."""
    paths = [str(ROOT), str(HERE), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


@contextmanager
def serve(build: str) -> Iterator[Server]:
    """Serve "ours" or "stock", each as its users start it."""
    port = free_port()
    arguments = {
        "ours": ["explorer", "--no-browser", "--port", str(port)],
        "stock": ["voila", str(HERE / "stock.ipynb"), "--no-browser", "--port", str(port)],
    }[build]
    with subprocess.Popen(  # noqa: S603 - this interpreter, with options made here
        [sys.executable, "-m", *arguments],
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            _wait_for(port, process)
            yield Server(f"http://localhost:{port}/", psutil.Process(process.pid))
        finally:
            children = psutil.Process(process.pid).children(recursive=True)
            process.send_signal(signal.SIGINT)
            _, stubborn = psutil.wait_procs([*children, psutil.Process(process.pid)], timeout=10)
            for one in stubborn:
                one.kill()


def _wait_for(port: int, process: subprocess.Popen[bytes], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with socket.create_connection(("localhost", port), timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{process.args!r} did not start")
