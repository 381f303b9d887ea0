"""English: the sentences of the plots and read-outs; those of the page are in `en_page`."""

from math import ceil, floor, isinf, isnan, log10
from typing import Any

from explorer.locale.en_page import *  # noqa: F403 - one language, two modules
from explorer.locale.en_page import records
from explorer.locale.number import out_of, percent, short, typed, whole
from explorer.scenario import fields

CODE = "en"
NAME = "English"

ACCUSE = "accuse →"
GUESSING = "╌╌ blind guessing"
LAPLACE_CURVE = "┄┄ Laplace at this μ"
ATTACKER_AXIS = "what the attacker computes from the release"
DENSITY_AXIS = "likelihood"
POWER_AXIS = "power of the test at level 5%"
STATISTIC_AXIS = "test statistic, T"
SHARE_AXIS = "share of null draws"
WITHOUT_NOISE = "without noise"
ALPHA_AXIS = "accused though innocent, α"
BETA_AXIS = "missed though present, β"

EXACT = "exact"
BOUND = "bound"
AWAITED = "…"


def number(value: float) -> str:
    """Return a tick label, short enough to stand beside an axis."""
    if value < 1000:
        return f"{value:.4g}"
    if value < 1e5:
        return whole(value)
    mantissa, _, exponent = f"{value:.2e}".partition("e")
    return f"{float(mantissa):g}e{int(exponent)}"


def hypotheses(neighbours: str) -> tuple[str, str]:
    """Return what the two densities are called."""
    if neighbours == "replace":
        return "someone else’s", "this person’s"
    return "not in the data", "in the data"


def threshold_hover(threshold: float, alpha: float, power: float) -> str:
    """Return the hover text of the threshold."""
    return f"accuse above {short(threshold, 4)}: α {percent(alpha)}, power {percent(power)}"


def attacker_sees(alpha: float, power: float, neighbours: str) -> str:
    """Return the sentence under the densities."""
    accused, of = out_of(alpha)
    caught, of_those = out_of(power)
    if neighbours == "replace":
        return (
            f"Of {of} times that the record is someone else’s, the attacker accuses wrongly "
            f"{accused}; of {of_those} times that it is this person’s, rightly {caught}."
        )
    return (
        f"Of {of} people who are not in the data, the attacker accuses {accused}; "
        f"of {of_those} who are, {caught}."
    )


def attacker_achieves(alpha: float, power: float) -> str:
    """Return the sentence under the trade-off."""
    accused, of = out_of(alpha)
    caught, of_those = out_of(power)
    guessed, of_guesses = out_of(alpha)
    return (
        f"An attacker who accuses {accused} of {of} innocent people catches at most {caught} of "
        f"{of_those} targets; guessing catches {guessed} of {of_guesses}."
    )


def gaussian_curve(mu: float) -> str:
    """Return the name of the curve of every Gaussian mechanism."""
    return f"━━ Gaussian noise, G<sub>{typed(float(f'{mu:.3g}'))}</sub>"


def tangent(epsilon: float) -> str:
    """Return the name of the tangent pair."""
    return f"── (ε, δ) with ε {short(epsilon)}"


def operating_point(alpha: float, beta: float) -> str:
    """Return the label of the marked attack."""
    return f"●  α {typed_percent(alpha)}, β {percent(beta)}"


def line_end(label: str, cost: float, ratio: bool) -> str:
    """Return the label at a cost curve's end; NaN is a cost that is not found yet."""
    if isnan(cost):
        return f"{label} {AWAITED}"
    return f"{label} {percent(cost) if ratio else short(cost)}"


def cost_hover(label: str, cost: float, ratio: bool) -> str:
    """Return the hover text of a cost: more digits than the label."""
    if isnan(cost):
        return f"{label}: the average here is not found yet"
    if ratio:
        return f"{label}: {100 * cost:.6g}% of the Gaussian mechanism’s cost"
    return f"{label}: {short(cost, 8)} records²"


def crossing(mu: float) -> str:
    """Return the label of the place where Laplace noise starts to cost less."""
    return f"Laplace wins ≥ {mu:.10g}"


def cost_axis(axis: str, stand_in: bool) -> str:
    """Return the title of the cost plot's x axis."""
    title = {
        "strength": "signal strength, Cohen’s w (log scale)",
        "mu": "privacy parameter, μ (log scale)",
        "cells": "number of cells, p (log scale)",
        "n": "records in the table, n (log scale)",
    }[axis]
    return f"{title}; pattern: one large cell" if stand_in else title


def cost_title(ratio: bool, average: bool) -> str:
    """Return the title of the cost axis."""
    if ratio:
        return "average cost, share of Gaussian" if average else "cost, share of Gaussian"
    return "average squared error, records²" if average else "total squared error, records²"


def noise_costs(summary: dict[str, Any]) -> str:
    """Return the sentence under the costs."""
    gaussian, costs = summary["gaussian"], dict(summary["costs"])
    if summary["unknown"]:
        return (
            "Averages over all tables of n records are being found; while a handle is held, only "
            "those already known are drawn."
        )
    if not costs:
        return "No mechanism is shown; tick one on the left."
    parts = ["On average over tables of n records."] if summary["average"] else []
    _, deficient = costs.get("rank-deficient", ("", gaussian))
    if not parts and deficient < gaussian * (1 - 1e-12):
        parts.append(f"Total kept: {short(deficient)} instead of {short(gaussian)} records².")
    name, best = min(costs.values(), key=lambda item: item[1])
    _, laplace = costs.get("laplace", ("", best))
    cheapest = f"Cheapest: {name} with {short(best)}"
    if best < gaussian * (1 - 1e-9):
        cheapest += f", {percent(1 - best / gaussian)} below Gaussian"
    if laplace > best:
        away = laplace / gaussian - 1
        cheapest += f"; Laplace {short(100 * abs(away))}% {'above' if away > 0 else 'below'}"
    return " ".join([*parts, cheapest + "."])


def table_before(real: bool, n: int) -> str:
    """Return the heading of the left table."""
    return f"the table, {records(n)}" if real else f"expected table, {records(n)}"


def table_noisy() -> str:
    """Return the heading of the noisy table."""
    return "one noisy draw · simulated"


def cell(value: float) -> str:
    """Return the number in a cell."""
    if abs(value - round(value)) < 1e-9 or abs(value) >= 1000:
        return whole(value) if round(value) else "0"
    text = f"{value:.1f}"
    return "0.0" if text == "-0.0" else text.replace("-", "−")


def cell_hover(row: int, column: int, value: float) -> str:
    """Return the hover text of a cell."""
    return f"row {row}, column {column}: {short(value, 6)}"


def cell_error(half_width: float | None, root_mean_square: float, level: float) -> str:
    """Return the error of a cell."""
    if half_width is not None:
        return f"cell ± {short(half_width)} at {100 * level:g}% · exact"
    return f"typical cell error {short(root_mean_square)} · exact"


def total(kept: bool, drawn: float, n: int) -> str:
    """Return what became of the total."""
    if kept:
        return f"total kept exactly: {whole(n)}"
    return f"total {short(drawn, 5)} instead of {whole(n)}"


def table_looks(largest: float, smallest: float, deviation: float, label: str, real: bool) -> str:
    """Return the sentence under the tables."""
    verb = "holds" if real else "expects"
    if largest - smallest < 1e-9 * largest:
        return (
            f"Every cell {verb} {short(largest)} records; {label} noise has a standard deviation "
            f"of {short(deviation)} in each."
        )
    times = (largest - smallest) / deviation
    return (
        f"The fullest cell {verb} {short(largest)} records, the emptiest {short(smallest)}: a "
        f"difference of {short(times)} standard deviations of the noise in one cell."
    )


def readouts(result: Any) -> list[dict[str, str]]:
    """Return the read-outs in the page's order."""

    def item(label: str, value: str, kind: str, full: float, unit: str = "") -> dict[str, str]:
        title = f"{full:.12g} {unit}".strip() if full or value == "0" else value
        return {"label": label, "value": value, "kind": kind, "title": title}

    unit = "records"
    delta_at = (
        short(result.delta_at)
        if result.delta_at > 1e-300
        else f"10^{short(result.log10_delta_at, 4)}"
    )
    gaussian, deficient = result.half_width, result.half_width_rank_deficient
    power = f"power at α {typed_percent(result.alpha)}"
    rank = f"{whole(result.rank)} of {whole(result.p)}"
    return [
        item("noise σ", short(result.sigma), EXACT, result.sigma, unit),
        item("Laplace b", short(result.b), EXACT, result.b, unit),
        item("cell at 95%", f"± {short(gaussian)}", EXACT, gaussian, unit),
        item("rank-deficient", f"± {short(deficient)}", EXACT, deficient, unit),
        item("rank", rank, EXACT, result.rank),
        item("Δ₁", short(result.l1), EXACT, result.l1, unit),
        item("Δ₂", short(result.l2), EXACT, result.l2, unit),
        item("noncentrality τ", short(result.tau), EXACT, result.tau),
        item(f"ε at δ {typed(result.delta)}", short(result.epsilon), EXACT, result.epsilon),
        item("δ at ε 1", delta_at, EXACT, result.delta_at),
        item(power, percent(result.power), BOUND, result.power),
        item("advantage", percent(result.advantage), BOUND, result.advantage),
    ]


def cost_readouts(result: Any) -> list[dict[str, str]]:
    """Return the cost of every mechanism and its share of the Gaussian mechanism's."""

    def item(label: str, cost: float, share: float) -> dict[str, str]:
        if isnan(cost):
            return {"label": label, "value": AWAITED, "kind": EXACT, "title": AWAITED}
        title = f"{cost:.12g} records², {100 * share:.8g}% of the Gaussian mechanism’s"
        value = f"{short(cost)} · {100 * share:.0f}%"
        return {"label": label, "value": value, "kind": EXACT, "title": title}

    return [item(*cost) for cost in result.costs]


def power_label(label: str, power: float) -> str:
    """Return the label at a power curve's end; NaN is a power that was not simulated yet."""
    if isnan(power):
        return label
    return f"{label} {percent(power)}"


def power_hover(label: str, power: float, error: float, law: bool) -> str:
    """Return the hover text of a power here; `law` says that it is computed and not drawn."""
    if isnan(power):
        return f"{label}: not simulated yet"
    accuracy = "approximate" if law else f"approximate, ± {percent(error)} standard error"
    return f"{label}: power {percent(power)}, {accuracy}"


def simulated_power(label: str, power: float, half_width: float) -> str:
    """Return the hover text of a simulated power."""
    return f"{label}: simulated power {percent(power)} ± {percent(half_width)} at 95%"


def test_power(result: Any) -> str:
    """Return the sentence under the power curves."""
    independence = result.test == "independence"
    refused = "independence" if independence else "the uniform table"
    shown = [i for i, visible in enumerate(result.visible) if visible]
    seen, of = out_of(result.ceiling_now)
    start = f"At level {typed_percent(result.level)} the test rejects {refused} for"
    without = f"{seen} of {of} tables without noise"
    public = " n counts as public, which this neighbour relation does not make it."
    end = public if result.neighbours != "replace" else ""
    if not shown:
        return f"{start} {without}. Tick a mechanism on the left.{end}"
    shown = [i for i in shown if not isnan(result.now[i])]
    if not shown:
        return f"{start} {without}. “Simulate” finds how many with noise.{end}"
    best = max(shown, key=lambda i: result.now[i] - 2 * result.error[i])
    found, of_noisy = out_of(float(result.now[best]))
    kind = "simulated" if independence else "approximate"
    return (
        f"{start} {found} of {of_noisy} noisy tables ({result.kinds[best].short}), {without}; "
        f"{kind}.{end}"
    )


def test_plan(result: Any) -> list[str]:
    """Return what a power needs: the least n, the least μ; nothing where that is not computed."""
    if result.test == "independence":
        return []
    records, mu = result.plan or (None, None)
    least_n, least_mu = _answer(records, "n"), _answer(mu, "μ")
    or_ = "" if least_mu.startswith("no") else "or "
    return [f"{typed_percent(result.target)} with {result.label}: {least_n}", or_ + least_mu]


def _answer(answer: Any, symbol: str) -> str:
    """Return a least number, rounded up to three digits: it is approximate."""
    if answer is None:
        return f"{symbol} ≥ {AWAITED}"
    if isinf(answer.value):
        return f"no {symbol} is enough"
    if symbol == "μ" and answer.value < fields.MU.parameter.low:
        return "any μ"
    if symbol == "n" and answer.value < 1000:
        return f"n ≥ {whole(ceil(answer.value))}"
    unit = 10.0 ** (floor(log10(answer.value)) - 2)
    least = float(f"{ceil(answer.value / unit * (1 - 1e-9)) * unit:.3g}")
    return f"n ≥ {whole(least)}" if symbol == "n" else f"μ ≥ {short(least)}"


def observed(statistic: float) -> str:
    """Return the label of the observed statistic."""
    return f" T = {short(statistic)} "


def test_outcome(result: Any) -> str:
    """Return the sentence under the null draws."""
    draws = whole(len(result.null))
    verdict = "not " if result.p_value > 0.05 else ""
    null = "independence" if result.test == "independence" else "the uniform table"
    return (
        f"One such table, released by {result.label}: p = {result.p_value:.3f} ± "
        f"{result.standard_error:.3f} from {draws} null draws; at level 5% {null} is {verdict}rejected. "
        "Simulated."
    )


def typed_percent(value: float) -> str:
    """Return a probability that a person chose as a percentage, to six digits."""
    digits = float(f"{100 * value:.6g}")
    return f"{typed(digits)}%" if digits < 100 else percent(value)
