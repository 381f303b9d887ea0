"""Scenario: the one immutable value that says what is on the screen.

A control sets one field; `dataclasses.replace` checks the whole and gives a new scenario or
raises. Presets, shared links and undo steps are scenarios. What follows from the fields is in
`explorer.scenario.derived`.
"""

from dataclasses import dataclass

from explorer.core import population
from explorer.core.sensitivity import Neighbours
from explorer.scenario import fields
from explorer.scenario.errors import (
    AverageError,
    CellCountError,
    NoTypedTableError,
    OneRowPatternError,
    OneRowTestError,
    ShapeError,
    StrengthError,
    TestSizeError,
)
from explorer.scenario.fields import TYPED, CostAxis, Hypothesis, View
from explorer.scenario.pattern import counts_of, max_strength
from explorer.tables import MAX_CELLS, Counts

MOST_TESTED, MOST_TESTED_CELLS = 1_000_000_000, 400
MOST_AVERAGED = 1_000_000  # beyond it an average differs from the expected table's cost by little
ROUNDING = 1e-12  # by which a computed largest strength may be exceeded

FIELDS = (
    fields.MU,
    fields.DELTA,
    fields.ROWS,
    fields.COLUMNS,
    fields.RECORDS,
    fields.NEIGHBOURS,
    fields.RECORDS_PER_PERSON,
    fields.PATTERN,
    fields.STRENGTH,
    fields.ALPHA,
    fields.POSITIVE_PART,
    fields.HIDDEN,
    fields.SAMPLED,
    fields.SEED,
    fields.COST_AXIS,
    fields.COST_AVERAGE,
    fields.COST_RATIO,
    fields.COST_LOG,
    fields.TRADEOFF_LOG,
    fields.VIEW,
    fields.TEST,
    fields.TEST_STATISTIC,
)
"""Every field but the typed table, in the order of a link."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """What the explorer shows.

    Attributes
    ----------
    mu : float
        GDP parameter, sensitivity over noise standard deviation.
    delta : float
        The δ at which ε is read off.
    rows, columns : int
        Shape of the table; one row makes a histogram.
    n : int
        Records in the table.
    neighbours : Neighbours
        Whether neighbouring data sets differ in one person's record or in having it at all.
    records_per_person : int
        Most records that one person contributes.
    pattern : str
        A name of `population.PATTERNS`, the key of an example table, or "typed".
    typed : Counts or None
        The table typed by hand; it never enters a link.
    strength : float
        Signal strength: Cohen's w of the expected table against the uniform one.
    alpha : float
        Type I error of the attacker's test.
    positive_part : bool
        Whether James–Stein factors are kept from becoming negative.
    hidden : tuple of str
        Keys of the mechanisms that are not plotted.
    sampled : str
        Key of the mechanism of the simulated table.
    seed : int
        Seed of the simulated table.
    cost_axis : CostAxis
        What the cost is plotted against.
    cost_average : bool
        Whether costs are averaged over the tables that n records may give, rather than given the
        expected table; for n up to `MOST_AVERAGED`.
    cost_ratio, cost_log, tradeoff_log : bool
        Cost over that of the Gaussian mechanism; logarithmic cost; logarithmic α.
    view : View
        Which plots stand below those of the attacker: costs of the table, or chi-squared tests of it.
    test : Hypothesis
        Whether the table is tested for being uniform, or its rows and columns for independence.
    test_statistic : {"ridge", "pearson", "projected"}
        Statistic of the test, see `explorer.core.chisq.statistics`.

    Raises
    ------
    ParameterError
        If a field is outside its domain or two fields do not go together.
    """

    mu: float = fields.MU.default
    delta: float = fields.DELTA.default
    rows: int = fields.ROWS.default
    columns: int = fields.COLUMNS.default
    n: int = fields.RECORDS.default
    neighbours: Neighbours = fields.NEIGHBOURS.default
    records_per_person: int = fields.RECORDS_PER_PERSON.default
    pattern: str = fields.PATTERN.default
    typed: Counts | None = None
    strength: float = fields.STRENGTH.default
    alpha: float = fields.ALPHA.default
    positive_part: bool = fields.POSITIVE_PART.default
    hidden: tuple[str, ...] = fields.HIDDEN.default
    sampled: str = fields.SAMPLED.default
    seed: int = fields.SEED.default
    cost_axis: CostAxis = fields.COST_AXIS.default
    cost_average: bool = fields.COST_AVERAGE.default
    cost_ratio: bool = fields.COST_RATIO.default
    cost_log: bool = fields.COST_LOG.default
    tradeoff_log: bool = fields.TRADEOFF_LOG.default
    view: View = fields.VIEW.default
    test: Hypothesis = fields.TEST.default
    test_statistic: str = fields.TEST_STATISTIC.default

    def __post_init__(self) -> None:
        """Check every field, then what must go together."""
        for field in FIELDS:
            object.__setattr__(self, field.name, field.check(getattr(self, field.name)))
        self._check_table()
        self._check_average_and_tests()
        self._check_strength()

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    @property
    def p(self) -> int:
        """Number of cells."""
        return self.rows * self.columns

    def _check_table(self) -> None:
        if not isinstance(self.typed, Counts | None):
            raise NoTypedTableError("typed", self.typed)
        if not 2 <= self.p <= MAX_CELLS:
            raise CellCountError(self.rows, self.p, MAX_CELLS)
        if self.pattern == TYPED and self.typed is None:
            raise NoTypedTableError("pattern", self.pattern)
        counts = counts_of(self.pattern, self.typed)
        if counts is not None and counts.shape != self.shape:
            raise ShapeError(self.shape, counts.shape)
        if counts is None and self.pattern not in population.patterns_for(self.shape):
            raise OneRowPatternError(self.pattern)

    def _check_average_and_tests(self) -> None:
        if self.cost_average and self.n > MOST_AVERAGED:
            raise AverageError(self.n, MOST_AVERAGED)
        if self.test is Hypothesis.INDEPENDENCE and min(self.shape) < 2:
            raise OneRowTestError(self.test)
        if self.view is View.TESTS and (self.n > MOST_TESTED or self.p > MOST_TESTED_CELLS):
            raise TestSizeError(self.p, self.n, MOST_TESTED_CELLS, MOST_TESTED)

    def _check_strength(self) -> None:
        most = max_strength(self.shape, self.pattern, self.typed)
        if self.strength > most * (1 + ROUNDING):
            raise StrengthError(self.strength, most)
