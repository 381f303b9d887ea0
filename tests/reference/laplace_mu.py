"""The exact GDP parameter of Laplace noise: Newton's method for the contact of two curves."""

from functools import cache

import numpy as np
from laplace_loss import ReferenceLoss
from many_digits import DIGITS, quantile
from mpmath import mp, mpf
from scipy.special import ndtri

Parts = tuple[float, ...]  # a difference, up to a factor

SCAN = 40  # points of the first search
LEAST_LEVEL = 1e-300  # type I errors below it are not searched


def exact_mu(shifts: tuple[mpf, ...], near: tuple[mpf, mpf]) -> tuple[mpf, mpf]:
    """Solve for the μ whose curve touches that of the shifts, and s = t/μ where the slope is -exp(t).

    Newton's method for α(t) = Φ(-s - μ/2) and β(t) = Φ(s - μ/2), t = sμ; for small μ these are nearly one
    equation, and the second is replaced by the difference of 1 - α - β.
    """
    reference, (s, mu) = ReferenceLoss(shifts), near
    with mp.workdps(reference.digits):
        for _ in range(60):
            t = s * mu
            alpha, beta, fall = reference.alpha(t), reference.beta(t), reference.rate(t)
            rise = mp.exp(t) * fall
            with mp.workdps(min(reference.digits, 2 * DIGITS)):
                above, below = mp.ncdf(-s - mu / 2), mp.ncdf(s - mu / 2)
                left, right = mp.npdf(s + mu / 2), mp.npdf(s - mu / 2)
            first = mp.log(alpha / above)
            a, b = left / above - fall * mu / alpha, left / above / 2 - fall * s / alpha
            if mu > 1:
                second = mp.log(beta / below)
                c, d = rise * mu / beta - right / below, rise * s / beta + right / below / 2
            else:
                second = ((above + below) - (alpha + beta)) / mu
                c, d = fall - rise - (left - right) / mu, (fall - rise) * s / mu
                d -= (left + right) / mu / 2
            determinant = a * d - b * c
            step_s = (d * first - b * second) / determinant
            step_mu = (a * second - c * first) / determinant
            if abs(step_mu) < mpf(10) ** -14 * mu and abs(step_s) < mpf(10) ** -14 * (s + 1):
                return s - step_s, mu - step_mu
            damping = max(1, abs(step_mu) / mu * 4, abs(step_s) / (s + mpf(1) / 4) * 4)
            s, mu = max(s - step_s / damping, mpf(0)), mu - step_mu / damping
            s = min(s, mpf("0.9999") * reference.total / mu)
    raise ArithmeticError(f"the curves of {shifts} do not touch near {near}")


@cache
def contact_point(parts: Parts, step: int) -> tuple[mpf, mpf]:
    """Return s and μ for the factor 10^(step/4), from the best point of a scan of the curve."""
    factor = mpf(10) ** (mpf(step) / 4)
    shifts = tuple(mpf(part) * factor for part in parts)
    reference = ReferenceLoss(shifts)
    best = (0.0, mpf(0))
    with mp.workdps(reference.digits):
        for k in range(SCAN):
            t = reference.total * ((k + mpf("0.382")) / SCAN) ** 3  # no knot
            alpha, beta = reference.alpha(t), reference.beta(t)
            if alpha < LEAST_LEVEL:
                break
            gap = float(1 - alpha - beta)
            middle = float(alpha + 1 - beta) / 2
            mu = gap / (np.exp(-(ndtri(middle) ** 2) / 2) / np.sqrt(2 * np.pi))
            if gap > 0.05:
                with mp.workdps(DIGITS):
                    mu = float(-quantile(alpha) - quantile(beta))
            best = max(best, (float(mu), t))
        mu, t = mpf(best[0]), best[1]
    return exact_mu(shifts, (t / mu, mu))


@cache
def largest_mu(parts: Parts, b: float) -> tuple[mpf, mpf]:
    """Return the exact μ of noise of scale b, and its elasticity in 1/b to a few per cent.

    Where the two neighbours touch at different places, the larger μ of both is that of the mechanism.
    """
    shifts = tuple(part / mpf(b) for part in parts)
    place = -4 * mp.log10(b)
    step = int(mp.floor(place))
    (low, mu_low), (high, mu_high) = contact_point(parts, step), contact_point(parts, step + 1)
    share = place - step
    mu = mu_low ** (1 - share) * mu_high**share
    elasticity = 4 * mp.log10(mu_high / mu_low)
    if abs(high - low) < max(high, low) / 10 + mpf(10) ** -9:
        return exact_mu(shifts, (low + share * (high - low), mu))[1], elasticity
    return max(exact_mu(shifts, (s, mu))[1] for s in (low, high)), elasticity
