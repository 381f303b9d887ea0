"""Laplace noise: exact privacy for a difference vector, and its calibration."""

from explorer.core.laplace.calibration import (
    DIFFERENCE,
    SCALE,
    delta,
    mu,
    scale,
    scale_l1,
    scale_pure,
)

__all__ = ["DIFFERENCE", "SCALE", "delta", "mu", "scale", "scale_l1", "scale_pure"]
