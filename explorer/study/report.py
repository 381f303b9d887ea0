"""The report of a study: one HTML file with its declaration, figures and table."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from explorer.panels import palette
from explorer.panels.figure import FONT
from explorer.study import axes, figures
from explorer.study.axes import Value, mechanism_class, shown
from explorer.study.cells import Cell, Results
from explorer.study.spec import Study
from explorer.study.store import Store

MOST_FIGURES = 60
MOST_ROWS = 5000
STYLE = """
body{margin:2rem auto;max-width:80rem;padding:0 1rem;font:15px/1.5 FONT;background:var(--paper);color:var(--ink)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
.scroll{overflow-x:auto}.figures,.legend{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;padding:0;list-style:none}
svg{max-width:100%;height:auto}svg text{font:12px FONT;fill:var(--mute)}svg .title{fill:var(--ink);font-weight:600}
.grid{stroke:var(--grid);fill:none}.band{opacity:.22}.note{border-left:4px solid var(--accent);padding-left:.8rem}
"""


def page(store: Store) -> str:
    """Return the report.

    Parameters
    ----------
    store : Store
        The study's folder, finished or not.

    Returns
    -------
    str
        An HTML page that needs nothing else, in the reader's light or dark theme.

    Raises
    ------
    StudyError
        If pyarrow is missing.
    """
    study = store.study
    finished, problems = store.read()
    rows = [(cell, finished.get(cell.key)) for cell in study.cells()]
    missing = sum(results is None for _, results in rows)
    notes = list(problems)
    if missing:
        notes.append(
            f"{missing} of {len(rows)} cells are missing: the study is not finished. The command"
            " that started it goes on from here"
        )
    body = [
        f"<h1>{escape(study.name)}</h1>",
        *(f'<p class="note">{escape(note)}.</p>' for note in notes),
        _declaration(study, store.identity, len(rows) - missing),
        "<h2>Figures</h2>",
        *_figures(study, dict(rows)),
        "<h2>Results</h2>",
        *_results(study, [(cell, results) for cell, results in rows if results is not None]),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(study.name)}</title><style>{_style()}</style></head>\n<body>"
        + "\n".join(body)
        + "</body></html>\n"
    )


def _style() -> str:
    themes = palette.palettes()
    light, dark = ("".join(f"--{k}:{v};" for k, v in themes[t].items()) for t in ("light", "dark"))
    switch = f"@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return f":root{{color-scheme:light dark;{light}}}{switch}{STYLE.replace('FONT', FONT)}"


def _declaration(study: Study, identity: Mapping[str, Any], finished: int) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in identity["versions"].items())
    facts = [
        ("what is simulated", study.kind.words),
        ("draws in each cell", f"{study.replicates}"),
        ("cells", f"{finished} finished of {len(study)}"),
        ("seed", f"{study.seed}"),
        ("computed with", versions),
    ]
    words = {axis.name: axis.words for axis in study.kind.axes}
    facts += [(words[name], ", ".join(map(shown, values))) for name, values in study.grid]
    return _table(("", ""), facts)


def _figures(study: Study, results: Mapping[Cell, Results | None]) -> Iterable[str]:
    grid = dict(study.grid)
    along = _along(grid)
    varying = [n for n, v in grid.items() if len(v) > 1 and n not in {along, "mechanism"}]
    words = {axis.name: axis.words for axis in study.kind.axes}
    by_place = {cell.parameters: found for cell, found in results.items()}
    panels = list(itertools.product(*(grid[name] for name in varying)))
    kinds = [mechanism_class(str(name)) for name in grid["mechanism"]]
    legend = "".join(
        f"<li>{figures.sample(kind)} {escape(axes.mechanism_name(kind.key))}</li>" for kind in kinds
    )
    yield f'<ul class="legend">{legend}</ul><p>Bands are ± {figures.WIDE} standard errors.</p>'
    if len(panels) > MOST_FIGURES:
        yield f"<p>The first {MOST_FIGURES} of {len(panels)} figures.</p>"
    x = figures.horizontal([float(place) for place in grid[along]])  # type: ignore[arg-type]
    drawn = []
    for values in panels[:MOST_FIGURES]:
        chosen = dict(zip(varying, values, strict=True))
        lines = []
        for kind in kinds:
            fixed = {**{n: v[0] for n, v in grid.items()}, **chosen, "mechanism": kind.__name__}
            places = [tuple({**fixed, along: place}.items()) for place in grid[along]]
            lines.append(figures.Line(kind, [_point(study, along, by_place, at) for at in places]))
        title = ", ".join(f"{_symbol(name)} = {shown(value)}" for name, value in chosen.items())
        y = figures.vertical(lines, study.kind.span)
        drawn.append(figures.draw(title, lines, x, y, (words[along], study.kind.words)))
    yield f'<div class="figures">{"".join(drawn)}</div>'


def _point(
    study: Study,
    along: str,
    results: Mapping[tuple[tuple[str, Value], ...], Results | None],
    place: tuple[tuple[str, Value], ...],
) -> figures.Point | None:
    found = results[place]
    if found is None:
        return None
    at: Any = dict(place)[along]
    return float(at), found[study.kind.value], found[study.kind.error]


def _along(grid: Mapping[str, Sequence[Value]]) -> str:
    """Return the axis that runs across a figure: of the numbers but μ, the one with most values."""
    numbers = [n for n, v in grid.items() if type(v[0]) in {int, float} and n != "mu"]
    longest = max(reversed(numbers), key=lambda name: len(grid[name]))
    return longest if len(grid[longest]) > 1 else "mu"


def _results(study: Study, rows: Sequence[tuple[Cell, Results]]) -> Iterable[str]:
    kind = study.kind
    varying = [name for name, values in study.grid if len(values) > 1]
    words = {axis.name: axis.words for axis in kind.axes}
    others = [name for name in kind.results if name not in {kind.value, kind.error}]
    if len(rows) > MOST_ROWS:
        yield f"<p>The first {MOST_ROWS} of {len(rows)} cells; all are in the folder.</p>"
    head = [*(words[n] for n in varying), f"{kind.words} ± standard error", *map(_spaced, others)]
    body = []
    for cell, found in rows[:MOST_ROWS]:
        parameters = dict(cell.parameters)
        value = measured(found[kind.value], found[kind.error])
        rest = [f"{found[name]:.6g}" for name in others]
        body.append([*(shown(parameters[n]) for n in varying), value, *rest])
    yield _table(head, body)


def measured(value: float, error: float) -> str:
    """Return a value and its standard error to two digits of the error: ``612.3 ± 3.6``."""
    if not error > 0:
        return f"{value:.6g} ± {error:g}"
    digits = max(0, 1 - math.floor(math.log10(error)))
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    top = f"<thead><tr>{heads}</tr></thead>" if any(head) else ""
    return f'<div class="scroll"><table>{top}<tbody>{body}</tbody></table></div>'


def _symbol(name: str) -> str:
    return "μ" if name == "mu" else _spaced(name)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
