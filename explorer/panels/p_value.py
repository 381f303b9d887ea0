"""What the test says about one noisy table: its statistic among samples of the null hypothesis."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core import chisq
from explorer.locale import Text
from explorer.locale.power import OutcomeFacts
from explorer.panels import figure
from explorer.panels.drawing import Drawing, Figure, Trace
from explorer.panels.panel import Panel
from explorer.scenario import Hypothesis, Scenario, View, derive

REPLICATES, REPLICATES_OF_LARGE, LARGE_CELLS = 999, 399, 100
BINS = 30
STREAM = 1  # the table of the other panel uses the seed alone
LEVEL = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What the panel shows.

    Attributes
    ----------
    null : ndarray of shape (B,)
        Samples of the statistic under the null hypothesis, a pure number.
    statistic : float
        That of one simulated release of one simulated table.
    facts : OutcomeFacts
        What the sentence says.
    """

    null: NDArray[np.float64]
    statistic: float
    facts: OutcomeFacts


class PValuePanel(Panel[Outcome]):
    """One simulated table, released and tested."""

    name = "p_value"
    view = View.TESTS
    switches = ("sampled", "seed")

    def compute(self, scenario: Scenario) -> Outcome:
        """Simulate a table, release it and test it."""
        derived = derive(scenario)
        mechanism = derived.mechanism(derived.sampled_class)
        rng = np.random.default_rng([scenario.seed, STREAM])
        table = rng.multinomial(scenario.n, derived.probabilities).astype(np.float64)
        release = mechanism.simulate(table, rng)
        count = REPLICATES if scenario.p <= LARGE_CELLS else REPLICATES_OF_LARGE
        statistic, n = scenario.test_statistic, scenario.n
        if scenario.test is Hypothesis.INDEPENDENCE:
            test = chisq.independence(
                release, n, mechanism, rng, statistic=statistic, replicates=count
            )
        else:
            null = np.full(scenario.p, 1 / scenario.p)
            test = chisq.goodness_of_fit(
                release, null, n, mechanism, rng, statistic=statistic, replicates=count
            )
        facts = OutcomeFacts(
            hypothesis=scenario.test,
            mechanism=scenario.sampled,
            neighbours=scenario.neighbours,
            p_value=test.p_value,
            standard_error=test.standard_error,
            samples=len(test.null),
            level=LEVEL,
            rejected=test.p_value <= LEVEL,
        )
        return Outcome(test.null, test.statistic, facts)

    def draw(self, result: Outcome, text: Text, previous: Drawing | None = None) -> Drawing:
        """Return the samples as bars, those beyond the observed statistic shaded."""
        low = float(min(result.null.min(), result.statistic))
        high = float(max(result.null.max(), result.statistic, low + 1e-9 * (1 + abs(low))))
        span = figure.keep_x((low, low + 1.04 * (high - low)), previous)
        # A bin ends at the observed statistic, so that what is shaded is the p-value.
        width = (high - low) / BINS
        first, last = (low - result.statistic) / width, (high - result.statistic) / width
        edges = result.statistic + width * np.arange(np.floor(first), np.ceil(last) + 1)
        counts, _ = np.histogram(result.null, np.append(edges, edges[-1] + width))
        share = counts / len(result.null)
        beyond = edges >= result.statistic - width / 2
        top = 1.15 * float(share.max())
        data = [
            _bars(edges[~beyond], share[~beyond], width, "@outside-area"),
            _bars(edges[beyond], share[beyond], width, "@accent"),
            figure.curve([result.statistic, result.statistic], [0, top], "@ink", width=2),
            figure.labels(
                [result.statistic],
                [0.97 * top],
                [text.observed(result.statistic)],
                ["@ink"],
                "middle left" if result.statistic > sum(span) / 2 else "middle right",
            ),
        ]
        layout = figure.layout(
            figure.axis(text.statistic_axis, span, figure.linear(*span, text)),
            figure.axis(text.share_axis, (0.0, top), figure.linear(0.0, top, text)),
        )
        return Drawing(Figure(data, layout), text.test_outcome(result.facts))


def _bars(
    left: NDArray[np.float64], height: NDArray[np.float64], width: float, colour: str
) -> Trace:
    """Return bars as one filled outline: cheaper to redraw than bars."""
    x = np.repeat(np.append(left, left[-1] + width if len(left) else 0.0), 2)
    y = np.concatenate([[0.0], np.repeat(height, 2), [0.0]])
    return figure.curve(
        x if len(left) else np.zeros(2),
        y if len(left) else np.zeros(2),
        colour,
        fill="tozeroy",
        fillcolor=colour,
        line={"color": colour, "width": 1, "dash": "solid", "shape": "linear"},
    )


PANEL = PValuePanel()
