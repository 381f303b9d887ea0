"""Power of the goodness-of-fit test on the released table, against the signal strength.

The null hypothesis is the uniform table, the alternatives lie along the scenario's pattern. Curves
of normal tables are fast enough for a drag; simulated ones are made on demand and kept.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.core import chisq, population
from explorer.core.chisq import Answer, Power
from explorer.core.mechanisms import MECHANISMS, Laplace, Mechanism
from explorer.scenario import Scenario

Array = NDArray[np.float64]
T = TypeVar("T")
LEVEL = 0.05
TARGET = 0.8
WEAKEST = 0.01
COUNT, FEW, MANY_CELLS = 15, 9, 100
SIMULATED = 9
REPLICATES = 15_000  # a standard error of at most 0.005
CHUNK = 1_500
KEPT = 200
_KNOWN: OrderedDict["Curve", Power] = OrderedDict()
_PLANS: OrderedDict["Curve", tuple[Answer, Answer]] = OrderedDict()


@dataclass(frozen=True)
class Curve:
    """What a power curve depends on.

    Attributes
    ----------
    mechanism : Mechanism or None
        What releases the table; None for the table itself.
    n : int
        Number of records, taken as public.
    statistic : str
        Name of the test's statistic.
    alternatives : bytes
        Cell probabilities of shape (m, p), as float64.
    """

    mechanism: Mechanism | None
    n: int
    statistic: str
    alternatives: bytes

    def tables(self, p: int) -> Array:
        """Return the alternatives, of shape (m, p)."""
        return np.frombuffer(self.alternatives).reshape(-1, p)


def strengths(scenario: Scenario, *, simulated: bool = False) -> Array:
    """Return the signal strengths of the curve, or of its simulated points.

    Parameters
    ----------
    scenario : Scenario
        Its largest strength ends the curve.
    simulated : bool
        Which of the two.

    Returns
    -------
    ndarray of shape (m,)
        In order. Most lie where the power rises: without noise around the w at which nw² is
        twice the standard deviation of χ² with p - 1 degrees, with noise around √(1 + pσ²/n)
        times that. The curve also has its ends, 0.01 and the largest strength.
    """
    most = max(scenario.max_strength, 2 * WEAKEST)
    laplace = scenario.mechanism(Laplace)
    least = np.sqrt(2 * np.sqrt(2 * (scenario.p - 1)) / scenario.n)
    noisy = least * np.sqrt(1 + scenario.p * laplace.variance / scenario.n)
    low, high = np.clip([least / 2.5, 2.2 * noisy], WEAKEST, most)
    if low >= 0.9 * high:
        low, high = WEAKEST, most
    if simulated:
        return np.geomspace(low, high, SIMULATED)
    count = COUNT if scenario.p <= MANY_CELLS else FEW
    return np.unique([WEAKEST, *np.geomspace(low, high, count), most])


def curve(scenario: Scenario, kind: type[Mechanism] | None, at: Array) -> Curve:
    """Return the curve of a mechanism at some signal strengths; without noise for None."""
    most = scenario.max_strength
    laws = population.probabilities(scenario.shape, scenario.direction, np.minimum(at, most))
    mechanism = None if kind is None else scenario.mechanism(kind)
    return Curve(mechanism, scenario.n, scenario.test_statistic, laws.tobytes())


@lru_cache(maxsize=32)
def limit(asked: Curve, p: int) -> Power:
    """Return the power of normal tables with the multinomial's moments."""
    null = np.full(p, 1 / p)
    return chisq.asymptotic_power(
        asked.mechanism, null, asked.n, asked.tables(p), LEVEL, statistic=asked.statistic
    )


def simulated(scenario: Scenario, kind: type[Mechanism]) -> Power | None:
    """Return the simulated points as far as they have come, None for none."""
    return _KNOWN.get(curve(scenario, kind, strengths(scenario, simulated=True)))


def simulate(scenario: Scenario) -> list[Callable[[], object]]:
    """Return the pieces of work that simulate the curves of all mechanisms that are drawn.

    Each of the first pieces makes the null draws of one mechanism, each further one a tenth of its
    releases. The seed is that of the simulated table.
    """
    at = strengths(scenario, simulated=True)
    steps = []
    for i, kind in enumerate(MECHANISMS):
        asked = curve(scenario, kind, at)
        if kind not in scenario.shown:
            continue
        _KNOWN.pop(asked, None)
        rng = np.random.default_rng([scenario.draw, i])
        steps.append((asked, _in_steps(asked, scenario.p, rng)))
    return [_piece(*step) for _ in range(REPLICATES // CHUNK) for step in steps]


def _piece(asked: Curve, step: Iterator[Power]) -> Callable[[], object]:
    return lambda: _keep(asked, next(step))


def _in_steps(asked: Curve, p: int, rng: np.random.Generator) -> Iterator[Power]:
    assert asked.mechanism is not None  # noqa: S101 - only releases are simulated
    return chisq.power_in_steps(
        asked.mechanism,
        np.full(p, 1 / p),
        asked.n,
        asked.tables(p),
        LEVEL,
        rng,
        statistic=asked.statistic,
        replicates=REPLICATES,
        chunk=CHUNK,
    )


def _keep(asked: Curve, power: Power) -> None:
    _put(_KNOWN, asked, power)


def _put(kept: OrderedDict[Curve, T], asked: Curve, found: T) -> None:
    kept[asked] = found
    while len(kept) > KEPT:
        kept.popitem(last=False)


def plan(scenario: Scenario) -> tuple[Answer, Answer] | None:
    """Return the least n at this μ and the least μ at this n for power `TARGET`, if found.

    For the mechanism whose table is drawn, at the scenario's signal strength.
    """
    return _PLANS.get(_planned(scenario))


def missing_plan(scenario: Scenario) -> list[Callable[[], object]]:
    """Return the work that finds the scenario's plan, if that is not known."""
    asked = _planned(scenario)
    return [] if asked in _PLANS else [lambda: _put(_PLANS, asked, _find_plan(asked, scenario.p))]


def _planned(scenario: Scenario) -> Curve:
    kind = next(kind for kind in MECHANISMS if kind.__name__ == scenario.drawn)
    return curve(scenario, kind, np.array([scenario.strength]))


def _find_plan(asked: Curve, p: int) -> tuple[Answer, Answer]:
    null, [law], mechanism = np.full(p, 1 / p), asked.tables(p), asked.mechanism
    assert mechanism is not None  # noqa: S101 - a drawn table has a mechanism
    statistic = asked.statistic
    return (
        chisq.sample_size(mechanism, null, law, LEVEL, power=TARGET, statistic=statistic),
        chisq.mu_for_power(mechanism, null, asked.n, law, LEVEL, power=TARGET, statistic=statistic),
    )
