"""The same three plots as most people would build them: sliders, FigureWidgets, batch_update."""

import math
from typing import Any

import ipywidgets as widgets
import plotly.graph_objects as go
from drawings import plain, resolve

from explorer.locale import text_for
from explorer.panels import cost, densities, tradeoff
from explorer.scenario import Scenario

en = text_for("en")

PANELS = (densities.PANEL, tradeoff.PANEL, cost.PANEL)
CHANGING = ("x", "y", "text", "hovertext")
NOTCHES = 400


def plots(scenario: Scenario) -> list[dict[str, Any]]:
    """Return the plots of a scenario, one a panel, with their colours.

    Numbers as lists: with arrays a FigureWidget of plotly 7.1 raises ``ValueError`` at what the
    browser answers to a step that moves x, and IPython formats the traceback each time, which
    takes the kernel five times as long as the step.
    """
    made = [resolve(plain(panel.draw(panel.compute(scenario), en))["figure"]) for panel in PANELS]
    for plot in made:
        for trace in plot["data"]:
            trace.update(x=trace["x"].tolist(), y=trace["y"].tolist())
    return made


def sliders() -> dict[str, widgets.Widget]:
    """Return sliders with as many notches as the explorer's, each starting on a notch."""
    mu = widgets.FloatLogSlider(10**-0.305, min=-2, max=1, step=3 / NOTCHES, description="μ")
    n = widgets.FloatLogSlider(10**2.3, min=1, max=6, step=5 / NOTCHES, description="n")
    strength = widgets.FloatSlider(0.2, min=0, max=3.85, step=0.01, description="w")
    return {"mu": mu, "n": n, "strength": strength}


def build() -> widgets.Widget:
    """Return sliders over three figures in a row.

    The figures are finished before they are put in a box (later changes would be lost), take
    only what changes of each trace, and keep their first ranges.
    """
    controls = sliders()

    def scenario() -> Scenario:
        values = {name: slider.value for name, slider in controls.items()}
        return Scenario(**{**values, "n": round(values["n"])})

    figures = []
    for plot in plots(scenario()):
        plot["layout"].update(width=410, height=300)
        figures.append(go.FigureWidget(data=plot["data"], layout=plot["layout"]))

    def refresh(_: Any) -> None:
        for figure, plot in zip(figures, plots(scenario()), strict=True):
            with figure.batch_update():
                for trace, new in zip(figure.data, plot["data"], strict=True):
                    for name in CHANGING:
                        if name in new:
                            setattr(trace, name, new[name])

    for slider in controls.values():
        slider.observe(refresh, "value")
    assert math.isclose(controls["mu"].value, 10**-0.305)
    return widgets.VBox([widgets.HBox(list(controls.values())), widgets.HBox(figures)])
