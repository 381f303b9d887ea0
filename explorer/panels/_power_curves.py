"""Power of a chi-squared test on the released table, against the signal strength.

The null hypothesis is the uniform table or the independence of rows and columns, the alternatives lie
along the scenario's pattern. For goodness of fit the curves of normal tables are fast enough for a
drag up to 100 cells or so; the bootstrap test of independence has none. Simulated curves are made on demand and kept.
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
from explorer.scenario import Scenario, derive

Array = NDArray[np.float64]
T = TypeVar("T")
LEVEL = 0.05
TARGET = 0.8
WEAKEST = 0.01
COUNT, FEW, MANY_CELLS = 13, 9, 100
SIMULATED = 9
REPLICATES = 15_000  # a standard error of at most 0.005
CHUNK = 1_500
NULL_CELLS = 4_000_000  # of all null draws: a second or so
BOOTSTRAP_REPLICATES, BOOTSTRAP_CHUNK, BOOTSTRAPS = 2_000, 100, 99
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
    test, statistic : str
        Names of the test and of its statistic.
    shape : tuple of int
        Rows and columns.
    alternatives : bytes
        Cell probabilities of shape (m, p), as float64.
    """

    mechanism: Mechanism | None
    n: int
    test: str
    statistic: str
    shape: tuple[int, int]
    alternatives: bytes

    @property
    def tables(self) -> Array:
        """The alternatives, of shape (m, rows, columns)."""
        return np.frombuffer(self.alternatives).reshape(-1, *self.shape)

    @property
    def laws(self) -> Array:
        """The same of shape (m, p)."""
        return self.tables.reshape(len(self.tables), -1)

    @property
    def uniform(self) -> Array:
        """The law of the uniform table, of shape (p,)."""
        return np.full(self.laws.shape[1], 1 / self.laws.shape[1])


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
    most = max(derive(scenario).max_strength, 2 * WEAKEST)
    laplace = derive(scenario).mechanism(Laplace)
    least = np.sqrt(2 * np.sqrt(2 * (scenario.p - 1)) / scenario.n)
    noisy = least * np.sqrt(1 + scenario.p * laplace.variance / scenario.n)
    reach = 2.2 if scenario.test == "goodness-of-fit" else 5  # w is not all dependence
    low, high = np.clip([least / 2.5, reach * noisy], WEAKEST, most)
    if low >= 0.9 * high:
        low, high = WEAKEST, most
    if simulated:
        return np.geomspace(low, high, SIMULATED)
    count = COUNT if scenario.p <= MANY_CELLS else FEW
    return np.unique([WEAKEST, *np.geomspace(low, high, count), most])


def curve(scenario: Scenario, kind: type[Mechanism] | None, at: Array) -> Curve:
    """Return the curve of a mechanism at some signal strengths; without noise for None."""
    most = derive(scenario).max_strength
    laws = population.probabilities(
        scenario.shape, derive(scenario).direction, np.minimum(at, most)
    )
    mechanism = None if kind is None else derive(scenario).mechanism(kind)
    test = scenario.test, scenario.test_statistic
    return Curve(mechanism, scenario.n, *test, scenario.shape, laws.tobytes())


@lru_cache(maxsize=32)
def limit(asked: Curve) -> Power | None:
    """Return the power of normal tables with the multinomial's moments, None where there is none.

    Without noise the test of independence has the noncentral χ² law of (r - 1)(c - 1) degrees and
    noncentrality n Σ (π - π_row π_column)²/(π_row π_column).
    """
    if asked.test == "goodness-of-fit":
        return chisq.asymptotic_power(
            asked.mechanism, asked.uniform, asked.n, asked.laws, LEVEL, statistic=asked.statistic
        )
    if asked.mechanism is not None:
        return None
    product = asked.tables.sum(axis=2, keepdims=True) * asked.tables.sum(axis=1, keepdims=True)
    terms = (asked.tables - product) ** 2 / np.where(product > 0, product, 1)
    weights = np.ones((asked.shape[0] - 1) * (asked.shape[1] - 1))
    critical = float(chisq.weighted_chi2.isf(LEVEL, weights))
    noncentrality = asked.n * terms.sum(axis=(1, 2)) / len(weights)
    laws = (np.full(len(weights), tau) for tau in noncentrality)
    power = np.array([float(chisq.weighted_chi2.sf(critical, weights, law)) for law in laws])
    return Power(power, np.zeros(len(power)), critical, False, "law")


def simulated(scenario: Scenario, kind: type[Mechanism]) -> Power | None:
    """Return the simulated points as far as they have come, None for none."""
    return _KNOWN.get(curve(scenario, kind, strengths(scenario, simulated=True)))


def simulate(scenario: Scenario) -> list[Callable[[], object]]:
    """Return the pieces of work that simulate the curves of all mechanisms that are drawn.

    Each of the first pieces makes the null draws of one mechanism as well. The seed is the number of
    the simulated table when the work is asked for.
    """
    at = strengths(scenario, simulated=True)
    steps = []
    for i, kind in enumerate(MECHANISMS):
        asked = curve(scenario, kind, at)
        if kind not in derive(scenario).shown:
            continue
        _KNOWN.pop(asked, None)
        rng = np.random.default_rng([scenario.seed, i])
        fit = asked.test == "goodness-of-fit"
        steps.append((asked, _in_steps(asked, rng) if fit else _bootstrapped(asked, rng)))
    count = REPLICATES // CHUNK
    if scenario.test != "goodness-of-fit":
        count = BOOTSTRAP_REPLICATES // BOOTSTRAP_CHUNK
    return [_piece(*step) for _ in range(count) for step in steps]


def _piece(asked: Curve, step: Iterator[Power]) -> Callable[[], object]:
    return lambda: _keep(asked, next(step))


def _in_steps(asked: Curve, rng: np.random.Generator) -> Iterator[Power]:
    assert asked.mechanism is not None  # noqa: S101 - only releases are simulated
    return chisq.power_in_steps(
        asked.mechanism,
        asked.uniform,
        asked.n,
        asked.laws,
        LEVEL,
        rng,
        statistic=asked.statistic,
        replicates=REPLICATES,
        null_replicates=max(min(10 * REPLICATES, NULL_CELLS // len(asked.uniform)), REPLICATES),
        chunk=CHUNK,
    )


def _bootstrapped(asked: Curve, rng: np.random.Generator) -> Iterator[Power]:
    """Yield the power from more and more releases, each with a bootstrap of its own."""
    assert asked.mechanism is not None  # noqa: S101 - only releases are simulated
    rejected, done = np.zeros(len(asked.tables)), 0
    while True:
        part = chisq.power_of_independence(
            asked.mechanism,
            asked.n,
            asked.tables,
            LEVEL,
            rng,
            statistic=asked.statistic,
            replicates=BOOTSTRAP_CHUNK,
            bootstraps=BOOTSTRAPS,
        )
        rejected += BOOTSTRAP_CHUNK * part.power
        done += BOOTSTRAP_CHUNK
        centre = (rejected + 2) / (done + 4)  # Agresti and Coull's, so that no error is 0
        error = np.sqrt(centre * (1 - centre) / (done + 4))
        yield Power(rejected / done, error, part.critical_value, True, part.method)


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
    if asked in _PLANS or asked.test != "goodness-of-fit":
        return []
    return [lambda: _put(_PLANS, asked, _find_plan(asked))]


def _planned(scenario: Scenario) -> Curve:
    return curve(scenario, derive(scenario).sampled_class, np.array([scenario.strength]))


def _find_plan(asked: Curve) -> tuple[Answer, Answer]:
    null, [law], mechanism = asked.uniform, asked.laws, asked.mechanism
    assert mechanism is not None  # noqa: S101 - a drawn table has a mechanism
    statistic = asked.statistic
    return (
        chisq.sample_size(mechanism, null, law, LEVEL, power=TARGET, statistic=statistic),
        chisq.mu_for_power(mechanism, null, asked.n, law, LEVEL, power=TARGET, statistic=statistic),
    )
