"""The command line of studies: ``gdp-explorer study run`` and ``gdp-explorer study report``."""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from explorer.core.parameter import ParameterError
from explorer.study.cluster import on_cluster
from explorer.study.errors import StudyError
from explorer.study.files import read_text, write_text
from explorer.study.folder import locked, open_for_reading, open_for_writing
from explorer.study.progress import Progress
from explorer.study.run import Executor, on_cores, run
from explorer.study.spec import parse

INTERRUPTED = 130


def worker_count(text: str) -> int:
    """Return the number that `text` names, or raise ``argparse.ArgumentTypeError``."""
    if text.isdecimal() and 1 <= int(text) <= 4096:
        return int(text)
    raise argparse.ArgumentTypeError(
        f"{text!r} is no number of workers; give a whole number from 1"
    )


def options() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="gdp-explorer study", description="Run a simulation study."
    )
    actions = parser.add_subparsers(required=True, metavar="run | report")

    start = actions.add_parser("run", help="compute the cells of a study that are not finished")
    start.add_argument("file", type=Path, metavar="FILE", help="the study, a TOML file")
    start.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="where results are saved (default: FILE without its ending)",
    )
    where = start.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", type=worker_count, metavar="N", help="processes (default: one for each core)"
    )
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, tcp://host:port")
    where.add_argument(
        "--scheduler-file", type=Path, metavar="F", help="the file that a Dask scheduler wrote"
    )
    start.set_defaults(act=_run)

    report = actions.add_parser("report", help="write tables and figures as one HTML file")
    report.add_argument("folder", type=Path, metavar="FOLDER", help="where the results are")
    report.add_argument(
        "--html", type=Path, metavar="FILE", help="what to write (default: FOLDER/report.html)"
    )
    report.set_defaults(act=_report)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a study or report on it.

    Parameters
    ----------
    arguments : sequence of str, optional
        The command line after ``gdp-explorer study``; default ``sys.argv[1:]``.

    Returns
    -------
    int
        Exit code: 0, 130 after Ctrl-C, or 1 after a sentence on standard error that says what
        is wrong. Refused options leave with 2.
    """
    chosen = options().parse_args(arguments)
    act: Callable[[argparse.Namespace], int] = chosen.act
    try:
        return act(chosen)
    except (ParameterError, StudyError) as error:
        _say(f"gdp-explorer: {str(error).rstrip('.')}.")
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(chosen: argparse.Namespace) -> int:
    folder = chosen.out or chosen.file.with_suffix("")
    if folder == chosen.file:
        raise StudyError(f"choose a folder for the results of {str(folder)!r} with --out")
    study = parse(read_text(chosen.file))  # before the folder is made
    executor = _executor(chosen)
    try:
        with locked(folder) as warning:
            if warning:
                _say(f"gdp-explorer: warning: {warning}.")
            store = open_for_writing(folder, study)
            notes = run(store, executor, partial(Progress, stream=sys.stderr))
    except KeyboardInterrupt:
        _say(
            f"stopped; what is finished is in {str(folder)!r}. The same command goes on from there."
        )
        return INTERRUPTED
    for note in notes:
        _say(f"gdp-explorer: {note}.")
    _say(f"finished: gdp-explorer study report {folder}")
    return 0


def _executor(chosen: argparse.Namespace) -> Executor:
    if chosen.scheduler is not None or chosen.scheduler_file is not None:
        return on_cluster(chosen.scheduler, chosen.scheduler_file)
    return on_cores(chosen.workers)


def _report(chosen: argparse.Namespace) -> int:
    from explorer.study.report import page  # noqa: PLC0415 - a run draws nothing

    path = chosen.html or chosen.folder / "report.html"
    write_text(path, page(open_for_reading(chosen.folder)))
    print(path)  # noqa: T201 - CLI output
    return 0


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)  # noqa: T201 - CLI output
