"""Results that a notebook shows as small tables."""

import html
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

import numpy as np

from explorer.paper._mechanisms import Array, symbol

__all__ = ["Array", "Result", "heading"]

MOST_ROWS: Final = 14


def heading(text: str) -> dict[str, str]:
    """Return the metadata of a field that is shown under this heading.

    The heading of a field with values by mechanism contains ``{}`` for the mechanism's symbol.
    """
    return {"heading": text}


class Result:
    """A result that a notebook shows as a table.

    Fields with a `heading` are shown: arrays and tuples as columns, a mapping by mechanism as one
    column for each mechanism, single numbers as lines above the table.
    """

    def columns(self) -> dict[str, list[str]]:
        """Return the cells of each column as text, by heading."""
        return {name: _cells(value) for name, value in self._shown() if np.ndim(value) == 1}

    def notes(self) -> list[str]:
        """Return the single numbers as ``heading = value``."""
        return [f"{name} = {_text(value)}" for name, value in self._shown() if np.ndim(value) == 0]

    def __str__(self) -> str:
        """Return the table as lines of text."""
        widths = [max(map(len, [name, *cells])) for name, cells in self.columns().items()]
        lines = [list(self.columns()), *self._rows()]
        rows = [
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            for line in lines
            if line
        ]
        return "\n".join([*self.notes(), *rows])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the table as a notebook shows it."""
        heads = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in self.columns())
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._rows()
        )
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes())
        return f"{notes}<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"

    def _shown(self) -> Iterator[tuple[str, Any]]:
        for field in fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            if "heading" not in field.metadata:
                continue
            text, value = field.metadata["heading"], getattr(self, field.name)
            if isinstance(value, Mapping):
                yield from ((text.format(symbol(key)), column) for key, column in value.items())
            else:
                yield text, value

    def _rows(self) -> list[tuple[str, ...]]:
        return list(zip(*self.columns().values(), strict=True))


def _cells(values: Any) -> list[str]:
    cells = [_text(value) for value in values]
    if len(cells) <= MOST_ROWS:
        return cells
    return [*cells[: MOST_ROWS - 1], "…"]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return f"{value:d}"
    return f"{value:.6g}".replace("inf", "∞").replace("-", "−")
