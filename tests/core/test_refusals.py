"""Every part of a refusal: which argument, what it means, what must hold, what was got."""

import re
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from explorer.core import average_cost, laplace, population, tradeoff
from explorer.core.laplace._privacy_loss import LARGEST
from explorer.core.mechanisms import (
    AdditiveGaussian,
    Gaussian,
    OptimalGaussian,
    RankDeficientJamesStein,
)
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import (
    CumulativeCounts,
    FixedMargins,
    Groups,
    Marginals,
    Table,
    check_cells,
)
from explorer.core.sensitivity.base import check_list

CURVES = [
    (
        lambda: tradeoff.PiecewiseLinear([0.25], [0.5, 0.25]),
        "α (type I error) and the others must be of one shape (k,), got alpha=((1,), (2,), (2,)).",
    ),
    (
        lambda: tradeoff.PiecewiseLinear([0.25], [0.5], [0.5]),
        "β (type II error) must be 1 - α - advantage, got beta=[0.5].",
    ),
    (
        lambda: tradeoff.PiecewiseLinear([0.5, 0.25], [0.25, 0.5]),
        "α (type I error) must be in increasing order, got alpha=[0.5, 0.25].",
    ),
    (
        lambda: tradeoff.discrete([0.5], [1.0], [0.5, 0.5]),
        "Q (probabilities of the second distribution) must have the shape of p, (1,), got q=(2,).",
    ),
    (
        lambda: tradeoff.discrete([0.5], [[1.0]], [1.0]),
        "P (probabilities of the first distribution) must have one shape (k,), got p=(1, 1).",
    ),
    (
        lambda: tradeoff.discrete([0.5], [1.0], [0.25, 0.5]),
        "Q (probabilities of the second distribution) must be nonnegative with sum 1, but the sum is 0.25 below 1 (at most 1e-09 passes for rounding), got q=[0.25, 0.5].",
    ),
]


def no_curve(alpha):
    """Promise what nobody can."""
    return np.ones_like(alpha)


FUNCTIONS = [
    (
        lambda: tradeoff.violation([0.25, 0.5], [0.5]),
        "β (type II error) must have the shape of alpha, (k,) and not (2,), got beta=(1,).",
    ),
    (
        lambda: tradeoff.violation([0.25], ["low"]),
        "β (type II error) must lie in (-inf, inf), got beta=['low'].",
    ),
    (
        lambda: tradeoff.gdp_parameter_bounds(lambda alpha: alpha[:2]),
        "f (trade-off function) must map shape (131,) to itself, got f=(2,).",
    ),
    (
        lambda: tradeoff.gdp_parameter_bounds(no_curve),
        f"f (trade-off function) must be a trade-off function: β must be at most 1 - α, but β = 1 at α = 0.999999 where 6.90607e-07 is the limit, got f={no_curve!r}.",
    ),
    (
        lambda: tradeoff.gdp_parameter("f"),
        "f (trade-off function) must be given by break points or be a closed form with its parameters, got f='f'.",
    ),
]

TABLES = [
    (
        lambda: Table((2, 0)),
        "r × c (levels of the table) must be whole numbers of at least 1, one for each variable, got shape=(2, 0).",
    ),
    (
        lambda: Table(4),
        "r × c (levels of the table) must be whole numbers of at least 1, one for each variable, got shape=4.",
    ),
    (
        lambda: Table((1, 1)),
        "r × c (levels of the table) must make at least 2 cells, got shape=(1, 1).",
    ),
    (
        lambda: FixedMargins((4,)),
        "r × c (levels of the table) must be two numbers of at least 2, got shape=(4,).",
    ),
    (
        lambda: check_cells("x", "y", [1.0], 2),
        "y (table) must have 2 cells on the last axis, got x='array of shape (1,)'.",
    ),
    (lambda: check_cells("x", "y", ["1"], 1), "y (table) must hold numbers, got x='str32'."),
    (
        lambda: check_cells("x", "y", [1, 2e100, np.nan], 3),
        "y (table) must hold numbers within ±1e+100, got x=2e+100.",
    ),
    (
        lambda: Table((2,), "swap"),
        "S ~ S′ (neighbouring data sets) must be one of replace, add-remove, got neighbours='swap'.",
    ),
    (
        lambda: check_list(2**12, 2**12 + 1),
        "S (sensitivity space) must have at most 16777216 numbers to be listed, got differences=(4096, 4097).",
    ),
    (
        lambda: Groups(5000, 2).basis(),
        "S (sensitivity space) must have at most 16777216 numbers to be listed, got differences=(5000, 10000).",
    ),
    (
        lambda: Marginals((2, 3), []),
        "W (marginal tables) must be a list of at least one set of variables, got margins=[].",
    ),
    (
        lambda: Marginals((2, 3), [(0, 2)]),
        "W (marginal tables) must hold sets of different whole numbers from 0 to 1, got margins=[(0, 2)].",
    ),
    (
        lambda: Marginals((2, 3), [(0,), (0,)]),
        "W (marginal tables) must hold every set of variables once, got margins=[(0,), (0,)].",
    ),
    (
        lambda: Marginals((2, 3), [()]),
        "W (marginal tables) must have a margin that one person can change, got margins=((),).",
    ),
    (
        lambda: Marginals((2,) * 13, [range(13)]),
        f"W (marginal tables) must have at most 4096 subsets of variables, got margins=({tuple(range(13))},).",
    ),
    (
        lambda: Marginals((2,) * 12, [(k,) for k in range(12)]).part_lengths,
        f"W (marginal tables) must have at most 11 variables to list what differs, got margins={tuple((k,) for k in range(12))}.",
    ),
]

LAWS = [
    (
        lambda: average_cost.check_distribution(1, [0.5, 0.25], 2),
        "π (cell probabilities) must be nonnegative with sum 1, but the sum is 0.25 below 1 (at most 1e-09 passes for rounding), got probabilities=[0.5, 0.25].",
    ),
    (
        lambda: population.strength([0.5, 0.25]),
        "π (cell probabilities) must be nonnegative with sum 1, but the sum is 0.25 below 1 (at most 1e-09 passes for rounding), got probabilities=[0.5, 0.25].",
    ),
    (
        lambda: population.direction((2, 2), "stripes"),
        "u (pattern of the table) must be one of spike, split, trend, interaction or the table's cells, got pattern='stripes'.",
    ),
    (
        lambda: population.direction((4,), "interaction"),
        "u (pattern of the table) needs at least two rows and two columns, got pattern='interaction'.",
    ),
    (
        lambda: population.direction((2,), [1, -1]),
        "u (pattern of the table) must hold nonnegative cells, not all 0, got pattern=[1, -1].",
    ),
    (
        lambda: population.direction((2,), [1]),
        "π (table) must have 2 cells on the last axis, got pattern='array of shape (1,)'.",
    ),
    (
        lambda: population.probabilities((2, 2), "spike", [0.5, 3.0, 2.0]),
        "w (signal strength, Cohen's w) must be at most 1.73205 for this pattern and table, got strength=3.0.",
    ),
    (
        lambda: population.strength([["a", "b"]]),
        "π (table) must hold numbers, got probabilities='str32'.",
    ),
    (
        lambda: average_cost.check_distribution(1, ["a", "b"], 2),
        "π (table) must hold numbers, got probabilities='str32'.",
    ),
]


@dataclass(frozen=True)
class Flat:
    """A statistic whose only difference spans less than its basis."""

    p: int = 2
    rank = 2
    l2 = 1.0

    def basis(self):
        return np.eye(2)

    def differences(self):
        return np.array([[1.0, 0.0], [-1.0, 0.0]])


MECHANISMS = [
    (
        lambda: Gaussian(Groups(1, 2), 1).expected_l2_cost(1, [0.5, 0.5]),
        "θ (statistic) must be a Table for an expected cost over multinomial tables, got statistic=Groups(groups=1, categories=2).",
    ),
    (
        lambda: Gaussian(Table((2,)), 1).simulate([1.0], np.random.default_rng(1)),
        "θ (table) must have 2 cells on the last axis, got theta='array of shape (1,)'.",
    ),
    (
        lambda: RankDeficientJamesStein(Table((2, 2)), 1, direction=[1, 1, 1, 1]),
        "w (unshrunk direction) must be one nonzero vector in the span of the sensitivity space, got direction=array([1., 1., 1., 1.]).",
    ),
    (
        lambda: RankDeficientJamesStein(Table((2, 2)), 1, direction=[1.0]),
        "w (table) must have 4 cells on the last axis, got direction='array of shape (1,)'.",
    ),
    (
        lambda: RankDeficientJamesStein(Table((2, 2)), 1).shrink([1.0]),
        "M (table) must have 4 cells on the last axis, got release='array of shape (1,)'.",
    ),
    (
        lambda: OptimalGaussian(CumulativeCounts(66), 1),
        "θ (statistic) must be symmetric, or have at most 64 dimensions (it has 65), got statistic=CumulativeCounts(p=66, neighbours='replace', records_per_person=1).",
    ),
    (
        lambda: OptimalGaussian(CumulativeCounts(65), 1).l2_cost([0.0] * 65),
        "θ (statistic) must be symmetric, or have at most 2048 extreme differences (it has 2080), got statistic=CumulativeCounts(p=65, neighbours='replace', records_per_person=1).",
    ),
    (
        lambda: OptimalGaussian(Flat(), 1).l2_cost([0.0] * 2),
        "θ (statistic) must have differences that span the columns of its basis, got statistic=Flat(p=2).",
    ),
    (
        lambda: AdditiveGaussian(Table((2,)), [1.0]),
        "Σ (covariance of the noise) must be a 2 × 2 matrix, got covariance='array of shape (1,)'.",
    ),
    (
        lambda: AdditiveGaussian(Table((2,)), [["a", "b"], ["b", "c"]]),
        "Σ (covariance of the noise) must hold numbers, got covariance='str32'.",
    ),
    (
        lambda: AdditiveGaussian(Table((2,)), [[1, 2e100], [2e100, 1]]),
        "Σ (covariance of the noise) must hold numbers within ±1e+100, got covariance=2e+100.",
    ),
    (
        lambda: AdditiveGaussian(Table((2,)), [[1, 0.5], [0, 1]]),
        "Σ (covariance of the noise) must be symmetric, got covariance='entries that differ by 0.5'.",
    ),
    (
        lambda: AdditiveGaussian(Table((2,)), [[1, 0], [0, -0.5]]),
        "Σ (covariance of the noise) must be positive semidefinite, got covariance='eigenvalue -0.5'.",
    ),
    (
        lambda: AdditiveGaussian(Table((2,)), np.eye(2)).l2_cost([1.0]),
        "θ (table) must have 2 cells on the last axis, got theta='array of shape (1,)'.",
    ),
    (
        lambda: AdditiveGaussian(Table((2,)), np.eye(2)).simulate([1.0], np.random.default_rng(1)),
        "θ (table) must have 2 cells on the last axis, got theta='array of shape (1,)'.",
    ),
]

NOISE = [
    (
        lambda: tradeoff.laplace(0.5, [2.0**k for k in range(12)]),
        f"a (difference over noise scale) must give a loss distribution of at most {LARGEST} pieces, got shifts={tuple(2.0**k for k in range(12))}.",
    ),
    (
        lambda: laplace.mu(1e-4, SimpleNamespace(extreme_difference=np.ones(3))),
        "a (difference over noise scale) must be smaller, the errors that decide underflow, got shifts=30000.0.",
    ),
    (
        lambda: laplace.scale(1, SimpleNamespace(extreme_difference=np.empty(0))),
        "v (worst difference) must lie in (0, inf), got extreme_difference=[].",
    ),
]


@pytest.mark.parametrize(
    ("call", "message"),
    [*CURVES, *FUNCTIONS, *TABLES, *LAWS, *MECHANISMS, *NOISE],
    ids=lambda part: (
        re.sub("0x[0-9a-f]+|[^a-z0-9]+", "-", part.lower()) if isinstance(part, str) else ""
    ),
)
def test_refusals_say_it_all(call, message):
    with pytest.raises(ParameterError) as caught:
        call()
    assert str(caught.value) == message
