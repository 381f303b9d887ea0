"""Report the results of the mutation run of `make mutants`.

    python tools/mutants.py          # compare survivors with docs/mutants.toml, write docs/mutants.md
    python tools/mutants.py --left   # list the survivors that nothing explains, write nothing

Ends with 1 if a survivor has no explanation; explanations without a survivor are listed only. `mutants/` is where
`tools/mutate.py` leaves its results; run both in the root of the project.
"""

import datetime as dt
import importlib.metadata
import itertools
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.stats import status_by_exit_code

ROOT = Path("explorer/core")
RESULTS = Path("mutants")
EXPLAINED = Path("docs/mutants.toml")
REPORT = Path("docs/mutants.md")
EVERYWHERE = "everywhere"
TOKENS = re.compile(r"\w+|\W")
KILLED = {"killed", "caught by type check"}
COLUMNS = ("mutants", "killed", "timeout", "survived", "no tests", "not run")
HEAD = """# Mutants of explorer/core

A mutant is the program with one small mistake: a plus for a minus, a < for a ≤, a missing argument.
`make mutants` makes every mutant that mutmut knows, runs the tests of `tests/core` that reach the changed function,
and writes this page with `tools/mutants.py`.
A mutant is killed if a test fails, or if the tests take more than six times their usual time (timeout).
Survivors are explained below, from `docs/mutants.toml`; the command fails if one has no explanation.

Made by mutmut {version} on {date}.
mutmut does not change docstrings, annotations, the text within f-strings, or module-level constants and fields.
Properties and cached functions are mutated (`tools/mutate.py`).
Hypothesis generates the same examples for every mutant.
"Not run" counts mutants that this run did not reach, or tried on only a part of their tests.{absent}

"""


@dataclass
class Module:
    """Results of one module: how each mutant ended, and the changes that survived."""

    name: str
    ends: Counter[str] = field(default_factory=Counter)
    survivors: list[str] = field(default_factory=list)

    @property
    def row(self) -> list[int]:
        """Numbers in the order of `COLUMNS`."""
        ends = self.ends
        killed = sum(ends[end] for end in KILLED)
        known = {*KILLED, "timeout", "survived", "no tests"}
        rest = sum(number for end, number in ends.items() if end not in known)
        return [ends.total(), killed, ends["timeout"], ends["survived"], ends["no tests"], rest]


def common(one: list[str], other: list[str]) -> int:
    """Return the number of entries that two lists begin with together."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other)))  # noqa: B905


def change(mutant: str, path: Path) -> str:
    """Return ``function: line`` of a mutant, where the line holds ``{old → new}``."""
    lines = get_diff_for_mutant(mutant, path=path).splitlines()[3:]
    old, new = (
        TOKENS.findall(" ".join(line[1:].strip() for line in lines if line.startswith(sign)))
        for sign in "-+"
    )
    same = common(old, new)
    rest = common(old[same:][::-1], new[same:][::-1])
    before, after = "".join(old[:same]), "".join(old[len(old) - rest :])
    removed, put = ("".join(part[same : len(part) - rest]) for part in (old, new))
    function = re.sub(r"^x_?|__mutmut_\d+$", "", mutant.rpartition(".")[2]).strip("ǁ")
    return f"{function.replace('ǁ', '.')}: {before}{{{removed} → {put}}}{after}"


def name(path: Path) -> str:
    """Return the name of a module below `ROOT`."""
    return str(path.relative_to(ROOT).with_suffix("")).replace("/", ".")


def read(path: Path) -> Module:
    """Read the results of one module."""
    module = Module(name(path))
    results = Path(f"{RESULTS / path}.meta")
    if not results.exists():
        return module
    for mutant, code in json.loads(results.read_text(encoding="utf-8"))["exit_code_by_key"].items():
        end = status_by_exit_code[code]
        module.ends[end] += 1
        if end in {"survived", "no tests"}:
            module.survivors.append(change(mutant, path))
    return module


@dataclass
class Explanations:
    """What `docs/mutants.toml` says: rows of module, part of a change, reason."""

    rows: list[tuple[str, str, str]]
    used: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def load(cls) -> "Explanations":
        """Read the file."""
        reasons = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
        return cls(
            [
                (module, part, entry["why"])
                for module, entries in reasons.items()
                for entry in entries
                for part in entry["changes"]
            ]
        )

    def why(self, module: str, changed: str) -> str | None:
        """Return the reason why a change is not noticed, if there is one."""
        function, _, line = changed.partition(": ")
        for place, part, reason in self.rows:
            at, _, piece = part.partition(": ") if place != EVERYWHERE else (function, "", part)
            if place in {module, EVERYWHERE} and at == function and piece in line:
                self.used.add((place, part))
                return reason
        return None

    def unused(self, modules: Iterable[Module]) -> list[tuple[str, str]]:
        """Explanations of changes that did not survive, in modules that were run to the end."""
        complete = {module.name for module in modules if not module.row[-1]}
        return [row[:2] for row in self.rows if row[0] in complete and row[:2] not in self.used]


def absent() -> list[str]:
    """Name the modules of which there are no results at all; a package if it has none."""
    paths = (path for path in sorted(ROOT.rglob("*.py")) if path.stem != "__init__")
    left_out = [path for path in paths if not Path(f"{RESULTS / path}.meta").exists()]
    some = {path for path in left_out if any((RESULTS / path.parent).glob("*.meta"))}
    return sorted({name(path if path in some else path.parent) for path in left_out})


def table(modules: list[Module]) -> Iterator[str]:
    """Lines of the table of numbers."""
    yield "| module | " + " | ".join(COLUMNS) + " |"
    yield "|---" * (len(COLUMNS) + 1) + "|"
    total = [sum(column) for column in zip(*(module.row for module in modules), strict=True)]
    for name, row in [*((f"`{module.name}`", module.row) for module in modules), ("all", total)]:
        yield f"| {name} | " + " | ".join(map(str, row)) + " |"


def survivors(module: Module, explanations: Explanations) -> Iterator[str]:
    """Lines of the survivors of one module, those of one reason together."""
    together: dict[str, Counter[str]] = {}
    for changed in module.survivors:
        why = explanations.why(module.name, changed) or "NOT EXPLAINED"
        together.setdefault(why, Counter())[changed] += 1
    for why, changes in together.items():
        yield f"- {why}"
        for changed, number in sorted(changes.items()):
            times = f" ({number} times)" if number > 1 else ""
            yield f"  - ``{changed}``{times}"


def main() -> int:
    """Compare, report, and say what is left."""
    modules = [module for path in sorted(ROOT.rglob("*.py")) if (module := read(path)).ends]
    explanations = Explanations.load()
    left_out = ", ".join(f"`{module}`" for module in absent())
    head = HEAD.format(
        absent=f" Not part of the run yet:\n{left_out}." if left_out else "",
        version=importlib.metadata.version("mutmut"),
        date=dt.datetime.now(tz=dt.UTC).date(),
    )
    lines = [*table(modules), "", "## Survivors", ""]
    for module in modules:
        if module.survivors:
            lines += [f"### {module.name}", "", *survivors(module, explanations), ""]
    left = [
        f"{module.name} | {changed}"
        for module in modules
        for changed in dict.fromkeys(module.survivors)
        if explanations.why(module.name, changed) is None
    ]
    unused = [f"{name} | {changed}" for name, changed in explanations.unused(modules)]
    if "--left" not in sys.argv:
        REPORT.write_text(head + "\n".join(lines), encoding="utf-8")
    sys.stdout.write("".join(f"not explained: {line}\n" for line in left))
    sys.stdout.write("".join(f"explained, but killed: {line}\n" for line in unused))
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
