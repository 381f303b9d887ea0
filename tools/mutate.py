"""Run mutmut over explorer/core, with what it leaves out by itself.

    python tools/mutate.py run                                  # every mutant that has no result yet
    python tools/mutate.py run 'explorer.core.gdp.x_delta__*'   # these anew

mutmut skips every decorated function. Here a hundred of them hold mathematics, so properties and
cached functions are mutated beneath their decorators. What a test of the unchanged code has left
in a cache or in a test module would hide a mutant; each mutant therefore starts without it.
"""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import libcst as cst
from mutmut import __main__ as command
from mutmut.mutation import file_mutation
from mutmut.runners.harness import PytestRunner

MUTATED_BENEATH = {"property", "cached_property", "lru_cache"}
COLLECTION_FAILED, KILLED = 2, 1

_skip = file_mutation.MutationVisitor._skip_node_and_children  # noqa: SLF001 - there is no hook
_arrange = file_mutation.function_trampoline_arrangement
_run_tests = PytestRunner.run_tests


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


def forget() -> None:
    """Empty the caches of the core and drop the test modules, whose values keep results."""
    for name, module in list(sys.modules.items()):
        if name.startswith("explorer.core"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
        elif "/tests/" in (getattr(module, "__file__", None) or ""):
            del sys.modules[name]


def run_tests(runner: PytestRunner, *, mutant_name: str | None, tests: Iterable[str]) -> int:
    """Run the tests of a mutant, which is also killed if they cannot be collected."""
    forget()
    code = _run_tests(runner, mutant_name=mutant_name, tests=tests)
    return KILLED if code == COLLECTION_FAILED else code


def main() -> None:
    """Run mutmut with these changes."""
    file_mutation.MutationVisitor._skip_node_and_children = skip  # noqa: SLF001
    file_mutation.function_trampoline_arrangement = arrange
    PytestRunner.run_tests = run_tests
    command.cli()


if __name__ == "__main__":
    main()
