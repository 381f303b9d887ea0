"""Add a mechanism by one class and one line, in a process of its own, and look what it gets."""

import dataclasses

import ipywidgets

from explorer.core import mechanisms
from explorer.core.mechanisms import Gaussian, catalogue


@dataclasses.dataclass(frozen=True)
class Doubled(Gaussian):
    """Twice the noise that is needed."""

    key = "doubled"

    @property
    def scale(self):
        """Twice the standard deviation."""
        return 2 * Gaussian.scale.fget(self)


catalogue.MECHANISMS = mechanisms.MECHANISMS = (*mechanisms.MECHANISMS, Doubled)

from wire_format import decode, descendants  # noqa: E402 - as the next

from explorer.app import explorer as build  # noqa: E402 - after the line that adds the mechanism
from explorer.panels.look import OTHER  # noqa: E402


def parts(app, widget_class):
    """Return the widgets of one class."""
    return [widget for widget in descendants(app) if isinstance(widget, widget_class)]


app = build()
[feed] = [widget for widget in descendants(app) if hasattr(widget, "palettes")]
ticks = [box for box in parts(app, ipywidgets.Checkbox) if box.description == "doubled"]
assert [(tick.value, tick.tooltip) for tick in ticks] == [(True, "doubled")]
menus = [menu for menu in parts(app, ipywidgets.Dropdown) if "doubled" in dict(menu.options).values()]  # fmt: skip
assert len(menus) == 2  # for the drawn table and for the tested one
assert feed.palettes["dark"]["doubled"] == OTHER.colour_dark
cost = decode(feed.get_state(["cost"])["cost"])["figure"]["data"]
assert [trace["line"]["color"] for trace in cost if "line" in trace].count("@doubled") == 1
[label] = [text for trace in cost for text in trace.get("text", ()) if "doubled" in text]
assert label == "doubled 512"  # 4 · 16 · 2/0.25
readout = decode(feed.get_state(["readouts"])["readouts"])["costs"][-1]
assert (readout["label"], readout["value"]) == ("doubled", "512 · 400%")
ticks[0].set_state({"value": False})
assert "hidden=doubled" in feed.link
menus[0].set_state({"index": len(menus[0].options) - 1})
assert "sampled=doubled" in feed.link
note = decode(feed.get_state(["table"])["table"])["below"][0]
assert note == "cell ± 11.1 at 95% · exact"  # 1.96 · 2 · √8
