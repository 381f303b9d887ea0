"""The message template holds every message of the code, and a translator can work with each."""

import subprocess
import sys
import tomllib
from pathlib import Path
from string import Formatter

import pseudo
import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent

import explorer
from explorer.locale import catalogue, numbers, text_for

PACKAGE = Path(explorer.__file__).parent


def template():
    with pseudo.TEMPLATE.open("rb") as file:
        return [message for message in read_po(file) if message.id]


def forms(message_id):
    return message_id if isinstance(message_id, tuple) else (message_id,)


def fields(message):
    return {name for _, name, _, _ in Formatter().parse(message) if name is not None}


def test_the_template_holds_the_messages_of_the_code():
    # If this fails: make messages.
    settings = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    mappings = [(one["pattern"], one["method"]) for one in settings["tool"]["babel"]["mappings"]]
    code = {message for _, _, message, _, _ in extract_from_dir(PACKAGE, mappings)}
    assert {message.id for message in template()} == code


def test_every_placeholder_has_a_name_and_the_plural_has_the_same():
    for message in template():
        named = [fields(form) for form in forms(message.id)]
        assert all(name.isidentifier() for names in named for name in names), message.id
        assert named.count(named[0]) == len(named), message.id


def test_tags_are_closed_in_the_message_that_opens_them():
    for message in template():
        for form in forms(message.id):
            for tag in ("b", "i", "li", "p", "h2", "sub", "sup", "summary"):
                assert form.count(f"<{tag}>") == form.count(f"</{tag}>"), form


def test_a_language_is_one_file(pseudo_language):
    text = text_for(pseudo_language)
    assert text.accuse == "⟦åççûšééé →⟧"
    assert text.records(1) == "⟦1 řéééçöřđ⟧"
    assert text.records(2000) == f"⟦{format_decimal(2000, locale=pseudo.CODE)} řéééçöřđš⟧"
    assert text.numbers.short(1234.5, 5) == format_decimal(1234.5, locale=pseudo.CODE)
    assert text_for("en").accuse == "accuse →"


@pytest.mark.parametrize("code", ["de", "fr", "es", "tr", "pt", "ja", "ru"])
def test_numbers_are_those_of_the_language(code):
    written = numbers.numbers_of(code)
    assert written.whole(1234567) == format_decimal(1234567, locale=code)
    assert written.short(12345.5, 6) == format_decimal(12345.5, locale=code)
    percent = format_percent(0.125, locale=code, decimal_quantization=False)
    assert written.percent(0.125) == percent


def test_a_language_without_a_file_is_not_served():
    with pytest.raises(FileNotFoundError, match=r"xx\.po"):
        catalogue.catalogue_of("xx")


def test_english_loads_nothing_of_babel():
    program = "import sys; from explorer.locale import text_for; text_for('en'); print('babel' in sys.modules)"
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
