"""Sentences of the two plots of the attacker."""

from functools import cached_property

from explorer.core.sensitivity import Neighbours
from explorer.locale.numbers import typed
from explorer.locale.phrases import Phrases


class AttackerText(Phrases):
    """What the attacker sees and can achieve."""

    @cached_property
    def accuse(self) -> str:
        """Label of the threshold."""
        return self._("accuse →")

    @cached_property
    def guessing(self) -> str:
        """Name of the diagonal."""
        return "╌╌ " + self._("blind guessing")

    @cached_property
    def laplace_curve(self) -> str:
        """Name of the Laplace curve."""
        return "┄┄ " + self._("Laplace at this μ")

    @cached_property
    def attacker_axis(self) -> str:
        """Title of the horizontal axis of the densities."""
        return self._("what the attacker computes from the release")

    @cached_property
    def density_axis(self) -> str:
        """Title of the vertical axis of the densities."""
        return self._("likelihood")

    @cached_property
    def alpha_axis(self) -> str:
        """Title of the axis of the type I error."""
        return self._("accused though innocent, α")

    @cached_property
    def beta_axis(self) -> str:
        """Title of the axis of the type II error."""
        return self._("missed though present, β")

    def hypotheses(self, neighbours: Neighbours) -> tuple[str, str]:
        """Return what the two densities are called."""
        if neighbours == Neighbours.REPLACE:
            return self._("someone else’s"), self._("this person’s")
        return self._("not in the data"), self._("in the data")

    def threshold_hover(self, threshold: float, alpha: float, power: float) -> str:
        """Return the hover text of the threshold."""
        return self._("accuse above {threshold}: α {alpha}, power {power}").format(
            threshold=self.numbers.short(threshold, 4),
            alpha=self.numbers.percent(alpha),
            power=self.numbers.percent(power),
        )

    def attacker_sees(self, alpha: float, power: float, neighbours: Neighbours) -> str:
        """Return the sentence under the densities."""
        accused, of = self.numbers.out_of(alpha)
        caught, of_those = self.numbers.out_of(power)
        if neighbours == Neighbours.REPLACE:
            text = self._(
                "Where the record is someone else’s, the attacker accuses in {accused} of {of} cases; "
                "where it is this person’s, in {caught} of {of_those}."
            )
        else:
            text = self._(
                "The attacker accuses {accused} of {of} people who are not in the data, and {caught} of "
                "{of_those} who are."
            )
        return text.format(accused=accused, of=of, caught=caught, of_those=of_those)

    def attacker_achieves(self, alpha: float, power: float) -> str:
        """Return the sentence under the trade-off; the power is a bound and rounded up."""
        accused, of = self.numbers.out_of(alpha)
        caught, of_those = self.numbers.out_of_at_most(power)
        text = self._(
            "An attacker who accuses {accused} of {of} innocent people catches at most {caught} of "
            "{of_those} targets; guessing catches {accused} of {of}."
        )
        return text.format(accused=accused, of=of, caught=caught, of_those=of_those)

    def gaussian_curve(self, mu: float) -> str:
        """Return the name of the curve of every Gaussian mechanism."""
        shown = typed(float(f"{mu:.3g}")).replace(".", self.numbers.decimal)
        return "━━ " + self._("Gaussian noise, G<sub>{mu}</sub>").format(mu=shown)

    def tangent(self, epsilon: float) -> str:
        """Return the name of the tangent pair."""
        return "── " + self._("(ε, δ) with ε {epsilon}").format(epsilon=self.numbers.short(epsilon))

    def operating_point(self, alpha: float, beta: float) -> str:
        """Return the label of the marked attack."""
        return "●  " + self._("α {alpha}, β {beta}").format(
            alpha=self.numbers.chosen_percent(alpha), beta=self.numbers.percent(beta)
        )
