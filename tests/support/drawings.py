"""Drawings as the browser gets them, and as plotly takes them."""

from explorer.panels import palette


def plain(drawing):
    """Return a drawing as plain data."""
    return drawing.plain()


def shown(panel, scenario, text):
    """Return what a panel shows, as plain data."""
    return panel.show(scenario, text).plain()


def resolve(spec, theme="light"):
    """Return a copy of a plot in which every colour name has its value."""
    colours = palette.palettes()[theme]

    def walk(node):
        if isinstance(node, dict):
            return {key: walk(value) for key, value in node.items()}
        if isinstance(node, (list, tuple)):
            return [walk(value) for value in node]
        if isinstance(node, str) and node.startswith("@"):
            return colours[node[1:]]
        return node

    return walk(spec)
