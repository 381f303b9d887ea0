"""The box in which a table of counts is typed or pasted."""

from explorer.app import guard
from explorer.app.control import alert, explain, shown_value
from explorer.app.look import Group, Html
from explorer.app.state import State
from explorer.core.parameter import ParameterError
from explorer.locale import Text
from explorer.scenario import TYPED, with_counts
from explorer.tables import TableError, read


class TypingBox:
    """Reads a typed table; a refused text stays in the box, with the reason beside it."""

    def __init__(self, state: State, text: Text) -> None:
        self._state, self._text = state, text
        self.area = guard.TextArea(
            placeholder=text.typed_example, rows=8, tooltip=text.typed_heading
        )
        self.area.on_refused = lambda _: self._fail()
        use = guard.Button(description=text.use_table, button_style="primary")
        close = guard.Button(description=text.close)
        self.area.on_failed = use.on_failed = close.on_failed = self._fail
        use.act(self._use)
        close.act(lambda: self.show(shown=False))
        self.message = Html(classes=("gdp-verdict",))
        heading = Html(f"<h2>{text.typed_heading}</h2><p>{text.typed_help}</p>")
        buttons = Group([use, close])
        parts = [heading, self.area, self.message, buttons]
        self.widget = Group(parts, classes=("gdp-typing", "gdp-hidden"))

    def show(self, *, shown: bool) -> None:
        """Open or close the box; its text stays."""
        self.widget.show(shown)

    def _use(self) -> None:
        try:
            reading = read(self.area.value)
            scenario = with_counts(self._state.scenario, reading.counts, TYPED)
        except TableError as error:
            self._say(self._text.table_problem(error))
        except ParameterError as error:
            self._say(explain(self._text, error, shown_value(error.value), ""))
        else:
            self._state.go_to(scenario)
            self._say(self._text.used_table(reading))
            self.show(shown=False)

    def _say(self, sentence: str) -> None:
        self.message.value = alert(sentence)

    def _fail(self) -> None:
        self._say(self._text.unknown_error)
