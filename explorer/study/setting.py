"""What besides its parameters and its seed may change the last bits of a result."""

import os
from functools import cache
from importlib.metadata import version
from typing import NamedTuple

from explorer.study.arithmetic import Arithmetic, arithmetic
from explorer.study.worker import THREADS


class Setting(NamedTuple):
    """The setting of a process that computes.

    Attributes
    ----------
    versions : tuple of (str, str)
        Versions of this package and of those that draw and add numbers.
    threads : str
        Threads that linear algebra may use, by the environment variables; "" if none is set.
    arithmetic : Arithmetic
        How the process rounds.
    """

    versions: tuple[tuple[str, str], ...]
    threads: str
    arithmetic: Arithmetic


def setting() -> Setting:
    """Return the setting of this process."""
    values = [os.environ.get(name, "") for name in THREADS]
    return Setting(_versions(), next(filter(None, values), ""), arithmetic())


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    return tuple((name, version(name)) for name in ("gdp-explorer", "numpy", "scipy"))
