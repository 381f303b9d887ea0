"""The box in which a table of counts is typed or pasted."""

import html
from typing import Any

import ipywidgets as widgets

from explorer.app import guard
from explorer.app.state import State
from explorer.core.parameter import ParameterError
from explorer.locale import Text
from explorer.scenario import TYPED, with_counts
from explorer.tables import TableError, read


class TypingBox:
    """Reads a typed table; what is refused stays in the box, with what is wrong beside it."""

    def __init__(self, state: State, text: Text) -> None:
        self._state, self._text = state, text
        self.area = guard.Area(placeholder=text.typed_example, rows=8, tooltip=text.typed_heading)
        self.area.report = self._fail
        use = guard.Push(description=text.use_table, button_style="primary")
        close = guard.Push(description=text.close)
        use.report = close.report = self._fail
        use.act(self._use)
        close.act(lambda: self.show(shown=False))
        self.message = widgets.HTML()
        self.message.add_class("gdp-verdict")
        heading = widgets.HTML(f"<h2>{text.typed_heading}</h2><p>{text.typed_help}</p>")
        buttons = widgets.Box([use, close])
        self.widget = widgets.Box([heading, self.area, self.message, buttons])
        self.widget.add_class("gdp-typing").add_class("gdp-hidden")

    def show(self, *, shown: bool) -> None:
        """Open or close the box; its text stays."""
        act = self.widget.remove_class if shown else self.widget.add_class
        act("gdp-hidden")

    def _use(self) -> None:
        try:
            reading = read(self.area.value)
            scenario = with_counts(self._state.scenario, reading.counts, TYPED)
        except TableError as error:
            self._say(self._text.table_problem(error))
        except ParameterError as error:
            self._say(str(error))
        else:
            self._state.show(scenario)
            self._say(self._text.used_table(reading))
            self.show(shown=False)

    def _say(self, sentence: str) -> None:
        self.message.value = f'<div role="alert">{html.escape(sentence)}</div>'

    def _fail(self, _: Any) -> None:
        self._say(self._text.unknown_error)
