"""Scenario: the one immutable value that says what is on the screen.

A control sets one field; `dataclasses.replace` checks the whole and gives a new scenario or
raises. Presets, shared links and undo steps are scenarios.
"""

from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode

import numpy as np
from numpy.typing import NDArray

from explorer.core import gdp, mechanisms, population
from explorer.core.chisq import STATISTICS
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Table
from explorer.scenario.fields import PARAMETERS, ScenarioError, from_text, refused, to_text
from explorer.tables import EXAMPLES, MAX_CELLS, Counts

TYPED = "typed"
NEIGHBOURS = ("replace", "add-remove")
COST_AXES = ("strength", "mu", "cells", "n")
VIEWS = ("costs", "tests")
TESTS = ("goodness-of-fit", "independence")
TEST_STATISTICS = tuple(statistic.name for statistic in STATISTICS)
MOST_TESTED, MOST_TESTED_CELLS = 1_000_000_000, 400
MOST_AVERAGED = 1_000_000  # beyond it an average differs from the expected table's cost by little


@dataclass(frozen=True)  # no slots: what follows from the fields is kept once it is asked for
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
    neighbours : {"replace", "add-remove"}
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
        Class names of the mechanisms that are not drawn.
    drawn : str
        Class name of the mechanism of the simulated table.
    draw : int
        Seed of the simulated table.
    cost_axis : {"strength", "mu", "cells", "n"}
        What the cost is drawn against.
    cost_average : bool
        Whether costs are averaged over the tables that n records may give, rather than given the
        expected table; for n up to `MOST_AVERAGED`.
    view : {"costs", "tests"}
        Which plots stand below those of the attacker: costs of the table, or chi-squared tests of it.
    test : {"goodness-of-fit", "independence"}
        Whether the table is tested for being uniform, or its rows and columns for independence.
    test_statistic : {"ridge", "pearson", "projected"}
        Statistic of the test, see `explorer.core.chisq.statistics`.
    cost_ratio, cost_log, tradeoff_log : bool
        Cost over that of the Gaussian mechanism; logarithmic cost; logarithmic α.

    Raises
    ------
    ParameterError
        If a field is outside its domain or two fields do not go together.
    """

    mu: float = PARAMETERS["mu"].default
    delta: float = PARAMETERS["delta"].default
    rows: int = 4
    columns: int = 4
    n: int = 200
    neighbours: str = "replace"
    records_per_person: int = 1
    pattern: str = "spike"
    typed: Counts | None = None
    strength: float = PARAMETERS["strength"].default
    alpha: float = PARAMETERS["alpha"].default
    positive_part: bool = True
    hidden: tuple[str, ...] = ()
    drawn: str = "RankDeficientGaussian"
    draw: int = 0
    cost_axis: str = "strength"
    cost_average: bool = False
    cost_ratio: bool = False
    cost_log: bool = False
    tradeoff_log: bool = False
    view: str = "costs"
    test: str = "goodness-of-fit"
    test_statistic: str = "ridge"

    def __post_init__(self) -> None:
        """Check every field, then what must go together."""
        for name, parameter in PARAMETERS.items():
            value = parameter.check_scalar(getattr(self, name))
            object.__setattr__(self, name, int(value) if parameter.whole else value)
        names = tuple(kind.__name__ for kind in mechanisms.MECHANISMS)
        self._check_choice("neighbours", NEIGHBOURS)
        self._check_choice("cost_axis", COST_AXES)
        self._check_choice("drawn", names)
        self._check_choice("view", VIEWS)
        self._check_choice("test", TESTS)
        self._check_choice("test_statistic", TEST_STATISTICS)
        for name in ("positive_part", "cost_average", "cost_ratio", "cost_log", "tradeoff_log"):
            if not isinstance(getattr(self, name), bool):
                raise self._choice_error(name, (True, False))
        hidden = self.hidden if isinstance(self.hidden, tuple) else (None,)
        if not all(isinstance(name, str) and name in names for name in hidden):
            raise self._choice_error("hidden", names)
        object.__setattr__(self, "hidden", tuple(name for name in names if name in self.hidden))
        self._check_choice("pattern", (*population.PATTERNS, *EXAMPLES_BY_KEY, TYPED))
        self._check_table()
        self._check_strength()

    def _check_choice(self, name: str, allowed: tuple[object, ...]) -> None:
        value = getattr(self, name)
        if not isinstance(value, str) or value not in allowed:
            raise self._choice_error(name, allowed)

    def _choice_error(self, name: str, allowed: tuple[object, ...]) -> ScenarioError:
        listed = ", ".join(str(item) for item in allowed)
        value = getattr(self, name)
        return ScenarioError(name, f"must be one of {listed}", value, "choice", allowed=listed)

    def _check_table(self) -> None:
        if not isinstance(self.typed, Counts | None):
            raise ScenarioError("typed", "must be Counts or None", self.typed, "nothing-typed")
        if not 2 <= self.p <= MAX_CELLS:
            rule = f"times the other side must give 2 to {MAX_CELLS} cells"
            raise ScenarioError("rows", rule, self.rows, "cells", p=self.p, most=MAX_CELLS)
        if self.pattern == TYPED and self.typed is None:
            raise ScenarioError("pattern", "needs a typed table", self.pattern, "nothing-typed")
        counts = self.counts
        if counts is not None and counts.shape != self.shape:
            rule = f"must fit the table's shape {counts.shape}"
            raise ScenarioError("rows", rule, self.shape, "shape", shape=counts.shape)
        if counts is None and self.pattern not in population.patterns_for(self.shape):
            rule = "needs at least two rows and two columns"
            raise ScenarioError("pattern", rule, self.pattern, "one-row")

        if self.cost_average and self.n > MOST_AVERAGED:
            rule = f"needs n of at most {MOST_AVERAGED}"
            raise ScenarioError("cost_average", rule, self.n, "average", most=MOST_AVERAGED)

        if self.test == "independence" and min(self.shape) < 2:
            rule = "needs at least two rows and two columns"
            raise ScenarioError("test", rule, self.test, "one-row-test")
        if self.view == "tests" and (self.n > MOST_TESTED or self.p > MOST_TESTED_CELLS):
            rule = f"needs at most {MOST_TESTED_CELLS} cells and {MOST_TESTED} records"
            facts = {"cells": MOST_TESTED_CELLS, "most": MOST_TESTED}
            raise ScenarioError("view", rule, (self.p, self.n), "tests", **facts)

    def _check_strength(self) -> None:
        most = self.max_strength
        if self.strength > most * (1 + 1e-12):
            rule = f"must be at most {most:.6g} for this pattern and size"
            raise ScenarioError("strength", rule, self.strength, "strength", most=most)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    @cached_property
    def p(self) -> int:
        """Number of cells."""
        return self.rows * self.columns

    @cached_property
    def counts(self) -> Counts | None:
        """The example or typed table behind the pattern, if there is one."""
        if self.pattern == TYPED:
            return self.typed
        example = EXAMPLES_BY_KEY.get(self.pattern)
        return example.counts if example else None

    @cached_property
    def direction(self) -> str | NDArray[np.float64]:
        """The pattern as `explorer.core.population` takes it."""
        counts = self.counts
        return self.pattern if counts is None else counts.array

    @cached_property
    def max_strength(self) -> float:
        """Largest signal strength that keeps every cell probability at or above zero."""
        return float(population.max_strength(self.shape, self.direction))

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """Cell probabilities π of shape (p,)."""
        strength = min(self.strength, self.max_strength)
        return population.probabilities(self.shape, self.direction, strength)

    @cached_property
    def expected(self) -> NDArray[np.float64]:
        """Expected table θ = nπ of shape (p,), in records."""
        return self.n * self.probabilities

    @cached_property
    def statistic(self) -> Table:
        """The table as a statistic with its sensitivity space."""
        return Table(self.shape, self.neighbours, self.records_per_person)

    def mechanism(self, kind: type[mechanisms.Mechanism]) -> mechanisms.Mechanism:
        """Return the mechanism of class `kind` at this μ."""
        return build(kind, self.statistic, self.mu, positive_part=self.positive_part)

    def costs_of(self, tables: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return E‖M − θ‖² of every mechanism for tables of shape (m, p), shape (k, m).

        The expected table goes along and its `costs` are kept: a call costs more than a row.
        """
        stacked = np.concatenate([tables, self.expected[np.newaxis]])
        costs = np.empty((len(mechanisms.MECHANISMS), len(stacked)))
        for row, kind in zip(costs, mechanisms.MECHANISMS, strict=True):
            row[:] = self.mechanism(kind).l2_cost(stacked)
        self.__dict__["costs"] = tuple(costs[:, -1].tolist())
        return costs[:, :-1]

    @cached_property
    def costs(self) -> tuple[float, ...]:
        """E‖M − θ‖² of every mechanism at the expected table, in the menu's order."""
        self.costs_of(np.empty((0, self.p)))
        return tuple(self.__dict__["costs"])

    @cached_property
    def epsilon(self) -> float:
        """Least ε at the δ of the scenario."""
        return float(gdp.epsilon(self.delta, self.mu))

    @cached_property
    def drawn_kind(self) -> type[mechanisms.Mechanism]:
        """Class of the mechanism whose table is drawn."""
        return next(kind for kind in mechanisms.MECHANISMS if kind.__name__ == self.drawn)

    @cached_property
    def shown(self) -> tuple[type[mechanisms.Mechanism], ...]:
        """Classes of the mechanisms that are drawn, in the menu's order."""
        return tuple(kind for kind in mechanisms.MECHANISMS if kind.__name__ not in self.hidden)

    def with_counts(self, counts: Counts, pattern: str) -> Self:
        """Return the scenario of a real table: its shape, n, pattern and signal strength.

        Averages are turned off for one too large for them, and so are tests.
        """
        fits = counts.n <= MOST_TESTED and len(counts.array) <= MOST_TESTED_CELLS
        strength = float(population.strength(counts.array / counts.n))
        return replace(
            self,
            rows=counts.shape[0],
            columns=counts.shape[1],
            n=counts.n,
            pattern=pattern,
            typed=counts if pattern == TYPED else self.typed,
            strength=strength,
            cost_average=self.cost_average and counts.n <= MOST_AVERAGED,
            view=self.view if fits else "costs",
            test=self.test if min(counts.shape) > 1 else TESTS[0],
        )

    def with_pattern(self, pattern: str) -> Self:
        """Return the scenario with a made-up pattern, as strong as it can be up to this strength.

        What follows from the counts of a typed table, its n and its strength, is not kept.
        """
        typed = self.pattern == TYPED
        wanted = PARAMETERS["strength"].default if typed else self.strength
        n = int(PARAMETERS["n"].default) if typed else self.n
        changed = replace(self, pattern=pattern, strength=0, n=n)
        return replace(changed, strength=min(wanted, changed.max_strength))

    def to_query(self) -> str:
        """Return the scenario as a query string: parameters only, never counts or labels.

        Of a typed table not even the total and the strength, which follow from its counts.
        """
        left_out = {"typed", "n", "strength"} if self.pattern == TYPED else {"typed"}
        names = (field.name for field in fields(self))
        return urlencode(
            {name: to_text(getattr(self, name)) for name in names if name not in left_out}
        )

    @classmethod
    def from_query(cls, query: str) -> tuple[Self, tuple[ParameterError, ...]]:
        """Read a query string; what is unknown or bad falls back to the default.

        Parameters
        ----------
        query : str
            With or without the leading question mark.

        Returns
        -------
        scenario : Scenario
            Always valid.
        problems : tuple of ParameterError
            One for each part that was not used.
        """
        known = {field.name: field.default for field in fields(cls) if field.name != "typed"}
        problems: list[ParameterError] = []
        wanted: dict[str, Any] = {}
        try:
            parts = parse_qsl(query.removeprefix("?"), keep_blank_values=True, max_num_fields=100)
        except ValueError:
            return cls(), (ScenarioError("link", "has too many parts", "…", "unknown"),)
        seen: set[str] = set()
        for name, text in parts:
            if name not in known:
                shown = name[:40]
                problems.append(ScenarioError(shown, "is not a parameter", text[:40], "unknown"))
                continue
            if name in seen:
                wanted.pop(name, None)
                problems.append(ScenarioError(name, "is given twice", text[:40], "twice"))
                continue
            seen.add(name)
            try:
                wanted[name] = from_text(text, known[name])
            except ValueError:
                problems.append(refused(name, text))
        if wanted.get("pattern") == TYPED:
            del wanted["pattern"]
            problems.append(ScenarioError("pattern", "is not in a link", TYPED, "typed-link"))
        return cls._settle(wanted, problems), tuple(problems)

    @classmethod
    def _settle(cls, wanted: dict[str, Any], problems: list[ParameterError]) -> Self:
        """Use as many of the wanted fields as go together."""
        while True:
            try:
                return cls(**wanted)
            except ParameterError as error:
                problems.append(error)
                if error.name in wanted:
                    del wanted[error.name]
                elif error.name == "rows" and "columns" in wanted:
                    del wanted["columns"]
                else:  # a default clashes with what is wanted: give up the pattern, then all
                    wanted = {} if "pattern" not in wanted else wanted
                    wanted.pop("pattern", None)


EXAMPLES_BY_KEY = {example.key: example for example in EXAMPLES}


@lru_cache(maxsize=64)
def build(
    kind: type[mechanisms.Mechanism], statistic: Table, mu: float, *, positive_part: bool
) -> mechanisms.Mechanism:
    """Return a mechanism, passing the positive part to those that have one.

    The last ones are kept, since the panels of one step ask for the same few, and some take
    a search to calibrate.
    """
    if issubclass(kind, mechanisms.JamesStein):
        return kind(statistic, mu, positive_part=positive_part)
    return kind(statistic, mu)
