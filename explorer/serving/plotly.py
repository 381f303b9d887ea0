"""plotly.js as the installed plotly package ships it, compressed once."""

import asyncio
import gzip
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from tornado.web import RequestHandler


def plotly_url() -> str:
    """Return the path of plotly.js on the server; a new version has a new one."""
    return f"/explorer/static/plotly-{version('plotly')}.js"


@cache
def plotly_file() -> Path:
    """Return the file, found without importing plotly, which costs a second."""
    spec = find_spec("plotly")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("plotly is not installed")
    return Path(spec.origin).parent / "package_data" / "plotly.min.js"


@cache
def compressed() -> bytes:
    """Return the file as gzip, 1.4 of 4.8 MB."""
    return gzip.compress(plotly_file().read_bytes(), mtime=0)


class PlotlyHandler(RequestHandler):
    """Answers with plotly.js, to be kept by the browser for good."""

    async def get(self) -> None:
        """Send the file, compressed where the browser takes that."""
        self.set_header("Content-Type", "text/javascript; charset=utf-8")
        self.set_header("Cache-Control", "public, max-age=31536000, immutable")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Vary", "Accept-Encoding")
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.finish(await asyncio.to_thread(compressed))
        else:
            self.finish(await asyncio.to_thread(plotly_file().read_bytes))
