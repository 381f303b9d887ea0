"""GDP Explorer: Gaussian differential privacy of tables, to drag and to see."""
