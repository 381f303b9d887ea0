"""The working precision of the references, and the normal quantile in it."""

from mpmath import mp, mpf
from scipy.special import ndtri

DIGITS = 60  # of the working precision where nothing cancels; the references keep 50


def quantile(probability: mpf) -> mpf:
    """Return the normal quantile, by Newton's method from that of a float."""
    if probability > 0.5:
        return -quantile(1 - probability)
    z = mpf(float(ndtri(max(float(probability), 5e-324))))
    for _ in range(3):
        z -= (mp.ncdf(z) - probability) / mp.npdf(z)
    return z
