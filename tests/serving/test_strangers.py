"""Hostile requests to a public page: other files, code, long messages, other sites."""

import json
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import pytest
from patience import SECONDS
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

ELSEWHERE = [
    "/voila/files/explorer.ipynb",
    "/voila/files/../explorer.ipynb",
    "/voila/files/%2e%2e/%2e%2e/etc/passwd",
    "/voila/files//etc/passwd",
    "/voila/static/../../../../../../../../etc/passwd",
    "/voila/static/..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
    "/voila/templates/explorer/static/../index.html.j2",
    "/voila/templates/explorer/static/..%2findex.html.j2",
    "/voila/templates/explorer/index.html.j2",
    "/voila/labextensions/../kernels/python3/kernel.json",
    "/explorer/static/../../etc/passwd",
    "/voila/render/explorer.ipynb",
    "/voila/render/other.ipynb",
    "/other.ipynb",
    "/voila/tree",
    "/voila/tree/..",
    "/voila/api/contents",
    "/api/contents",
    "/api/kernels",
    "/api/sessions",
    "/api/terminals",
    "/api/kernelspecs",
    "/files/explorer.ipynb",
]


def message(message_type: str, **content: object) -> str:
    header = {
        "msg_id": message_type,
        "msg_type": message_type,
        "username": "",
        "session": "s",
        "version": "5.3",
    }
    parts = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
    return json.dumps({"channel": "shell", **parts})


def reply(channels: ClientConnection) -> dict[str, object]:
    """Return the next answer that is not a broadcast."""
    answer = json.loads(channels.recv(timeout=SECONDS))
    return answer if answer["channel"] == "shell" else reply(channels)


@pytest.mark.parametrize("path", ELSEWHERE)
def test_other_files_and_interfaces_are_not_served(path, visitor):
    answer = visitor.ask(path)
    if answer.status == HTTPStatus.FOUND:
        answer = visitor.ask(answer.headers["Location"])
    assert answer.status >= HTTPStatus.BAD_REQUEST
    for secret in (b"root:", b"kernel_start", b"argv", b"explorer.app", b"Traceback"):
        assert secret not in answer.body


def test_code_sent_by_a_visitor_is_not_run(guest, tmp_path):
    proof = tmp_path / "proof"
    code = {"code": f"open({str(proof)!r}, 'w')", "silent": False, "store_history": False}
    with guest.channels(guest.kernel) as channels:
        channels.send(message("execute_request", **code))
        channels.send(message("inspect_request", code="open", cursor_pos=4))
        # The kernel answers in order, so had it got the others, they would have come first.
        channels.send(message("kernel_info_request"))
        assert reply(channels)["parent_header"]["msg_id"] == "kernel_info_request"
    assert not proof.exists()


def test_a_message_too_long_ends_the_connection(guest):
    with guest.channels(guest.kernel) as channels:
        channels.send(message("comm_info_request", target_name="x" * 2**19))
        reply(channels)
        with suppress(ConnectionClosed):  # it may end while this is being sent
            channels.send(message("comm_info_request", target_name="x" * 2**20))
        with pytest.raises(ConnectionClosed):
            reply(channels)


def test_another_site_cannot_drive_a_kernel(guest):
    with (
        pytest.raises(InvalidStatus, match="403"),
        guest.channels(guest.kernel, origin="http://elsewhere.example"),
    ):
        pass


def test_a_kernel_sees_nothing_of_the_owners(guest):
    folder = Path(guest.process.cwd())
    assert [path.name for path in folder.iterdir()] == ["explorer.ipynb"]
    assert Path(guest.process.environ()["IPYTHONDIR"]).parent == folder.parent


def test_a_kernel_ends_for_its_page_only(visitor, running):
    kernel = visitor.open()
    process = running.kernel(kernel)
    assert visitor.end(kernel) == HTTPStatus.FORBIDDEN
    assert visitor.end(kernel, _xsrf="guessed") == HTTPStatus.FORBIDDEN
    assert process.is_running()
    assert visitor.end(kernel, _xsrf=visitor.cookies["_xsrf"]) == HTTPStatus.NO_CONTENT
    process.wait(SECONDS)


def test_the_log_is_silent_about_addresses(visitor, running):
    visitor.ask("/voila/files/secret.csv?mu=0.123")
    visitor.ask("/voila/templates/explorer/index.html.j2?mu=0.123")  # an error of the server
    log = running.log.read_text()
    assert "0.123" not in log
    assert "index.html.j2?…" in log
