"""The finished cells of a study: Parquet files, written as cells finish and read in the grid's order.

Each file holds some finished cells and the identity of their study. It is fsynced and atomically
renamed, so that a crash at any time leaves whole files only. Small files are merged now and then;
a crash in the middle of that leaves a cell in two files, with equal results.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.study.arithmetic import Arithmetic
from explorer.study.axes import plain
from explorer.study.cells import Cell, Results
from explorer.study.errors import StudyError
from explorer.study.files import reason, replacing, write_text
from explorer.study.identity import Identity
from explorer.study.spec import Study

MOST_SMALL_FILES = 256  # from so many on they are merged
METADATA = b"explorer.study"
IDENTITY = "identity.json"

UNREADABLE = (OSError, ValueError, TypeError, LookupError, NotImplementedError, OverflowError)
"""The bases of pyarrow's errors."""

Finished = dict[str, Results]


class Store:
    """The finished cells of a study in a folder; the functions of `folder` make one.

    Attributes
    ----------
    folder : Path
        Where they are.
    study : Study
        What they belong to.
    identity : Identity
        What every file must agree with.
    """

    def __init__(self, folder: Path, study: Study, identity: Identity) -> None:
        self.folder = folder
        self.study = study
        self.identity = identity

    def read(self) -> tuple[Finished, list[str]]:
        """Return the finished cells, and a sentence for each file that is left out.

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
                why = str(error).partition("\n")[0].rstrip(".")
                problems.append(f"{path.name} is left out: {why}")
                continue
            if any(finished.get(key, results) != results for key, results in rows.items()):
                problems.append(f"{path.name} is left out: it contradicts another file")
                continue
            finished.update(rows)
        return finished, problems

    def add(self, rows: Sequence[tuple[Cell, Results]]) -> None:
        """Write finished cells; when this returns they are on the disk.

        Raises
        ------
        StudyError
            If they cannot be written.
        """
        import pyarrow as pa  # noqa: PLC0415 - optional

        columns = {"cell": [cell.key for cell, _ in rows], **self._columns(rows)}
        try:
            self._write(pa.table(columns))
            small = [path for path in self._files() if path.name.startswith("part-")]
            if len(small) >= MOST_SMALL_FILES:
                self._merge(small)
        except OSError as error:
            raise StudyError(f"cannot write in {str(self.folder)!r}: {reason(error)}") from error

    def set_arithmetic(self, arithmetic: Arithmetic) -> None:
        """Record how the first results of the study round.

        Raises
        ------
        StudyError
            If it cannot be written.
        """
        self.identity = self.identity.with_arithmetic(arithmetic)
        write_text(self.folder / IDENTITY, self.identity.to_json(indent=2) + "\n")

    def table(self) -> Any:
        """Return the finished cells of the grid.

        Returns
        -------
        pyarrow.Table
            In the grid's order, a column for each axis and each result. Cells that are not
            finished are missing.
        """
        import pyarrow as pa  # noqa: PLC0415 - optional

        finished, _ = self.read()
        rows = [(cell, finished[cell.key]) for cell in self.study.cells() if cell.key in finished]
        return pa.table(self._columns(rows))

    def _columns(self, rows: Sequence[tuple[Cell, Results]]) -> dict[str, list[Any]]:
        """Return a column for each axis and each result."""
        values = [cell.values for cell, _ in rows]
        columns: dict[str, list[Any]] = {
            axis.name: [plain(row[place]) for row in values]
            for place, axis in enumerate(self.study.kind.axes)
        }
        for name in self.study.kind.results:
            columns[name] = [results[name] for _, results in rows]
        return columns

    def _files(self) -> list[Path]:
        try:
            paths = list(
                self.folder.iterdir()
            )  # `glob` takes an unreadable folder for an empty one
        except OSError as error:
            raise StudyError(f"cannot read {str(self.folder)!r}: {reason(error)}") from error
        return sorted(path for path in paths if path.suffix == ".parquet" and path.name[0] != ".")

    def _rows(self, path: Path) -> Finished:
        """Return what a file holds; raise OSError, ValueError or NotImplementedError if it is bad.

        The checksums of Parquet are those of the values. What is not covered, the names and types
        of the columns, is compared.
        """
        import pyarrow as pa  # noqa: PLC0415 - optional
        from pyarrow import parquet  # noqa: PLC0415 - optional

        table = parquet.read_table(path, page_checksum_verification=True, partitioning=None)
        text = (table.schema.metadata or {}).get(METADATA)
        self._check_own("" if text is None else text.decode())
        names = self.study.kind.results
        types = [pa.string(), *(pa.float64() for _ in names)]
        if (
            table.column_names not in (self._names(old=False), self._names(old=True))
            or [table.schema.field(name).type for name in ("cell", *names)] != types
        ):
            raise ValueError("its columns are not those of the study")
        columns = [table.column(name).to_pylist() for name in ("cell", *names)]
        return {
            key: dict(zip(names, values, strict=True))
            for key, *values in zip(*columns, strict=True)
        }

    def _check_own(self, text: str) -> None:
        """Raise ValueError if the identity that a file holds is not that of the study."""
        try:
            identity = Identity.from_json(text)
        except ValueError:
            raise ValueError("it is of another study") from None
        if identity != self.identity:
            same = replace(identity, probe=self.identity.probe) == self.identity
            raise ValueError("its processor rounds otherwise" if same else "it is of another study")

    def _names(self, *, old: bool) -> list[str]:
        """Return the names of a file's columns, now or before axes were added."""
        axes = (axis for axis in self.study.kind.axes if not (old and axis.implied is not None))
        return ["cell", *(axis.name for axis in axes), *self.study.kind.results]

    def _write(self, table: Any, name: str = "part") -> None:
        """Write a file, named by its first cell: the same cells again replace it."""
        from pyarrow import parquet  # noqa: PLC0415 - optional

        marked = table.replace_schema_metadata({METADATA: self.identity.to_json()})
        path = self.folder / f"{name}-{table.column('cell')[0].as_py()}.parquet"
        with replacing(path) as new:
            parquet.write_table(marked, new, write_page_checksum=True)

    def _merge(self, small: Iterable[Path]) -> None:
        import pyarrow as pa  # noqa: PLC0415 - optional
        from pyarrow import parquet  # noqa: PLC0415 - optional

        whole = []
        for path in small:
            with suppress(*UNREADABLE):  # `read` reports what is wrong with it
                self._rows(path)
                whole.append(path)
        tables = [parquet.read_table(path, partitioning=None) for path in whole]
        # An axis that a file does not have yet is null there: its cells have the implied value.
        merged = pa.concat_tables(tables, promote_options="default")
        present = set(merged.column_names)
        names = self._names(old=not present.issuperset(self._names(old=False)))
        self._write(merged.select(names), "merged")
        for path in whole:
            with suppress(PermissionError):  # in use, on Windows: its cells are in two files
                path.unlink()
