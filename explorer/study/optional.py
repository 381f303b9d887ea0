"""Optional packages, imported when they are needed."""

from importlib import import_module
from types import ModuleType

from explorer.study.errors import StudyError


def optional(module: str) -> ModuleType:
    """Return a module of the extra ``cluster``.

    Parameters
    ----------
    module : str
        Full name, for instance ``"pyarrow.parquet"``.

    Returns
    -------
    module
        The module.

    Raises
    ------
    StudyError
        If its package is not installed; the sentence says how to install it.
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ImportError as error:
        raise StudyError(
            f'studies need {package}, which is not installed; pip install "gdp-explorer[cluster]"'
        ) from error
