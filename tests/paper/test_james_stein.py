"""Shrinkage of the ordinary release, by the paper's definition."""

import numpy as np
import pytest

from explorer.core.mechanisms import (
    Gaussian,
    JamesSteinMean,
    JamesSteinZero,
)
from explorer.core.sensitivity import Table
from explorer.paper import (
    james_stein,
)


@pytest.mark.parametrize("p", [4, 5, 12])
@pytest.mark.parametrize(
    ("mechanism_class", "shrink"),
    [
        (JamesSteinZero, james_stein.shrink_to_zero),
        (JamesSteinMean, james_stein.shrink_to_mean),
    ],
)
def test_shrinkage_by_the_paper_s_definition_is_that_of_the_mechanisms(p, mechanism_class, shrink):
    releases = np.random.default_rng(13).normal(3, 4, (50, p))
    mechanism = mechanism_class(Table((p,)), 0.7)
    assert shrink(releases, mechanism.scale) == pytest.approx(mechanism.shrink(releases), rel=1e-12)


def test_the_costs_of_the_examples_are_those_of_proposition_4():
    # Proposition 4 with E[1/chi'^2_nu(tau)] = (1/2) int_0^1 t^(nu/2 - 2) exp(-tau (1 - t)/2) dt,
    # by mpmath at 30 digits:
    #
    #     E = lambda nu, tau: quad(lambda t: t**(nu/2 - 2) * exp(-tau*(1 - t)/2), [0, 1]) / 2
    #     s2 = 2 / mu**2
    #     zero = p*s2 - (p - 2)**2 * s2 * E(p, sum(x**2)/s2)
    #     mean = p*s2 - (p - 3)**2 * s2 * E(p - 1, sum((x - xbar)**2)/s2)
    costs = james_stein.examples()
    assert costs.cost[Gaussian] == pytest.approx([1000 / 9, 500, 80, 1200, 8])
    assert costs.cost[JamesSteinZero] == pytest.approx(
        [59.435907681935504327, 455.78602972824117987, 66.384844615556511264,
         1015.0953789334713505, 7.9946666666666666667], rel=1e-12,
    )  # fmt: skip
    assert costs.cost[JamesSteinMean] == pytest.approx(
        [71.311845680864601055, 452.34448524234794878, 24, 980.34691124920109713,
         7.9919676080968590832], rel=1e-12,
    )  # fmt: skip
