"""The read-outs: every number with its unit, and whether it is exact or a bound."""

import numpy as np

from explorer.core import gdp, mechanisms
from explorer.locale import Text
from explorer.locale.readouts import CostReadout, Readouts
from explorer.panels._average_costs import AverageWork, known_costs
from explorer.panels.drawing import Drawing
from explorer.panels.panel import Panel
from explorer.scenario import Scenario, derive

LEVEL = 0.95
EPSILON = 1.0  # at which δ is read


class ReadoutsPanel(Panel[Readouts]):
    """Numbers without a plot."""

    name = "readouts"
    background = AverageWork()

    def compute(self, scenario: Scenario) -> Readouts:
        """Return the numbers."""
        derived = derive(scenario)
        statistic = derived.statistic
        gaussian = derived.mechanism(mechanisms.Gaussian)
        deficient = derived.mechanism(mechanisms.RankDeficientGaussian)
        costs = known_costs(scenario)
        base = costs[mechanisms.MECHANISMS.index(mechanisms.Gaussian)]
        return Readouts(
            sigma=float(gaussian.scale),
            b=float(derived.mechanism(mechanisms.Laplace).scale),
            rank=statistic.rank,
            p=statistic.p,
            l1=statistic.l1,
            l2=statistic.l2,
            tau=scenario.n**2 * scenario.strength**2 / (scenario.p * float(gaussian.scale) ** 2),
            epsilon=derived.epsilon,
            delta=scenario.delta,
            delta_at=float(gdp.delta(EPSILON, scenario.mu)),
            log10_delta_at=float(gdp.log_delta(EPSILON, scenario.mu) / np.log(10)),
            alpha=scenario.alpha,
            power=float(gdp.power(scenario.alpha, scenario.mu)),
            advantage=float(gdp.advantage(scenario.mu)),
            half_width=_half_width(gaussian),
            half_width_rank_deficient=_half_width(deficient),
            neighbours=scenario.neighbours,
            costs=tuple(
                CostReadout(one.key, cost, cost / base)
                for one, cost in zip(mechanisms.MECHANISMS, costs, strict=True)
            ),
        )

    def draw(self, result: Readouts, text: Text, previous: Drawing | None = None) -> Drawing:
        """Return the numbers in words."""
        del previous
        items, costs = tuple(text.readouts(result)), tuple(text.cost_readouts(result))
        return Drawing(figure=None, items=items, costs=costs)


def _half_width(mechanism: mechanisms.Mechanism) -> float:
    return float(mechanism.half_width(LEVEL) or 0.0)


PANEL = ReadoutsPanel()
