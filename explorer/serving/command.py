"""The command line: options, their errors, and the browser."""

import argparse
import errno
import os
import socket
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from jupyter_client.localinterfaces import public_ips
from tornado.netutil import bind_sockets

NOTEBOOK = Path("notebooks", "explorer.ipynb")


def port_number(text: str) -> int:
    """Return the port that `text` names, or raise ``argparse.ArgumentTypeError``."""
    if text.isdecimal() and int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port; give a whole number up to 65535")


def options() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="gdp-explorer",
        description="Serve GDP Explorer on this machine and open it in a browser.",
        epilog="Simulation studies: gdp-explorer study --help",
    )
    parser.add_argument(
        "--port",
        type=port_number,
        default=8866,
        help="port to listen on (default %(default)s; 0 takes a free one)",
    )
    parser.add_argument(
        "--ip",
        default="localhost",
        help="name or address to listen on (default %(default)s: this machine only)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    return parser


def notebook() -> Path:
    """Return the app's notebook: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).parents[1]
    shipped = package / NOTEBOOK
    return shipped if shipped.exists() else package.parent / NOTEBOOK


def listen(ip: str, port: int) -> list[socket.socket]:
    """Return sockets that listen on the port, or exit with a sentence that gives the reason."""
    try:
        return bind_sockets(port, ip)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            sys.exit(f"gdp-explorer: port {port} is taken; choose another with --port.")
        if error.errno in {errno.EACCES, errno.EPERM}:
            sys.exit(
                f"gdp-explorer: port {port} is not allowed; choose one above 1023 with --port."
            )
        sys.exit(f"gdp-explorer: cannot listen on {ip!r}: {error.strerror or error}.")


def addresses(ip: str, port: int) -> tuple[str, list[str]]:
    """Return the address for a browser on this machine, and those for other machines.

    Parameters
    ----------
    ip : str
        What the server listens on; ``""``, ``"0.0.0.0"`` and ``"::"`` stand for every interface.
    port : int
        Its port.

    Returns
    -------
    str
        URL to open here.
    list of str
        URLs for others; empty where only this machine can reach the server.
    """

    def url(host: str) -> str:
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"

    if ip in {"", "0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        return url("localhost"), [url(host) for host in public_ips() or [socket.gethostname()]]
    is_local = ip in {"localhost", "::1"} or ip.startswith("127.")
    return url(ip), [] if is_local else [url(ip)]


def has_browser() -> bool:
    """Whether a graphical browser can open; a text browser would take over this terminal."""
    screen = sys.platform in {"win32", "darwin"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if not screen:
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the app until Ctrl-C or a termination signal, or run the ``study`` subcommand.

    Parameters
    ----------
    arguments : sequence of str, optional
        The command line without the program's name; default ``sys.argv[1:]``.

    Returns
    -------
    int
        Exit code: 0 after Ctrl-C, 130 if it is still starting. Refused options exit with 2, a port
        that cannot be used with 1, both after one sentence on standard error. With ``study`` as
        the first argument, the exit code of `explorer.study.command.main`.
    """
    options_given = sys.argv[1:] if arguments is None else arguments
    if options_given[:1] == ["study"]:
        from explorer.study import command  # noqa: PLC0415 - the app needs none of it

        return command.main(options_given[1:])
    chosen = options().parse_args(options_given)
    sockets = listen(chosen.ip, chosen.port)
    url, others = addresses(chosen.ip, sockets[0].getsockname()[1])

    def ready() -> None:
        lines = [f"GDP Explorer is at {url} (Ctrl-C ends it)"]
        lines += [f"Other machines reach it at {other}" for other in others if other != url]
        print(*lines, sep="\n", flush=True)  # noqa: T201 - CLI output
        if not chosen.no_browser and has_browser():
            webbrowser.open(url)

    try:
        from explorer.serving.server import serve  # noqa: PLC0415 - seconds; the port comes first

        serve(notebook(), sockets, ready)
    except KeyboardInterrupt:  # before the server listens to signals
        return 130
    return 0
