"""plotly.js as the installed plotly package ships it."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path


@cache
def plotly_js() -> Path:
    """Return the file, without importing plotly, which would cost a second.

    Raises
    ------
    FileNotFoundError
        If plotly is not installed.
    """
    spec = find_spec("plotly")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("plotly is not installed")
    return Path(spec.origin).parent / "package_data" / "plotly.min.js"
