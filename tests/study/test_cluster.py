"""A real scheduler and real workers on the loopback interface, some of them killed."""

import dataclasses
import io
import json
import signal
import socket
import sys
from functools import partial

import pytest
from distributed import Client

from explorer.study import cluster, command
from explorer.study.cluster import on_cluster
from explorer.study.errors import StudyError
from explorer.study.folder import open_for_reading, open_for_writing
from explorer.study.progress import Progress
from explorer.study.run import run
from explorer.study.spec import parse

quiet = partial(Progress, stream=io.StringIO())


class Cluster:
    """A scheduler and as many workers as a test wants; what was killed is started again."""

    def __init__(self, folder, start, until):
        self.folder, self.start, self.until = folder, start, until
        self.file = folder / "scheduler.json"
        self.scheduler = None
        self.workers = []

    def dask(self, *words, **environment):
        log = f"{words[0]}-{len(self.workers)}.log"
        common = ("--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(self.file))
        return self.start("-m", "dask", *words, *common, log=log, **environment)

    def ready(self, count):
        """Return the address of a scheduler that has this many workers.

        The first is one process, the others have a nanny, as by default.
        """
        if self.scheduler is None or self.scheduler.poll() is not None:
            self.file.unlink(missing_ok=True)
            self.scheduler = self.dask("scheduler", "--port", "0")
            self.until(lambda: self.file.exists() and self.file.read_text().endswith("}"))
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        if not self.workers:
            alone = ("--nthreads", "1", "--no-nanny")
            self.workers.append(self.dask("worker", *alone, OMP_NUM_THREADS="1"))
        while len(self.workers) < count:
            self.workers.append(self.dask("worker", "--nthreads", "1"))
        address = json.loads(self.file.read_text())["address"]
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=60)
        return address


@pytest.fixture(scope="module")
def machines(tmp_path_factory, starts, until):
    folder = tmp_path_factory.mktemp("cluster")
    with starts(folder) as start:
        yield Cluster(folder, start, until)


@pytest.fixture
def store(tmp_path, text):
    return open_for_writing(tmp_path / "out", parse(text))


@pytest.fixture
def few(monkeypatch):
    """No more than half of the cells are on the cluster at a time: a kill comes in the middle."""
    monkeypatch.setattr(cluster, "IN_HAND", 12)
    monkeypatch.setattr(cluster, "CHUNK", 5)


@pytest.mark.usefixtures("few")
def test_a_killed_worker_changes_no_bit(store, machines, expected, found):
    address, finished = machines.ready(2), []

    def killing(cells):
        for batch in on_cluster(address)(cells):
            yield batch
            if not finished:
                machines.workers[0].send_signal(signal.SIGKILL)
                machines.workers[0].wait()
            finished.append(len(batch))

    assert run(store, killing, quiet) == []
    assert found(store) == expected
    assert finished[0] <= 12 < sum(finished) == len(expected)


def test_a_study_goes_on_elsewhere(machines, store, expected, found, capsys):
    for cell in list(store.study.cells())[:20]:
        results = {name: float.fromhex(value) for name, value in expected[cell.key].items()}
        store.add([(cell, results)])
    machines.ready(1)
    file, folder = str(store.folder / "study.toml"), str(store.folder)
    words = ["run", file, "--out", folder, "--scheduler-file", str(machines.file)]
    assert command.main(words) == 0
    assert found(open_for_reading(store.folder)) == expected
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "20 of 24 cells, 0 s"
    assert lines[-1] == f"finished: gdp-explorer study report {folder}"


def test_a_cell_that_fails_is_named(machines, store):
    wrong = store.study.task(dataclasses.replace(next(store.study.cells()), mu=-1.0))
    with pytest.raises(StudyError, match=r"^the cell .* mu = -1, strength = 0 failed: Parameter"):
        list(on_cluster(machines.ready(1))([wrong]))


@pytest.mark.usefixtures("few")
def test_a_lost_scheduler_loses_no_finished_cell(store, machines, expected, found):
    address = machines.ready(1)

    def losing(cells):
        for batch in on_cluster(address)(cells):
            yield batch
            machines.scheduler.send_signal(signal.SIGKILL)
            machines.scheduler.wait()

    with pytest.raises(StudyError, match="the scheduler is gone; when it is back, the same"):
        run(store, losing, quiet)
    assert found(store)
    assert found(store).items() < expected.items()


def test_a_scheduler_that_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    refused = r"^no Dask scheduler answers at 'tcp://127.0.0.1:9': Connection refused$"
    with pytest.raises(StudyError, match=refused):
        on_cluster("tcp://127.0.0.1:9")
    with pytest.raises(StudyError, match=r"^no Dask scheduler answers at 'a..b:1': no name of a"):
        on_cluster("a..b:1")
    with pytest.raises(StudyError, match=r"^there is no scheduler file '.*missing.json'$"):
        on_cluster(file=tmp_path / "missing.json")


@pytest.mark.parametrize(
    "address",
    ["nonsense", "nonsense://1", "http://a:80", "tcp://a", "tcp://:1", "a:0", "a:70000", "a:٣", ""],
)
def test_what_is_no_address_is_refused_at_once(address, tmp_path, text, capsys):
    (tmp_path / "a.toml").write_text(text)
    assert command.main(["run", str(tmp_path / "a.toml"), "--scheduler", address]) == 1
    assert capsys.readouterr().err == (
        f"gdp-explorer: {address!r} is no address of a Dask scheduler; give tcp://host:port.\n"
    )
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("content", ["", "{", "[]", "7", "{}", '{"address": null}', "[" * 10**5])
def test_a_file_that_no_scheduler_wrote_is_refused_at_once(content, tmp_path):
    file = tmp_path / "scheduler.json"
    file.write_text(content)
    sentence = r"scheduler.json' is no file of a Dask scheduler|'None' is no address of a Dask"
    with pytest.raises(StudyError, match=sentence):
        on_cluster(file=file)


def test_something_else_that_listens_is_no_scheduler(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(
            StudyError, match=rf"^no Dask scheduler answers at '{address}': timed out"
        ):
            on_cluster(address)


class Alone(Cluster):
    """A scheduler without workers."""

    def scheduler_only(self):
        self.scheduler = self.dask("scheduler", "--port", "0")
        self.until(lambda: self.file.exists() and self.file.read_text().endswith("}"))


@pytest.fixture
def alone(tmp_path, start, until, monkeypatch):
    monkeypatch.setattr(cluster, "SILENCE_SECONDS", 1)
    machines = Alone(tmp_path, start, until)
    machines.scheduler_only()
    return machines


def test_a_scheduler_without_workers_is_reported(alone, tmp_path, text, capsys):
    (tmp_path / "a.toml").write_text(text)
    words = ["run", str(tmp_path / "a.toml"), "--scheduler-file", str(alone.file)]
    assert command.main(words) == 1
    address = json.loads(alone.file.read_text())["address"]
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"gdp-explorer: the scheduler at {address} has had no worker for 1 s; start one with:"
        f" dask worker {address}."
    )


def test_workers_that_all_leave_are_reported(alone, study):
    address = alone.ready(1)
    long = dataclasses.replace(study.task(next(study.cells())), replicates=10**8)  # minutes
    batches = on_cluster(address)([study.task(next(study.cells())), long])
    next(batches)
    alone.workers[0].kill()
    alone.workers[0].wait()
    with pytest.raises(StudyError, match=r"has had no worker for 1 s; start one with: dask worker"):
        next(batches)


def test_a_worker_without_the_package_is_named(alone, study, tmp_path):
    absent = tmp_path / "absent"
    absent.mkdir()
    (absent / "explorer.py").write_text("raise ModuleNotFoundError(\"No module named 'explorer'\")")
    alone.workers.append(
        alone.dask("worker", "--nthreads", "1", "--no-nanny", PYTHONPATH=str(absent))
    )
    sentence = r"^the worker tcp://127.0.0.1:\d+ cannot import what it needs \(No module named"
    with pytest.raises(StudyError, match=sentence):
        list(on_cluster(alone.ready(1))([study.task(next(study.cells()))]))


@pytest.mark.parametrize("threads", ["", "2"])
def test_a_worker_with_more_threads_is_refused(threads):
    with pytest.raises(StudyError, match="with a nanny, as dask worker does by default, or with"):
        cluster._check_threads(threads)
    cluster._check_threads("1")


def test_a_task_that_cannot_be_unpickled_is_reported(study):
    task = study.task(next(study.cells()))
    error = RuntimeError("Error during deserialization")
    error.__cause__ = ModuleNotFoundError("No module named 'explorer'")
    sentence = str(cluster._failure(task, (RuntimeError, error, None)))
    assert sentence == (
        "the scheduler or a worker cannot import what it needs (No module named 'explorer');"
        ' install "gdp-explorer[cluster]" there too'
    )


def test_without_dask_a_sentence_says_how_to_install_it(monkeypatch, tmp_path, text, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    (tmp_path / "a.toml").write_text(text)
    words = ["run", str(tmp_path / "a.toml"), "--scheduler", "tcp://127.0.0.1:9"]
    assert command.main(words) == 1
    assert capsys.readouterr().err == (
        "gdp-explorer: studies need distributed, which is not installed;"
        ' pip install "gdp-explorer[cluster]".\n'
    )
