"""The head of the page: undo, redo, reset, presets, tables, link, theme, help."""

from collections.abc import Callable

from explorer.app import guard
from explorer.app.control import Control, Speaker
from explorer.app.look import Group, Html
from explorer.app.state import State
from explorer.locale import Text
from explorer.scenario import EXAMPLES_BY_KEY, TYPED, Scenario, derive, with_counts, with_pattern
from explorer.scenario.presets import PRESETS
from explorer.tables import EXAMPLES

HYPOTHETICAL, TYPE = "", "type"


class Header:
    """Acts on the whole scenario.

    Parameters
    ----------
    open_typing_box, toggle_help : callable
        What the buttons do that concern other parts of the page.
    speaker : Speaker
        Where refusals and failures are said.
    view : Control
        The choice of the plots, which stands in the header.
    """

    def __init__(
        self,
        state: State,
        text: Text,
        open_typing_box: Callable[[], None],
        toggle_help: Callable[[], None],
        speaker: Speaker,
        *,
        view: Control,
    ) -> None:
        self._view, self._speaker = view, speaker
        self._state, self._open_typing_box, self._text = state, open_typing_box, text
        self.undo = self._button("↶", text.header["undo"], state.undo, disabled=True)
        self.redo = self._button("↷", text.header["redo"], state.redo, disabled=True)
        reset = self._button(text.header["reset"], text.header["reset"], state.reset)
        self.preset = guard.Choice(
            options=[(text.no_preset, ""), *((text.presets[key], key) for key in PRESETS)],
            tooltip=text.header["preset"],
        )
        self.table = guard.Choice(
            options=self._tables(state.scenario),
            value=self._table_of(state.scenario),
            tooltip=text.header["table"],
        )
        for menu, choose in ((self.preset, self._choose_preset), (self.table, self._choose_table)):
            menu.chosen.callback = choose
            menu.on_refused = lambda _: speaker.fail()
            menu.on_failed = speaker.fail
        copy, theme = text.header["copy"], text.header["theme"]
        parts = [
            Html(f"<h1>{text.title}</h1><small>{text.subtitle}</small>", classes=("gdp-title",)),
            self.undo,
            self.redo,
            reset,
            self.preset,
            self.table,
            view.widget,
            Group(classes=("gdp-spacer",)),
            self._button(copy, copy, None, classes=("gdp-copy",)),
            self._button("◐", theme, None, classes=("gdp-theme",)),
            self._button("?", text.header["help"], toggle_help),
        ]
        self.widget = Group(parts, classes=("gdp-header",))

    def follow(self, scenario: Scenario) -> None:
        """Show which table is used and whether there is a step to undo or redo."""
        self.undo.disabled = not self._state.can_undo
        self.redo.disabled = not self._state.can_redo
        self._view.follow(scenario)
        options = self._tables(scenario)
        if options != self.table.options:
            self.table.options = options
        self.table.value = self._table_of(scenario)

    def _button(
        self,
        label: str,
        tip: str,
        act: Callable[[], None] | None,
        *,
        disabled: bool = False,
        classes: tuple[str, ...] = (),
    ) -> guard.Button:
        """Return a button; `page.js` acts where only the browser can."""
        button = guard.Button(description=label, tooltip=tip, disabled=disabled, classes=classes)
        button.on_failed = self._speaker.fail
        if act is not None:
            button.act(act)
        return button

    @staticmethod
    def _table_of(scenario: Scenario) -> str:
        return HYPOTHETICAL if derive(scenario).counts is None else scenario.pattern

    def _tables(self, scenario: Scenario) -> tuple[tuple[str, str], ...]:
        """Return the tables to choose from; a typed one stays among them."""
        text = self._text
        typed = [(text.typed_pattern, TYPED)] if scenario.typed is not None else []
        examples = ((text.example_title(example), example.key) for example in EXAMPLES)
        return ((text.no_table, HYPOTHETICAL), *examples, *typed, (text.type_table, TYPE))

    def _choose_preset(self, _: int) -> None:
        key = self.preset.value
        try:
            if key:
                self._state.go_to(PRESETS[key])
        finally:
            self.preset.value = ""

    def _choose_table(self, index: int) -> None:
        scenario = self._state.scenario
        key = self._tables(scenario)[index][1]
        if key == TYPE:
            self._open_typing_box()
            self.follow(scenario)
        elif key == HYPOTHETICAL:
            if derive(scenario).counts is not None:
                self._state.go_to(with_pattern(scenario, "spike"))
        elif key == TYPED and scenario.typed is not None:
            self._state.go_to(with_counts(scenario, scenario.typed, TYPED))
        elif key != scenario.pattern:
            self._state.go_to(with_counts(scenario, EXAMPLES_BY_KEY[key].counts, key))
