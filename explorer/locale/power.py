"""Sentences of the chi-squared tests, and the facts that they phrase."""

from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from math import isnan

from explorer.core.sensitivity import Neighbours
from explorer.locale.accuracy import Accuracy
from explorer.locale.mechanisms import MechanismText
from explorer.scenario import Hypothesis

AWAITED = "…"


class PowerStatus(Enum):
    """Whether there is a power with noise to speak of."""

    NONE_SHOWN = auto()
    NOT_SIMULATED = auto()
    KNOWN = auto()


@dataclass(frozen=True, slots=True)
class PowerFacts:
    """What the sentence under the power curves says; powers are probabilities.

    Attributes
    ----------
    status : PowerStatus
        The fields from `best` on count only where a power is known.
    hypothesis : Hypothesis
        What is tested.
    neighbours : Neighbours
        Whether n is public under the relation, which the test takes it to be.
    level : float
        Level of the test.
    ceiling : float
        Power without noise.
    best : str
        Key of the mechanism with the largest power that is certain.
    power : float
        Its power.
    accuracy : Accuracy
        How that power came about.
    """

    status: PowerStatus
    hypothesis: Hypothesis
    neighbours: Neighbours
    level: float
    ceiling: float
    best: str = ""
    power: float = 0.0
    accuracy: Accuracy = Accuracy.APPROXIMATE


class LeastStatus(Enum):
    """What is known of a least number."""

    AWAITED = auto()
    IMPOSSIBLE = auto()
    ANY = auto()
    KNOWN = auto()


@dataclass(frozen=True, slots=True)
class Least:
    """The least n or μ that a power needs, rounded up to three digits where it is known."""

    status: LeastStatus
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """What a power needs: the least n at this μ, the least μ at this n.

    Attributes
    ----------
    target : float
        The power.
    mechanism : str
        Key of the mechanism.
    neighbours : Neighbours
        On which its name depends.
    records, mu : Least
        The two answers.
    """

    target: float
    mechanism: str
    neighbours: Neighbours
    records: Least
    mu: Least


@dataclass(frozen=True, slots=True)
class OutcomeFacts:
    """What one simulated test says.

    Attributes
    ----------
    hypothesis : Hypothesis
        What is tested.
    mechanism : str
        Key of the mechanism.
    neighbours : Neighbours
        On which its name depends.
    p_value, standard_error : float
        Of the test, with its Monte Carlo error.
    samples : int
        Number of samples under the null hypothesis.
    level : float
        Level of the test.
    rejected : bool
        Whether the p-value is at most the level.
    """

    hypothesis: Hypothesis
    mechanism: str
    neighbours: Neighbours
    p_value: float
    standard_error: float
    samples: int
    level: float
    rejected: bool


class PowerText(MechanismText):
    """What a test can see, and what one test says."""

    @cached_property
    def power_axis(self) -> str:
        """Title of the vertical axis of the power curves."""
        return self._("power of the test at level 5%")

    @cached_property
    def statistic_axis(self) -> str:
        """Title of the axis of the test statistic."""
        return self._("test statistic, T")

    @cached_property
    def share_axis(self) -> str:
        """Title of the axis of the samples under the null hypothesis."""
        return self._("share of null samples")

    @cached_property
    def without_noise(self) -> str:
        """Name of the curve without noise."""
        return self._("without noise")

    def accuracy(self, accuracy: Accuracy) -> str:
        """Return the label of an accuracy."""
        return self._accuracies[accuracy]

    @cached_property
    def _accuracies(self) -> dict[Accuracy, str]:
        return {
            Accuracy.EXACT: self._("exact"),
            Accuracy.BOUND: self._("bound"),
            Accuracy.APPROXIMATE: self._("approximate"),
            Accuracy.SIMULATED: self._("simulated"),
            Accuracy.INTERPOLATED: self._("interpolated between simulated points"),
        }

    def power_label(self, label: str, power: float) -> str:
        """Return the label at a power curve's end; NaN is a power that was not simulated yet."""
        return label if isnan(power) else f"{label} {self.numbers.percent(power)}"

    def power_hover(self, label: str, power: float, error: float, accuracy: Accuracy) -> str:
        """Return the hover text of a power here; `error` is 0 where there is none."""
        if isnan(power):
            return self._("{label}: not simulated yet").format(label=label)
        how, shown = self.accuracy(accuracy), self.numbers.percent(power)
        if error == 0:
            text = self._("{label}: power {power}, {accuracy}")
            return text.format(label=label, power=shown, accuracy=how)
        text = self._("{label}: power {power}, {accuracy}, ± {error} standard error")
        percent = self.numbers.percent(error)
        return text.format(label=label, power=shown, accuracy=how, error=percent)

    def simulated_power(self, label: str, power: float, half_width: float) -> str:
        """Return the hover text of a simulated power."""
        return self._("{label}: simulated power {power} ± {half} at 95%").format(
            label=label, power=self.numbers.percent(power), half=self.numbers.percent(half_width)
        )

    def test_power(self, facts: PowerFacts) -> str:
        """Return the sentence under the power curves."""
        seen, of = self.numbers.out_of(facts.ceiling)
        level = self.numbers.chosen_percent(facts.level)
        refused = self._refused(facts.hypothesis)
        if facts.status is PowerStatus.KNOWN:
            count, of_noisy = self.numbers.out_of(facts.power)
            text = self._(
                "At level {level} the test rejects {refused} for {count} of {of_noisy} noisy tables "
                "({name}), {seen} of {of} tables without noise; {accuracy}."
            )
            sentence = text.format(
                level=level,
                refused=refused,
                count=count,
                of_noisy=of_noisy,
                name=self.mechanism_short(facts.best, facts.neighbours),
                seen=seen,
                of=of,
                accuracy=self.accuracy(facts.accuracy),
            )
        else:
            text = self._(
                "At level {level} the test rejects {refused} for {seen} of {of} tables without noise."
            )
            sentence = text.format(level=level, refused=refused, seen=seen, of=of)
            if facts.status is PowerStatus.NONE_SHOWN:
                sentence += " " + self._("Tick a mechanism on the left.")
            else:
                sentence += " " + self._("“Simulate” estimates how many with noise.")
        if facts.neighbours == Neighbours.ADD_REMOVE:
            sentence += " " + self._(
                "The test takes n as public, which this neighbour relation does not make it."
            )
        return sentence

    def _refused(self, hypothesis: Hypothesis) -> str:
        if hypothesis is Hypothesis.INDEPENDENCE:
            return self._("independence")
        return self._("the uniform table")

    def test_plan(self, facts: PlanFacts) -> list[str]:
        """Return what a power needs."""
        head = self._("{target} power, {name}:").format(
            target=self.numbers.chosen_percent(facts.target),
            name=self.mechanism_short(facts.mechanism, facts.neighbours),
        )
        return [f"{head} {self._least_records(facts.records)}", self._least_mu(facts.mu)]

    def _least_records(self, least: Least) -> str:
        if least.status is LeastStatus.IMPOSSIBLE:
            return self._("no n suffices")
        known = least.status is LeastStatus.KNOWN
        value = self.numbers.whole(least.value) if known else AWAITED
        return self._("n ≥ {n}").format(n=value)

    def _least_mu(self, least: Least) -> str:
        if least.status is LeastStatus.IMPOSSIBLE:
            return self._("no μ suffices at this n")
        if least.status is LeastStatus.ANY:
            return self._("any μ suffices at this n")
        known = least.status is LeastStatus.KNOWN
        value = self.numbers.short(least.value) if known else AWAITED
        return self._("μ ≥ {mu} at this n").format(mu=value)

    def observed(self, statistic: float) -> str:
        """Return the label of the observed statistic."""
        return f" T = {self.numbers.short(statistic)} "

    def test_outcome(self, facts: OutcomeFacts) -> str:
        """Return the sentence under the samples of the null hypothesis."""
        text = (
            self._(
                "One such table, released by {name}: p = {p} ± {error} from {samples} samples under the "
                "null hypothesis; at level {level} {refused} is rejected. Simulated."
            )
            if facts.rejected
            else self._(
                "One such table, released by {name}: p = {p} ± {error} from {samples} samples under the "
                "null hypothesis; at level {level} {refused} is not rejected. Simulated."
            )
        )
        decimal = self.numbers.decimal
        return text.format(
            name=self.mechanism_short(facts.mechanism, facts.neighbours),
            p=f"{facts.p_value:.3f}".replace(".", decimal),
            error=f"{facts.standard_error:.3f}".replace(".", decimal),
            samples=self.numbers.whole(facts.samples),
            level=self.numbers.chosen_percent(facts.level),
            refused=self._refused(facts.hypothesis),
        )
