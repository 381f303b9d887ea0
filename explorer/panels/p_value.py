"""What the test says about one noisy table: its statistic among draws of the null hypothesis."""

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core import chisq
from explorer.panels import figure
from explorer.scenario import Scenario, derive

NAME = "p_value"
VIEW = "tests"
SWITCHES: tuple[str, ...] = ("sampled", "seed")
REPLICATES, FEW, MANY_CELLS = 999, 399, 100
BINS = 30
STREAM = 1  # the table of the other panel is drawn from the seed alone


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What the panel shows.

    Attributes
    ----------
    null : ndarray of shape (B,)
        Draws of the statistic under the null hypothesis of a uniform table, a pure number.
    statistic : float
        That of one simulated release of one simulated table.
    p_value, standard_error : float
        Of the test, with its Monte Carlo error.
    test, label : str
        The test and the mechanism.
    """

    null: NDArray[np.float64]
    statistic: float
    p_value: float
    standard_error: float
    test: str
    label: str


def compute(scenario: Scenario) -> Outcome:
    """Draw a table, release it and test it."""
    kind = derive(scenario).sampled_class
    mechanism = derive(scenario).mechanism(kind)
    rng = np.random.default_rng([scenario.seed, STREAM])
    table = rng.multinomial(scenario.n, derive(scenario).probabilities).astype(np.float64)
    release = mechanism.simulate(table, rng)
    count = REPLICATES if scenario.p <= MANY_CELLS else FEW
    statistic, n = scenario.test_statistic, scenario.n
    if scenario.test == "independence":
        found = chisq.independence(
            release, n, mechanism, rng, statistic=statistic, replicates=count
        )
    else:
        null = np.full(scenario.p, 1 / scenario.p)
        found = chisq.goodness_of_fit(
            release, null, n, mechanism, rng, statistic=statistic, replicates=count
        )
    outcome = found.null, found.statistic, found.p_value, found.standard_error
    return Outcome(*outcome, scenario.test, kind.short)


def draw(result: Outcome, words: ModuleType, kept: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the plot and its sentence as plain data; `kept` is the layout to keep."""
    low = float(min(result.null.min(), result.statistic))
    high = float(max(result.null.max(), result.statistic, low + 1e-9 * (1 + abs(low))))
    span = figure.keep((low, low + 1.04 * (high - low)), "xaxis", kept)
    # A bin ends at the observed statistic, so that what is shaded is the p-value.
    width = (high - low) / BINS
    edges = result.statistic + width * np.arange(
        np.floor((low - result.statistic) / width), np.ceil((high - result.statistic) / width) + 1
    )
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
            [words.observed(result.statistic)],
            ["@ink"],
            "middle left" if result.statistic > sum(span) / 2 else "middle right",
        ),
    ]
    layout = figure.layout(
        figure.axis(words.STATISTIC_AXIS, span, figure.linear(*span, words)),
        figure.axis(words.SHARE_AXIS, (0.0, top), figure.linear(0.0, top, words)),
    )
    return {"figure": {"data": data, "layout": layout}, "sentence": words.test_outcome(result)}


def _bars(
    left: NDArray[np.float64], height: NDArray[np.float64], width: float, colour: str
) -> dict[str, Any]:
    """Return bars as one filled outline: cheaper to redraw than bars."""
    x = np.repeat(np.append(left, left[-1] + width if len(left) else 0.0), 2)
    y = np.concatenate([[0.0], np.repeat(height, 2), [0.0]])
    return figure.curve(
        x if len(left) else np.zeros(2),
        y if len(left) else np.zeros(2),
        colour,
        width=1,
        fill="tozeroy",
        fillcolor=colour,
        line={"color": colour, "width": 1, "dash": "solid", "shape": "linear"},
    )


def drag(scenario: Scenario, x: float, y: float) -> None:
    """Return nothing: the outcome of a test is not pulled."""
    del scenario, x, y
