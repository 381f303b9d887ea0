"""The `gdp-explorer` command: the app as a stand-alone Voilà server."""
