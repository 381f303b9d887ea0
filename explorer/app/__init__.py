"""The app: widgets, plots and the only callbacks; `explorer()` returns it."""

from explorer.app.page import explorer

__all__ = ["explorer"]
