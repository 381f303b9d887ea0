"""One build inside one interpreter, without a browser: import, memory, and every control.

``python inside.py ours 40`` prints one JSON object.
"""

import functools
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import psutil

STARTED = time.perf_counter(), time.process_time()
MIB = 2**20
Control = tuple[str, Callable[[int], None], Callable[[], None]]
"""Its name, what sends its k-th message, and what puts everything back."""


def build_ours() -> Any:
    from explorer.app import explorer  # noqa: PLC0415 - its import is measured

    return explorer()


def build_stock() -> Any:
    from stock import build  # noqa: PLC0415 - its import is measured

    return build()


class Wire:
    """Stands in for the kernel's socket: packs and signs each message as a kernel does."""

    def __init__(self) -> None:
        import comm  # noqa: PLC0415 - after the imports that are measured
        from comm.base_comm import BaseComm  # noqa: PLC0415
        from ipykernel.jsonutil import json_clean  # noqa: PLC0415
        from jupyter_client.session import Session  # noqa: PLC0415

        session = Session(key=b"key")
        wire = self
        self.messages = self.bytes = 0

        class Comm(BaseComm):  # type: ignore[misc]
            def publish_msg(
                self,
                msg_type: str,
                data: Any = None,
                metadata: Any = None,
                buffers: Any = None,
                **keys: Any,
            ) -> None:
                content = json_clean({"data": data or {}, "comm_id": self.comm_id, **keys})
                message = session.msg(msg_type, content, metadata=json_clean(metadata or {}))
                parts = [*session.serialize(message), *(buffers or [])]
                wire.messages += 1
                wire.bytes += sum(len(memoryview(part).cast("B")) for part in parts)

        comm.create_comm = Comm


def send(widget: Any, **state: Any) -> None:
    """Handle a browser's message that sets some of a widget's state."""
    data = {"method": "update", "state": state, "buffer_paths": []}
    widget._handle_msg({"content": {"data": data}, "buffers": []})


def click(widget: Any) -> None:
    """Handle a browser's message that a button was clicked."""
    data = {"method": "custom", "content": {"event": "click"}}
    widget._handle_msg({"content": {"data": data}, "buffers": []})


def walk(widget: Any, row: str = "") -> Iterator[tuple[str, Any]]:
    """Return every widget below this one with the name of its row."""
    classes = [name.removeprefix("gdp-") for name in getattr(widget, "_dom_classes", ())]
    row = next((name for name in classes if name not in PLACES), row)
    yield row, widget
    for child in getattr(widget, "children", ()):
        yield from walk(child, row)


PLACES = {"row", "switch", "section", "head", "group", "side", "stage", "app"}


def controls_ours(app: Any) -> Iterator[Control]:
    """Return every control of the explorer that redraws something."""
    from explorer.app import guard, plots, quantities  # noqa: PLC0415 - after the measured import

    whole_numbers = {one.name: one.whole for one in quantities.QUANTITIES}
    buttons = {
        widget.description: widget for _, widget in walk(app) if isinstance(widget, guard.Button)
    }
    reset = functools.partial(click, buttons["Reset"])
    for row, widget in walk(app):
        if isinstance(widget, guard.Slider):
            yield f"{row}, slider", _slider(widget), reset
        elif isinstance(widget, guard.Box):
            whole = whole_numbers[row.replace("-", "_")]
            yield f"{row}, box", _box(widget, whole), reset
        elif isinstance(widget, (guard.Choice, guard.Choices)):
            name = widget.tooltip if row == "header" else row
            # The last entry of a list in the head may open a box rather than redraw.
            yield f"{name}, list", _list(widget, len(widget.options) - (row == "header")), reset
        elif isinstance(widget, (guard.Check, guard.Toggle)):
            yield f"“{widget.description}”", _switch(widget), reset
        elif isinstance(widget, plots.PlotView) and widget.pullable:
            yield f"{widget.name}, pulled", _pull(widget), reset
    again = buttons["simulate again"]
    yield "“simulate again”", lambda _: click(again), lambda: None
    ways = buttons["↶"], buttons["↷"]
    yield "undo and redo", lambda k: click(ways[k % 2]), reset


def _slider(widget: Any) -> Callable[[int], None]:
    first, span = widget.value, min(60, widget.max - widget.value)
    return lambda k: send(widget, value=first + 1 + k % span)


def _box(widget: Any, whole: bool) -> Callable[[int], None]:
    value = float(widget.value)
    if whole:
        return lambda k: send(widget, value=str(round(value) + 1 + k % 8))
    return lambda k: send(widget, value=repr(value * 1.002 ** (k + 1)))


def _list(widget: Any, count: int) -> Callable[[int], None]:
    first = widget.index
    return lambda k: send(widget, index=(first + 1 + k) % count)


def _switch(widget: Any) -> Callable[[int], None]:
    first = widget.value
    return lambda k: send(widget, value=first ^ (k % 2 == 0))


def _pull(widget: Any) -> Callable[[int], None]:
    return lambda k: send(widget, pulled=[0.1 + 0.01 * (k % 60), 0.5])


def controls_stock(app: Any) -> Iterator[Control]:
    """Return the three sliders of the stock build."""
    for name, widget in zip(("mu", "n", "strength"), app.children[0].children, strict=True):
        first = widget.value
        yield (
            f"{name}, slider",
            lambda k, widget=widget, first=first: send(widget, value=first * 1.01 ** (k % 60 + 1)),
            lambda widget=widget, first=first: send(widget, value=first),
        )


BUILDS = {"ours": (build_ours, controls_ours), "stock": (build_stock, controls_stock)}


def main(build: str, count: int) -> dict[str, Any]:
    """Build once, then send every control `count` messages."""
    make, controls = BUILDS[build]
    app = make()
    wall, processor = time.perf_counter(), time.process_time()
    result: dict[str, Any] = {
        "seconds": wall - STARTED[0],
        "cpu": processor - STARTED[1],
        "memory": psutil.Process().memory_full_info().uss / MIB,
        "controls": {},
    }
    if not count:
        return result
    wire = Wire()
    app = make()
    for name, act, back in controls(app):
        times = []
        act(0)
        messages, size = wire.messages, wire.bytes
        for k in range(1, count + 1):
            start = time.perf_counter()
            act(k)
            times.append(1000 * (time.perf_counter() - start))
        result["controls"][name] = {
            "times": times,
            "messages": (wire.messages - messages) / count,
            "bytes": (wire.bytes - size) / count,
        }
        back()
    return result


if __name__ == "__main__":
    json.dump(main(sys.argv[1], int(sys.argv[2])), sys.stdout)
