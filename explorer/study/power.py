"""The study kind "power": how often a chi-squared test of a private table rejects, simulated.

Tables come from a pattern at a strength. Goodness of fit is tested against another pattern at
another strength, by default the uniform table; homogeneity and independence need no such
probabilities.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.core import average_cost, chisq, mechanisms, population
from explorer.core.chisq.simulated_power import BOOTSTRAPS, NULL_REPLICATES, check_replicates
from explorer.core.mechanisms import Mechanism
from explorer.core.quantities import ALPHA, RECORDS_PER_PERSON, SHAPE, STRENGTH
from explorer.core.sensitivity import Groups, Neighbours, Table
from explorer.core.sensitivity.base import NEIGHBOURS
from explorer.scenario import fields
from explorer.scenario.field_types import ChoiceField, EnumField, NumberField, WholeField
from explorer.study import axes
from explorer.study.axes import Axis
from explorer.study.cells import Cell

MOST_REPLICATES = int(NULL_REPLICATES.high)
LEVEL = ALPHA.named("level", "level of the test").within(0, 1, low_open=True, high_open=True)

Array = NDArray[np.float64]


class ChiSquaredTest(StrEnum):
    """Which hypothesis is tested."""

    FIT = "goodness-of-fit"
    HOMOGENEITY = "homogeneity"
    INDEPENDENCE = "independence"


TEST = EnumField("test", ChiSquaredTest, ChiSquaredTest.FIT)
NULL_PATTERN = ChoiceField("null_pattern", population.PATTERNS, "split")
NULL_STRENGTH = NumberField(STRENGTH.named("null_strength"), 0.0)
RECORDS = WholeField(average_cost.RECORDS.within(1, 1e9), fields.RECORDS.default)
STATISTIC = ChoiceField("statistic", fields.TEST_STATISTIC.choices, fields.TEST_STATISTIC.default)


@dataclass(frozen=True, slots=True)
class PowerCell(Cell):
    """The parameters of a simulated power; the fields are described by `axes`."""

    kind: ClassVar[str] = "power"
    axes: ClassVar[tuple[Axis, ...]] = (
        Axis(TEST, "test", (TEST.default,)),
        axes.TABLE_SHAPE,
        axes.PATTERN,
        Axis(NULL_PATTERN, "pattern of the null hypothesis", (NULL_PATTERN.default,)),
        Axis(NULL_STRENGTH, "strength of the null hypothesis, Cohen’s w", (NULL_STRENGTH.default,)),
        Axis(RECORDS, axes.SIZE.title),
        replace(axes.NEIGHBOURS, implied=Neighbours.REPLACE),
        replace(axes.PER_PERSON, implied=1),
        Axis(NumberField(LEVEL, 0.05), "level of the test, α", (0.05,)),
        Axis(STATISTIC, "test statistic", (STATISTIC.default,)),
        Axis(WholeField(BOOTSTRAPS, 299), "simulated releases of each test, B", (299,)),
        axes.POSITIVE_PART,
        axes.MECHANISM,
        axes.PRIVACY,
        axes.STRENGTH,
    )
    results: ClassVar[tuple[str, ...]] = ("power", "standard_error")

    test: ChiSquaredTest
    shape: tuple[int, ...]
    pattern: str
    null_pattern: str
    null_strength: float
    n: int
    neighbours: Neighbours
    records_per_person: int
    level: float
    statistic: str
    bootstraps: int
    positive_part: bool
    mechanism: type[Mechanism]
    mu: float
    strength: float

    def check(self, replicates: int) -> None:
        """Raise `ParameterError` if the parameters do not fit each other.

        Parameters
        ----------
        replicates : int
            Number of releases of the table.
        """
        probabilities, null = self._probabilities(), self._null()
        if self.test is ChiSquaredTest.FIT:
            count = min(10 * replicates, MOST_REPLICATES)
            check_replicates(NULL_REPLICATES, count, self.level)
            if (null == 0).any() and not chisq.statistics.find(self.statistic).zero_cells:
                rule = f"must give no cell the probability 0 for the statistic {self.statistic}"
                raise NULL_STRENGTH.parameter.refuse(self.null_strength, rule)
            return
        check_replicates(BOOTSTRAPS, self.bootstraps, self.level)
        if len(self.shape) != 2 or min(self.shape) < 2:
            rule = f"must have at least two rows and two columns for {self.test.value}"
            raise SHAPE.refuse(self.shape, rule)
        if self.test is ChiSquaredTest.HOMOGENEITY:
            self._check_groups(probabilities.reshape(self.shape).sum(axis=1))

    def _check_groups(self, rows: Array) -> None:
        """Raise `ParameterError` if the rows cannot be groups of one size, each of one record."""
        if self.n % len(rows):
            rule = (
                f"must be a multiple of the {len(rows)} rows, groups of one size, for homogeneity"
            )
            raise RECORDS.parameter.refuse(self.n, rule)
        if (rows < population.ROUNDING).any():
            raise STRENGTH.refuse(
                self.strength, "must leave no row of the table empty for homogeneity"
            )
        if self.neighbours is not Neighbours.REPLACE:
            rule = "must be replace for homogeneity, whose groups have public sizes"
            raise NEIGHBOURS.refuse(self.neighbours.value, rule)
        if self.records_per_person != 1:
            raise RECORDS_PER_PERSON.refuse(self.records_per_person, "must be 1 for homogeneity")

    def simulate(self, rng: np.random.Generator, replicates: int) -> Mapping[str, float]:
        """Return the simulated power of the test.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.
        replicates : int
            Number of releases of the table.

        Returns
        -------
        mapping of str to float
            ``power``, the share of releases that the test rejects, and its ``standard_error``,
            that of the simulated critical value included; see `chisq.power`,
            `chisq.power_of_homogeneity` and `chisq.power_of_independence`. The power is the level
            where the null hypothesis holds.
        """
        release, probabilities = self._release(), self._probabilities()
        power: chisq.Power
        if self.test is ChiSquaredTest.FIT:
            power = chisq.power(
                release,
                self._null(),
                self.n,
                probabilities,
                self.level,
                rng,
                statistic=self.statistic,
                replicates=replicates,
            )
        elif self.test is ChiSquaredTest.INDEPENDENCE:
            power = chisq.power_of_independence(
                release,
                self.n,
                probabilities.reshape(self.shape),
                self.level,
                rng,
                statistic=self.statistic,
                replicates=replicates,
                bootstraps=self.bootstraps,
            )
        else:
            table = probabilities.reshape(self.shape)
            power = chisq.power_of_homogeneity(
                release,
                [self.n // len(table)] * len(table),
                table / table.sum(axis=1, keepdims=True),
                self.level,
                rng,
                statistic=self.statistic,
                replicates=replicates,
                bootstraps=self.bootstraps,
            )
        return {"power": float(power.power[0]), "standard_error": float(power.error[0])}

    def _release(self) -> Mechanism:
        statistic: Groups | Table
        if self.test is ChiSquaredTest.HOMOGENEITY:
            rows, columns = self.shape
            statistic = Groups(rows, columns)
        else:
            statistic = Table(self.shape, self.neighbours, self.records_per_person)
        return mechanisms.make(self.mechanism, statistic, self.mu, positive_part=self.positive_part)

    def _probabilities(self) -> Array:
        return population.probabilities(self.shape, self.pattern, self.strength)

    def _null(self) -> Array:
        return population.probabilities(self.shape, self.null_pattern, self.null_strength)


TOGETHER = tuple(
    axis.name for axis in PowerCell.axes if axis.name not in {"mechanism", "mu", "positive_part"}
)
