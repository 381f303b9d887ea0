"""Results that a notebook shows as small tables."""

import html
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MOST_ROWS: Final = 14

Array = NDArray[np.float64]


def head(text: str) -> dict[str, str]:
    """Return the metadata of a field that is shown under this head."""
    return {"head": text}


class Shown:
    """A result that a notebook shows as a table.

    Fields with a `head` are its columns; those that are single numbers stand above it.
    """

    def columns(self) -> dict[str, list[str]]:
        """Return the cells of each column as text, by head."""
        return {name: _cells(value) for name, value in self._headed() if np.ndim(value) == 1}

    def notes(self) -> list[str]:
        """Return the single numbers as ``head = value``."""
        return [f"{name} = {_text(value)}" for name, value in self._headed() if np.ndim(value) == 0]

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

    def _headed(self) -> Iterable[tuple[str, Any]]:
        for field in fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            if "head" in field.metadata:
                yield field.metadata["head"], getattr(self, field.name)

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
