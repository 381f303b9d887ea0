"""English: the sentences of the page around the plots: controls, refusals, tables, help."""

from typing import Any

from explorer.locale.number import at_most, typed, whole
from explorer.scenario import errors

TITLE = "GDP Explorer"

SECTIONS = {
    "privacy": "Privacy",
    "table": "Table",
    "signal": "Signal",
    "attacker": "Attacker",
    "mechanisms": "Mechanisms",
}
LABELS = {
    "mu": "Privacy parameter μ",
    "epsilon": "ε at δ",
    "delta": "δ",
    "rows": "Rows r",
    "columns": "Columns c",
    "n": "Records n",
    "neighbours": "Neighbours",
    "records_per_person": "Records per person",
    "pattern": "Pattern",
    "strength": "Strength w",
    "alpha": "False alarms α",
    "positive_part": "positive part of James–Stein",
    "cost_axis": "Horizontal axis",
    "cost_average": "average",
    "cost_ratio": "ratio",
    "cost_log": "log",
    "tradeoff_log": "log α",
    "sampled": "Mechanism of the draw",
    "seed": "draw again",
    "hidden": "Mechanisms shown",
    "view": "Plots below",
    "test": "Test",
    "test_statistic": "Statistic of the test",
    "link": "The link",
}
NAMES = {
    **LABELS,
    "epsilon": "ε",
    "strength": "Signal strength w",
    "alpha": "Type I error α",
    "seed": "Number of the draw",
}
ON_OFF = "on, off"
COST_HEAD = "cost, of Gaussian · exact"
AVERAGE_HEAD = "average, of Gaussian · exact"
PUBLIC_ONLY = (
    "Shrink only to a target, and leave alone only a direction, that is public. One chosen from the "
    "table itself has no known privacy level: μ no longer holds."
)
MORE_PRIVACY = "more privacy"
MORE_ACCURACY = "more accuracy"
TIPS = {
    "mu": "μ: what a person risks at most, as the distance of two normal curves",
    "epsilon": "the least ε of (ε, δ)-DP at this δ; typing it sets μ",
    "delta": "the δ at which ε is read",
    "neighbours": "what neighbouring data sets differ in",
    "records_per_person": "most records that one person contributes; multiplies the sensitivity",
    "strength": "Cohen's w of the table against the uniform one",
    "alpha": "share of the innocent whom the attacker accuses: type I error",
    "cost_average": (
        "this table, or the average over tables like it: n records drawn with the same probabilities"
    ),
    "cost_ratio": "over the cost of Gaussian noise",
    "cost_log": "logarithmic axis",
    "tradeoff_log": "logarithmic axis for α",
    "positive_part": "never let the shrinkage factor become negative; recommended",
    "seed": "draw anew; simulated, never a release",
}
NEIGHBOURS = {"replace": "one record changes", "add-remove": "a person joins or leaves"}
PATTERNS = {
    "spike": "one large cell ▁▁█▁",
    "split": "half up, half down ▆▆▂▂",
    "trend": "linear trend ▂▃▅▆",
    "interaction": "rows by columns ▆▂▂▆",
}
TYPED_PATTERN = "the typed table"
VIEWS = {"costs": "costs", "tests": "tests"}
TESTS = {"goodness-of-fit": "goodness of fit", "independence": "independence"}
TEST_STATISTICS = {"ridge": "ridge", "pearson": "Pearson", "projected": "projected"}
SIMULATE, CANCEL = "simulate", "cancel"
CANCEL_TIP = "give up the simulation; what is done stays"
SIMULATE_TIP = "simulate the power at nine strengths with 95% intervals: 15 000 tables each, 2 000 for independence"
COST_AXES = {"strength": "signal", "mu": "μ", "cells": "cells", "n": "n"}
PANELS = {
    "densities": "What the attacker sees",
    "tradeoff": "What the attacker can achieve",
    "cost": "What the noise costs",
    "table": "What the table looks like",
    "power": "What a test can see",
    "p_value": "What one test says",
    "readouts": "Read-outs",
}
HEADER = {
    "undo": "Undo",
    "redo": "Redo",
    "reset": "Reset",
    "preset": "Preset",
    "table": "Table",
    "copy": "Copy link",
    "theme": "Light or dark",
    "help": "What is this?",
}
NO_PRESET = "Preset …"
NO_TABLE = "Table: hypothetical"
TYPE_TABLE = "Type or paste a table …"
PRESETS = {
    "first": "First screen",
    "survey": "A survey: 2 × 3, 1 000 records",
    "sparse": "A sparse table: 12 × 12, 300 records",
    "shrink": "Nearly uniform: shrinkage pays",
    "test": "A test on a noisy table",
    "laplace": "Weak privacy: Laplace wins",
    "strict": "Strong privacy: μ = 0.1",
}
PAGE_WORDS = {
    "copied": "The link is copied. It holds the settings, never a typed table.",
    "not_copied": "The browser did not allow copying; the address bar holds the link.",
}
SOURCE = "source and licence"
USE_TABLE = "Use this table"
CLOSE = "Close"
TYPED_HEADING = "Type or paste a table of counts"
TYPED_HELP = (
    "One line a row; tabs, commas, semicolons or blanks between the cells; a first row and a "
    "first column of labels are understood. Only public or made-up counts: everything here is "
    "a preview, and the page shows the table as it is."
)
TYPED_EXAMPLE = "\tyes\tno\nnorth\t40\t25\nsouth\t31\t54"
UNKNOWN_ERROR = "That did not work, and nothing was changed. Undo or reset, then try again."

HELP = """
<h2>What is this?</h2>
<p>A table of counts is released with random noise, so that nobody can tell whether one person's
record is in it. <b>μ</b> says how much an attacker can learn at most: as much as from telling
apart two normal curves whose centres lie μ standard deviations apart. Small μ is more privacy,
large μ more accuracy.</p>
<ul>
<li><b>What the attacker sees</b>: the two curves. Pull the line: the attacker accuses to its
right.</li>
<li><b>What the attacker can achieve</b>: for each share of innocent people accused (α), the
least share of targets missed (β). Lower curves are weaker privacy.</li>
<li><b>What the noise costs</b>: the expected total squared error of the released table for
every mechanism at the same μ, given the expected table; <i>average</i> takes the mean over all tables
of n records drawn with the same probabilities.</li>
<li><b>What the table looks like</b>: the expected table beside one simulated draw.</li>
<li><b>What a test can see</b>: how often a chi-squared test on the noisy table rejects that the table
is uniform, against the signal strength, or that rows and columns are independent. The noise is in its null
distribution, so it keeps its level; n is taken as public.</li>
<li><b>What one test says</b>: one simulated table, released and tested; the shaded share of the null
draws is the p-value, (1 + shaded)/(1 + draws).</li>
</ul>
<p>Every number says what it is: <b>exact</b> (a formula or an integral, good to at least nine
digits), a <b>bound</b> (no attacker does better), <b>approximate</b> (the power of a test, with the table
taken for normal), or <b>simulated</b>. Simulated draws come from an
ordinary random number generator and must never be released. The ± of a cell is for the noise
alone, the ± of a power or a p-value for the simulation.</p>
<p>James–Stein shrinkage is private because it uses the release alone. Its target, and the direction
that rank-deficient James–Stein leaves alone, must be public: chosen from the table itself they have
no known privacy level.</p>
<details><summary>Formulas</summary>
<p>p cells, n records, θ = nπ the expected table, Δ₂ the sensitivity, σ = Δ₂/μ.</p>
<ul>
<li>Trade-off: G<sub>μ</sub>(α) = Φ(Φ⁻¹(1 − α) − μ); advantage 2Φ(μ/2) − 1.</li>
<li>δ(ε) = Φ(μ/2 − ε/μ) − e<sup>ε</sup> Φ(−μ/2 − ε/μ).</li>
<li>Gaussian noise costs pσ², rank-deficient noise dσ², where d is the rank of what one person can
change: p − 1 when one record changes, since the total stays.</li>
<li>James–Stein in m dimensions costs mσ² − (m − 2)²σ² E[1/χ′²<sub>m</sub>(τ)], with τ the squared
distance of θ from the point it shrinks to, over σ²; what is left alone, as the mean of the cells, adds σ²
a dimension. The positive part, which is on, costs a little less.</li>
<li>Laplace noise costs 2pb², with the least b that is μ-GDP for two cells that change at once.</li>
<li>Test statistic: T = Σ(M − nπ₀)²/(nπ₀ + σ²) for <i>ridge</i>, without σ² for <i>Pearson</i>, and with the
inverse covariance of the noisy table for <i>projected</i>. For goodness of fit each keeps its level; in the
bootstrap tests of homogeneity and independence plain Pearson rejects far too rarely where the noise is
strong, ridge does not.</li>
<li>Signal strength: w = √(p Σ(π − 1/p)²), Cohen’s w against the uniform table; τ = n²w²/(pσ²).</li>
</ul></details>
<p>Source: Kim, Lee, Kwak and Jung, Differentially Private Multivariate Statistics with an
Application to Contingency Table Analysis, arXiv 2211.15019.</p>
"""


REFUSALS = {
    "tests": (
        "Tests are shown for tables of up to {cells} cells and {most} records. Go back to “costs” for a "
        "larger table, or make it smaller."
    ),
    "one-row-test": (
        "Independence is of rows and columns and needs at least two of each. Test goodness of fit instead, "
        "or enlarge the table."
    ),
    "average": (
        "Averages over tables are found for n up to {most}. Turn “average” off for a larger table, or "
        "lower n."
    ),
    "strength": (
        "With this pattern and table size, signal strength w is between 0 and {most}; this needs "
        "{got}. Choose a smaller w first."
    ),
    "cells": (
        "Rows times columns must give 2 to {most} cells; this would be {p}. The table keeps its "
        "size."
    ),
    "shape": ("The chosen table is {shape}. To change its size, choose another pattern first."),
    "one-row": (
        "This pattern sets rows against columns and needs at least two of each. Choose another "
        "pattern for a single row or column."
    ),
    "nothing-typed": "There is no typed table yet; type or paste one first.",
    "typed-link": "A typed table is never put in a link; the pattern is a made-up one instead.",
    "unknown": "The link has a part “{name}” that this page does not know; it was left out.",
    "twice": "The link says “{label}” more than once; its default is used.",
    "place": ("In “{label}” a place is two finite numbers; “{got}” is not. Nothing was changed."),
    "choice": "{label} must be one of: {allowed}; “{got}” is not. Nothing was changed.",
}


def records(n: float) -> str:
    """Return a number of records."""
    return f"{whole(n)} record" if n == 1 else f"{whole(n)} records"


def allowed(parameter: Any, high: float) -> str:
    """Return an allowed range in words."""
    kind = "a whole number" if parameter.whole else "a number"
    low = "above 0" if parameter.low_open else f"of at least {plain(parameter.low)}"
    if high == float("inf"):
        return f"{kind} {low}"
    if parameter.low_open:
        return f"{kind} {low} and at most {plain(high)}"
    return f"{kind} between {plain(parameter.low)} and {plain(high)}"


def plain(value: float) -> str:
    """Return the end of a range as one would type it."""
    return whole(value) if float(value).is_integer() and abs(value) < 1e15 else typed(value)


def refused_number(parameter: Any, high: float, got: str, kept: str) -> str:
    """Return why a number or a text was refused.

    Parameters
    ----------
    parameter : Parameter
        What it should have been.
    high : float
        The upper end that holds now.
    got, kept : str
        What was entered and what stays.

    Returns
    -------
    str
        Which control, the allowed range, the value and what stays.
    """
    label = NAMES.get(parameter.name, parameter.name)
    found = f"you entered “{got}”" if got else "nothing was entered"
    return f"{label} must be {allowed(parameter, high)}; {found}. It stays at {kept}."


def refusal(name: str, reason: str, facts: dict[str, Any], got: str) -> str:
    """Return why an edit that clashes with another setting was refused."""
    shown = {key: _shown(value) for key, value in facts.items()}
    return REFUSALS[reason].format(name=name, label=NAMES.get(name, name), got=got, **shown)


def scenario_refusal(error: errors.ScenarioError, got: str) -> str:
    """Return why a scenario was refused; `got` is what the visitor entered."""
    reason, facts = _reason(error)
    return refusal(error.name, reason, facts, got)


def _reason(error: errors.ScenarioError) -> tuple[str, dict[str, Any]]:  # noqa: C901, PLR0911 - one line for each reason
    match error:
        case errors.TestSizeError():
            return "tests", {"cells": error.most_cells, "most": error.most_records}
        case errors.OneRowTestError():
            return "one-row-test", {}
        case errors.AverageError():
            return "average", {"most": error.most}
        case errors.StrengthError():
            return "strength", {"most": error.most}
        case errors.CellCountError():
            return "cells", {"p": error.cells, "most": error.most}
        case errors.ShapeError():
            return "shape", {"shape": error.table_shape}
        case errors.OneRowPatternError():
            return "one-row", {}
        case errors.NoTypedTableError():
            return "nothing-typed", {}
        case errors.TypedTableInLinkError():
            return "typed-link", {}
        case errors.RepeatedPartError():
            return "twice", {}
        case errors.NotAChoiceError():
            return "choice", {"allowed": ", ".join(error.allowed)}
        case _:
            return "unknown", {}


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return " × ".join(str(side) for side in value)
    if isinstance(value, float):
        return at_most(value)
    return whole(value) if isinstance(value, int) else str(value)


def table_problem(error: Any) -> str:
    """Return what is wrong with a typed table, which cell, and what to do."""
    place = f"Row {error.row}, column {error.column}"
    found = f"“{error.value}”"
    sentences = {
        "empty": "There is no table yet: type or paste the counts, one line a row.",
        "text": f"{place} holds {found}, not a whole number: write the count in digits.",
        "negative": f"{place} holds {found}: a count cannot be negative. Write 0 or a count.",
        "fraction": (
            f"{place} holds {found}: a count is whole. Take out the decimals or the thousands "
            "separator."
        ),
        "ragged": (
            f"Row {error.row} has {error.got} cells, the first row {error.expected}. Give every "
            "row as many; write 0 for an empty cell."
        ),
        "one-cell": "One cell is not a table: type at least two counts.",
        "zero-total": "All counts are 0: at least one must be positive.",
        "too-large": (
            f"{place} holds {found}: a count can be at most {error.expected}. Scale the table down."
        ),
        "too-many-cells": (
            f"The table has more than {error.expected} cells, more than the page can draw. Merge "
            "rows or columns."
        ),
        "totals": (
            f"The last {'row' if error.column is None else 'column'} is called {found} and looks "
            "like totals. Remove it, or rename it if it is a category."
        ),
        "not-finite": f"{place} holds {found}: a count is a finite number. Write it in digits.",
    }
    if error.kind == "text" and not error.value:
        return f"{place} is empty: write 0 if nobody is in it. Your text is kept."
    return sentences[error.kind] + " Your text is kept."


def table_note(title: str, note: str, source: str, licence: str) -> str:
    """Return where an example table comes from."""
    return f"{title}. {note} Source: {source}. {licence}."


def used_table(rows: int, columns: int, n: int) -> str:
    """Return what was read from a typed table."""
    return f"Read: {rows} × {columns} cells, {records(n)}."


def link_problems(sentences: list[str]) -> str:
    """Return the notice over the page when parts of a link were not used."""
    return "Not everything in the link could be used. " + " ".join(sentences)
