"""Sentences of the costs, and the facts that they phrase."""

from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from math import isnan

from explorer.core.sensitivity import Neighbours
from explorer.locale.mechanisms import MechanismText
from explorer.scenario import CostAxis

AWAITED = "…"


class CostStatus(Enum):
    """Whether there are costs to speak of."""

    NONE_SHOWN = auto()
    AWAITED = auto()
    KNOWN = auto()


@dataclass(frozen=True, slots=True)
class CostFacts:
    """What the sentence under the costs says; costs in records squared.

    Attributes
    ----------
    status : CostStatus
        The other fields count only where the costs are known.
    average : bool
        Whether costs are averaged over tables.
    neighbours : Neighbours
        On which the names of the mechanisms depend.
    gaussian : float
        Cost of the Gaussian mechanism.
    total_kept : float or None
        Cost of the rank-deficient mechanism, where that is less and shown.
    cheapest : str
        Key of the cheapest mechanism that is shown.
    cheapest_cost : float
        Its cost.
    saving : float or None
        Share of the Gaussian cost that it saves, None where it saves nothing.
    laplace_excess : float or None
        How much more Laplace noise costs than Gaussian noise, as a share; negative where it costs
        less; None where it is the cheapest or not shown.
    """

    status: CostStatus
    average: bool = False
    neighbours: Neighbours = Neighbours.REPLACE
    gaussian: float = 0.0
    total_kept: float | None = None
    cheapest: str = ""
    cheapest_cost: float = 0.0
    saving: float | None = None
    laplace_excess: float | None = None


class CostText(MechanismText):
    """What the noise costs."""

    def line_end(self, label: str, cost: float, ratio: bool) -> str:
        """Return the label at a cost curve's end; NaN is a cost that is not known yet."""
        if isnan(cost):
            return f"{label} {AWAITED}"
        return f"{label} {self.numbers.percent(cost) if ratio else self.numbers.short(cost)}"

    def cost_hover(self, label: str, cost: float, ratio: bool) -> str:
        """Return the hover text of a cost: more digits than the label."""
        if isnan(cost):
            return self._("{label}: the average here is not known yet").format(label=label)
        if ratio:
            text = self._("{label}: {share} of the Gaussian mechanism’s cost")
            share = self.numbers.percentage.format(self.numbers.short(100 * cost, 6))
            return text.format(label=label, share=share)
        text = self._("{label}: {cost} records²")
        return text.format(label=label, cost=self.numbers.short(cost, 8))

    def crossing(self, mu: float) -> str:
        """Return the label of the place where Laplace noise starts to cost less."""
        return self._("Laplace wins ≥ {mu}").format(mu=self.numbers.short(mu, 10))

    def cost_axis(self, axis: CostAxis, *, stand_in: bool = False) -> str:
        """Return the title of the horizontal axis; `stand_in` where a pattern replaces the table."""
        title = self._axes[axis]
        return self._("{axis}; pattern: one large cell").format(axis=title) if stand_in else title

    @cached_property
    def _axes(self) -> dict[CostAxis, str]:
        return {
            CostAxis.STRENGTH: self._("signal strength, Cohen’s w (log scale)"),
            CostAxis.MU: self._("privacy parameter, μ (log scale)"),
            CostAxis.CELLS: self._("number of cells, p (log scale)"),
            CostAxis.RECORDS: self._("records in the table, n (log scale)"),
        }

    def cost_title(self, *, ratio: bool, average: bool) -> str:
        """Return the title of the cost axis."""
        if ratio and average:
            return self._("average cost, share of Gaussian")
        if ratio:
            return self._("cost, share of Gaussian")
        if average:
            return self._("average squared error, records²")
        return self._("total squared error, records²")

    def noise_costs(self, facts: CostFacts) -> str:
        """Return the sentence under the costs."""
        if facts.status is CostStatus.AWAITED:
            return self._(
                "Computing averages over all tables of n records; while a handle is held, only those "
                "already known are plotted."
            )
        if facts.status is CostStatus.NONE_SHOWN:
            return self._("No mechanism is shown; tick one on the left.")
        parts = []
        if facts.average:
            parts.append(self._("On average over tables of n records."))
        if facts.total_kept is not None:
            text = self._("Total kept: {deficient} instead of {gaussian} records².")
            parts.append(
                text.format(
                    deficient=self.numbers.short(facts.total_kept),
                    gaussian=self.numbers.short(facts.gaussian),
                )
            )
        parts += [self._cheapest(facts), *self._laplace(facts)]
        return " ".join(parts)

    def _cheapest(self, facts: CostFacts) -> str:
        name = self.mechanism_short(facts.cheapest, facts.neighbours)
        cost = self.numbers.short(facts.cheapest_cost)
        if facts.saving is None:
            return self._("Cheapest: {name} with {cost}.").format(name=name, cost=cost)
        text = self._("Cheapest: {name} with {cost}, {saving} below Gaussian.")
        return text.format(name=name, cost=cost, saving=self.numbers.percent(facts.saving))

    def _laplace(self, facts: CostFacts) -> list[str]:
        excess = facts.laplace_excess
        if excess is None:
            return []
        share = self.numbers.percentage.format(self.numbers.short(100 * abs(excess)))
        if excess > 0:
            return [self._("Laplace: {share} above Gaussian.").format(share=share)]
        return [self._("Laplace: {share} below Gaussian.").format(share=share)]
