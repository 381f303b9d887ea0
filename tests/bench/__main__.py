"""Measure both builds and write BENCHMARKS.md: ``make bench``."""

import argparse
import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import report
from chromium import executable
from rounds import Alive, loads, measure
from server import environment, serve
from visit import PLOTS

HERE = Path(__file__).parent
BUILDS = ("ours", "stock")
MESSAGES = 30


def main() -> None:
    """Measure until the time is used up, at least one round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=9.0, help="time to use (default 9)")
    parser.add_argument("--rounds", type=int, default=4, help="most rounds (default 4)")
    parser.add_argument("--core", action="store_true", help="only the core, without a browser")
    chosen = parser.parse_args()
    core()
    if chosen.core:
        return
    end = time.monotonic() + 60 * chosen.minutes
    path = executable()
    measured = inside()
    rounds: report.Rounds = []
    alive = {build: Alive(PLOTS[build]) for build in BUILDS}
    with serve("ours") as ours, serve("stock") as stock:
        servers = {"ours": ours, "stock": stock}
        took = 0.0
        while len(rounds) < chosen.rounds and (not rounds or time.monotonic() + took < end):
            start = time.monotonic()
            one = {}
            for build in BUILDS if len(rounds) % 2 else reversed(BUILDS):
                say(f"round {len(rounds) + 1}, {build}")
                one[build] = asyncio.run(measure(path, build, servers[build]))
            rounds.append(one)
            took = time.monotonic() - start
            if len(rounds) == 1:
                say("loads in a row")
                asyncio.run(loads(path, servers, alive, stock_until=end - 2 * took - 30))
    text = report.table(rounds, alive, measured)
    report.write(text)
    say(text)


def core() -> None:
    """Measure the core in an interpreter of its own, on one thread, and write its table."""
    say("the core")
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}
    run = subprocess.run(  # noqa: S603 - this interpreter and our own file
        [sys.executable, HERE / "core.py"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**environment(), **threads},
    )
    text = report.core_table(json.loads(run.stdout))
    report.write(text, report.CORE_BEGIN, report.CORE_END)
    say(text)


def inside() -> dict[str, list[dict[str, Any]]]:
    """Run both builds in interpreters of their own, by turns; the last also takes messages."""
    results: dict[str, list[dict[str, Any]]] = {build: [] for build in BUILDS}
    for count in (0, 0, MESSAGES):
        for build in BUILDS:
            say(f"{build} without a browser")
            run = subprocess.run(  # noqa: S603 - this interpreter and our own file
                [sys.executable, HERE / "inside.py", build, str(count)],
                check=True,
                capture_output=True,
                text=True,
                env=environment(),
            )
            results[build].append(json.loads(run.stdout))
    return results


def say(text: str) -> None:
    """Tell whoever waits."""
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    main()
