"""A pseudo-language made from the message template: longer and accented, so that English stands out."""

import re
from pathlib import Path

from babel.messages.pofile import read_po, write_po

import explorer

TEMPLATE = Path(explorer.__file__).parent / "locale" / "catalogues" / "explorer.pot"
CODE = "eo"
"""A real code, so that the numbers are those of another language: a decimal comma."""

_KEPT = re.compile(r"(\{[^{}]*\}|<[^<>]*>|&\w+;)")
_ACCENTS = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "ÅƁÇĐÉƑĜĤÎĴĶĻṀŃÖƤɊŘŠŢÛṼŴẊÝŽåƀçđéƒĝĥîĵķļṁńöþɋřšţûṽŵẋýž",
)


def accented(message):
    """A message with other letters; placeholders, tags and entities stay."""
    parts = _KEPT.split(message)
    text = "".join(
        part if _KEPT.fullmatch(part) else part.translate(_ACCENTS).replace("é", "ééé")
        for part in parts
    )
    return text if "\t" in message else f"⟦{text}⟧"


def write(folder):
    """Write the catalogue of the pseudo-language; returns its file."""
    with TEMPLATE.open("rb") as file:
        catalogue = read_po(file, locale=CODE)
    for message in catalogue:
        if message.id:
            plural = isinstance(message.id, tuple)
            message.string = tuple(map(accented, message.id)) if plural else accented(message.id)
    path = folder / f"{CODE}.po"
    with path.open("wb") as file:
        write_po(file, catalogue)
    return path
