"""Words of the controls: sections, labels, tips, choices."""

from functools import cached_property

from explorer.core.sensitivity import Neighbours
from explorer.locale.phrases import Phrases
from explorer.scenario import CostAxis, Hypothesis, View


class ControlText(Phrases):
    """What stands on and beside the controls, by the name of the field."""

    @cached_property
    def sections(self) -> dict[str, str]:
        """Headings of the groups of controls."""
        return {
            "privacy": self._("Privacy"),
            "table": self._("Table"),
            "signal": self._("Signal"),
            "attacker": self._("Attacker"),
            "mechanisms": self._("Mechanisms"),
        }

    @cached_property
    def labels(self) -> dict[str, str]:
        """Labels of the controls."""
        return {
            "mu": self._("Privacy parameter μ"),
            "epsilon": self._("ε at δ"),
            "delta": "δ",
            "rows": self._("Rows r"),
            "columns": self._("Columns c"),
            "n": self._("Records n"),
            "neighbours": self._("Neighbours"),
            "records_per_person": self._("Records per person"),
            "pattern": self._("Pattern"),
            "strength": self._("Strength w"),
            "alpha": self._("False alarms α"),
            "positive_part": self._("positive part of James–Stein"),
            "cost_axis": self._("Horizontal axis"),
            "cost_average": self._("average"),
            "cost_ratio": self._("ratio"),
            "cost_log": self._("log"),
            "tradeoff_log": self._("log α"),
            "sampled": self._("Mechanism of the simulated table"),
            "seed": self._("simulate again"),
            "hidden": self._("Mechanisms shown"),
            "view": self._("Plots below"),
            "test": self._("Test"),
            "test_statistic": self._("Statistic of the test"),
            "link": self._("The link"),
        }

    @cached_property
    def names(self) -> dict[str, str]:
        """What a sentence calls the fields."""
        return {
            **self.labels,
            "epsilon": "ε",
            "strength": self._("Signal strength w"),
            "alpha": self._("Type I error α"),
            "seed": self._("Number of the simulated table"),
        }

    def name(self, field: str) -> str:
        """Return what a sentence calls a field; a field without a name is called by its own."""
        return self.names.get(field, field)

    @cached_property
    def tips(self) -> dict[str, str]:
        """Hover texts of the controls."""
        return {
            "mu": self._("μ: what a person risks at most, as the distance of two normal curves"),
            "epsilon": self._("the least ε of (ε, δ)-DP at this δ; typing it sets μ"),
            "delta": self._("the δ at which ε is read"),
            "neighbours": self._("what neighbouring data sets differ in"),
            "records_per_person": self._(
                "most records that one person contributes; multiplies the sensitivity"
            ),
            "strength": self._("Cohen's w of the table against the uniform one"),
            "alpha": self._("share of the innocent whom the attacker accuses: type I error"),
            "cost_average": self._(
                "this table, or the average over tables like it: n records with the same probabilities"
            ),
            "cost_ratio": self._("over the cost of Gaussian noise"),
            "cost_log": self._("logarithmic axis"),
            "tradeoff_log": self._("logarithmic axis for α"),
            "positive_part": self._("never let the shrinkage factor become negative; recommended"),
            "seed": self._("sample the noise anew; simulated, never a release"),
        }

    @cached_property
    def neighbours(self) -> dict[Neighbours, str]:
        """Names of the neighbour relations."""
        return {
            Neighbours.REPLACE: self._("one record changes"),
            Neighbours.ADD_REMOVE: self._("a person joins or leaves"),
        }

    @cached_property
    def patterns(self) -> dict[str, str]:
        """Names of the made-up patterns."""
        return {
            "spike": self._("one large cell") + " ▁▁█▁",
            "split": self._("half up, half down") + " ▆▆▂▂",
            "trend": self._("linear trend") + " ▂▃▅▆",
            "interaction": self._("rows by columns") + " ▆▂▂▆",
        }

    @cached_property
    def typed_pattern(self) -> str:
        """Name of the pattern of the typed table."""
        return self._("the typed table")

    @cached_property
    def views(self) -> dict[View, str]:
        """Names of the views."""
        return {View.COSTS: self._("costs"), View.TESTS: self._("tests")}

    @cached_property
    def hypotheses_tested(self) -> dict[Hypothesis, str]:
        """Names of the tests."""
        return {
            Hypothesis.GOODNESS_OF_FIT: self._("goodness of fit"),
            Hypothesis.INDEPENDENCE: self._("independence"),
        }

    @cached_property
    def test_statistics(self) -> dict[str, str]:
        """Names of the test statistics."""
        return {
            "ridge": self._("ridge"),
            "pearson": "Pearson",
            "projected": self._("projected"),
        }

    @cached_property
    def cost_axes(self) -> dict[CostAxis, str]:
        """Names of the axes of the cost on their buttons."""
        return {
            CostAxis.STRENGTH: self._("signal"),
            CostAxis.MU: "μ",
            CostAxis.CELLS: self._("cells"),
            CostAxis.RECORDS: "n",
        }

    @cached_property
    def on_off(self) -> str:
        """What a switch may be."""
        return self._("on, off")

    @cached_property
    def simulate(self) -> str:
        """Label of the button that starts a simulation."""
        return self._("simulate")

    @cached_property
    def simulate_tip(self) -> str:
        """Hover text of that button."""
        return self._(
            "simulate the power at nine strengths with 95% intervals: 15 000 tables each, 2 000 for "
            "independence"
        )

    @cached_property
    def cancel(self) -> str:
        """Label of the button that ends a simulation."""
        return self._("cancel")

    @cached_property
    def cancel_tip(self) -> str:
        """Hover text of that button."""
        return self._("end the simulation; the points so far stay")

    @cached_property
    def simulation_ended(self) -> str:
        """What is said when a change has ended a simulation."""
        return self._(
            "The simulation was ended, because what it simulates has changed. Start it again for the "
            "table and the mechanisms that are shown now."
        )
