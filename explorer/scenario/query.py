"""Scenarios as query strings: parameters only, never counts or labels."""

from dataclasses import replace
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from explorer.core.parameter import ParameterError
from explorer.scenario import fields
from explorer.scenario.errors import (
    RepeatedPartError,
    TooManyPartsError,
    TypedTableInLinkError,
    UnknownPartError,
)
from explorer.scenario.fields import TYPED
from explorer.scenario.scenario import FIELDS, Scenario

MOST_PARTS = 100
LONGEST_PART = 40  # characters of a refused part that are shown
FIELDS_BY_NAME = {field.name: field for field in FIELDS}

OLD_PARTS = {"drawn": fields.SAMPLED.name, "draw": fields.SEED.name}
"""Names that links held before; they are still read."""

TRACKING_PARTS = frozenset({"fbclid", "gclid", "msclkid", "mc_cid", "mc_eid", "igshid", "si"})
TRACKING_PREFIXES = ("utm_", "mtm_", "pk_", "hsa_", "_hs")
"""Parts that mail programs, chat programs and learning platforms add; they are left out silently."""

SECRET_OF_TYPED = frozenset({fields.RECORDS.name, fields.STRENGTH.name})
"""Fields that follow from the counts of a typed table, so that a link leaves them out."""

YIELDING: dict[str, tuple[str, ...]] = {
    "rows": ("rows", "columns", "pattern"),
    "columns": ("columns", "rows", "pattern"),
    "strength": ("strength", "pattern", "rows", "columns"),
    "pattern": ("pattern",),
    "cost_average": ("cost_average", "n"),
    "test": ("test", "rows", "columns"),
    "view": ("view", "n", "rows", "columns"),
}
"""Which part of a link gives way when a field is refused: the first that the link has."""


class Reading(NamedTuple):
    """What a link says.

    Attributes
    ----------
    scenario : Scenario
        Always valid: what is unknown or refused falls back to the default.
    problems : tuple of ParameterError
        One for each part that was not used.
    """

    scenario: Scenario
    problems: tuple[ParameterError, ...]


def to_query(scenario: Scenario) -> str:
    """Return a scenario as a query string.

    Of a typed table not even the total and the strength, which follow from its counts.
    """
    left_out = SECRET_OF_TYPED if scenario.pattern == TYPED else frozenset[str]()
    return urlencode(
        {
            field.name: field.to_text(getattr(scenario, field.name))
            for field in FIELDS
            if field.name not in left_out
        }
    )


def from_query(query: str) -> Reading:
    """Read a query string.

    Parameters
    ----------
    query : str
        With or without the leading question mark; ``&amp;`` stands for ``&``.
    """
    problems: list[ParameterError] = []
    text = query.replace("&amp;", "&").removeprefix("?")
    try:
        parts = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_PARTS)
    except ValueError:
        return Reading(Scenario(), (TooManyPartsError(),))
    values: dict[str, object] = {}
    seen: set[str] = set()
    for part, value in parts:
        name = OLD_PARTS.get(part, part)
        field = FIELDS_BY_NAME.get(name)
        if field is None:
            if not _is_tracking(name):
                problems.append(UnknownPartError(part[:LONGEST_PART], value[:LONGEST_PART]))
        elif name in seen:
            values.pop(name, None)
            problems.append(RepeatedPartError(name, value[:LONGEST_PART]))
        else:
            seen.add(name)
            try:
                values[name] = field.from_text(value)
            except ParameterError as error:
                problems.append(error)
    if values.get("pattern") == TYPED:
        del values["pattern"]
        problems.append(TypedTableInLinkError(TYPED))
    return Reading(_settle(values, problems), tuple(problems))


def _is_tracking(name: str) -> bool:
    return name in TRACKING_PARTS or name.startswith(TRACKING_PREFIXES)


def _settle(values: dict[str, object], problems: list[ParameterError]) -> Scenario:
    """Use as many of the values as go together; `YIELDING` says which give way."""
    while True:
        try:
            return replace(Scenario(), **values)  # type: ignore[arg-type]  # the scenario checks them
        except ParameterError as error:
            problems.append(error)
            candidates = (name for name in YIELDING[error.name] if name in values)
            gives_way = next(candidates, None)
            if gives_way is None:  # the defaults go together, so some value is to blame
                values.clear()
            else:
                del values[gives_way]
