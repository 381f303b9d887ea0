"""The explanations of surviving mutants: entries of modules and functions that exist."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
REASONS = tomllib.loads((ROOT / "docs" / "mutants.toml").read_text(encoding="utf-8"))
MODULES = sorted(REASONS.keys() - {"everywhere"})


@pytest.mark.parametrize("module", MODULES)
def test_every_explained_change_names_a_function_of_its_module(module):
    path = ROOT / "explorer" / "core" / f"{module.replace('.', '/')}.py"
    functions = set(re.findall(r"def (\w+)\(", path.read_text(encoding="utf-8")))
    for entry in REASONS[module]:
        assert entry["why"].endswith(".")
        named = {change.partition(": ")[0].rpartition(".")[2] for change in entry["changes"]}
        assert named <= functions
