"""Widgets that let only what is allowed in from the browser.

A visitor can set any synced trait of any widget to anything. Here each widget names the
traits it takes from the browser and what their values may be; the rest is refused in words,
before it reaches a trait. And whatever goes wrong in a callback ends here, so that no
traceback reaches the page.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import ipywidgets as widgets

from explorer.app import plots

LOG = logging.getLogger("explorer")


def is_whole(value: Any) -> bool:
    """Whether a message's value is a whole number of ordinary size."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31


def is_text(value: Any) -> bool:
    """Whether a message's value is a text of bearable length."""
    return isinstance(value, str) and len(value) <= 2**20


def is_point(value: Any) -> bool:
    """Whether a message's value is a pair of finite numbers."""
    return isinstance(value, list) and len(value) == 2 and all(map(is_finite, value))


def is_finite(value: Any) -> bool:
    """Whether a message's value is a finite number of ordinary size."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and abs(value) < 2**31  # NaN and infinity compare false


class Guarded:
    """Mixin: `takes` says what the browser may set; `report` is told what was refused."""

    takes: ClassVar[dict[str, Callable[[Any], bool]]] = {}

    def _handle_msg(self, msg: dict[str, Any]) -> None:
        """Handle a message of the browser, whatever it holds."""
        self._safely(self._handle, msg)

    def _handle(self, msg: dict[str, Any]) -> None:
        data = msg["content"]["data"]
        if data["method"] == "update":
            self.set_state(data["state"])
        elif data["method"] == "custom" and isinstance(data["content"], dict):
            self._handle_custom_msg(data["content"], [])  # type: ignore[attr-defined]
        elif data["method"] == "request_state":
            self.send_state()  # type: ignore[attr-defined]

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take the allowed part of a message of the browser."""
        good = {}
        for name, value in sync_data.items():
            check = self.takes.get(name)
            if check is None:
                continue  # no control of the page sets it
            if check(value) and self._fits(name, value):
                good[name] = value
            else:
                self._report(value)
        if good:
            self._safely(super().set_state, good)  # type: ignore[misc]

    def _safely(self, act: Callable[..., Any], *values: Any) -> None:
        """Call back; a failure is reported to the page in words.

        ipywidgets would show the traceback, whose text reaches the browser.
        """
        try:
            act(*values)
        except Exception as error:  # noqa: BLE001 - the one place where callbacks end
            LOG.error("a callback failed: %s", type(error).__name__)  # noqa: TRY400 - values stay out
            self._report(None)

    def _fits(self, name: str, value: Any) -> bool:
        """Whether an allowed kind of value lies in the widget's own range."""
        if name == "value" and hasattr(self, "max"):
            return bool(self.min <= value <= self.max)  # type: ignore[attr-defined]
        if name == "index" and hasattr(self, "options"):
            return bool(0 <= value < len(self.options))
        return True

    def _report(self, value: Any) -> None:
        report = getattr(self, "report", None)
        if report is not None:
            report(value)


class Slider(Guarded, widgets.IntSlider):  # type: ignore[misc]
    """A slider of whole notches."""

    takes: ClassVar = {"value": is_whole}


class Box(Guarded, widgets.Text):  # type: ignore[misc]
    """A number box; it keeps what is typed."""

    takes: ClassVar = {"value": is_text}


class Area(Guarded, widgets.Textarea):  # type: ignore[misc]
    """A box of many lines."""

    takes: ClassVar = {"value": is_text}


class Check(Guarded, widgets.Checkbox):  # type: ignore[misc]
    """A check box."""

    takes: ClassVar = {"value": lambda value: isinstance(value, bool)}


class Toggle(Guarded, widgets.ToggleButton):  # type: ignore[misc]
    """A button that stays down."""

    takes: ClassVar = {"value": lambda value: isinstance(value, bool)}


class Choice(Guarded, widgets.Dropdown):  # type: ignore[misc]
    """A list to choose from."""

    takes: ClassVar = {"index": is_whole}


class Choices(Guarded, widgets.ToggleButtons):  # type: ignore[misc]
    """A row of buttons of which one is down."""

    takes: ClassVar = {"index": is_whole}


class Push(Guarded, widgets.Button):  # type: ignore[misc]
    """A button."""

    def act(self, callback: Callable[[], Any]) -> None:
        """Call `callback` without arguments at every click."""
        self.on_click(lambda _: self._safely(callback))


class Feed(Guarded, plots.Feed):
    """What the browser draws; it can ask for plotly.js and set nothing."""


class PlotView(Guarded, plots.PlotView):
    """A plot whose marked point can be pulled."""

    takes: ClassVar = {"pulled": is_point}


class Page(Guarded, plots.Page):
    """What only the browser knows."""

    takes: ClassVar = {"query": is_text, "held": lambda value: isinstance(value, bool)}


def below(root: widgets.Widget) -> list[widgets.Widget]:
    """Return a widget and all that it is made of: children, layouts, styles, the feed."""
    found: dict[widgets.Widget, None] = {}
    waiting = [root]
    while waiting:
        widget = waiting.pop()
        if widget not in found:
            found[widget] = None
            parts = (getattr(widget, name, None) for name in ("layout", "style", "feed"))
            waiting += [*getattr(widget, "children", ()), *filter(None, parts)]
    return list(found)


def share(root: widgets.Widget) -> None:
    """Give all widgets below `root` one layout, and one style a kind: half the models to send.

    None of them has settings of its own; what the page looks like is in the style sheet.
    """
    kept: dict[str, widgets.Widget] = {}
    for widget in below(root):
        for name in ("layout", "style"):
            own = getattr(widget, name, None)
            if own is None:
                continue
            shared = kept.setdefault(own._model_name + type(own).__name__, own)  # noqa: SLF001
            if shared is not own:
                setattr(widget, name, shared)
                own.close()


def seal(root: widgets.Widget) -> None:
    """Make the plain widgets below `root`, which no visitor changes, deaf to what is set."""
    for widget in below(root):
        if not isinstance(widget, Guarded) and widget.comm is not None:
            widget.comm.on_msg(partial(_show_only, widget))


def _show_only(widget: widgets.Widget, msg: dict[str, Any]) -> None:
    if msg["content"]["data"].get("method") == "request_state":
        widget.send_state()
