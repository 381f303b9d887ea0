"""A language that is added by one file."""

import pseudo
import pytest

from explorer.locale import catalogue, numbers, text_for


@pytest.fixture
def pseudo_language(tmp_path, monkeypatch):
    """The code of a language that was added by one file."""
    pseudo.write(tmp_path)
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    caches = text_for, catalogue.catalogue_of, numbers.numbers_of
    for memoised in caches:
        memoised.cache_clear()
    yield pseudo.CODE
    for memoised in caches:
        memoised.cache_clear()
