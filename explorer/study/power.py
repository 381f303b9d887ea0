"""The kind "power": how often a chi-squared test of a private table rejects, simulated.

Tables come from a pattern at a strength. Goodness of fit is tested against another pattern at
another strength, by default the uniform table; homogeneity and independence need no such law.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core import average_cost, chisq, population
from explorer.core.chisq._checks import LEVEL
from explorer.core.chisq.simulation import BOOTSTRAPS, NULL_REPLICATES, check_replicates
from explorer.core.parameter import ParameterError
from explorer.core.quantities import STRENGTH
from explorer.core.sensitivity import Groups, Table
from explorer.study import axes

FIT, HOMOGENEITY, INDEPENDENCE = TESTS = ("goodness-of-fit", "homogeneity", "independence")
STATISTICS = tuple(statistic.name for statistic in chisq.STATISTICS)
NULL_STRENGTH = STRENGTH.named("null_strength")
MOST_REPLICATES = int(NULL_REPLICATES.high)

AXES = (
    axes.choice("test", "test", TESTS, FIT),
    axes.SHAPE,
    axes.PATTERN,
    axes.choice("null_pattern", "pattern of the null hypothesis", population.PATTERNS, "split"),
    axes.number(NULL_STRENGTH, "strength of the null hypothesis, Cohen’s w", 0.0),
    axes.number(average_cost.RECORDS.within(1, 1e9), "records in the table, n"),
    axes.number(LEVEL, "level of the test, α", 0.05),
    axes.choice("statistic", "test statistic", STATISTICS, "ridge"),
    axes.number(BOOTSTRAPS, "simulated releases of each test, B", 299),
    axes.POSITIVE_PART,
    axes.MECHANISM,
    axes.PRIVACY,
    axes.STRENGTH,
)
TOGETHER = tuple(
    axis.name for axis in AXES if axis.name not in {"mechanism", "mu", "positive_part"}
)

Array = NDArray[np.float64]


def check(cell: Mapping[str, Any]) -> None:
    """Raise `ParameterError` if the parameters do not fit each other.

    Parameters
    ----------
    cell : mapping
        A value for each axis of `TOGETHER`, and the number of ``replicates``.
    """
    law, null = _law(cell), _null(cell)
    if cell["test"] == FIT:
        count = min(10 * cell["replicates"], MOST_REPLICATES)
        check_replicates(NULL_REPLICATES, count, cell["level"])
        if (null == 0).any() and not chisq.statistics.find(cell["statistic"]).zero_cells:
            rule = f"must give no cell the probability 0 for the statistic {cell['statistic']}"
            raise _refused("null_strength", "strength of the null hypothesis", rule, cell)
        return
    check_replicates(BOOTSTRAPS, cell["bootstraps"], cell["level"])
    if len(cell["shape"]) != 2 or min(cell["shape"]) < 2:
        rule = f"must have at least two rows and two columns for {cell['test']}"
        raise _refused("shape", "levels of the table", rule, cell)
    if cell["test"] == HOMOGENEITY:
        rows = law.reshape(cell["shape"]).sum(axis=1)
        if cell["n"] % len(rows):
            rule = (
                f"must be a multiple of the {len(rows)} rows, groups of one size, for homogeneity"
            )
            raise _refused("n", "number of records", rule, cell)
        if (rows < population.ROUNDING).any():
            rule = "must leave no row of the table empty for homogeneity"
            raise _refused("strength", "signal strength", rule, cell)


def simulate(
    cell: Mapping[str, Any], rng: np.random.Generator, replicates: int
) -> dict[str, float]:
    """Return the simulated power of a test.

    Parameters
    ----------
    cell : mapping
        A value for every axis of `AXES`.
    rng : numpy.random.Generator
        Source of randomness.
    replicates : int
        Number of releases of the table.

    Returns
    -------
    dict of str to float
        ``power``, the share of them that the test rejects, and its ``standard_error``, that of the
        simulated critical value included; see `chisq.power`, `chisq.power_of_homogeneity` and
        `chisq.power_of_independence`. The power is the level where the null hypothesis holds.
    """
    test, shape, law = cell["test"], cell["shape"], _law(cell)
    statistic = Groups(*shape) if test == HOMOGENEITY else Table(shape)
    mechanism = axes.build(cell["mechanism"], statistic, cell["mu"], cell["positive_part"])
    chosen = {"statistic": cell["statistic"], "replicates": replicates}
    if test == FIT:
        found = chisq.power(mechanism, _null(cell), cell["n"], law, cell["level"], rng, **chosen)
    else:
        chosen["bootstraps"] = cell["bootstraps"]
        table = law.reshape(shape)
        if test == INDEPENDENCE:
            found = chisq.power_of_independence(
                mechanism, cell["n"], table, cell["level"], rng, **chosen
            )
        else:
            sizes = [cell["n"] // len(table)] * len(table)
            laws = table / table.sum(axis=1, keepdims=True)
            found = chisq.power_of_homogeneity(mechanism, sizes, laws, cell["level"], rng, **chosen)
    return {"power": float(found.power[0]), "standard_error": float(found.error[0])}


def _law(cell: Mapping[str, Any]) -> Array:
    return population.probabilities(cell["shape"], cell["pattern"], cell["strength"])


def _null(cell: Mapping[str, Any]) -> Array:
    return population.probabilities(cell["shape"], cell["null_pattern"], cell["null_strength"])


def _refused(name: str, meaning: str, rule: str, cell: Mapping[str, Any]) -> ParameterError:
    return ParameterError(name, name, meaning, rule, cell[name])
