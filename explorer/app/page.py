"""The page: its parts, put together."""

import html
import os
from functools import partial

import ipywidgets as widgets

from explorer import panels
from explorer.app import mechanism_rows
from explorer.app.callbacks import Callbacks
from explorer.app.control import Control, Follower, Speaker
from explorer.app.controls import CONTROLS
from explorer.app.header import Header
from explorer.app.look import Group, Html, shared_looks
from explorer.app.page_parts import Banner, Help, MechanismHead, PlotArea, SourceNote, heading
from explorer.app.plots import Page, PlotChannel, PlotView
from explorer.app.simulation import Simulation
from explorer.app.state import State
from explorer.app.typing_box import TypingBox
from explorer.app.wire import Refusal
from explorer.core import mechanisms
from explorer.locale import Text, text_for
from explorer.panels import ShownPanel
from explorer.scenario import from_query

# Each group of rows, the plot that shows best what it does, and the rows.
LAYOUT: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("privacy", "densities", ("mu", "epsilon", "delta")),
    ("table", "table", ("rows", "columns", "n", "neighbours", "records_per_person")),
    ("signal", "cost", ("pattern", "strength")),
    ("attacker", "densities", ("alpha",)),
)


def explorer(language: str = "en", query: str | None = None) -> widgets.Widget:
    """Return the app, ready to be shown in a notebook or served by Voilà.

    Parameters
    ----------
    language : str
        A code of `explorer.locale.LANGUAGES`.
    query : str, optional
        The query string of a link to start from. By default that of the request for which Voilà
        started this kernel, so that a link is drawn once and not after the first screen; a notebook
        has none.

    Returns
    -------
    ipywidgets.Widget
        A widget of its own: two explorers share nothing but memoised numbers.
    """
    with shared_looks():
        return _page(
            text_for(language), os.environ.get("QUERY_STRING", "") if query is None else query
        )


def _page(text: Text, query: str) -> widgets.Widget:
    state = State()
    state.restart(from_query(query).scenario)
    banner = Banner(state, text)
    channel = PlotChannel(state.scenario, text)
    callbacks = Callbacks(state, text, channel, banner)
    typing, help_box = TypingBox(state, text), Help(text)
    view = CONTROLS["view"](state, text, banner)
    header = Header(
        state, text, lambda: typing.show(shown=True), help_box.toggle, banner, view=view
    )
    rows = {
        name: CONTROLS[name](state, text, banner)
        for name in (*(name for _, _, names in LAYOUT for name in names), "positive_part")
    }
    checks = [
        mechanism_rows.MechanismRow(one.key, state, text, banner) for one in mechanisms.MECHANISMS
    ]
    head, source = MechanismHead(text, state.scenario), SourceNote(text, state.scenario)
    sections, switches = [], list[Follower]()
    for panel in panels.PANELS:
        section, controls = _section(panel, state, text, channel, banner, callbacks)
        sections.append(section)
        switches += controls
    area = PlotArea(sections, state.scenario)
    callbacks.followers = [header, *rows.values(), *checks, *switches, area, head, source]
    state.observe(lambda change: callbacks.refresh(change["new"]), "scenario")
    page = Page(feed=channel, words=text.browser, query=f"?{query}" if query else "")
    page.on_refused, page.on_failed = lambda _: banner.fail(), banner.fail
    page.handle.callback, page.opened.callback = callbacks.hold, callbacks.open_link
    callbacks.open_link(query)  # says which parts are not used
    callbacks.start()
    costs = PlotView(feed=channel, name="readouts", part="costs")
    side = _side(rows, source.widget, [head.widget, *_checks(checks), costs], text)
    parts = [header.widget, banner.widget, side, area.widget, typing.widget, help_box.widget]
    return Group([page, *parts], classes=("gdp-app",))


def _checks(rows: list[mechanism_rows.MechanismRow]) -> list[widgets.Widget]:
    lines = mechanism_rows.lines([one.key for one in mechanisms.MECHANISMS])
    return [lines, Group([row.widget for row in rows])]


def _side(
    rows: dict[str, Control],
    source: widgets.Widget,
    checks: list[widgets.Widget],
    text: Text,
) -> widgets.Widget:
    """Return the left side: the groups of rows, and the mechanisms with their costs."""
    groups = []
    for name, plot, names in LAYOUT:
        children = [heading(text.sections[name]), *(rows[one].widget for one in names)]
        if name == "privacy":
            ends = f"<span>{text.more_privacy}</span><span>{text.more_accuracy}</span>"
            children.insert(2, Html(ends, classes=("gdp-ends",)))
        if name == "signal":
            children.append(source)
        groups.append(_group(name, plot, children))
    note = Html(html.escape(text.public_only), classes=("gdp-note",))
    groups.append(_group("mechanisms", "cost", [*checks, rows["positive_part"].widget, note]))
    return Group(groups, classes=("gdp-side",))


def _group(name: str, plot: str, children: list[widgets.Widget]) -> Group:
    return Group(children, classes=("gdp-group", f"gdp-group-{name}", f"gdp-for-{plot}"))


def _section(  # noqa: PLR0917 - each is another part of the app
    panel: ShownPanel,
    state: State,
    text: Text,
    channel: PlotChannel,
    banner: Banner,
    callbacks: Callbacks,
) -> tuple[widgets.Widget, list[Follower]]:
    """Return a panel below its head, and the controls in the head."""
    title = text.panel(panel.name)
    pullable = panel.drag(state.scenario, 0.5, 0.5) is not None
    view = PlotView(feed=channel, name=panel.name, pullable=pullable)
    view.on_refused = partial(_refuse_place, text, banner, title)
    view.on_failed = banner.fail
    view.moved.callback = lambda place: callbacks.pull(panel, *place)
    controls: list[Control] = [CONTROLS[name](state, text, banner) for name in panel.switches]
    if panel.simulation is not None:
        simulation = Simulation(panel, panel.simulation, state, channel, text, banner)
        controls.insert(0, simulation)
    head = Group([heading(title), *(one.widget for one in controls)], classes=("gdp-head",))
    classes = "gdp-section", f"gdp-view-{panel.view or 'all'}", f"gdp-{panel.name}"
    return Group([head, view], classes=classes), list(controls)


def _refuse_place(text: Text, speaker: Speaker, title: str, refusal: Refusal) -> None:
    """Say that a message of the browser is no place in a plot."""
    speaker.say(text.refused_place(title, refusal.shown))
