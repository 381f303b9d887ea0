"""The plots: one channel that carries all of them to the browser, and a view for each."""

import json
from collections.abc import Container
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import numpy as np
import traitlets

from explorer import panels
from explorer.app.guard import Guarded
from explorer.app.look import Looked
from explorer.app.wire import Input, point, switch, text
from explorer.locale import Text
from explorer.panels import ShownPanel, figure, palette
from explorer.panels.drawing import Drawing
from explorer.plotly_js import plotly_js
from explorer.scenario import Scenario, to_query

HERE = Path(__file__).parent
PLOT_JS = HERE / "plot.js"


def encode(drawn: dict[str, object]) -> dict[str, Any]:
    """Return a drawn panel as one text and its arrays as single-precision bytes.

    Seven digits are more than a screen shows; hover texts are made from the full numbers.
    One text, because ipywidgets looks at every node of what it sends.

    Parameters
    ----------
    drawn : dict
        A panel as plain data; its arrays have one or two axes.

    Returns
    -------
    dict
        ``json``, in which an array is ``{"f4": i}``, with ``columns`` if it has two axes, and
        ``arrays``, whose i-th entry holds it in C order, little-endian.

    Raises
    ------
    ValueError
        If a number outside an array is not finite.
    """
    arrays: list[bytes] = []

    def pack(node: Any) -> Any:
        if isinstance(node, np.generic):
            return node.item()
        arrays.append(np.ascontiguousarray(node, dtype="<f4").tobytes())
        packed = {"f4": len(arrays) - 1}
        return packed if node.ndim == 1 else {**packed, "columns": node.shape[1]}

    text = json.dumps(drawn, default=pack, ensure_ascii=False, allow_nan=False)
    return {"json": text, "arrays": arrays}


class PlotChannel(Guarded, widgets.Widget):  # type: ignore[misc]
    """Carries every panel to the browser, all that changed in one message.

    There is one trait for each panel; the views listen to theirs. The browser can ask for plotly.js.
    """

    _model_name = traitlets.Unicode("WidgetModel").tag(sync=True)
    palettes = traitlets.Dict(read_only=True).tag(sync=True)
    link = traitlets.Unicode("?").tag(sync=True)

    def __init__(self, scenario: Scenario, text: Text) -> None:
        self._text = text
        self._drawings: dict[str, Drawing] = {}
        self.add_traits(**{panel.name: traitlets.Dict().tag(sync=True) for panel in panels.PANELS})
        self.set_trait("palettes", palette.palettes())
        first = {
            panel.name: self._draw(panel, scenario)
            if panels.in_view(panel, scenario)
            else encode(figure.blank().plain())
            for panel in panels.PANELS
        }
        super().__init__(**first, link="?" + to_query(scenario))
        self.on_msg(self._answer)

    def follow(
        self, scenario: Scenario, *, held: bool = False, only: Container[str] | None = None
    ) -> None:
        """Draw the scenario; what has not changed is not sent.

        Parameters
        ----------
        scenario : Scenario
            What is drawn.
        held : bool
            Whether a handle is held: then axes keep their range as long as the curves fit in it.
        only : container of str, optional
            Names of the panels to draw. A panel that is not in view is never drawn.
        """
        with self.hold_sync():
            for panel in panels.PANELS:
                if panels.in_view(panel, scenario) and (only is None or panel.name in only):
                    self.set_trait(panel.name, self._draw(panel, scenario, held=held))
            self.link = "?" + to_query(scenario)

    def _draw(self, panel: ShownPanel, scenario: Scenario, *, held: bool = False) -> Any:
        previous = self._drawings.get(panel.name) if held else None
        drawing = panel.show(scenario, self._text, previous)
        self._drawings[panel.name] = drawing
        return encode(drawing.plain())

    def _answer(self, _: widgets.Widget, content: dict[str, Any], __: list[memoryview]) -> None:
        if content.get("wants") == "plotly":
            self.send({}, [plotly_js().read_bytes()])


class PlotView(Guarded, Looked, anywidget.AnyWidget):
    """Shows one panel of the channel.

    Attributes
    ----------
    name : str
        The panel.
    part : str
        Which of its lists, for a panel that is a list of numbers.
    pullable : bool
        Whether the marked point can be pulled.
    pulled : list of float
        Where the visitor pulled it to, in the plot's coordinates.
    """

    _esm = PLOT_JS
    feed = traitlets.Instance(PlotChannel).tag(sync=True, **widgets.widget_serialization)
    name = traitlets.Unicode().tag(sync=True)
    part = traitlets.Unicode("items").tag(sync=True)
    pullable = traitlets.Bool(False).tag(sync=True)
    pulled: Any = traitlets.List().tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.moved: Input[list[float]] = Input(point)
        self.inputs["pulled"] = self.moved


class Page(Guarded, Looked, anywidget.AnyWidget):
    """What only the browser knows: its address and whether a handle is held.

    Attributes
    ----------
    query : str
        The query string with which the page was opened.
    held : bool
        Whether a handle is held.
    words : dict of str
        Sentences that the browser says.
    """

    _esm = HERE / "page.js"
    _css = HERE / "style.css"
    feed = traitlets.Instance(PlotChannel).tag(sync=True, **widgets.widget_serialization)
    query = traitlets.Unicode("").tag(sync=True)
    held = traitlets.Bool(False).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.opened: Input[str] = Input(text)
        self.handle: Input[bool] = Input(switch)
        self.inputs |= {"query": self.opened, "held": self.handle}
        self.on_msg(lambda *_: self.send({}))  # the browser asks whether all is done
