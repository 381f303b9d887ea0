"""What the attacker can achieve: the trade-off function of every mechanism."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from explorer.core import gdp, mechanisms, tradeoff
from explorer.locale import Text
from explorer.panels import figure
from explorer.panels.drawing import Drawing, Figure
from explorer.panels.panel import Panel
from explorer.scenario import Scenario, derive
from explorer.scenario.edits import Edit

SMALLEST = 1e-6
COUNT = 97


@dataclass(frozen=True, slots=True, eq=False)
class TradeOff:
    """What the panel shows.

    Attributes
    ----------
    alpha : ndarray of shape (97,)
        Type I errors, evenly spaced in normal quantiles, where the curve bends.
    gaussian, laplace : ndarray of shape (97,)
        Type II errors of μ-GDP and of Laplace noise calibrated to it.
    pair_alpha, pair_beta : ndarray of shape (m,)
        The tangent pair of (ε, δ): its three corners and, where a logarithmic axis bends the
        lines, the points between.
    level, beta, power : float
        Type I and II error and power of the attack that is marked.
    epsilon, delta, mu : float
        The parameters.
    show_laplace, logarithmic : bool
        Whether a Laplace mechanism is shown; whether the α axis is logarithmic.
    """

    alpha: NDArray[np.float64]
    gaussian: NDArray[np.float64]
    laplace: NDArray[np.float64]
    pair_alpha: NDArray[np.float64]
    pair_beta: NDArray[np.float64]
    level: float
    beta: float
    power: float
    epsilon: float
    delta: float
    mu: float
    show_laplace: bool
    logarithmic: bool


def _ticks(logarithmic: bool) -> figure.Ticks:
    if logarithmic:
        return figure.Ticks(
            [-6, -5, -4, -3, -2, -1, 0],
            ["10<sup>−6</sup>", "", "10<sup>−4</sup>", "0.001", "0.01", "0.1", "1"],
        )
    return figure.Ticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])


class TradeOffPanel(Panel[TradeOff]):
    """Trade-off functions with the attack that is marked, which can be pulled."""

    name = "tradeoff"
    switches = ("tradeoff_log",)

    def compute(self, scenario: Scenario) -> TradeOff:
        """Return the curves, the tangent pair and the marked attack."""
        mu = scenario.mu
        if scenario.tradeoff_log:
            alpha = np.geomspace(SMALLEST, 1.0, COUNT)
        else:
            inner = ndtr(np.linspace(-4.5 - mu, 4.5, COUNT - 2))
            alpha = np.concatenate([[0.0], inner, [1.0]])
        epsilon = derive(scenario).epsilon
        statistic = derive(scenario).statistic
        shifts = statistic.extreme_difference / derive(scenario).mechanism(mechanisms.Laplace).scale
        # The two lines 1 - δ - e^ε α and its mirror image meet at α = β = (1 - δ) / (1 + e^ε).
        meet = (1 - scenario.delta) / (1 + np.exp(min(epsilon, 700.0)))
        pair = np.array([0.0, meet, 1 - scenario.delta])
        if scenario.tradeoff_log:
            pair = np.union1d(alpha, np.clip(pair, SMALLEST, 1.0))
        shown = [one.key for one in derive(scenario).shown]
        beta = float(tradeoff.gaussian(scenario.alpha, mu))
        return TradeOff(
            alpha=alpha,
            gaussian=tradeoff.gaussian(alpha, mu),
            laplace=tradeoff.laplace(alpha, shifts),
            pair_alpha=pair,
            pair_beta=tradeoff.approximate(pair, epsilon, scenario.delta),
            level=scenario.alpha,
            beta=beta,
            power=float(gdp.power(scenario.alpha, mu)),
            epsilon=epsilon,
            delta=scenario.delta,
            mu=mu,
            show_laplace="laplace" in shown or "projected-laplace" in shown,
            logarithmic=scenario.tradeoff_log,
        )

    def draw(self, result: TradeOff, text: Text, previous: Drawing | None = None) -> Drawing:
        """Return the plot and its sentence; its axes never change."""
        del previous
        # A logarithmic axis is drawn on a linear one of exponents: plotly.js then redraws less.
        place = np.log10 if result.logarithmic else np.asarray
        low = float(np.log10(SMALLEST)) if result.logarithmic else 0.0
        high = 0.0 if result.logarithmic else 1.0
        level = float(np.clip(place(result.level), low, high))
        marked = text.operating_point(result.level, result.beta)
        # Nothing is drawn above the diagonal (or, on the log axis, at the right): the names go there.
        names = {
            marked: "@ink",
            text.guessing: "@mute",
            text.gaussian_curve(result.mu): "@accent",
            text.tangent(result.epsilon): "@mute",
        }
        if result.show_laplace:
            names[text.laplace_curve] = "@laplace"
        left = high + 0.06 if result.logarithmic else 0.66
        keys = figure.labels(
            np.full(len(names), left),
            0.97 - 0.085 * np.arange(len(names)),
            list(names),
            list(names.values()),
            "middle right",
        )
        x_axis = figure.axis(text.alpha_axis, (low, high), _ticks(result.logarithmic))
        y_axis = figure.axis(
            text.beta_axis,
            (0, 1.02),
            figure.Ticks([0, 0.25, 0.5, 0.75, 1], ["0", "", "0.5", "", "1"]),
        )
        if result.logarithmic:
            x_axis["range"] = [low, high + 0.55 * (high - low)]
        layout = figure.layout(x_axis, y_axis)
        # The page makes the axes square, one unit as long on either: plotly.js would take longer.
        layout["meta"] = {"square": not result.logarithmic}
        data = [
            figure.curve(place(result.alpha), 1 - result.alpha, "@mute", width=1, dash="dash"),
            figure.curve(place(result.pair_alpha), result.pair_beta, "@mute", width=1.2),
            figure.curve(
                place(result.alpha),
                result.laplace,
                "@laplace",
                dash="dot",
                visible=result.show_laplace,
            ),
            figure.curve(place(result.alpha), result.gaussian, "@accent", width=2.5),
            figure.rule([level, level], [0, 1]),
            keys,
            figure.points([level], [result.beta], hovertext=[marked]),
        ]
        return Drawing(Figure(data, layout), text.attacker_achieves(result.level, result.power))

    def drag(self, scenario: Scenario, x: float, y: float) -> Edit | None:
        """Return the field that a pull of the marked point to `x` sets; `y` follows the curve."""
        del y
        alpha = 10.0 ** min(x, 0.0) if scenario.tradeoff_log else x
        return {"alpha": float(f"{np.clip(alpha, SMALLEST, 0.999):.3g}")}


PANEL = TradeOffPanel()
