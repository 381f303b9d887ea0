"""The folder of a study: finished cells in Parquet, written as they come and read back in order.

Each file holds some finished cells and says which study it belongs to. It is written under another
name, brought to the disk and renamed, so that whatever is killed leaves whole files only. Small
files are merged now and then; a kill in the middle of that leaves a cell in two files, with equal
results.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from explorer.study.cells import Cell, Results
from explorer.study.error import StudyError, optional
from explorer.study.spec import Study

MANY = 256  # small files to be merged
METADATA = b"explorer.study"

UNREADABLE = (OSError, ValueError, NotImplementedError)  # pyarrow's errors are such

Finished = dict[str, Results]


class Store:
    """The finished cells of a study in a folder; `folder.begin` and `folder.look` make one.

    Attributes
    ----------
    folder : Path
        Where they are.
    study : Study
        What they belong to.
    identity : dict
        Kind, seed, replicates and versions: what every file must agree with.
    """

    def __init__(self, folder: Path, study: Study, identity: Mapping[str, Any]) -> None:
        self.folder = folder
        self.study = study
        self.identity = dict(identity)

    def read(self) -> tuple[Finished, list[str]]:
        """Return the finished cells, and what was found that cannot be trusted.

        Returns
        -------
        dict of str to dict
            Results by the key of the cell, those of other grids among them.
        list of str
            A sentence for each file that is cut short, damaged or of another study, and for
            each that contradicts another. What it holds is left out.
        """
        finished: Finished = {}
        problems = []
        for path in self._files():
            try:
                rows = self._rows(path)
            except FileNotFoundError:  # merged meanwhile by a run that goes on
                continue
            except UNREADABLE as error:
                reason = str(error).partition("\n")[0].rstrip(".")
                problems.append(f"{path.name} is left out: {reason}")
                continue
            if any(finished.get(key, results) != results for key, results in rows.items()):
                problems.append(f"{path.name} is left out: it contradicts another file")
                continue
            finished.update(rows)
        return finished, problems

    def add(self, rows: Sequence[tuple[Cell, Results]]) -> None:
        """Keep cells that are finished; when this returns they are on the disk.

        Raises
        ------
        StudyError
            If they cannot be written.
        """
        table = optional("pyarrow").table
        columns: dict[str, Any] = {"cell": [cell.key for cell, _ in rows]}
        for axis in self.study.kind.axes:
            values = [dict(cell.parameters)[axis.name] for cell, _ in rows]
            columns[axis.name] = [[*v] if isinstance(v, tuple) else v for v in values]
        for name in self.study.kind.results:
            columns[name] = [results[name] for _, results in rows]
        try:
            self._write(table(columns))
            small = [path for path in self._files() if path.name.startswith("part-")]
            if len(small) >= MANY:
                self._merge(small)
        except OSError as error:
            raise StudyError(f"cannot write in {str(self.folder)!r}: {error.strerror}") from error

    def table(self) -> Any:
        """Return the finished cells of the grid.

        Returns
        -------
        pyarrow.Table
            In the grid's order, a column for each axis and each result. Cells that are not
            finished are missing.
        """
        finished, _ = self.read()
        rows = [(cell, finished[cell.key]) for cell in self.study.cells() if cell.key in finished]
        columns: dict[str, Any] = {
            axis.name: [_plain(dict(cell.parameters)[axis.name]) for cell, _ in rows]
            for axis in self.study.kind.axes
        }
        for name in self.study.kind.results:
            columns[name] = [results[name] for _, results in rows]
        return optional("pyarrow").table(columns)

    def _files(self) -> list[Path]:
        return sorted(path for path in self.folder.glob("*.parquet") if path.name[0] != ".")

    def _rows(self, path: Path) -> Finished:
        """Return what a file holds; raise OSError, ValueError or NotImplementedError if it is bad.

        The checksums of Parquet are those of the values. What is not covered, the names and types
        of the columns, is compared.
        """
        arrow, parquet = optional("pyarrow"), optional("pyarrow.parquet")
        table = parquet.read_table(path, page_checksum_verification=True, partitioning=None)
        if json.loads((table.schema.metadata or {}).get(METADATA, b"null")) != self.identity:
            raise ValueError("it is of another study")
        names = self.study.kind.results
        expected = ["cell", *(axis.name for axis in self.study.kind.axes), *names]
        types = [arrow.string(), *(arrow.float64() for _ in names)]
        if (
            table.column_names != expected
            or [table.schema.field(name).type for name in ("cell", *names)] != types
        ):
            raise ValueError("its columns are not those of the study")
        columns = [table.column(name).to_pylist() for name in ("cell", *names)]
        return {
            key: dict(zip(names, values, strict=True))
            for key, *values in zip(*columns, strict=True)
        }

    def _write(self, table: Any, name: str = "part") -> None:
        """Write a file, named by its first cell: the same cells again replace it."""
        parquet = optional("pyarrow.parquet")
        marked = table.replace_schema_metadata({METADATA: json.dumps(self.identity)})
        path = self.folder / f"{name}-{table.column('cell')[0].as_py()}.parquet"
        with replacing(path) as new:
            parquet.write_table(marked, new, write_page_checksum=True)

    def _merge(self, small: Iterable[Path]) -> None:
        parquet = optional("pyarrow.parquet")
        whole = []
        for path in small:
            with suppress(*UNREADABLE):  # `read` tells what is wrong with it
                self._rows(path)
                whole.append(path)
        tables = [parquet.read_table(path, partitioning=None) for path in whole]
        self._write(optional("pyarrow").concat_tables(tables), "merged")
        for path in whole:
            path.unlink()


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a name to write to; then put the file in the place of `path`, on the disk."""
    new = path.with_name(f".{path.name}.new")
    yield new
    with new.open("rb+") as file:
        os.fsync(file.fileno())
    new.replace(path)
    with suppress(OSError):  # Windows has no folders to open
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _plain(value: Any) -> Any:
    return [*value] if isinstance(value, tuple) else value
