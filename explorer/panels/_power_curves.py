"""Power of a chi-squared test on the released table, against the signal strength.

The null hypothesis is the uniform table or the independence of rows and columns, the alternatives lie
along the scenario's pattern. For goodness of fit the curves of normal tables are fast enough for a
drag up to 100 cells or so; the bootstrap test of independence has none. Simulated curves and plans are
computed on demand and memoised.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from explorer.core import chisq, population
from explorer.core.chisq import Answer, Power
from explorer.core.mechanisms import MECHANISMS, Laplace, Mechanism
from explorer.panels._bounded_cache import BoundedCache
from explorer.panels.panel import Piece
from explorer.scenario import Hypothesis, Scenario, derive

Array = NDArray[np.float64]
LEVEL = 0.05
TARGET = 0.8
WEAKEST = 0.01
COUNT, COUNT_OF_LARGE, LARGE_CELLS = 13, 9, 100
SIMULATED_COUNT = 9
REPLICATES = 15_000  # a standard error of at most 0.005
CHUNK = 1_500
NULL_CELLS = 4_000_000  # of all samples under the null hypothesis: a second or so
BOOTSTRAP_REPLICATES, BOOTSTRAP_CHUNK, BOOTSTRAPS = 2_000, 100, 99
_SIMULATED: BoundedCache["Curve", Power] = BoundedCache(200)
_PLANS: BoundedCache["Curve", tuple[Answer, Answer]] = BoundedCache(200)


@dataclass(frozen=True)
class Curve:
    """What a power curve depends on.

    Attributes
    ----------
    mechanism : Mechanism or None
        What releases the table; None for the table itself.
    n : int
        Number of records, taken as public.
    hypothesis : Hypothesis
        What is tested.
    statistic : str
        Name of the test statistic.
    shape : tuple of int
        Rows and columns.
    alternatives : bytes
        Cell probabilities of shape (m, p), as float64.
    """

    mechanism: Mechanism | None
    n: int
    hypothesis: Hypothesis
    statistic: str
    shape: tuple[int, int]
    alternatives: bytes

    @property
    def tables(self) -> Array:
        """The alternatives, of shape (m, rows, columns)."""
        return np.frombuffer(self.alternatives).reshape(-1, *self.shape)

    @property
    def probabilities(self) -> Array:
        """The same of shape (m, p)."""
        return self.tables.reshape(len(self.tables), -1)

    @property
    def uniform(self) -> Array:
        """The probabilities of the uniform table, of shape (p,)."""
        p = self.shape[0] * self.shape[1]
        return np.full(p, 1 / p)


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
    derived = derive(scenario)
    most = max(derived.max_strength, 2 * WEAKEST)
    laplace = derived.mechanism(Laplace)
    least = np.sqrt(2 * np.sqrt(2 * (scenario.p - 1)) / scenario.n)
    noisy = least * np.sqrt(1 + scenario.p * laplace.variance / scenario.n)
    # Not all of w is dependence, so independence needs more of it.
    reach = 2.2 if scenario.test is Hypothesis.GOODNESS_OF_FIT else 5
    low, high = np.clip([least / 2.5, reach * noisy], WEAKEST, most)
    if low >= 0.9 * high:
        low, high = WEAKEST, most
    if simulated:
        return np.geomspace(low, high, SIMULATED_COUNT)
    count = COUNT if scenario.p <= LARGE_CELLS else COUNT_OF_LARGE
    return np.unique([WEAKEST, *np.geomspace(low, high, count), most])


def curve(scenario: Scenario, mechanism_class: type[Mechanism] | None, at: Array) -> Curve:
    """Return the curve of a mechanism at some signal strengths; without noise for None."""
    derived = derive(scenario)
    strength = np.minimum(at, derived.max_strength)
    probabilities = population.probabilities(scenario.shape, derived.direction, strength)
    return Curve(
        None if mechanism_class is None else derived.mechanism(mechanism_class),
        scenario.n,
        scenario.test,
        scenario.test_statistic,
        scenario.shape,
        probabilities.tobytes(),
    )


@lru_cache(maxsize=32)
def normal_power(of: Curve) -> Power | None:
    """Return the power of normal tables with the multinomial's moments, None where there is none."""
    if of.hypothesis is Hypothesis.GOODNESS_OF_FIT:
        return chisq.asymptotic_power(
            of.mechanism, of.uniform, of.n, of.probabilities, LEVEL, statistic=of.statistic
        )
    if of.mechanism is not None:
        return None
    return chisq.power_of_independence_without_noise(of.n, of.tables, LEVEL)


def simulated(scenario: Scenario, mechanism_class: type[Mechanism]) -> Power | None:
    """Return the simulated points as far as they have come, None for none."""
    return _SIMULATED.get(curve(scenario, mechanism_class, strengths(scenario, simulated=True)))


class Simulation:
    """The simulated curves of all mechanisms that are plotted."""

    def pieces(self, scenario: Scenario) -> list[Piece]:
        """Return the work; earlier results are dropped.

        Each of the first pieces makes the samples of one mechanism under the null hypothesis as well.
        The seed is that of the simulated table.
        """
        goodness_of_fit = scenario.test is Hypothesis.GOODNESS_OF_FIT
        simulate = _in_steps if goodness_of_fit else _bootstrapped
        steps = []
        for i, of in self._curves(scenario):
            _SIMULATED.drop(of)
            steps.append((of, simulate(of, np.random.default_rng([scenario.seed, i]))))
        count = REPLICATES // CHUNK if goodness_of_fit else BOOTSTRAP_REPLICATES // BOOTSTRAP_CHUNK
        return [partial(_advance, *step) for _ in range(count) for step in steps]

    def same(self, one: Scenario, other: Scenario) -> bool:
        """Whether the simulated curves of one scenario are those of the other."""
        return one.seed == other.seed and self._curves(one) == self._curves(other)

    def _curves(self, scenario: Scenario) -> list[tuple[int, Curve]]:
        at, shown = strengths(scenario, simulated=True), derive(scenario).shown
        return [(i, curve(scenario, one, at)) for i, one in enumerate(MECHANISMS) if one in shown]


def _advance(of: Curve, step: Iterator[Power]) -> None:
    _SIMULATED.put(of, next(step))


def _in_steps(of: Curve, rng: np.random.Generator) -> Iterator[Power]:
    assert of.mechanism is not None  # noqa: S101 - only releases are simulated
    return chisq.power_in_steps(
        of.mechanism,
        of.uniform,
        of.n,
        of.probabilities,
        LEVEL,
        rng,
        statistic=of.statistic,
        replicates=REPLICATES,
        null_replicates=max(min(10 * REPLICATES, NULL_CELLS // len(of.uniform)), REPLICATES),
        chunk=CHUNK,
    )


def _bootstrapped(of: Curve, rng: np.random.Generator) -> Iterator[Power]:
    assert of.mechanism is not None  # noqa: S101 - only releases are simulated
    return chisq.power_of_independence_in_steps(
        of.mechanism,
        of.n,
        of.tables,
        LEVEL,
        rng,
        statistic=of.statistic,
        replicates=BOOTSTRAP_REPLICATES,
        bootstraps=BOOTSTRAPS,
        chunk=BOOTSTRAP_CHUNK,
    )


def plan(scenario: Scenario) -> tuple[Answer, Answer] | None:
    """Return the least n at this μ and the least μ at this n for power `TARGET`, if known.

    For the mechanism of the simulated table, at the scenario's signal strength.
    """
    return _PLANS.get(_planned(scenario))


class PlanWork:
    """The plan of a scenario."""

    def pieces(self, scenario: Scenario) -> list[Piece]:
        """Return the work, unless it is done."""
        of = _planned(scenario)
        if of.hypothesis is not Hypothesis.GOODNESS_OF_FIT or _PLANS.get(of) is not None:
            return []
        return [partial(_compute_plan, of)]

    def same(self, one: Scenario, other: Scenario) -> bool:
        """Whether two scenarios have the same plan."""
        return _planned(one) == _planned(other)


def _planned(scenario: Scenario) -> Curve:
    return curve(scenario, derive(scenario).sampled_class, np.array([scenario.strength]))


def _compute_plan(of: Curve) -> None:
    null, [alternative], mechanism = of.uniform, of.probabilities, of.mechanism
    assert mechanism is not None  # noqa: S101 - a simulated table has a mechanism
    statistic = of.statistic
    records = chisq.sample_size(
        mechanism, null, alternative, LEVEL, power=TARGET, statistic=statistic
    )
    mu = chisq.mu_for_power(
        mechanism, null, of.n, alternative, LEVEL, power=TARGET, statistic=statistic
    )
    _PLANS.put(of, (records, mu))
