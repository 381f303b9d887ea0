"""Lines with error bands as SVG, in the colours and dashes of the panels.

Colours are CSS variables named as in `explorer.panels.palette`, whose values the page's theme sets.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from explorer.core.mechanisms import Mechanism
from explorer.locale.numbers import ENGLISH
from explorer.panels.look import DASHES, look
from explorer.study.axes import mechanism_name

WIDTH, HEIGHT = 380, 280
LEFT, RIGHT, TOP, BOTTOM = 62, 12, 30, 46
WIDE = 1.96  # standard errors on each side: 95%
DECADE = 20  # ratio of the ends from which an axis is logarithmic

Point = tuple[float, float, float]  # place, value, standard error


@dataclass(frozen=True)
class Line:
    """One mechanism's results along the axis; None where a cell is not finished."""

    mechanism: type[Mechanism]
    points: Sequence[Point | None]


class Axis:
    """Where values lie on an axis, and its ticks.

    Parameters
    ----------
    low, high : float
        Ends of the axis in the values' unit.
    logarithmic : bool
        Whether decades are equally long.
    begin, end : float
        Where the ends lie in the drawing.
    """

    def __init__(
        self, low: float, high: float, logarithmic: bool, begin: float, end: float
    ) -> None:
        if low == high:  # one value stands in the middle
            low, high = (low / 2, high * 2) if logarithmic else (low - 0.5, high + 0.5)
        self.low, self.high, self.logarithmic = low, high, logarithmic
        self._begin, self._end = begin, end

    def at(self, value: float) -> float:
        """Return the place of a value, which is moved to the nearer end if it lies outside."""
        inside = min(max(value, self.low), self.high)
        if self.logarithmic:
            share = math.log(inside / self.low) / math.log(self.high / self.low)
        else:
            share = (inside - self.low) / (self.high - self.low)
        return self._begin + share * (self._end - self._begin)

    def ticks(self) -> list[float]:
        """Return two to seven round values."""
        return _decades(self.low, self.high) if self.logarithmic else _steps(self.low, self.high)


def _decades(low: float, high: float) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    every = max(1, math.ceil((last - first) / 6))
    for marks in ((1,), (1, 3), (1, 2, 5)):
        exponents = range(first, last + 1, every)
        ticks = [m * 10.0**e for e in exponents for m in marks]
        ticks = [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]
        if len(ticks) >= 3:
            return ticks
    return _steps(low, high)


def _steps(low: float, high: float) -> list[float]:
    unit = 10.0 ** math.floor(math.log10((high - low) / 3))
    step = unit * next(m for m in (1, 2, 2.5, 5, 10) if (high - low) / (m * unit) <= 5)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def horizontal(values: Sequence[float]) -> Axis:
    """Return the axis of a parameter with these values; decades if they span them."""
    low, high = min(values), max(values)
    wide = low > 0 and high / low >= DECADE
    return Axis(low, high, wide, LEFT + 8, WIDTH - RIGHT - 8)


def vertical(lines: Sequence[Line], span: tuple[float, float] | None) -> Axis:
    """Return the axis of the results: `span`, or decades that hold every band."""
    begin, end = HEIGHT - BOTTOM, TOP
    if span is not None:
        return Axis(*span, logarithmic=False, begin=begin, end=end)
    points = [point for line in lines for point in line.points if point is not None]
    low = min((y - WIDE * error if y > WIDE * error else y for _, y, error in points), default=1.0)
    high = max((y + WIDE * error for _, y, error in points), default=10.0)
    if low <= 0:  # no decades without positive values
        return Axis(low, max(high, low + 1), logarithmic=False, begin=begin, end=end)
    return Axis(low / 1.1, high * 1.1, logarithmic=True, begin=begin, end=end)


def draw(title: str, lines: Sequence[Line], x: Axis, y: Axis, titles: tuple[str, str]) -> str:
    """Return a figure.

    Parameters
    ----------
    title : str
        What distinguishes it from its neighbours; "" if it has none.
    lines : sequence of Line
        Drawn in this order.
    x, y : Axis
        The axes.
    titles : tuple of str
        Their titles.

    Returns
    -------
    str
        An ``svg`` element for use in HTML.
    """
    name = f"{titles[1]} against {titles[0]}" + (f" at {title}" if title else "")
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" aria-label="{escape(name)}">',
        f'<text x="{LEFT}" y="18" class="title">{escape(title)}</text>',
        *_frame(x, y, titles),
        *(_band(line, x, y) for line in lines),
        *(_line(line, x, y) for line in lines),
        "</svg>",
    ]
    return "".join(parts)


def sample(mechanism: type[Mechanism]) -> str:
    """Return a short piece of a mechanism's line, for a legend."""
    stroke = f'<path d="M1 6H35" {_stroke(mechanism)}/>'
    return f'<svg viewBox="0 0 36 12" width="36" height="12" aria-hidden="true">{stroke}</svg>'


def _frame(x: Axis, y: Axis, titles: tuple[str, str]) -> Iterator[str]:
    floor, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for value in x.ticks():
        at = f"{x.at(value):.1f}"
        yield f'<path class="grid" d="M{at} {TOP}V{floor}"/>'
        yield f'<text x="{at}" y="{floor + 16}" text-anchor="middle">{ENGLISH.tick(value)}</text>'
    for value in y.ticks():
        at = f"{y.at(value):.1f}"
        yield f'<path class="grid" d="M{LEFT} {at}H{right}"/>'
        yield f'<text x="{LEFT - 6}" y="{at}" dy="4" text-anchor="end">{ENGLISH.tick(value)}</text>'
    across, down = [
        title + (" (log scale)" if axis.logarithmic else "")
        for title, axis in zip(titles, (x, y), strict=True)
    ]
    middle = (LEFT + right) / 2, (TOP + floor) / 2
    yield f'<text x="{middle[0]}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>'
    yield f'<text transform="translate(14 {middle[1]}) rotate(-90)" text-anchor="middle">{escape(down)}</text>'


def _runs(line: Line) -> Iterator[list[Point]]:
    """Yield the pieces of a line between cells that are not finished."""
    run: list[Point] = []
    for point in (*line.points, None):
        if point is not None:
            run.append(point)
        elif run:
            yield run
            run = []


def _band(line: Line, x: Axis, y: Axis) -> str:
    outlines = []
    for run in _runs(line):
        above = [(x.at(at), y.at(value + WIDE * error)) for at, value, error in run]
        below = [(x.at(at), y.at(value - WIDE * error)) for at, value, error in run]
        if len(run) == 1:  # a band needs a width
            above = [(above[0][0] + shift, above[0][1]) for shift in (-3, 3)]
            below = [(below[0][0] + shift, below[0][1]) for shift in (-3, 3)]
        outlines.append(f"M{_path([*above, *reversed(below)])}Z")
    return f'<path class="band" fill="var(--{line.mechanism.key})" d="{"".join(outlines)}"/>'


def _line(line: Line, x: Axis, y: Axis) -> str:
    runs = [[(x.at(at), y.at(value)) for at, value, _ in run] for run in _runs(line)]
    path = "".join(f"M{_path(run)}" for run in runs)
    dots = "".join(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5"/>' for run in runs for a, b in run)
    name = line.mechanism.key
    return (
        f'<g fill="var(--{name})"><title>{escape(mechanism_name(line.mechanism))}</title>'
        f'<path d="{path}" {_stroke(line.mechanism)}/>{dots}</g>'
    )


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{a:.1f} {b:.1f}" for a, b in points)


def _stroke(mechanism: type[Mechanism]) -> str:
    style = look(mechanism.key)
    return (
        f'fill="none" stroke="var(--{mechanism.key})" stroke-width="{style.width}"'
        f' stroke-dasharray="{DASHES[style.dash]}"'
    )
