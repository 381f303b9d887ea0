"""The head of the page: undo, redo, reset, presets, tables, link, theme, help."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import ipywidgets as widgets

from explorer.app import guard
from explorer.app.state import State
from explorer.presets import PRESETS
from explorer.scenario import TYPED, Scenario
from explorer.tables import EXAMPLES

HYPOTHETICAL, TYPE = "", "type"


class Header:
    """Acts on the whole scenario; `typing` and `help` open their boxes."""

    def __init__(
        self,
        state: State,
        words: ModuleType,
        typing: Callable[[], None],
        help_: Callable[[], None],
        fail: Callable[[Any], None],
    ) -> None:
        self._state, self._typing = state, typing
        self.undo = _button("↶", words.HEADER["undo"], state.undo)
        self.redo = _button("↷", words.HEADER["redo"], state.redo)
        reset = _button(words.HEADER["reset"], words.HEADER["reset"], state.reset)
        self.preset = guard.Choice(
            options=[(words.NO_PRESET, ""), *((words.PRESETS[key], key) for key in PRESETS)],
            tooltip=words.HEADER["preset"],
        )
        self.table = guard.Choice(
            options=[
                (words.NO_TABLE, HYPOTHETICAL),
                *((example.title, example.key) for example in EXAMPLES),
                (words.TYPE_TABLE, TYPE),
            ],
            tooltip=words.HEADER["table"],
        )
        copy = _button(words.HEADER["copy"], words.HEADER["copy"], None)
        theme = _button("◐", words.HEADER["theme"], None)
        about = _button("?", words.HEADER["help"], help_)
        copy.add_class("gdp-copy")
        theme.add_class("gdp-theme")
        title = widgets.HTML(f"<h1>{words.TITLE}</h1>")
        title.add_class("gdp-title")
        spacer = widgets.Box()
        spacer.add_class("gdp-spacer")
        parts = [title, self.undo, self.redo, reset, self.preset, self.table]
        parts += [spacer, copy, theme, about]
        for part in parts:
            part.report = fail
        self.widget = widgets.Box(parts)
        self.widget.add_class("gdp-header")
        self.follow(state.scenario)
        self.preset.observe(self._preset, "value")
        self.table.observe(self._table, "value")

    def follow(self, scenario: Scenario) -> None:
        """Show which table is used and whether there is a way back."""
        self.undo.disabled = not self._state.can_undo
        self.redo.disabled = not self._state.can_redo
        pattern = scenario.pattern
        counts = scenario.counts
        self.table.value = HYPOTHETICAL if counts is None else TYPE if pattern == TYPED else pattern

    def _preset(self, change: dict[str, Any]) -> None:
        if change["new"]:
            try:
                self._state.show(PRESETS[change["new"]])
            finally:
                self.preset.value = ""

    def _table(self, change: dict[str, Any]) -> None:
        scenario, key = self._state.scenario, change["new"]
        if key == TYPE:
            if scenario.pattern != TYPED:
                self._typing()
                self.follow(scenario)
        elif key == HYPOTHETICAL:
            if scenario.counts is not None:
                self._state.edit(pattern="spike", strength=_spike_strength(scenario))
        elif key != scenario.pattern:
            example = next(example for example in EXAMPLES if example.key == key)
            self._state.show(scenario.with_counts(example.counts, key))


def _spike_strength(scenario: Scenario) -> float:
    """Return the strength kept as far as one large cell allows it."""
    return float(min(scenario.strength, (scenario.p - 1) ** 0.5))


def _button(text: str, tip: str, act: Callable[[], None] | None) -> guard.Push:
    """Return a button; what only the browser can do is in `page.js`."""
    button = guard.Push(description=text, tooltip=tip)
    if act is not None:
        button.act(act)
    return button
