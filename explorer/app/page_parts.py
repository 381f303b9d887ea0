"""The small parts of the page that are no controls."""

import html

import ipywidgets as widgets

from explorer.app import guard
from explorer.app.control import alert
from explorer.app.look import Group, Html
from explorer.app.state import State
from explorer.locale import Text
from explorer.scenario import EXAMPLES_BY_KEY, Scenario


class Banner:
    """The line over the page for what concerns no single control.

    A sentence shifts the page, so while a handle is held it waits until the handle is let go.
    """

    def __init__(self, state: State, text: Text) -> None:
        self._state, self._text = state, text
        self._sentence = ""
        self.widget = Html(classes=("gdp-banner",))

    def say(self, sentence: str) -> None:
        """Show a sentence; an empty one clears the line."""
        self._sentence = sentence
        if not self._state.held:
            self.widget.value = alert(sentence)

    def show_waiting(self) -> None:
        """Show what was said while a handle was held."""
        self.widget.value = alert(self._sentence)

    def fail(self) -> None:
        """Say that something went wrong and nothing was changed."""
        self._sentence = self._text.unknown_error
        self.widget.value = alert(self._sentence)


class MechanismHead:
    """The heading of the mechanisms, which says what the numbers beside them are."""

    def __init__(self, text: Text, scenario: Scenario) -> None:
        self._text = text
        self.widget = Html(self._shown(scenario))

    def follow(self, scenario: Scenario) -> None:
        """Say whether costs are those of the expected table or averages."""
        self.widget.value = self._shown(scenario)

    def _shown(self, scenario: Scenario) -> str:
        text = self._text
        head = text.average_head if scenario.cost_average else text.cost_head
        return f"<h2>{text.sections['mechanisms']}</h2><span>{head}</span>"


class SourceNote:
    """Where the table on screen comes from."""

    def __init__(self, text: Text, scenario: Scenario) -> None:
        self._text = text
        self.widget = Html(self._shown(scenario), classes=("gdp-source",))

    def follow(self, scenario: Scenario) -> None:
        """Name the source and licence of an example table."""
        self.widget.value = self._shown(scenario)

    def _shown(self, scenario: Scenario) -> str:
        example = EXAMPLES_BY_KEY.get(scenario.pattern)
        if example is None:
            return ""
        note = html.escape(self._text.table_note(example))
        return f"<details><summary>{self._text.source}</summary>{note}</details>"


class PlotArea:
    """The plots; of those below the attacker's only the ones in view are shown."""

    def __init__(self, boxes: list[widgets.Widget], scenario: Scenario) -> None:
        self._view = scenario.view
        self.widget = Group(boxes, classes=("gdp-stage", f"gdp-shows-{self._view}"))

    def follow(self, scenario: Scenario) -> None:
        """Show the scenario's view."""
        if scenario.view != self._view:
            self.widget.remove_class(f"gdp-shows-{self._view}")
            self.widget.add_class(f"gdp-shows-{scenario.view}")
            self._view = scenario.view


class Help:
    """The box that says what the page shows."""

    def __init__(self, text: Text) -> None:
        close = guard.Button(description=text.close)
        close.act(self.toggle)
        self.widget = Group([Html(text.help()), close], classes=("gdp-about", "gdp-hidden"))
        self._shown = False

    def toggle(self) -> None:
        """Open or close the box."""
        self._shown = not self._shown
        self.widget.show(self._shown)


def heading(text: str) -> Html:
    """Return a heading of a section."""
    return Html(f"<h2>{html.escape(text)}</h2>")
