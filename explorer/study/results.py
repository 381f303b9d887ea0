"""The results of a finished study as columns, for whoever looks at them further."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.study.error import StudyError
from explorer.study.folder import look


def columns(folder: str | Path) -> dict[str, NDArray[Any]]:
    """Return what a study found, cell by cell.

    Parameters
    ----------
    folder : str or Path
        Folder of the study, as ``gdp-explorer study run`` left it.

    Returns
    -------
    dict of str to ndarray of shape (cells,)
        The values of each axis and of each result, by name, in the grid's order, and the number of
        ``replicates``. Shapes of tables are text, ``4 × 4``.

    Raises
    ------
    ParameterError
        If its study.toml declares no study.
    StudyError
        If the folder holds no study, a cell of the grid is missing, or pyarrow is.
    """
    store = look(Path(folder))
    table = store.table()
    if table.num_rows < len(store.study):
        raise StudyError(
            f"{str(folder)!r} holds {table.num_rows} of {len(store.study)} cells; gdp-explorer study run"
            " computes the rest"
        )
    found = {name: _array(table.column(name).to_pylist()) for name in table.column_names}
    found["replicates"] = np.full(len(store.study), store.study.replicates)
    return found


def _array(values: list[Any]) -> NDArray[Any]:
    if isinstance(values[0], list):
        return np.array([" × ".join(map(str, value)) for value in values])
    return np.array(values)
