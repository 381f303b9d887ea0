"""The results of a finished study as columns, for further analysis in NumPy."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.study.errors import StudyError
from explorer.study.folder import open_for_reading


def columns(folder: str | Path) -> dict[str, NDArray[Any]]:
    """Return the parameters and results of every cell.

    Parameters
    ----------
    folder : str or Path
        Folder of the study, as ``gdp-explorer study run`` left it.

    Returns
    -------
    dict of str to ndarray of shape (cells,)
        The values of each axis and of each result, by name, in the grid's order, and the number of
        ``replicates``. Mechanisms are their keys, shapes of tables text, ``4 × 4``.

    Raises
    ------
    ParameterError
        If its study.toml declares no study.
    StudyError
        If the folder holds no study, a cell of the grid is missing, or pyarrow is.
    """
    store = open_for_reading(Path(folder))
    table = store.table()
    if table.num_rows < len(store.study):
        raise StudyError(
            f"{str(folder)!r} holds {table.num_rows} of {len(store.study)} cells; gdp-explorer study run"
            " computes the rest"
        )
    arrays = {name: _array(table.column(name).to_pylist()) for name in table.column_names}
    arrays["replicates"] = np.full(len(store.study), store.study.replicates)
    return arrays


def _array(values: list[Any]) -> NDArray[Any]:
    if isinstance(values[0], list):
        return np.array([" × ".join(map(str, value)) for value in values])
    return np.array(values)
