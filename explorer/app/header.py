"""The head of the page: undo, redo, reset, presets, tables, link, theme, help."""

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from explorer.app import guard
from explorer.app.controls import ChoiceRow
from explorer.app.state import State
from explorer.locale import Text
from explorer.scenario import TYPED, Scenario, derive, with_counts, with_pattern
from explorer.scenario.presets import PRESETS
from explorer.tables import EXAMPLES

HYPOTHETICAL, TYPE = "", "type"


class Header:
    """Acts on the whole scenario; `typing` and `help` open their boxes, `view` chooses the plots."""

    def __init__(
        self,
        state: State,
        text: Text,
        typing: Callable[[], None],
        help_: Callable[[], None],
        fail: Callable[[Any], None],
        *,
        view: ChoiceRow,
    ) -> None:
        self._view = view
        self._state, self._typing, self._text = state, typing, text
        self._following = False
        self.undo = _button("↶", text.header["undo"], state.undo)
        self.redo = _button("↷", text.header["redo"], state.redo)
        reset = _button(text.header["reset"], text.header["reset"], state.reset)
        self.preset = guard.Choice(
            options=[(text.no_preset, ""), *((text.presets[key], key) for key in PRESETS)],
            tooltip=text.header["preset"],
        )
        self.table = guard.Choice(
            options=self._tables(state.scenario), tooltip=text.header["table"]
        )
        copy = _button(text.header["copy"], text.header["copy"], None)
        theme = _button("◐", text.header["theme"], None)
        about = _button("?", text.header["help"], help_)
        copy.add_class("gdp-copy")
        theme.add_class("gdp-theme")
        title = widgets.HTML(f"<h1>{text.title}</h1>")
        title.add_class("gdp-title")
        spacer = widgets.Box()
        spacer.add_class("gdp-spacer")
        parts = [
            title,
            self.undo,
            self.redo,
            reset,
            self.preset,
            self.table,
            spacer,
            copy,
            theme,
            about,
        ]
        for part in parts:
            part.report = fail
        parts.insert(parts.index(spacer), view.widget)
        self.widget = widgets.Box(parts)
        self.widget.add_class("gdp-header")
        self.follow(state.scenario)
        self.preset.observe(self._preset, "value")
        self.table.observe(self._table, "value")

    def follow(self, scenario: Scenario) -> None:
        """Show which table is used and whether there is a way back."""
        self.undo.disabled = not self._state.can_undo
        self.redo.disabled = not self._state.can_redo
        self._view.follow(scenario)
        options = self._tables(scenario)
        self._following = True  # new options choose the first of them for a moment
        if options != self.table.options:
            self.table.options = options
        self.table.value = HYPOTHETICAL if derive(scenario).counts is None else scenario.pattern
        self._following = False

    def _tables(self, scenario: Scenario) -> tuple[tuple[str, str], ...]:
        """Return the tables to choose from; a typed one is there to come back to."""
        text = self._text
        typed = [(text.typed_pattern, TYPED)] if scenario.typed is not None else []
        examples = ((text.example_title(example), example.key) for example in EXAMPLES)
        return ((text.no_table, HYPOTHETICAL), *examples, *typed, (text.type_table, TYPE))

    def _preset(self, change: dict[str, Any]) -> None:
        if change["new"]:
            try:
                self._state.show(PRESETS[change["new"]])
            finally:
                self.preset.value = ""

    def _table(self, change: dict[str, Any]) -> None:
        scenario, key = self._state.scenario, change["new"]
        if self._following:
            return
        if key == TYPE:
            self._typing()
            self.follow(scenario)
        elif key == HYPOTHETICAL:
            if derive(scenario).counts is not None:
                self._state.show(with_pattern(scenario, "spike"))
        elif key == TYPED and scenario.typed is not None:
            self._state.show(with_counts(scenario, scenario.typed, TYPED))
        elif key != scenario.pattern:
            example = next(example for example in EXAMPLES if example.key == key)
            self._state.show(with_counts(scenario, example.counts, key))


def _button(text: str, tip: str, act: Callable[[], None] | None) -> guard.Push:
    """Return a button; what only the browser can do is in `page.js`."""
    button = guard.Push(description=text, tooltip=tip)
    if act is not None:
        button.act(act)
    return button
