"""The report of a study: one HTML file with its declaration, figures and table."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape

from explorer.core.mechanisms import Mechanism
from explorer.panels import palette
from explorer.panels.figure import FONT
from explorer.study import figures
from explorer.study.axes import MECHANISM, PRIVACY, Value, mechanism_name, readable
from explorer.study.cells import Cell, Results
from explorer.study.identity import Identity
from explorer.study.spec import GridAxis, Study
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


def _declaration(study: Study, identity: Identity, finished: int) -> str:
    facts = [
        ("what is simulated", study.kind.title),
        ("simulated releases in each cell", f"{study.replicates}"),
        ("cells", f"{finished} finished of {len(study)}"),
        ("seed", f"{study.seed}"),
        ("computed with", ", ".join(f"{name} {number}" for name, number in identity.versions)),
    ]
    facts += [(along.axis.title, ", ".join(map(readable, along.values))) for along in study.grid]
    return _table(("", ""), facts)


def _figures(study: Study, results: Mapping[Cell, Results | None]) -> Iterator[str]:
    along = across(study)
    inside = {along.axis.name, MECHANISM.name}
    varying = [
        other for other in study.grid if len(other.values) > 1 and other.axis.name not in inside
    ]
    panels = list(itertools.product(*(other.values for other in varying)))
    mechanisms = [_mechanism(value) for value in study.along(MECHANISM.name).values]
    legend = "".join(
        f"<li>{figures.sample(m)} {escape(mechanism_name(m))}</li>" for m in mechanisms
    )
    yield f'<ul class="legend">{legend}</ul><p>Bands are ± {figures.WIDE} standard errors.</p>'
    if len(panels) > MOST_FIGURES:
        yield f"<p>The first {MOST_FIGURES} of {len(panels)} figures.</p>"
    x = figures.horizontal([_place(value) for value in along.values])
    first = next(study.cells())
    svgs = []
    for values in panels[:MOST_FIGURES]:
        named = [(other.axis.name, value) for other, value in zip(varying, values, strict=True)]
        lines = []
        for mechanism in mechanisms:
            cell = replace(first, **{**dict(named), MECHANISM.name: mechanism})
            points = [
                _point(study, place, results[replace(cell, **{along.axis.name: place})])
                for place in along.values
            ]
            lines.append(figures.Line(mechanism, points))
        title = ", ".join(f"{_symbol(name)} = {readable(value)}" for name, value in named)
        y = figures.vertical(lines, study.kind.span)
        svgs.append(figures.draw(title, lines, x, y, (along.axis.title, study.kind.title)))
    yield f'<div class="figures">{"".join(svgs)}</div>'


def _point(study: Study, place: Value, results: Results | None) -> figures.Point | None:
    if results is None:
        return None
    return _place(place), results[study.kind.value], results[study.kind.error]


def _mechanism(value: Value) -> type[Mechanism]:
    assert isinstance(value, type)  # noqa: S101 - as its axis reads it
    return value


def _place(value: Value) -> float:
    assert isinstance(value, (int, float))  # noqa: S101 - `across` chooses an axis of numbers
    return float(value)


def across(study: Study) -> GridAxis:
    """Return the axis that runs across a figure: of the numbers but μ, the one with most values.

    The last of several; μ if no other number has two values.
    """
    numbers = [
        along
        for along in study.grid
        if type(along.values[0]) in {int, float} and along.axis.name != PRIVACY.name
    ]
    longest = max(reversed(numbers), key=lambda along: len(along.values))
    return longest if len(longest.values) > 1 else study.along(PRIVACY.name)


def _results(study: Study, rows: Sequence[tuple[Cell, Results]]) -> Iterator[str]:
    kind = study.kind
    varying = [place for place, along in enumerate(study.grid) if len(along.values) > 1]
    others = [name for name in kind.results if name not in {kind.value, kind.error}]
    if len(rows) > MOST_ROWS:
        yield f"<p>The first {MOST_ROWS} of {len(rows)} cells; all are in the folder.</p>"
    titles = [kind.axes[place].title for place in varying]
    head = [*titles, f"{kind.title} ± standard error", *map(_spaced, others)]
    body = []
    for cell, results in rows[:MOST_ROWS]:
        values = cell.values
        value = measured(results[kind.value], results[kind.error])
        remaining = [f"{results[name]:.6g}" for name in others]
        body.append([*(readable(values[place]) for place in varying), value, *remaining])
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
