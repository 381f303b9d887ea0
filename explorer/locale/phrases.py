"""What every group of sentences needs: the catalogue and the numbers of a language."""

from gettext import NullTranslations

from explorer.locale.numbers import Numbers


class Phrases:
    """Sentences in one language.

    English is the source text and stands in the code, inside ``self._(…)`` or
    ``self.ngettext(…)``, from where ``make messages`` collects it for translators. Placeholders
    have names, so that a translation may put them in another order.

    Attributes
    ----------
    numbers : Numbers
        How the language writes numbers.
    """

    def __init__(self, catalogue: NullTranslations, numbers: Numbers) -> None:
        self._catalogue = catalogue
        self.numbers = numbers

    def _(self, message: str) -> str:
        return self._catalogue.gettext(message)

    def ngettext(self, one: str, many: str, count: float) -> str:
        """Return the form of a sentence for a count."""
        return self._catalogue.ngettext(one, many, round(count))

    def records(self, n: float) -> str:
        """Return a number of records."""
        text = self.ngettext("{n} record", "{n} records", n)
        return text.format(n=self.numbers.whole(n))
