"""The app as a browser meets it: messages go to its widgets, and messages come back."""

import json
import re
from html import unescape

import ipywidgets
import pytest
from comm.base_comm import BaseComm
from wire_format import descendants

from explorer.app import explorer
from explorer.locale import text_for
from explorer.scenario import Scenario, from_query, to_query

en = text_for("en")

ALERT = re.compile(r'<div role="alert">(.*?)</div>', re.DOTALL)


class Browser:
    """Drives one app by the messages that a browser can send, and keeps those that it gets."""

    def __init__(self, **options):
        self.app = explorer(**options)
        self.widgets = descendants(self.app)
        self.ids = {widget.comm.comm_id: widget for widget in self.widgets}
        [self.feed] = [widget for widget in self.widgets if hasattr(widget, "palettes")]
        [self.page] = [widget for widget in self.widgets if "held" in widget.keys]
        self.sent = []

    def receive(self, comm_id, data):
        if comm_id in self.ids:
            self.sent.append((self.ids[comm_id], data))

    def tell(self, widget, data, buffers=()):
        """Send any message, as JSON brings it."""
        data = json.loads(json.dumps(data))
        widget.comm.handle_msg({"content": {"data": data}, "buffers": list(buffers)})

    def set(self, widget, **state):
        self.tell(widget, {"method": "update", "state": state, "buffer_paths": []})

    def click(self, widget):
        self.tell(widget, {"method": "custom", "content": {"event": "click"}})

    def updates(self):
        """The updates that came since the last call."""
        sent, self.sent = self.sent, []
        return [(widget, data["state"]) for widget, data in sent if data["method"] == "update"]

    def classed(self, name, kind=ipywidgets.Box):
        """The first with this class: some fields have a control in two places."""
        return next(
            widget
            for widget in self.widgets
            if isinstance(widget, kind) and name in widget._dom_classes
        )

    def row(self, name):
        return self.classed(f"gdp-{name.replace('_', '-')}")

    def inside(self, name, kind):
        [found] = [part for part in self.row(name).children if isinstance(part, kind)]
        return found

    def slider(self, name):
        return self.inside(name, ipywidgets.IntSlider)

    def box(self, name):
        return self.inside(name, ipywidgets.Text)

    def choice(self, name):
        return self.inside(name, ipywidgets.widgets.widget_selection._Selection)

    def said(self, name):
        """What stands under a row."""
        return self.spoken(self.inside(name, ipywidgets.HTML))

    def described(self, text, kind=ipywidgets.DOMWidget):
        """The first control with this text on it, or as its tip."""
        return next(
            widget
            for widget in self.widgets
            if isinstance(widget, kind)
            and text in (getattr(widget, "description", None), getattr(widget, "tooltip", None))
        )

    def menu(self, name):
        return self.described(en.header[name], ipywidgets.Dropdown)

    def choose(self, control, label):
        [index] = [i for i, option in enumerate(control.options) if option[0] == label]
        self.set(control, index=index)

    def type(self, name, text):
        self.set(self.box(name), value=text)

    def plot(self, name):
        [found] = [w for w in self.widgets if "pulled" in w.keys and w.name == name and w.pullable]
        return found

    @staticmethod
    def spoken(widget):
        return unescape(" ".join(ALERT.findall(widget.value)))

    def alerts(self):
        """All sentences that are announced on the page."""
        texts = (
            self.spoken(widget) for widget in self.widgets if isinstance(widget, ipywidgets.HTML)
        )
        return [text for text in texts if text]

    def hush(self):
        """Take all announced sentences away, so that new ones are seen."""
        for widget in self.widgets:
            if isinstance(widget, ipywidgets.HTML) and ALERT.search(widget.value):
                widget.value = ""

    def restore(self):
        """Go back to what the page was when it opened."""
        self.set(self.page, held=False)
        [area] = [widget for widget in self.widgets if isinstance(widget, ipywidgets.Textarea)]
        area.value = ""
        for view in self.widgets:
            if "pulled" in view.keys:
                view.pulled = []
        self.classed("gdp-typing").add_class("gdp-hidden")
        for query in ("?n=199", "?" + to_query(Scenario())):
            self.set(self.page, query=query)
        self.hush()
        assert self.scenario == Scenario()
        self.sent.clear()

    @property
    def scenario(self):
        """The scenario on screen, by the link of the page."""
        scenario, problems = from_query(self.feed.link)
        assert not problems
        return scenario


@pytest.fixture(scope="session")
def open_page():
    """`open_page()` opens an app of its own in a browser of its own."""
    opened, plain = [], BaseComm.send

    def send(comm, data=None, metadata=None, buffers=None):
        for browser in opened:
            browser.receive(comm.comm_id, data)
        return plain(comm, data, metadata, buffers)

    def open_page(**options):
        opened.append(Browser(**options))
        return opened[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseComm, "send", send)
        yield open_page


@pytest.fixture(scope="session")
def reused(open_page):
    return open_page()


@pytest.fixture
def browser(reused):
    """A page as it is when it opens; the same one for every test, which saves building it."""
    yield reused
    reused.restore()
