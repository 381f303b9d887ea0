"""Runs of a study: workers, order, interruptions, and kills."""

import dataclasses
import io
import os
import random
import re
import signal
import time
from functools import partial
from pathlib import Path

import numpy as np
import psutil
import pytest

from explorer.study import run as module
from explorer.study.arithmetic import Arithmetic
from explorer.study.cells import Outcome
from explorer.study.errors import StudyError
from explorer.study.folder import open_for_reading, open_for_writing
from explorer.study.progress import Progress
from explorer.study.run import on_cores, run
from explorer.study.setting import setting
from explorer.study.spec import parse

quiet = partial(Progress, stream=io.StringIO())


@pytest.fixture
def store(tmp_path, text):
    return open_for_writing(tmp_path / "out", parse(text))


def wrong(task):
    """A task that no study has: μ is negative."""
    return dataclasses.replace(task, cell=dataclasses.replace(task.cell, mu=-1.0))


def test_the_number_of_workers_makes_no_difference(store, found, expected):
    assert run(store, on_cores(2), quiet) == []
    assert found(store) == expected
    assert list(expected) == [cell.key for cell in store.study.cells()]


def test_the_order_makes_no_difference(store, found, expected):
    def shuffled(cells):
        yield from on_cores(1)(random.Random(4).sample(cells, len(cells)))  # noqa: S311 - an order

    run(store, shuffled, quiet)
    assert found(store) == expected


def test_what_is_finished_is_not_computed_again(store, found, expected):
    asked = []

    def some(tasks):
        asked.append(len(tasks))
        for task in tasks[:5]:
            values = expected[task.cell.key].items()
            results = {name: float.fromhex(value) for name, value in values}
            yield [(task, Outcome(results, setting()))]

    for left in (24, 19, 14):
        run(store, some, quiet)
        assert asked[-1] == left
    assert found(store) == {key: expected[key] for key in list(expected)[:15]}


# The command, but for a signal that it sends itself after two files of results: at most 16 cells
# of the 24 are in hand by then.
SIGNALLED = """
import os, signal, sys
from multiprocessing import active_children
from explorer.study import command, run
from explorer.study.store import Store

run.IN_HAND = 4
add = Store.add


def signalled(self, rows):
    add(self, rows)
    if len(list(self.folder.glob("*.parquet"))) == 2:
        print("workers:", *(child.pid for child in active_children()), flush=True)
        os.kill(os.getpid(), getattr(signal, sys.argv[1]))


Store.add = signalled
sys.exit(command.main(sys.argv[2:]))
"""


@pytest.fixture
def stopped(tmp_path, text, start):
    """Start the study, send it a signal in the middle; return its end, its workers, its folder."""

    def run_until(name):
        (tmp_path / "small.toml").write_text(text)
        client = start("-c", SIGNALLED, name, "run", "small.toml", "--workers", "2")
        code = client.wait(60)
        [told] = re.findall(r"^workers: (\d+) (\d+)$", (tmp_path / "log").read_text(), re.MULTILINE)
        return code, [int(pid) for pid in told], tmp_path / "small"

    return run_until


def test_a_killed_client_loses_no_finished_cell(stopped, start, until, found, expected):
    code, workers, folder = stopped("SIGKILL")
    assert code == -signal.SIGKILL
    until(lambda: not any(map(alive, workers)))  # they do not wait for work forever
    kept = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.glob("*.parquet")}
    before = found(open_for_reading(folder))
    assert 2 <= len(before) < 24
    assert before.items() <= expected.items()
    client = start("-m", "explorer", "study", "run", "small.toml", log="second")
    assert client.wait(60) == 0
    assert found(open_for_reading(folder)) == expected
    first, *_ = (folder.parent / "second").read_text().splitlines()
    assert first == f"{len(before)} of 24 cells, 0 s"
    for path, as_it_was in kept.items():
        assert (path.read_bytes(), path.stat().st_mtime_ns) == as_it_was


def alive(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_ctrl_c_keeps_what_is_finished(stopped, found, expected):
    code, workers, folder = stopped("SIGINT")
    assert code == 130
    assert not any(map(alive, workers))
    kept = found(open_for_reading(folder))
    assert 2 <= len(kept) < 24
    assert kept.items() <= expected.items()
    last = (folder.parent / "log").read_text().splitlines()[-1]
    assert last == "stopped; what is finished is in 'small'. The same command goes on from there."


def test_cells_in_hand_are_not_waited_for(study):
    task = study.task(next(study.cells()))
    long = dataclasses.replace(task, replicates=10**8)  # minutes
    batches = on_cores(1)([task, long])
    assert [done for done, _ in next(batches)] == [task]
    begin = time.monotonic()
    batches.close()
    assert time.monotonic() - begin < 30


def test_a_killed_worker_loses_nothing(store, found, expected, monkeypatch):
    monkeypatch.setattr(module, "IN_HAND", 4)
    killed = []

    def killing(cells):
        for number, batch in enumerate(on_cores(2)(cells)):
            yield batch
            if number == 1:
                worker = next(
                    child
                    for child in psutil.Process().children()
                    if "spawn_main" in " ".join(child.cmdline())
                )
                worker.send_signal(signal.SIGKILL)
                killed.append(len(store.read()[0]))

    run(store, killing, quiet)
    assert found(store) == expected
    assert killed[0] < len(expected)


class Fatal:
    """A value that ends the process that reads it, as one does that takes too much memory."""

    def __reduce__(self):
        return os._exit, (9,)

    def __str__(self):
        return "fatal"


def test_a_cell_that_kills_its_worker_is_named(study):
    cell = dataclasses.replace(next(study.cells()), mu=Fatal())
    with pytest.raises(StudyError) as told:
        list(on_cores(1)([study.task(cell)]))
    assert str(told.value) == (
        "worker processes died 3 times in a row, the last time at one of these cells: shape = 4 × 4,"
        " pattern = spike, n = 200, neighbours = replace, records_per_person = 1, positive_part = yes,"
        " mechanism = Gaussian, mu = fatal, strength = 0"
    )


def test_a_cell_that_fails_is_named_and_the_others_are_kept(store, expected, found):
    def one_wrong(cells):
        yield from on_cores(1)([*cells[:2], wrong(cells[2]), *cells[3:]])

    with pytest.raises(StudyError, match=r"^the cell .* mu = -1, strength = 0.5 failed: Param"):
        run(store, one_wrong, quiet)
    assert found(store).items() >= {key: expected[key] for key in list(expected)[:2]}.items()


def test_other_versions_are_refused(store):
    there = setting()._replace(versions=(("gdp-explorer", "0.1.0"), ("numpy", "1"), ("scipy", "2")))

    def old(cells):
        yield [(cells[0], Outcome(dict.fromkeys(store.study.kind.results, 0.5), there))]

    there_is = dict(setting().versions)["numpy"]
    with pytest.raises(StudyError, match=rf"a worker has numpy 1, this process {there_is};"):
        run(store, old, quiet)
    assert store.read() == ({}, [])


OTHER = Arithmetic("0123456789abcdef", "ANOTHER_LEVEL")


def outcomes(tasks, arithmetics):
    """Made-up results of workers with these arithmetics, one after the other."""
    for task, arithmetic in zip(tasks, arithmetics, strict=False):
        there = setting()._replace(arithmetic=arithmetic)
        yield [(task, Outcome(dict.fromkeys(task.cell.results, 0.5), there))]


def test_a_worker_that_rounds_otherwise_is_refused(store):
    own = setting().arithmetic
    with pytest.raises(StudyError, match=r"with the processor features ANOTHER_LEVEL rounds other"):
        run(store, lambda tasks: outcomes(tasks, [own, own, OTHER]), quiet)
    again = open_for_reading(store.folder)
    assert len(again.read()[0]) == 2  # the results of the first two are saved
    assert again.identity.probe == own.probe
    with pytest.raises(StudyError, match="so that last bits would differ; use processors of one"):
        run(again, lambda tasks: outcomes(tasks, [OTHER]), quiet)


def test_a_study_without_results_takes_the_roundings_of_its_first_worker(store):
    own = setting().arithmetic
    store.set_arithmetic(own)  # by a start that was killed before its first result
    assert run(store, lambda tasks: outcomes(tasks, [OTHER]), quiet) == []
    assert open_for_reading(store.folder).identity.processor == "ANOTHER_LEVEL"


def test_a_study_of_before_roundings_were_recorded_goes_on_with_a_warning(store):
    store.add([(next(store.study.cells()), {"cost": 1.0, "standard_error": 1.0, "exact": 1.0})])
    [warning] = run(store, lambda tasks: outcomes(tasks, [OTHER]), quiet)
    assert warning.startswith("the study does not record how its first results were rounded")
    finished, problems = open_for_reading(store.folder).read()
    assert (len(finished), problems) == (2, [])


def test_a_file_from_another_processor_is_left_out(store, tmp_path, text):
    other = open_for_writing(tmp_path / "other", parse(text))
    run(other, lambda tasks: outcomes(tasks, [OTHER]), quiet)
    run(store, lambda tasks: outcomes(tasks, [setting().arithmetic]), quiet)
    [path] = other.folder.glob("*.parquet")
    path.rename(store.folder / "part-0.parquet")
    _, problems = store.read()
    assert problems == ["part-0.parquet is left out: its processor rounds otherwise"]


def test_a_process_with_other_routines_cannot_go_on_with_a_study(store, tmp_path, text, start):
    groups = np.show_config(mode="dicts")["SIMD Extensions"]
    run(store, lambda tasks: outcomes(tasks, [setting().arithmetic]), quiet)
    (tmp_path / "small.toml").write_text(text)
    words = ("-m", "explorer", "study", "run", "small.toml", "--out", str(store.folder))
    found = ",".join(groups.get("found", ()))
    process = start(*words, NPY_DISABLE_CPU_FEATURES=found, OPENBLAS_CORETYPE="Nehalem")
    assert process.wait(60) == 1
    last = (tmp_path / "log").read_text().splitlines()[-1]
    assert last.startswith("gdp-explorer: a worker with the processor features ")


def test_what_a_worker_computed_before_makes_no_difference(study, expected, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    cells = list(study.cells())
    again = [
        study.task(cells[number]) for number in (17, 2, 17, 9)
    ]  # shrunk: exact costs keep what they used
    for batch in on_cores(1)(again):
        for task, outcome in batch:
            found = {name: value.hex() for name, value in outcome.results.items()}
            assert found == expected[task.cell.key]
            assert outcome.setting.threads == "1"  # more would add in another order


def test_by_default_there_is_a_worker_for_every_core(monkeypatch):
    assert module._cores() == len(psutil.Process().cpu_affinity())
    monkeypatch.delattr(os, "sched_getaffinity")
    assert module._cores() == os.cpu_count()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_workers_never_see_ctrl_c(study):
    # The mask is inherited: no moment of a worker's start is without it.
    batches = on_cores(1)([study.task(cell) for cell in study.cells()])
    next(batches)
    masks = []
    for child in psutil.Process().children():
        if "spawn_main" in " ".join(child.cmdline()):
            status = Path(f"/proc/{child.pid}/status").read_text()
            masks.append(int(re.search(r"^SigBlk:\s*(\w+)", status, re.MULTILINE)[1], 16))
    batches.close()
    assert masks
    assert all(mask >> (signal.SIGINT - 1) & 1 for mask in masks)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())  # of this process
