"""Widgets that let in from the browser only what an allow-list names.

A visitor can set any synced trait of any widget to anything. Here each widget has an `Input` for
every trait that the browser may set; all else is ignored, and a value that the `Input` refuses never
reaches a trait. Exceptions in callbacks end here too, so that no traceback reaches the page.
"""

import logging
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from explorer.app.look import Looked
from explorer.app.wire import Input, Refusal, switch, text, whole

LOG = logging.getLogger("explorer")


def _ignore(_: Refusal) -> None:
    """Say nothing: no place for refusals has been set."""


def _ignore_failure() -> None:
    """Say nothing: no place for failures has been set."""


class Guarded:
    """Mixin of a widget whose `inputs` are the traits that the browser may set.

    Attributes
    ----------
    inputs : dict of Input
        By the name of the trait.
    on_refused : callable
        Called with each refused value.
    on_failed : callable
        Called when a callback raised an exception.
    """

    on_refused: Callable[[Refusal], None] = staticmethod(_ignore)
    on_failed: Callable[[], None] = staticmethod(_ignore_failure)

    def __init__(self, *args: Any, **traits: Any) -> None:
        self.inputs: dict[str, Input[Any]] = {}
        super().__init__(*args, **traits)

    def _handle_msg(self, msg: dict[str, Any]) -> None:
        """Handle a message of the browser, whatever it holds."""
        self.safely(self._handle, msg)

    def _handle(self, msg: dict[str, Any]) -> None:
        data = msg["content"]["data"]
        if data["method"] == "update":
            self.set_state(data["state"])
        elif data["method"] == "custom" and isinstance(data["content"], dict):
            self._handle_custom_msg(data["content"], [])  # type: ignore[attr-defined]
        elif data["method"] == "request_state":
            self.send_state()  # type: ignore[attr-defined]

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take the allowed part of a message of the browser, then call back for what changed."""
        accepted = {}
        for name, raw in sync_data.items():
            if name not in self.inputs:
                continue  # no control of the page sets it
            value = self.inputs[name].accept(raw)
            if isinstance(value, Refusal):
                self.on_refused(value)
            else:
                accepted[name] = value
        if accepted:
            self.safely(self._take, accepted)

    def _take(self, accepted: dict[str, Any]) -> None:
        before = {name: getattr(self, name) for name in accepted}
        super().set_state(accepted)  # type: ignore[misc]
        for name, value in accepted.items():
            if value != before[name]:
                self.inputs[name].take(value)

    def safely(self, act: Callable[..., object], *values: Any) -> None:
        """Call a callback and report its failure; ipywidgets would send the traceback to the page."""
        try:
            act(*values)
        except Exception as error:  # noqa: BLE001 - the one place where callbacks end
            LOG.error("a callback failed: %s", type(error).__name__)  # noqa: TRY400 - values stay out
            self.on_failed()


class Slider(Guarded, Looked, widgets.IntSlider):  # type: ignore[misc]
    """A slider of whole notches."""

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.moved: Input[int] = Input(lambda raw: whole(raw, self.min, self.max))
        self.inputs["value"] = self.moved


class Box(Guarded, Looked, widgets.Text):  # type: ignore[misc]
    """A number box; it keeps what is typed."""

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.typed: Input[str] = Input(text)
        self.inputs["value"] = self.typed


class TextArea(Guarded, Looked, widgets.Textarea):  # type: ignore[misc]
    """A box of many lines."""

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.inputs["value"] = Input(text)


class Check(Guarded, Looked, widgets.Checkbox):  # type: ignore[misc]
    """A check box."""

    def __init__(self, **traits: Any) -> None:
        super().__init__(indent=False, **traits)
        self.switched: Input[bool] = Input(switch)
        self.inputs["value"] = self.switched


class Toggle(Guarded, Looked, widgets.ToggleButton):  # type: ignore[misc]
    """A button that stays down."""

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.switched: Input[bool] = Input(switch)
        self.inputs["value"] = self.switched


class Choice(Guarded, Looked, widgets.Dropdown):  # type: ignore[misc]
    """A list to choose from."""

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.chosen: Input[int] = Input(lambda raw: whole(raw, 0, len(self.options) - 1))
        self.inputs["index"] = self.chosen


class Choices(Guarded, Looked, widgets.ToggleButtons):  # type: ignore[misc]
    """A row of buttons of which one is down."""

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.chosen: Input[int] = Input(lambda raw: whole(raw, 0, len(self.options) - 1))
        self.inputs["index"] = self.chosen


class Button(Guarded, Looked, widgets.Button):  # type: ignore[misc]
    """A button."""

    def act(self, callback: Callable[[], object]) -> None:
        """Call `callback` without arguments at every click."""
        self.on_click(lambda _: self.safely(callback))


__all__ = [
    "Box",
    "Button",
    "Check",
    "Choice",
    "Choices",
    "Guarded",
    "Slider",
    "TextArea",
    "Toggle",
]
