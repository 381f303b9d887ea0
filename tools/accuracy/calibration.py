"""Rows of Laplace noise: the least scale for a μ, and the exact μ of a scale."""

from collections.abc import Iterator
from functools import cache, partial
from types import SimpleNamespace

import numpy as np
from mpmath import mp, mpf
from numpy.random import Generator
from scipy.special import ndtri

from accuracy.laplace import EQUAL, ONE, TWO, UNEQUAL, Parts
from accuracy.loss import Law
from accuracy.samples import DIGITS, TINY, Row, Sample, log_uniform, quantile, with_corners
from explorer.core import laplace

MU = "μ in [1e-12, 60]"
MUS = (1e-12, 1e-6, 0.1, np.nextafter(1, 0), 1.0, 4.0, 60.0)
SCAN = 40


def exact_mu(shifts: tuple[mpf, ...], near: tuple[mpf, mpf]) -> tuple[mpf, mpf]:
    """Solve for the μ whose curve touches that of the shifts, and s = t/μ where the slope is -exp(t).

    Newton's method for α(t) = Φ(-s - μ/2) and β(t) = Φ(s - μ/2), t = sμ; for small μ these are nearly one
    equation, and the second is replaced by the difference of 1 - α - β.
    """
    law, (s, mu) = Law(shifts), near
    with mp.workdps(law.digits):
        for _ in range(60):
            t = s * mu
            alpha, beta, fall = law.alpha(t), law.beta(t), law.rate(t)
            rise = mp.exp(t) * fall
            with mp.workdps(min(law.digits, 2 * DIGITS)):
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
            limit = max(1, abs(step_mu) / mu * 4, abs(step_s) / (s + mpf(1) / 4) * 4)
            s, mu = max(s - step_s / limit, mpf(0)), mu - step_mu / limit
            s = min(s, mpf("0.9999") * law.total / mu)
    raise ArithmeticError(f"the curves of {shifts} do not touch near {near}")


@cache
def touching(parts: Parts, step: int) -> tuple[mpf, mpf]:
    """Return s and μ for the factor 10^(step/4), after a look at all of the curve."""
    factor = mpf(10) ** (mpf(step) / 4)
    shifts = tuple(mpf(part) * factor for part in parts)
    law = Law(shifts)
    best = (0.0, mpf(0))
    with mp.workdps(law.digits):
        for k in range(SCAN):
            t = law.total * ((k + mpf("0.382")) / SCAN) ** 3  # no knot
            alpha, beta = law.alpha(t), law.beta(t)
            if alpha < TINY:
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
    (low, mu_low), (high, mu_high) = touching(parts, step), touching(parts, step + 1)
    share = place - step
    mu = mu_low ** (1 - share) * mu_high**share
    elasticity = 4 * mp.log10(mu_high / mu_low)
    if abs(high - low) < max(high, low) / 10 + mpf(10) ** -9:
        return exact_mu(shifts, (low + share * (high - low), mu))[1], elasticity
    return max(exact_mu(shifts, (s, mu))[1] for s in (low, high)), elasticity


def calibration(
    kinds: tuple[Parts, ...], rng: Generator, count: int
) -> Iterator[tuple[Parts, float, float]]:
    """Return differences, μ and the least scale."""
    for parts in kinds:
        (mu,) = with_corners((log_uniform(rng, 1e-12, 60, -(-count // len(kinds))),), MUS)
        for m, b in zip(mu, laplace.scale(mu, statistic_of(parts)), strict=True):
            yield parts, float(m), float(b)


def scale_samples(kinds: tuple[Parts, ...], rng: Generator, count: int) -> Iterator[Sample]:
    for parts, mu, b in calibration(kinds, rng, count):
        exact, elasticity = largest_mu(parts, b)
        yield Sample((mu, *parts), b, b * (1 + (exact / mu - 1) / elasticity))


def mu_samples(kinds: tuple[Parts, ...], rng: Generator, count: int) -> Iterator[Sample]:
    for parts, _, b in calibration(kinds, rng, count):
        exact, _ = largest_mu(parts, b)
        yield Sample((b, *parts), float(laplace.mu(b, statistic_of(parts))), exact)


def one_scale_samples(rng: Generator, count: int) -> Iterator[Sample]:
    (mu,) = with_corners((log_uniform(rng, 1e-12, 60, count),), MUS)
    for m, value in zip(mu, laplace.scale(mu, statistic_of(ONE[0])), strict=True):
        yield Sample((m,), value, -1 / (2 * mp.log(2 * mp.ncdf(-mpf(m) / 2))))


def one_mu_samples(rng: Generator, count: int) -> Iterator[Sample]:
    (mu,) = with_corners((log_uniform(rng, 1e-12, 60, count),), MUS)
    b = laplace.scale(mu, statistic_of(ONE[0]))
    for scale, value in zip(b, laplace.mu(b, statistic_of(ONE[0])), strict=True):
        root = mpf(value)
        for _ in range(3):
            below = mp.ncdf(-root / 2)
            root += 2 * below / mp.npdf(root / 2) * (mp.log(2 * below) + 1 / (2 * mpf(scale)))
        yield Sample((scale,), value, root)


def pure_samples(rng: Generator, count: int) -> Iterator[Sample]:
    mu, l1 = log_uniform(rng, 1e-12, 60, count), log_uniform(rng, 1e-6, 1e6, count)
    mu, l1 = with_corners((mu, l1), MUS, (0.0, 1.0, 2.0))
    for m, size, value in zip(mu, l1, laplace.scale_pure(mu, l1), strict=True):
        yield Sample((m, size), value, size / mp.log(mp.ncdf(mpf(m) / 2) / mp.ncdf(-mpf(m) / 2)))


def l1_samples(rng: Generator, count: int) -> Iterator[Sample]:
    mu, l1 = log_uniform(rng, 1e-12, 60, count), log_uniform(rng, 1e-6, 1e6, count)
    mu, l1 = with_corners((mu, l1), MUS, (0.0, 1.0, 2.0))
    for m, size, value in zip(mu, l1, laplace.scale_l1(mu, l1), strict=True):
        yield Sample((m, size), value, -size / (2 * mp.log(2 * mp.ncdf(-mpf(m) / 2))))


def statistic_of(parts: Parts) -> SimpleNamespace:
    return SimpleNamespace(extreme_difference=np.array(parts))


DIFFERENCES = (
    ("two equal parts", TWO),
    ("three or four equal parts", EQUAL),
    ("two to four unequal parts", UNEQUAL),
)
ROWS = (
    Row("laplace.scale", f"one part, {MU}", "μ", 1e-11, one_scale_samples),
    *(
        Row("laplace.scale", f"{name}, {MU}", "μ, parts", 1e-11, partial(scale_samples, kinds))
        for name, kinds in DIFFERENCES
    ),
    Row("laplace.mu", f"one part, {MU}", "b", 1e-11, one_mu_samples),
    *(
        Row("laplace.mu", f"{name}, {MU}", "b, parts", 1e-11, partial(mu_samples, kinds))
        for name, kinds in DIFFERENCES
    ),
    Row("laplace.scale_pure", f"{MU}, Δ₁ in [1e-6, 1e6]", "μ, Δ₁", 1e-11, pure_samples),
    Row("laplace.scale_l1", f"{MU}, Δ₁ in [1e-6, 1e6]", "μ, Δ₁", 1e-11, l1_samples),
)
