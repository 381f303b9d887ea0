"""One layout and one style of each class for all widgets of a page, and the plain elements.

No widget has settings of its own: what the page looks like is in the style sheet. ipywidgets gives
each widget a layout model and a style model (jupyter-widgets/ipywidgets#3592), which would be most of
what a start sends.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

import ipywidgets as widgets
import traitlets

_MODELS: ContextVar[dict[type[widgets.Widget], widgets.Widget] | None] = ContextVar(
    "models", default=None
)


@contextmanager
def shared_looks() -> Iterator[None]:
    """Let the widgets that are made inside share their layouts and styles."""
    token = _MODELS.set({})
    try:
        yield
    finally:
        _MODELS.reset(token)


def _shared(model_class: type[widgets.Widget]) -> widgets.Widget:
    models = _MODELS.get()
    if models is not None and model_class in models:
        return models[model_class]
    model = model_class()
    make_read_only(model)
    if models is not None:
        models[model_class] = model
    return model


class Looked(widgets.DOMWidget):  # type: ignore[misc]
    """Mixin of a widget that shares its layout and its style; `classes` are those of the style sheet."""

    def __init__(self, *args: Any, classes: Sequence[str] = (), **traits: Any) -> None:
        super().__init__(*args, _dom_classes=tuple(classes), **traits)

    @traitlets.default("layout")
    def _shared_layout(self) -> widgets.Widget:
        return _shared(widgets.Layout)

    @traitlets.default("style")
    def _shared_style(self) -> widgets.Widget:
        return _shared(self.traits()["style"].klass)


def make_read_only(widget: widgets.Widget) -> None:
    """Let a widget ignore all that the browser sets; it still tells its state."""
    if widget.comm is not None:
        widget.comm.on_msg(partial(_answer, widget))


def _answer(widget: widgets.Widget, msg: dict[str, Any]) -> None:
    if msg["content"]["data"].get("method") == "request_state":
        widget.send_state()


class Plain(Looked):
    """Mixin of a widget that no visitor changes."""

    def __init__(self, *args: Any, **traits: Any) -> None:
        super().__init__(*args, **traits)
        make_read_only(self)

    def show(self, shown: bool) -> None:
        """Show or hide it."""
        change = self.remove_class if shown else self.add_class
        change("gdp-hidden")


class Group(Plain, widgets.Box):  # type: ignore[misc]
    """Widgets beside or below each other."""


class Html(Plain, widgets.HTML):  # type: ignore[misc]
    """A piece of HTML."""


class Progress(Plain, widgets.IntProgress):  # type: ignore[misc]
    """A bar of progress."""
