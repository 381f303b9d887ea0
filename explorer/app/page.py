"""The page: one state, one refresh, and the widgets around them."""

import html
from collections.abc import Callable
from functools import partial
from typing import Any

import ipywidgets as widgets

from explorer import panels
from explorer.app import controls, guard, mechanism_rows
from explorer.app.header import Header
from explorer.app.plots import Feed
from explorer.app.simulation import Simulation
from explorer.app.state import State
from explorer.app.typing_box import TypingBox
from explorer.app.work import Work
from explorer.core import mechanisms, population
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Neighbours
from explorer.locale import Text, text_for
from explorer.panels import ShownPanel
from explorer.scenario import (
    EXAMPLES_BY_KEY,
    TYPED,
    CostAxis,
    Hypothesis,
    Scenario,
    View,
    fields,
    from_query,
    with_counts,
    with_pattern,
)

# Each group of rows, the plot that shows best what it does, and the rows.
LAYOUT: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("privacy", "densities", ("mu", "epsilon", "delta")),
    ("table", "table", ("rows", "columns", "n", "neighbours", "records_per_person")),
    ("signal", "cost", ("pattern", "strength")),
    ("attacker", "densities", ("alpha",)),
)


def explorer(language: str = "en") -> widgets.Widget:
    """Return the app, ready to be shown in a notebook or served by Voilà.

    Parameters
    ----------
    language : str
        A code of `explorer.locale.LANGUAGES`.

    Returns
    -------
    ipywidgets.Widget
        A widget of its own: two explorers share nothing but numbers that were slow to find.
    """
    state, text = State(), text_for(language)
    feed = guard.Feed(state.scenario, text)
    banner = Banner(text)
    typing = TypingBox(state, text)
    about = About(text)
    header = Header(
        state,
        text,
        lambda: typing.show(shown=True),
        about.toggle,
        banner.fail,
        view=_view(state, text),
    )
    rows = _rows(state, text)
    for row in rows.values():
        if isinstance(row, (controls.SwitchRow, mechanism_rows.MechanismRow)):
            row.widget.report = _refuser(_choice(row.label, text), banner)
    stage, switches = _stage(state, text, feed, banner)
    page = guard.Page(feed=feed, words=text.browser)
    page.report = banner.fail
    work = _finding(state, feed, banner)
    page.observe(lambda change: _hold(change["new"], state, feed, banner, work), "held")
    page.observe(lambda change: _open_link(change["new"], state, text, banner), "query")
    head = MechanismHead(text, state.scenario)
    followers = [header, *rows.values(), *switches, head, SourceNote(text)]

    def refresh(change: dict[str, Any]) -> None:
        feed.follow(change["new"], held=state.held)
        for follower in followers:
            follower.follow(change["new"])
        work.stop()
        if not state.held:
            banner.say("")  # the page moves up: not under a hand
            work.start(panels.background(change["new"]))

    state.observe(refresh, "scenario")
    costs = guard.PlotView(feed=feed, name="readouts", part="costs")
    side = _side(rows, followers[-1].widget, head.widget, costs, text)
    app = widgets.Box(
        [page, header.widget, banner.widget, side, stage, typing.widget, about.widget]
    )
    app.add_class("gdp-app")
    guard.share(app)
    guard.seal(app)
    return app


class Banner:
    """The line over the page for what concerns no single control."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self.widget = widgets.HTML()
        self.widget.add_class("gdp-banner")

    def say(self, sentence: str) -> None:
        """Show a sentence; an empty one clears the line."""
        self.widget.value = f'<div role="alert">{html.escape(sentence)}</div>' if sentence else ""

    def fail(self, _: Any) -> None:
        """Say that something went wrong and nothing was changed."""
        self.say(self._text.unknown_error)


def _finding(state: State, feed: Feed, banner: Banner) -> Work:
    """Return what finds the slow numbers that the plots lack and draws them."""
    names = [panel.name for panel in panels.PANELS if panel.background is not None]

    def report(_done: int, _of: int) -> None:
        feed.follow(state.scenario, held=state.held, only=names)

    return Work(report, banner.fail)


class MechanismHead:
    """The heading of the mechanisms: what the numbers beside them are."""

    def __init__(self, text: Text, scenario: Scenario) -> None:
        self._text = text
        self.widget = widgets.HTML()
        self.follow(scenario)

    def follow(self, scenario: Scenario) -> None:
        """Say whether costs are those of the expected table or averages."""
        text = self._text
        head = text.average_head if scenario.cost_average else text.cost_head
        self.widget.value = f"<h2>{text.sections['mechanisms']}</h2><span>{head}</span>"


class SourceNote:
    """Where the table on screen comes from."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self.widget = widgets.HTML()
        self.widget.add_class("gdp-source")

    def follow(self, scenario: Scenario) -> None:
        """Name the source and licence of an example table."""
        example = EXAMPLES_BY_KEY.get(scenario.pattern)
        text = ""
        if example is not None:
            note = html.escape(self._text.table_note(example))
            text = f"<details><summary>{self._text.source}</summary>{note}</details>"
        self.widget.value = text


def _view(state: State, text: Text) -> controls.ChoiceRow:
    """Return the choice of what is shown below the attacker's plots."""
    views = [(text.views[view], view.value) for view in View]
    return controls.ChoiceRow("view", state, text, lambda _: views, guard.Choices, described=False)


def _rows(state: State, text: Text) -> dict[str, Any]:
    """Return the rows of the left side by name."""
    rows: dict[str, Any] = {
        name: controls.NumberRow(name, state, text)
        for _, _, names in LAYOUT
        for name in names
        if name in controls.QUANTITIES
    }
    rows["neighbours"] = controls.ChoiceRow(
        "neighbours",
        state,
        text,
        lambda _: [(text.neighbours[key], key.value) for key in Neighbours],
    )
    rows["pattern"] = controls.ChoiceRow(
        "pattern", state, text, lambda scenario: _patterns(scenario, text), write=_pattern
    )
    for kind in mechanisms.MECHANISMS:
        rows[kind.key] = mechanism_rows.MechanismRow(kind.key, state, text)
    rows["positive_part"] = controls.SwitchRow("positive_part", state, text)
    return rows


def _patterns(scenario: Scenario, text: Text) -> list[tuple[str, str]]:
    options = [(text.patterns[name], name) for name in population.PATTERNS]
    if scenario.typed is not None:
        options.append((text.typed_pattern, TYPED))
    example = EXAMPLES_BY_KEY.get(scenario.pattern)
    if example is not None:
        options.append((example.title, example.key))
    return options


def _pattern(scenario: Scenario, name: str) -> dict[str, Any]:
    """Return the fields that a pattern sets: a typed table brings its own along, and takes them."""
    fields = ("pattern", "rows", "columns", "n", "strength")
    if scenario.pattern == TYPED and name != TYPED:
        there = with_pattern(scenario, name)
    elif name == TYPED and scenario.typed is not None:
        there = with_counts(scenario, scenario.typed, TYPED)
    else:
        return {"pattern": name}
    return {field: getattr(there, field) for field in fields}


def _side(
    rows: dict[str, Any],
    source: widgets.Widget,
    head: widgets.Widget,
    costs: widgets.Widget,
    text: Text,
) -> widgets.Widget:
    groups = []
    for section, plot, names in LAYOUT:
        children = [_heading(text.sections[section])]
        children += [rows[name].widget for name in names]
        if section == "privacy":
            ends = f"<span>{text.more_privacy}</span><span>{text.more_accuracy}</span>"
            children.insert(2, widgets.HTML(ends))
            children[2].add_class("gdp-ends")
        if section == "signal":
            children.append(source)
        groups.append(_group(section, plot, children))
    ticks = widgets.Box([rows[kind.key].widget for kind in mechanisms.MECHANISMS])
    shown = [head, mechanism_rows.lines([one.key for one in mechanisms.MECHANISMS]), ticks, costs]
    note = widgets.HTML(html.escape(text.public_only))
    note.add_class("gdp-note")
    groups.append(_group("mechanisms", "cost", [*shown, rows["positive_part"].widget, note]))
    side = widgets.Box(groups)
    side.add_class("gdp-side")
    return side


def _heading(text: str) -> widgets.HTML:
    return widgets.HTML(f"<h2>{html.escape(text)}</h2>")


def _group(name: str, plot: str, children: list[widgets.Widget]) -> widgets.Box:
    group = widgets.Box(children)
    group.add_class("gdp-group").add_class(f"gdp-group-{name}").add_class(f"gdp-for-{plot}")
    return group


def _refuser(sentence: Callable[[str], str], banner: Banner) -> Callable[[Any], None]:
    """Return what says that a message of the browser was refused."""

    def refuse(value: Any) -> None:
        if value is None:
            banner.fail(None)
        else:
            banner.say(sentence(str(value)[:40]))

    return refuse


def _choice(label: str, text: Text) -> Callable[[str], str]:
    """Return the sentence about a switch that was set to something else than on or off."""
    return lambda got: text.refused_choice(label, text.on_off, got)


def _stage(
    state: State, text: Text, feed: Feed, banner: Banner
) -> tuple[widgets.Widget, list[Any]]:
    """Return the panels with their heads, and the switches that follow the scenario."""
    switches: list[Any] = []
    boxes = []
    for panel in panels.PANELS:
        pullable = panel.drag(state.scenario, 0.5, 0.5) is not None
        view = guard.PlotView(feed=feed, name=panel.name, pullable=pullable)
        title = text.panel(panel.name)
        view.report = _refuser(partial(text.refused_place, title), banner)
        view.observe(lambda change, panel=panel: _pull(panel, change["new"], state), "pulled")
        head = [_heading(title)]
        if panel.simulation is not None:
            simulation = Simulation(panel, panel.simulation, state, feed, text, banner.fail)
            head.append(simulation.widget)
            switches.append(simulation)
        for name in panel.switches:
            switch = _switch(name, state, text)
            if not hasattr(switch.widget, "report"):
                label = text.labels[name]
                switch.widget.report = _refuser(_choice(label, text), banner)
            head.append(switch.widget)
            switches.append(switch)
        top = widgets.Box(head)
        top.add_class("gdp-head")
        box = widgets.Box([top, view])
        box.add_class("gdp-section").add_class(f"gdp-view-{panel.view or 'all'}")
        box.add_class(f"gdp-{panel.name}")
        boxes.append(box)
    stage = Stage(boxes, state.scenario)
    return stage.widget, [*switches, stage]


class Stage:
    """The plots; of those below only the ones in view are shown."""

    def __init__(self, boxes: list[widgets.Widget], scenario: Scenario) -> None:
        self.widget = widgets.Box(boxes)
        self._shown = scenario.view
        self.widget.add_class("gdp-stage").add_class(f"gdp-shows-{self._shown}")

    def follow(self, scenario: Scenario) -> None:
        """Show the scenario's view."""
        if scenario.view != self._shown:
            self.widget.remove_class(f"gdp-shows-{self._shown}")
            self.widget.add_class(f"gdp-shows-{scenario.view}")
            self._shown = scenario.view


def _switch(name: str, state: State, text: Text) -> Any:
    """Return the control in a panel's head for one field of the scenario."""
    if name == "cost_axis":
        axes = [(text.cost_axes[axis], axis.value) for axis in CostAxis]
        return controls.ChoiceRow(name, state, text, lambda _: axes, guard.Choices, described=False)
    if name == "test":
        tests = [(text.hypotheses_tested[key], key.value) for key in Hypothesis]
        return controls.ChoiceRow(name, state, text, lambda _: tests, described=False)
    if name == "test_statistic":
        names = [(text.test_statistics[key], key) for key in fields.TEST_STATISTIC.choices]
        return controls.ChoiceRow(name, state, text, lambda _: names, described=False)
    if name == "sampled":

        def options(scenario: Scenario) -> list[tuple[str, str]]:
            keys = [one.key for one in mechanisms.MECHANISMS]
            return [(text.mechanism_short(key, scenario.neighbours), key) for key in keys]

        return controls.ChoiceRow(name, state, text, options, described=False)
    if name == "seed":
        return controls.Again(state, text)
    return controls.SwitchRow(name, state, text, guard.Toggle)


def _hold(held: bool, state: State, feed: Feed, banner: Banner, work: Work) -> None:
    state.hold(held)
    if not held:
        banner.say("")
        feed.follow(state.scenario)  # the axes may now fit the curves
        work.start(panels.background(state.scenario))


def _pull(panel: ShownPanel, where: list[float], state: State) -> None:
    changes = panel.drag(state.scenario, *where) if where else None
    if changes:
        state.edit(**changes)


def _open_link(query: str, state: State, text: Text, banner: Banner) -> None:
    scenario, problems = from_query(query)
    state.begin(scenario)
    if problems:
        banner.say(text.link_problems([_link_problem(text, error) for error in problems[:4]]))


def _link_problem(text: Text, error: ParameterError) -> str:
    kept = controls.shown_default(error.name)
    return controls.explain(text, error, controls.shown_value(error.value), kept)


class About:
    """The box that says what the page shows."""

    def __init__(self, text: Text) -> None:
        close = guard.Push(description=text.close)
        close.act(self.toggle)
        self.widget = widgets.Box([widgets.HTML(text.help()), close])
        self.widget.add_class("gdp-about").add_class("gdp-hidden")
        self._shown = False

    def toggle(self) -> None:
        """Open or close the box."""
        self._shown = not self._shown
        act = self.widget.remove_class if self._shown else self.widget.add_class
        act("gdp-hidden")
