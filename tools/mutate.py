"""Run mutmut over explorer/core, with what it leaves out by itself.

    python tools/mutate.py run                                  # every mutant that has no result yet
    python tools/mutate.py run 'explorer.core.gdp.x_delta__*'   # these anew

mutmut skips every decorated function. Here a hundred of them hold mathematics, so properties and
cached functions are mutated beneath their decorators. What the unchanged code has left in a cache or
in a test module would hide a mutant, and which tests reach a function would be known of the first
only: each mutant starts without caches, and so does each test when mutmut looks what it reaches.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import libcst as cst
import pytest
from mutmut import __main__ as command
from mutmut.mutation import file_mutation
from mutmut.mutation.trampoline import get_mutant_under_test
from mutmut.runners.harness import PytestRunner

MUTATED_BENEATH = {"property", "cached_property", "lru_cache"}
COLLECTION_FAILED, KILLED = 2, 1

_skip = file_mutation.MutationVisitor._skip_node_and_children  # noqa: SLF001 - there is no hook
_arrange = file_mutation.function_trampoline_arrangement
_run_tests = PytestRunner.run_tests
_execute = PytestRunner.execute_pytest


def beneath(function: cst.FunctionDef) -> bool:
    """Whether a function has no decorators but those beneath which it can be mutated."""
    names = (part.decorator for part in function.decorators)
    names = (name.func if isinstance(name, cst.Call) else name for name in names)
    return all(isinstance(name, cst.Name) and name.value in MUTATED_BENEATH for name in names)


def skip(visitor: file_mutation.MutationVisitor, node: cst.CSTNode) -> bool:
    """Skip what mutmut skips, but not these functions."""
    if isinstance(node, cst.FunctionDef) and node.decorators and beneath(node):
        return False
    return _skip(visitor, node)


def arrange(
    function: cst.FunctionDef,
    mutants: Iterable[file_mutation.Mutation],
    class_name: str | None,
) -> tuple[Sequence[Any], Sequence[Any], Sequence[Any], Sequence[str]]:
    """Put the decorators on the function that chooses, not on the mutants it chooses from."""
    if not beneath(function):
        return _arrange(function, mutants, class_name)
    bare = function.with_changes(decorators=[])
    before, (chooses, *copies), after, names = _arrange(bare, mutants, class_name)
    chooses = chooses.with_changes(decorators=[*function.decorators, *chooses.decorators])
    return before, [chooses, *copies], after, names


def empty_caches() -> None:
    """Empty the caches of the functions of the core."""
    for name, module in list(sys.modules.items()):
        if name.startswith("explorer.core"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def uncache(value: object) -> None:
    """Delete what cached properties have left in an object, or in those that a test holds."""
    if isinstance(value, (list, tuple)):
        for part in value:
            uncache(part)
    elif isinstance(value, Mapping):
        uncache(list(value.values()))
    elif type(value).__module__.startswith("explorer.core"):
        kept = getattr(value, "__dict__", {})
        for name in list(kept):
            if isinstance(getattr(type(value), name, None), cached_property):
                del kept[name]
        uncache(kept)


class Afresh:
    """A plugin by which every test begins without caches."""

    @staticmethod
    def pytest_runtest_setup(item: pytest.Item) -> None:
        """Empty them."""
        empty_caches()
        uncache([vars(item.module), item.callspec.params if hasattr(item, "callspec") else ()])


def execute(runner: PytestRunner, params: list[str], **options: Any) -> int:
    """Run pytest; with that plugin where mutmut looks which functions a test reaches."""
    if get_mutant_under_test() == "stats":
        options["plugins"] = [*options.get("plugins", ()), Afresh()]
    return _execute(runner, params, **options)


def run_tests(runner: PytestRunner, *, mutant_name: str | None, tests: Iterable[str]) -> int:
    """Run the tests of a mutant, which is also killed if they cannot be collected."""
    empty_caches()
    for name, module in list(sys.modules.items()):
        if "/tests/" in (getattr(module, "__file__", None) or ""):
            del sys.modules[name]
    code = _run_tests(runner, mutant_name=mutant_name, tests=tests)
    return KILLED if code == COLLECTION_FAILED else code


def main() -> None:
    """Run mutmut with these changes."""
    file_mutation.MutationVisitor._skip_node_and_children = skip  # noqa: SLF001
    file_mutation.function_trampoline_arrangement = arrange
    PytestRunner.run_tests = run_tests
    PytestRunner.execute_pytest = execute
    command.cli()


if __name__ == "__main__":
    main()
