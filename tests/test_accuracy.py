"""The accuracy table of the documentation, with few points, and that the page is the tool's."""

import inspect
import re
from pathlib import Path

import mpmath
import numpy as np
import pytest
from accuracy import calibration, gaussian, laplace, shrinkage
from accuracy.samples import Row, Sample, measure
from accuracy.table import page, title
from laplace_loss import ReferenceLoss
from shrinkage_risk import inverse_mean, losses, mixture, risk_of

from explorer import core

ROWS = (*gaussian.ROWS, *laplace.ROWS, *calibration.ROWS, *shrinkage.ROWS)
PAGE = Path(__file__).parents[1] / "docs" / "accuracy.md"
LINE = re.compile(r"\| (`\S.*) \| (\d+) \| (\d[.]\de-\d\d) \| (.+) \| (1e-\d\d) \| (met|missed) \|")


MODULES = {
    "gdp": core.gdp,
    "laplace": core.laplace,
    "shrinkage": core.shrinkage,
    "tradeoff": core.tradeoff.closed_forms,
}


def test_every_function_has_a_row():
    functions = {
        f"{name}.{function}"
        for name, module in MODULES.items()
        for function, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__.startswith(module.__name__)
        if not function.startswith("_")
    }
    assert {row.function.partition(",")[0] for row in ROWS} == functions


def few(row):
    """Points beside the corners; a calibration looks at a whole curve for each decade of μ."""
    return 10 if row.function in {"laplace.scale", "laplace.mu"} else 30


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.function}-{row.domain[:12]}")
def test_every_target_is_met(row):
    measured = measure(row, few(row))
    assert measured.points >= few(row)
    assert measured.worst <= row.target, measured.where


def test_the_page_lists_the_rows_of_the_tool_and_every_target_is_met():
    lines = [LINE.fullmatch(line) for line in PAGE.read_text(encoding="utf-8").splitlines()]
    cells = [line.groups() for line in lines if line]
    assert [line[0] for line in cells] == [title(row) for row in ROWS]
    for (_, points, worst, _, target, verdict), row in zip(cells, ROWS, strict=True):
        assert int(points) >= 10_000
        assert float(target) == row.target
        assert float(worst) <= row.target
        assert verdict == "met"


def test_the_page_is_as_the_tool_writes_it():
    text = PAGE.read_text(encoding="utf-8")
    head, rule, _ = page([]).partition("|---|---|---|---|---|---|---|\n")
    assert rule
    assert text.startswith(head + rule)


def one_row(value, exact, mark="", condition=1):
    def samples(_rng, _count):
        yield Sample((1.0, 2.0), value, mpmath.mpf(exact), mpmath.mpf(condition))

    return Row("f", "x and y", "x, y", 1e-12, samples, mark)


@pytest.mark.parametrize(
    ("row", "worst"),
    [
        (one_row(1.5, 1), 0.5),
        (one_row(1.5, 1, "κ", 10), 0.05),
        (one_row(1.5, 1, "κ", 0.1), 0.5),
        (one_row(1.5, 1, "", 10), 0.5),
        (one_row(0.3, 0.1, "log"), 0.2),
        (one_row(-30.0, -20, "log"), 0.5),
        (one_row(1e-301, "1e-400"), 0),
        (one_row(1e-299, "1e-400"), np.inf),
        (one_row(np.nan, 1), np.inf),
        (one_row(np.nan, 0), np.inf),
        (one_row(np.inf, 1), np.inf),
    ],
)
def test_what_an_error_is(row, worst):
    measured = measure(row, 1)
    assert measured.worst == pytest.approx(worst, rel=1e-12)
    assert ("| missed |" in page([(row, measured)])) == (worst > 1e-12)


# References of the references: closed forms and mpmath's own functions.
def test_the_reference_loss_of_two_shifts_has_its_closed_form():
    reference = ReferenceLoss((mpmath.mpf(1), mpmath.mpf(1)))
    with mpmath.workdps(reference.digits):
        epsilon = mpmath.mpf("0.5")
        exact = 1 - (1 + (2 - epsilon) / 4) * mpmath.exp(-(2 - epsilon) / 2)
        assert abs(reference.delta(epsilon) - exact) < mpmath.mpf(10) ** -50
        y = mpmath.mpf("0.3")  # a point of slope -exp(2 - 2y)
        alpha = mpmath.exp(-2 + y) * (1 + y) / 4
        beta = mpmath.exp(-y) * (3 + y) / 4
        assert abs(reference.alpha(2 - 2 * y) - alpha) < mpmath.mpf(10) ** -50
        assert abs(reference.beta(2 - 2 * y) - beta) < mpmath.mpf(10) ** -50


@pytest.mark.parametrize(("nu", "tau"), [(3, 1), (2.5, 0), (2 + 2**-30, 66), (1000, 500)])
def test_the_reference_mean_is_kummers_function(nu, tau):
    with mpmath.workdps(60):
        nu, tau = mpmath.mpf(nu), mpmath.mpf(tau)
        exact = mpmath.hyp1f1(1, nu / 2, -tau / 2) / (nu - 2)
        assert abs(inverse_mean(nu, tau) / exact - 1) < 1e-25


def test_the_reference_of_the_positive_part_is_the_textbook_series():
    with mpmath.workdps(40):
        nu, x = mpmath.mpf(5), mpmath.mpf(3) / 2
        c = nu - 2

        def below(degrees):
            return mpmath.gammainc(degrees / 2, 0, c / 2, regularized=True)

        series = mpmath.fsum(
            mpmath.exp(-x)
            * x**k
            / mpmath.factorial(k)
            * (
                (nu + 2 * k) * below(nu + 2 * k + 2)
                - 2 * nu * below(nu + 2 * k)
                - c**2 * (1 - below(nu + 2 * k - 2)) / (c + 2 * k)
            )
            for k in range(80)
        )
        saved = mixture(losses(5.0), x)
        assert abs(nu + series - (risk_of(nu, 2 * x) - saved)) < 1e-24
