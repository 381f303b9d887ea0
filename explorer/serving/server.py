"""Voilà as a stand-alone application, configured for a page that strangers may open."""

import asyncio
import logging
import os
import re
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import zmq
from tornado.httpserver import HTTPServer
from tornado.iostream import StreamClosedError
from tornado.web import Application, authenticated
from traitlets.config import Config
from voila.app import Voila
from voila.tornado.handler import TornadoVoilaHandler

from explorer.serving.plotly import PlotlyHandler, plotly_url

KERNEL_STARTUP = Path(__file__).with_name("kernel_startup.py")

SHARE = Path(__file__).parent / "share"
"""Prepended to ``JUPYTER_PATH``, where Voilà looks for its template ``explorer``."""

POLICY = {
    "default-src": "'self'",
    # Voilà writes scripts into the page, compiles schemas, and anywidget imports from blobs.
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'self'",
}

HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "Referrer-Policy": "same-origin",
}

EXTENSIONS = [
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
    "anywidget",
]

MESSAGE_BYTES = 2**20
"""Longest message that a page may send to its kernel; the app's own have a few kilobytes."""

WAITING_MESSAGES = 4_000
"""Most messages of a kernel that wait for the server; the app's start sends about a thousand."""

START_SECONDS = 120
"""Most time for a kernel to start, and for its output to arrive, on a busy machine.

The defaults of Voilà and nbclient are 60 and 4 seconds; after the 4 a page is sent without its
widget.
"""

PATIENCE_HEARTBEATS = 15
"""Heartbeats, 10 seconds each, after which a silent start has failed."""


def serve(
    notebook: Path,
    sockets: Sequence[socket.socket],
    ready: Callable[[], object],
    *,
    idle: int = 60,
    interval: int = 10,
) -> None:
    """Serve `notebook` on `sockets` until a signal, then leave no kernel and no file behind.

    Parameters
    ----------
    notebook : path
        Copied into an empty temporary folder, the only one that Voilà serves.
    sockets : sequence of socket
        Bound and listening.
    ready : callable
        Called without arguments once requests are answered.
    idle, interval : int
        Seconds after which a kernel without a page is shut down, and between two checks for such
        kernels.
    """
    put_first("JUPYTER_PATH", SHARE)
    # Kernels import the same package as the server, even if it is not installed.
    put_first("PYTHONPATH", Path(__file__).parents[2])
    # Each kernel has one page, which needs no echo of the updates that it has sent.
    os.environ["JUPYTER_WIDGETS_ECHO"] = "0"
    # The arrays are small: with several BLAS threads, a busy machine is ten times slower.
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    # Windows may still hold a file of a kernel that has just ended.
    with tempfile.TemporaryDirectory(prefix="explorer-", ignore_cleanup_errors=True) as folder:
        root, connections = Path(folder, "root"), Path(folder, "connections")
        root.mkdir()
        connections.mkdir(mode=0o700)
        # Kernels do not read the configuration and start-up files of the user who runs the server.
        for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"):
            os.environ[variable] = str(Path(folder, variable.lower()))
        startup = Path(folder, "ipythondir", "profile_default", "startup")
        startup.mkdir(parents=True)
        shutil.copy(KERNEL_STARTUP, startup)
        served = shutil.copy(notebook, root)
        voila = Voila(
            config=configuration(idle, interval),
            notebook_path=str(served),
            connection_dir=str(connections),
        )
        voila.initialize([])
        hide_queries()
        asyncio.run(run(voila, sockets, ready))


def put_first(variable: str, path: Path) -> None:
    """Prepend `path` to an environment variable that lists paths."""
    others = os.environ.get(variable)
    os.environ[variable] = f"{path}{os.pathsep}{others}" if others else str(path)


def configuration(idle: int, interval: int) -> Config:
    """Return Voilà's settings; `idle` and `interval` as in `serve`."""
    config = Config()
    config.Voila.config_file_paths = []
    config.Voila.log_level = logging.ERROR
    voila = config.VoilaConfiguration
    voila.template = "explorer"
    voila.allow_template_override = "NO"
    voila.allow_theme_override = "NO"
    voila.show_tracebacks = False
    voila.strip_sources = True
    voila.preheat_kernel = False
    voila.file_allowlist = []
    voila.extension_allowlist = EXTENSIONS
    voila.resources = {"plotly_url": plotly_url()}
    config.VoilaExecutor.startup_timeout = START_SECONDS
    config.VoilaExecutor.iopub_timeout = START_SECONDS
    config.KernelManager.transport_encryption = "auto"
    config.MappingKernelManager.cull_idle_timeout = idle
    config.MappingKernelManager.cull_interval = interval
    # A restarted kernel would have no app in it; the page says that the connection was lost.
    config.KernelRestarter.restart_limit = 0
    return config


class Page(TornadoVoilaHandler):  # type: ignore[misc] # Voilà has no types
    """Voilà's page, whose response ends if the kernel does not start or the client disconnects."""

    @authenticated
    async def get(self, path: str | None = None) -> None:
        """Send the page piece by piece, as the kernel executes the notebook."""
        self.xsrf_token  # noqa: B018 - reading it sets the cookie with which the page ends its kernel
        beats = 0
        with suppress(StreamClosedError):
            async for piece in self.get_generator(path=path):
                # Voilà sends heartbeats without end if the kernel has died.
                beats = beats + 1 if "voila_heartbeat()" in piece else 0
                if beats > PATIENCE_HEARTBEATS:
                    return
                self.write(piece)
                await self.flush()


def hide_queries() -> None:
    """Remove query strings, which hold visitors' settings, from the log; log errors only."""

    def shorten(record: logging.LogRecord) -> bool:
        record.msg, record.args = re.sub(r"\?[^\s'\"]+", "?…", record.getMessage()), ()
        return True

    for name in ("access", "application", "general"):
        logging.getLogger(f"tornado.{name}").addFilter(shorten)
    logging.getLogger("tornado").setLevel(logging.ERROR)


def application(voila: Voila) -> Application:
    """Return the web application: Voilà's handlers and the one of plotly.js."""
    settings = voila.init_settings()
    voila.kernel_manager.context.setsockopt(zmq.RCVHWM, WAITING_MESSAGES)
    # Only this interpreter has the app; kernels that the user has installed elsewhere do not.
    voila.kernel_spec_manager.kernel_dirs = []
    handlers = [
        (url, Page if handler is TornadoVoilaHandler else handler, *options)
        for url, handler, *options in voila.init_handlers()
    ]
    return Application(
        [(plotly_url(), PlotlyHandler), *handlers],
        **settings,
        headers=HEADERS,
        compress_response=True,
        websocket_max_message_size=MESSAGE_BYTES,
        xsrf_cookie_kwargs={"samesite": "Lax"},
    )


async def run(voila: Voila, sockets: Sequence[socket.socket], ready: Callable[[], object]) -> None:
    """Answer requests until SIGINT, SIGTERM or SIGHUP."""
    server = HTTPServer(application(voila))
    server.add_sockets(sockets)
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if number := getattr(signal, name, None):  # Windows has no SIGHUP
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
    ready()
    while not stopped.is_set():  # on Windows, the loop must wake up to handle a signal
        with suppress(TimeoutError):
            await asyncio.wait_for(stopped.wait(), timeout=1)
    server.stop()
    loop.set_exception_handler(lambda *_: None)  # suppress "task was destroyed" messages
    await voila.kernel_manager.shutdown_all(now=True)
    await server.close_all_connections()
    for _ in range(5):  # a websocket that is being opened survives its first cancellation
        if not (others := asyncio.all_tasks() - {asyncio.current_task()}):
            break
        for task in others:
            task.cancel()
        await asyncio.wait(others, timeout=1)
