"""The read-outs: labels, numbers and what each is worth."""

from dataclasses import dataclass
from math import isnan
from typing import TypedDict

from explorer.core.sensitivity import Neighbours
from explorer.locale.accuracy import Accuracy
from explorer.locale.power import AWAITED, PowerText


class Item(TypedDict):
    """One read-out as the page shows it: `kind` is its accuracy, `title` its hover text."""

    label: str
    value: str
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class CostReadout:
    """The cost of a mechanism.

    Attributes
    ----------
    key : str
        The mechanism.
    cost, share : float
        In records squared, and over that of the Gaussian mechanism; NaN for an average that is not
        known yet.
    """

    key: str
    cost: float
    share: float


@dataclass(frozen=True, slots=True)
class Readouts:
    """The numbers of the read-outs; lengths in records, costs in records squared.

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
        δ at ε = 1, and its logarithm, which does not underflow.
    alpha, power, advantage : float
        Attack read-outs, probabilities; the last two are upper bounds.
    half_width, half_width_rank_deficient : float
        Half width of the central 95% interval of the noise in one cell, of the Gaussian and of the
        rank-deficient Gaussian mechanism.
    neighbours : Neighbours
        On which the names of the mechanisms depend.
    costs : tuple of CostReadout
        In the menu's order.
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
    alpha: float
    power: float
    advantage: float
    half_width: float
    half_width_rank_deficient: float
    neighbours: Neighbours
    costs: tuple[CostReadout, ...]


class ReadoutText(PowerText):
    """Numbers below the plots."""

    def readouts(self, result: Readouts) -> list[Item]:
        """Return the read-outs in the page's order."""
        short, unit = self.numbers.short, self._("records")
        rank = self._("{rank} of {p}").format(
            rank=self.numbers.whole(result.rank), p=self.numbers.whole(result.p)
        )
        power = self._("power at α {alpha}").format(alpha=self.numbers.chosen_percent(result.alpha))
        epsilon = self._("ε at δ {delta}").format(delta=self.numbers.typed(result.delta))
        gaussian, deficient = result.half_width, result.half_width_rank_deficient
        at_most = self.numbers.percent_at_most
        return [
            self._item(self._("noise σ"), short(result.sigma), result.sigma, unit),
            self._item(self._("Laplace b"), short(result.b), result.b, unit),
            self._item(self._("cell at 95%"), f"± {short(gaussian)}", gaussian, unit),
            self._item(self._("rank-deficient"), f"± {short(deficient)}", deficient, unit),
            self._item(self._("rank"), rank, result.rank),
            self._item("Δ₁", short(result.l1), result.l1, unit),
            self._item("Δ₂", short(result.l2), result.l2, unit),
            self._item(self._("noncentrality τ"), short(result.tau), result.tau),
            self._item(epsilon, short(result.epsilon), result.epsilon),
            self._item(self._("δ at ε 1"), self._delta_at(result), result.delta_at),
            self._bound(power, at_most(result.power), result.power),
            self._bound(self._("advantage"), at_most(result.advantage), result.advantage),
        ]

    def _delta_at(self, result: Readouts) -> str:
        if result.delta_at > 1e-300:
            return self.numbers.short(result.delta_at)
        return f"10^{self.numbers.short(result.log10_delta_at, 4)}"

    def _item(self, label: str, value: str, full: float, unit: str = "") -> Item:
        shown = self.numbers.typed(float(f"{full:.12g}"))
        title = f"{shown} {unit}".strip() if full or value == "0" else value
        return Item(label=label, value=value, kind=self.accuracy(Accuracy.EXACT), title=title)

    def _bound(self, label: str, value: str, full: float) -> Item:
        item = self._item(label, value, full)
        item["kind"] = self.accuracy(Accuracy.BOUND)
        return item

    def cost_readouts(self, result: Readouts) -> list[Item]:
        """Return the cost of every mechanism and its share of the Gaussian mechanism's."""
        return [self._cost(one, result.neighbours) for one in result.costs]

    def _cost(self, one: CostReadout, neighbours: Neighbours) -> Item:
        label, exact = self.mechanism_short(one.key, neighbours), self.accuracy(Accuracy.EXACT)
        if isnan(one.cost):
            return Item(label=label, value=AWAITED, kind=exact, title=AWAITED)
        share = self.numbers.percentage.format(self.numbers.whole(100 * one.share))
        title = self._("{cost} records², {share} of the Gaussian mechanism’s").format(
            cost=self.numbers.typed(float(f"{one.cost:.12g}")),
            share=self.numbers.percentage.format(self.numbers.short(100 * one.share, 8)),
        )
        value = f"{self.numbers.short(one.cost)} · {share}"
        return Item(label=label, value=value, kind=exact, title=title)
