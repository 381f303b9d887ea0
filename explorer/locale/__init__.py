"""Every sentence a user reads. English is the source text; other languages have a catalogue each.

To add a language, put ``catalogues/<code>.po`` in place and add a line to `LANGUAGES`.
"""

from typing import NamedTuple

from explorer.locale.text import Text, text_for


class Language(NamedTuple):
    """A language that the page can show: its code and its own name."""

    code: str
    name: str


LANGUAGES: tuple[Language, ...] = (Language("en", "English"),)

__all__ = ["LANGUAGES", "Language", "Text", "text_for"]
