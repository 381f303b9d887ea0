"""The core against what a user would pick instead, in one interpreter: ``python core.py``.

Prints a JSON list of lines: what, how long, the budget, and how much longer the other way takes.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from explorer.core import population
from explorer.core.mechanisms import (
    JamesStein,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.core.sensitivity import Table

REPEATS = 7
DRAWS = 2_000
ACCURACY = 1e-4
TIMES_FASTER = 50.0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table; seconds."""

    text: str
    seconds: float
    most: float | None = None
    other: str = ""
    other_seconds: float | None = None
    least_ratio: float | None = None


def best(act: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median time of some calls, after one that is not counted."""
    act()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        act()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def simulated(mechanism: JamesStein, n: int, pi: np.ndarray) -> float:
    """Return how long simulating tables and noise takes until its error is `ACCURACY`.

    Some draws are made, and the time they took is stretched to the draws that are needed.
    """
    rng = np.random.default_rng(1)

    def draw() -> np.ndarray:
        theta = rng.multinomial(n, pi, size=DRAWS).astype(float)
        return ((mechanism.simulate(theta, rng) - theta) ** 2).sum(axis=1)

    losses = draw()
    needed = (losses.std() / losses.mean() / ACCURACY) ** 2
    return best(draw, 3) * needed / DRAWS


def expected_costs() -> list[Line]:
    """Return what an average over tables costs."""
    two = population.probabilities((10, 10), "spike", 0.2)
    many = np.arange(1.0, 1001)
    cases = (
        ("two probabilities, p = 100, n = 10⁴", Table((10, 10)), 10**4, two, 0.03),
        ("1 000 probabilities, n = 10⁶", Table((1000,)), 10**6, many / many.sum(), 2.0),
    )
    lines = []
    for text, table, n, pi, most in cases:
        for kind in (RankDeficientJamesSteinZero, RankDeficientJamesStein):
            mechanism = kind(table, 0.5, positive_part=True)
            lines.append(
                Line(
                    f"average cost, {mechanism.label}: {text}",
                    best(lambda m=mechanism, n=n, pi=pi: m.expected_l2_cost(n, pi)),
                    most,
                    f"simulation with error {ACCURACY:g}",
                    simulated(mechanism, n, pi),
                    TIMES_FASTER,
                )
            )
    return lines


def main() -> None:
    """Measure and print."""
    sys.stdout.write(json.dumps([asdict(line) for line in expected_costs()]))


if __name__ == "__main__":
    main()
