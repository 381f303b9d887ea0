"""What the browser reads: the inverse of `explorer.app.plots.encode`, and all widgets of a page."""

import json

import ipywidgets
import numpy as np


def decode(packed):
    """Return a panel as the browser reads it, to single precision."""

    def unpack(node):
        if "f4" not in node:
            return node
        flat = np.frombuffer(packed["arrays"][node["f4"]], "<f4")
        return flat.reshape(-1, node["columns"]) if "columns" in node else flat

    return json.loads(packed["json"], object_hook=unpack)


def descendants(root):
    """Return a widget and all widgets that it holds in any of its traits."""
    found, waiting = {}, [root]
    while waiting:
        widget = waiting.pop()
        if widget in found:
            continue
        found[widget] = None
        for name in widget.keys:
            value = getattr(widget, name)
            values = value if isinstance(value, (list, tuple)) else [value]
            waiting += [part for part in values if isinstance(part, ipywidgets.Widget)]
    return list(found)
