"""How tests and benchmarks find and start Chromium."""

import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "browser" / "chromium.sh"
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
"""No sandbox, for tests run by root in a container; no host but this machine is resolved."""


def executable() -> str:
    """Return the path of an installed Chromium.

    Raises
    ------
    FileNotFoundError
        If there is none; the message says how to install one.
    """
    search = subprocess.run(["/bin/sh", SCRIPT], capture_output=True, text=True, check=False)  # noqa: S603 - our own script
    if search.returncode != 0:
        raise FileNotFoundError(search.stderr.strip())
    return search.stdout.strip()
