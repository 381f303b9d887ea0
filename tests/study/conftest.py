"""A small study, its results computed one by one, and processes to be killed."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from explorer.study.spec import Study, parse
from explorer.study.store import Store

ROOT = Path(__file__).parents[2]
SECONDS = 60
TEXT = """
name = "A small study"
seed = 20261130
replicates = 2000
kind = "cost"

[grid]
mechanism = ["Gaussian", "JamesSteinMean", "RankDeficientJamesStein", "Laplace"]
mu = [0.25, 1]
shape = [[4, 4]]
pattern = ["spike"]
n = [200]
strength = [0, 0.1, 0.5]
"""


@pytest.fixture(scope="session")
def text() -> str:
    return TEXT


@pytest.fixture
def study() -> Study:
    return parse(TEXT)


ONE_BY_ONE = """
import json, sys
from explorer.study.cells import compute
from explorer.study.spec import parse
study = parse(sys.argv[1])
print(json.dumps({cell.key: compute(study.task(cell)).results for cell in study.cells()}))
"""


@pytest.fixture(scope="session")
def expected() -> dict[str, dict[str, str]]:
    """The results of every cell of the study, to the last bit, by its key.

    Computed in one process without a pool, whose linear algebra has one thread.
    """
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", ONE_BY_ONE, TEXT],
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        check=True,
    )
    return {key: hexadecimal(results) for key, results in json.loads(done.stdout).items()}


def hexadecimal(results: dict[str, float]) -> dict[str, str]:
    return {name: value.hex() for name, value in results.items()}


@pytest.fixture(scope="session")
def found() -> Callable[[Store], dict[str, dict[str, str]]]:
    """What a folder holds, to the last bit."""

    def read(store: Store) -> dict[str, dict[str, str]]:
        finished, problems = store.read()
        assert problems == []
        return {key: hexadecimal(results) for key, results in finished.items()}

    return read


@pytest.fixture(scope="session")
def until() -> Callable[[Callable[[], Any]], Any]:
    """Wait for something to become true, and return it."""

    def wait(true: Callable[[], Any]) -> Any:
        end = time.monotonic() + SECONDS
        while not (value := true()):
            assert time.monotonic() < end, "it did not happen"
            time.sleep(0.01)
        return value

    return wait


Start = Callable[..., "subprocess.Popen[str]"]


@contextmanager
def starting(folder: Path) -> Iterator[Start]:
    with ExitStack() as stack:

        def begin(
            *words: str, log: str = "log", group: bool = False, **environment: str
        ) -> "subprocess.Popen[str]":
            file = stack.enter_context((folder / log).open("w"))
            process = subprocess.Popen(  # noqa: S603 - our own commands
                [sys.executable, *words],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder), **environment},
                stdout=file,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=group,
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        yield begin


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """`start("-m", "explorer", …)` runs a Python that is killed when the test is done."""
    with starting(tmp_path) as begin:
        yield begin


@pytest.fixture(scope="session")
def starts() -> Callable[[Path], Any]:
    """`with starts(folder) as start` for processes of longer life."""
    return starting
