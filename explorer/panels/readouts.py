"""The read-outs: every number with its unit, and whether it is exact, a bound or simulated."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from explorer.core import gdp, mechanisms
from explorer.panels._average_costs import averages, known_costs
from explorer.scenario import Scenario, derive

NAME = "readouts"
SWITCHES: tuple[str, ...] = ()
LEVEL = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Readouts:
    """What the panel shows; lengths in records, costs in records squared.

    Attributes
    ----------
    sigma, b : float
        Standard deviation of the Gaussian noise and scale of the Laplace noise in one cell.
    rank, p : int
        Dimension in which noise is needed and number of cells.
    l1, l2 : float
        Sensitivities Δ₁ and Δ₂.
    tau : float
        Noncentrality n²w²/(pσ²) that the shrinkage sees.
    epsilon, delta : float
        Least ε at the δ of the scenario, and that δ.
    delta_at, log10_delta_at : float
        δ at `epsilon_at`, and its logarithm, which does not underflow.
    epsilon_at : float
        Where `delta_at` is read: ε = 1.
    alpha, power, advantage : float
        Attack read-outs, probabilities.
    half_width : float
        Half width of the central 95% interval of the Gaussian noise in one cell.
    half_width_rank_deficient : float
        The same for the rank-deficient Gaussian mechanism.
    costs : tuple of (str, float, float)
        Label, cost and its share of the Gaussian mechanism's, in the menu's order; NaN for an
        average that is not found yet.
    """

    sigma: float
    b: float
    rank: int
    p: int
    l1: float
    l2: float
    tau: float
    epsilon: float
    delta: float
    delta_at: float
    log10_delta_at: float
    epsilon_at: float
    alpha: float
    power: float
    advantage: float
    half_width: float
    half_width_rank_deficient: float
    costs: tuple[tuple[str, float, float], ...]


def compute(scenario: Scenario) -> Readouts:
    """Return the numbers."""
    statistic = derive(scenario).statistic
    gaussian = derive(scenario).mechanism(mechanisms.Gaussian)
    deficient = derive(scenario).mechanism(mechanisms.RankDeficientGaussian)
    costs = known_costs(scenario)
    base = costs[mechanisms.MECHANISMS.index(mechanisms.Gaussian)]
    epsilon_at = 1.0
    return Readouts(
        sigma=float(gaussian.scale),
        b=float(derive(scenario).mechanism(mechanisms.Laplace).scale),
        rank=statistic.rank,
        p=statistic.p,
        l1=statistic.l1,
        l2=statistic.l2,
        tau=scenario.n**2 * scenario.strength**2 / (scenario.p * float(gaussian.scale) ** 2),
        epsilon=derive(scenario).epsilon,
        delta=scenario.delta,
        delta_at=float(gdp.delta(epsilon_at, scenario.mu)),
        log10_delta_at=float(gdp.log_delta(epsilon_at, scenario.mu) / np.log(10)),
        epsilon_at=epsilon_at,
        alpha=scenario.alpha,
        power=float(gdp.power(scenario.alpha, scenario.mu)),
        advantage=float(gdp.advantage(scenario.mu)),
        half_width=_half_width(gaussian),
        half_width_rank_deficient=_half_width(deficient),
        costs=tuple(
            (kind.short, cost, cost / base)
            for kind, cost in zip(mechanisms.MECHANISMS, costs, strict=True)
        ),
    )


def missing(scenario: Scenario) -> list[Callable[[], object]]:
    """Return the pieces of work that find the average costs."""
    asked = averages(scenario).values() if scenario.cost_average else ()
    return [average.find for average in asked if np.isnan(average.known)]


def _half_width(mechanism: mechanisms.Mechanism) -> float:
    return float(mechanism.half_width(LEVEL) or 0.0)


def draw(result: Readouts, words: ModuleType, kept: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the read-outs as plain data: items of label, value, kind and detail."""
    del kept
    return {"items": words.readouts(result), "costs": words.cost_readouts(result)}


def drag(scenario: Scenario, x: float, y: float) -> None:
    """Return nothing: read-outs are not pulled."""
    del scenario, x, y
