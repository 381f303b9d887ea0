"""No kernel and no file stays behind; no message of a start is lost."""

import asyncio
import json
import re
import signal
import sys
from contextlib import ExitStack

import pytest
from patience import SECONDS

from explorer.serving.server import PATIENCE_HEARTBEATS, Page

# Ends kernels that have no page after 8 seconds; the app waits a minute.
HURRIED = """
import sys
from pathlib import Path
from explorer.serving.command import listen
from explorer.serving.server import serve
sockets = listen("localhost", 0)
ready = lambda: print(f"http://localhost:{sockets[0].getsockname()[1]}/", flush=True)
serve(Path(sys.argv[1]), sockets, ready, idle=8, interval=1)
"""
CELL = "import ipywidgets\nipywidgets.IntSlider()"
# The server reads nothing for two seconds, while the cell sends more than ZeroMQ's buffers hold.
FLOOD = """
import os, signal, threading
from IPython.display import publish_display_data
server = os.getppid()
os.kill(server, signal.SIGSTOP)
threading.Timer(2, os.kill, (server, signal.SIGCONT)).start()
for i in range(6_000):
    publish_display_data({"text/plain": f"message {i}, " + 1000 * "x"})
"""


@pytest.fixture
def hurried(start, tmp_path):
    """`hurried(cell)` serves a notebook of one cell."""
    with ExitStack() as stack:

        def serve(source):
            cell = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}}
            notebook = {"cells": [{**cell, "outputs": [], "source": source}], "metadata": {}}
            path = tmp_path / "cell.ipynb"
            path.write_text(json.dumps({**notebook, "nbformat": 4, "nbformat_minor": 5}))
            command = [sys.executable, "-c", HURRIED, str(path)]
            return stack.enter_context(start(tmp_path, command))

        yield serve


def test_no_message_of_a_start_is_lost_while_the_server_is_busy(hurried, visit):
    page = visit(hurried(FLOOD).address).ask().text
    numbers = [int(number) for number in re.findall(r"message (\d+),", page)]
    assert numbers == list(range(6_000))


def test_a_forgotten_kernel_ends_and_one_with_an_open_page_stays(hurried, visit):
    server = hurried(CELL)
    visitor = visit(server.address)
    identity = visitor.open()
    with visitor.channels(identity):
        watched = server.kernel(identity)
        forgotten = server.kernel(visitor.open())
        forgotten.wait(SECONDS)
        assert watched.is_running()
    watched.wait(SECONDS)


def test_ctrl_c_ends_all_of_it(start, tmp_path, visit):
    with start(tmp_path) as server:
        visitor = visit(server.address)
        identity = visitor.open()
        with visitor.channels(identity):
            kernel = server.kernel(identity)
            server.process.send_signal(signal.SIGINT)
            assert server.process.wait(SECONDS) == 0
        kernel.wait(SECONDS)
        assert server.log.read_text() == ""
        assert [path.name for path in tmp_path.iterdir()] == ["server.log"]


def test_a_page_whose_kernel_never_starts_comes_to_an_end():
    class Silent:
        xsrf_token = sent = b""

        async def get_generator(self, **_):
            for _ in range(100):
                yield "<script>window.voila_heartbeat()</script>"

        def write(self, piece):
            self.sent += piece.encode()

        async def flush(self):
            pass

    page = Silent()
    asyncio.run(Page.get.__wrapped__(page))
    assert page.sent.count(b"heartbeat") == PATIENCE_HEARTBEATS
