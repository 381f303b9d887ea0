"""Text: every sentence a user reads, in one language."""

from functools import cache

from explorer.locale.attacker import AttackerText
from explorer.locale.catalogue import catalogue_of
from explorer.locale.costs import CostText
from explorer.locale.help import HelpText
from explorer.locale.numbers import numbers_of
from explorer.locale.page import PageText
from explorer.locale.readouts import ReadoutText
from explorer.locale.refusals import RefusalText
from explorer.locale.table import TableText
from explorer.locale.tables import TypedTableText


class Text(
    AttackerText,
    CostText,
    TableText,
    ReadoutText,
    RefusalText,
    TypedTableText,
    PageText,
    HelpText,
):
    """All sentences of the page; each base holds those of one subject."""


@cache
def text_for(code: str) -> Text:
    """Return the sentences in a language.

    Parameters
    ----------
    code : str
        A code of `LANGUAGES`.

    Raises
    ------
    FileNotFoundError
        If the language has no catalogue.
    """
    return Text(catalogue_of(code), numbers_of(code))
