"""The README's example says what it prints."""

import re
from pathlib import Path

import numpy as np
import pytest

README = Path(__file__).parents[1] / "README.md"


def test_the_example_gives_the_numbers_beside_it():
    [block] = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    names, checked = {}, 0
    for line in block.splitlines():
        code, _, comment = line.partition("#")
        number = re.match(r"\s*(\d+[.]\d+)…", comment)
        if not number:
            exec(code, names)  # noqa: S102 - the README's own lines
            continue
        digits = len(number[1].partition(".")[2])
        value = float(np.asarray(eval(code, names)))  # noqa: S307 - the README's own lines
        assert value == pytest.approx(float(number[1]), rel=0, abs=10.0**-digits)
        checked += 1
    assert checked == 6


def test_every_file_it_names_is_there():
    text = README.read_text(encoding="utf-8")
    for name in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (README.parent / name).exists(), name
