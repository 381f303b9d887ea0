"""What follows from a scenario."""

from explorer.core.mechanisms import MECHANISMS, JamesStein
from explorer.scenario import Scenario, derive


def test_costs_are_those_of_the_mechanisms():
    for positive_part in (False, True):
        scenario = Scenario(positive_part=positive_part, neighbours="add-remove", mu=0.3)
        for mechanism_class, cost in zip(MECHANISMS, derive(scenario).costs, strict=True):
            options = (
                {"positive_part": positive_part} if issubclass(mechanism_class, JamesStein) else {}
            )
            direct = mechanism_class(derive(scenario).statistic, 0.3, **options)
            assert cost == float(direct.l2_cost(derive(scenario).expected))
