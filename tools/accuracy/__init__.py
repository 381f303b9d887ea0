"""The accuracy table of the documentation: every function of the core against mpmath."""
