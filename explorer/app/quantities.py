"""The numbers that the rows show and set: how each is read, written, bounded and divided."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_DOWN, Context

from explorer.app.scale import Scale
from explorer.core import gdp, quantities
from explorer.core.parameter import Parameter
from explorer.scenario import Edit, Scenario, derive, fields
from explorer.scenario.field_types import NumberField, WholeField

DIGITS = 6  # of the ends of a computed range


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that a row shows and sets.

    Attributes
    ----------
    name : str
        Name in labels and the style sheet.
    whole : bool
        Whether it is a whole number.
    domain : callable
        From the scenario to the domain that holds now.
    read : callable
        From the scenario to the number.
    write : callable
        From the scenario and a number of the domain to the fields that it changes.
    scale : callable or None
        From the scenario to the slider's scale; None for a box alone.
    """

    name: str
    whole: bool
    domain: Callable[[Scenario], Parameter]
    read: Callable[[Scenario], float]
    write: Callable[[Scenario, float], Edit]
    scale: Callable[[Scenario], Scale] | None = None

    def shown_domain(self, scenario: Scenario) -> Parameter:
        """Return the domain with ends that can be typed: computed ones are rounded inwards."""
        domain = self.domain(scenario)
        if domain.whole or domain is DECLARED.get(self.name):
            return domain
        low, high = (
            float(Context(prec=DIGITS, rounding=rounding).create_decimal(end))
            for end, rounding in ((domain.low, ROUND_CEILING), (domain.high, ROUND_DOWN))
        )
        return replace(domain, low=low, high=high)


def _of(
    field: NumberField | WholeField,
    read: Callable[[Scenario], float],
    write: Callable[[float], Edit],
) -> Quantity:
    """Return the quantity of one field of the scenario."""
    span, parameter, scale = field.slider, field.parameter, None
    if span is not None:
        scale = Scale(span.low, span.high, logarithmic=span.logarithmic, whole=parameter.whole)
    return Quantity(
        field.name,
        parameter.whole,
        lambda _: parameter,
        read,
        lambda _, value: write(value),
        None if scale is None else (lambda _: scale),
    )


def _strengths(scenario: Scenario) -> Parameter:
    return fields.STRENGTH.parameter.within(0, derive(scenario).max_strength)


def _strength_scale(scenario: Scenario) -> Scale:
    return Scale(0.01, max(derive(scenario).max_strength, 0.01), logarithmic=True, zero=True)


def _epsilons(scenario: Scenario) -> Parameter:
    """Return the ε at δ of the least and the largest μ; where the least is 0, it is excluded."""
    mu = fields.MU.parameter
    low, high = (float(gdp.epsilon(scenario.delta, end)) for end in (mu.low, mu.high))
    return quantities.EPSILON.within(low, high, low_open=low == 0)


def _mu_of(scenario: Scenario, epsilon: float) -> Edit:
    mu = fields.MU.parameter
    exact = float(gdp.mu(epsilon, scenario.delta))
    return {"mu": min(max(exact, mu.low), mu.high)}  # the ends of ε are rounded


DECLARED = {field.name: field.parameter for field in fields.NUMBERS}

MU = _of(fields.MU, lambda scenario: scenario.mu, lambda value: {"mu": value})
EPSILON = Quantity("epsilon", False, _epsilons, lambda scenario: derive(scenario).epsilon, _mu_of)
DELTA = _of(fields.DELTA, lambda scenario: scenario.delta, lambda value: {"delta": value})
ROWS = _of(fields.ROWS, lambda scenario: scenario.rows, lambda value: {"rows": int(value)})
COLUMNS = _of(
    fields.COLUMNS, lambda scenario: scenario.columns, lambda value: {"columns": int(value)}
)
RECORDS = _of(fields.RECORDS, lambda scenario: scenario.n, lambda value: {"n": int(value)})
RECORDS_PER_PERSON = _of(
    fields.RECORDS_PER_PERSON,
    lambda scenario: scenario.records_per_person,
    lambda value: {"records_per_person": int(value)},
)
STRENGTH = Quantity(
    "strength",
    False,
    _strengths,
    lambda scenario: scenario.strength,
    lambda _, value: {"strength": value},
    _strength_scale,
)
ALPHA = _of(fields.ALPHA, lambda scenario: scenario.alpha, lambda value: {"alpha": value})

QUANTITIES = (MU, EPSILON, DELTA, ROWS, COLUMNS, RECORDS, RECORDS_PER_PERSON, STRENGTH, ALPHA)
