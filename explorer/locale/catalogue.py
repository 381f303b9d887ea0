"""Message catalogues: one PO file a language, in `catalogues/<code>.po`.

English is the source text and needs none. A catalogue is read with Babel when a page first shows
its language, and memoised.
"""

import io
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

FOLDER = Path(__file__).parent / "catalogues"


@cache
def catalogue_of(code: str) -> NullTranslations:
    """Return the catalogue of a language; that of English returns every message unchanged.

    Raises
    ------
    FileNotFoundError
        If the language has no catalogue.
    """
    return NullTranslations() if code == "en" else read_catalogue(FOLDER / f"{code}.po")


def read_catalogue(path: Path) -> GNUTranslations:
    """Return the catalogue of a PO file."""
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - English does not need it
    from babel.messages.pofile import read_po  # noqa: PLC0415

    compiled = io.BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file))
    compiled.seek(0)
    return GNUTranslations(compiled)
