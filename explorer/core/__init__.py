"""The mathematics: NumPy and SciPy only; importing it has no effect."""
