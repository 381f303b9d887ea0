"""Optional packages, imported where they are needed, because a page must open without them."""

from importlib import import_module

from explorer.study.errors import StudyError


def require(module: str) -> None:
    """Import a module of the extra ``cluster``, so that an import statement cannot fail after it.

    Parameters
    ----------
    module : str
        Full name, for instance ``"pyarrow.parquet"``.

    Raises
    ------
    StudyError
        If its package is not installed; the sentence says how to install it.
    """
    package = module.partition(".")[0]
    try:
        import_module(module)
    except ImportError as error:
        raise StudyError(
            f'studies need {package}, which is not installed; pip install "gdp-explorer[cluster]"'
        ) from error
