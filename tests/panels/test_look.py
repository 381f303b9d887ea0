"""How the lines of mechanisms look: told apart in both themes, and a default for a new mechanism."""

import itertools

import pytest

from explorer.core.mechanisms import MECHANISMS
from explorer.panels import palette
from explorer.panels.look import LOOKS, OTHER, look

KEYS = [one.key for one in MECHANISMS]


def test_every_mechanism_has_a_look_and_a_new_one_gets_the_default():
    assert list(LOOKS) == KEYS
    assert all(look(key) is not OTHER for key in KEYS)
    assert look("a-new-mechanism") is OTHER


def test_no_two_mechanisms_look_the_same():
    for one, other in itertools.combinations([*map(look, KEYS), OTHER], 2):
        assert (one.colour, one.dash) != (other.colour, other.dash)
        assert (one.colour_dark, one.dash) != (other.colour_dark, other.dash)


@pytest.mark.parametrize("style", [*LOOKS.values(), OTHER], ids=[*LOOKS, "other"])
def test_lines_stand_out_from_the_page(style):
    # WCAG 2.1, 1.4.11: graphics need 3 to 1.
    assert palette.contrast(style.colour, palette.LIGHT["paper"]) >= 3
    assert palette.contrast(style.colour_dark, palette.DARK["paper"]) >= 3
