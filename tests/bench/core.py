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

from explorer.core import chisq, population
from explorer.core.mechanisms import (
    MECHANISMS,
    JamesStein,
    RankDeficientGaussian,
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
        for mechanism_class in (RankDeficientJamesSteinZero, RankDeficientJamesStein):
            mechanism = mechanism_class(table, 0.5, positive_part=True)
            lines.append(
                Line(
                    f"average cost, {mechanism.key}: {text}",
                    best(lambda m=mechanism, n=n, pi=pi: m.expected_l2_cost(n, pi)),
                    most,
                    f"simulation with error {ACCURACY:g}",
                    simulated(mechanism, n, pi),
                    TIMES_FASTER,
                )
            )
    return lines


def tests() -> list[Line]:
    """Return what chi-squared tests of noisy tables cost."""
    rng = np.random.default_rng(2)
    null = np.full(10, 0.1)
    linear = population.probabilities((10,), "trend", np.linspace(0.02, 0.5, 15))
    released = RankDeficientGaussian(Table((10,)), 0.5)

    def level() -> object:
        many = {"replicates": 100_000, "null_replicates": 100_000}
        return chisq.power(released, null, 500, null, 0.05, rng, **many)

    def study() -> float:
        worst = 0.0
        for mechanism_class in MECHANISMS[:5]:
            for mu in (0.1, 0.25, 0.5, 1.0):
                mechanism = mechanism_class(Table((10,)), mu)
                power = chisq.power(mechanism, null, 500, linear, 0.05, rng, replicates=15_000)
                worst = max(worst, float(power.error.max()))
        return worst

    error = study()
    lines = [
        Line("level of a test by 10⁵ releases, p = 10", best(level, 3), 1.0),
        Line(
            f"power at 15 strengths × 5 mechanisms × 4 μ, largest standard error {error:.4f}",
            best(study, 1),
        ),
    ]
    for shape, most in (((4, 4), 0.03), ((12, 12), None)):
        table = Table(shape)
        uniform = np.full(table.p, 1 / table.p)
        alternatives = population.probabilities(shape, "spike", np.geomspace(0.01, 1, 16))
        released = [mechanism_class(table, 0.5) for mechanism_class in MECHANISMS]
        ns = iter(range(200, 100_000))  # another n each time, because some results are cached

        def curves(released=released, uniform=uniform, alternatives=alternatives, ns=ns) -> None:
            n = next(ns)
            for one in (*released, None):
                chisq.asymptotic_power(one, uniform, n, alternatives, 0.05)

        simulated = released[1]

        def simulate(one=simulated, uniform=uniform, alternatives=alternatives) -> object:
            return chisq.power(one, uniform, 200, alternatives, 0.05, rng, replicates=2_000)

        lines.append(
            Line(
                f"power at 16 strengths, 8 mechanisms and without noise, p = {table.p}",
                best(curves),
                most,
                "2 000 simulated releases of one mechanism",
                best(simulate, 3),
            )
        )
    return lines


def main() -> None:
    """Measure and print."""
    sys.stdout.write(json.dumps([asdict(line) for line in (*expected_costs(), *tests())]))


if __name__ == "__main__":
    main()
