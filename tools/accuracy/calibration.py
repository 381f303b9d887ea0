"""Rows of Laplace noise: the least scale for a μ, and the exact μ of a scale."""

from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace

import numpy as np
from laplace_mu import Parts, largest_mu
from mpmath import mp, mpf
from numpy.random import Generator

from accuracy.laplace import EQUAL, ONE, TWO, UNEQUAL
from accuracy.samples import Row, Sample, log_uniform, with_corners
from explorer.core import laplace

MU = "μ in [1e-12, 60]"
MUS = (1e-12, 1e-6, 0.1, np.nextafter(1, 0), 1.0, 4.0, 60.0)


def calibration(
    differences: tuple[Parts, ...], rng: Generator, count: int
) -> Iterator[tuple[Parts, float, float]]:
    """Yield differences, μ and the least scale."""
    for parts in differences:
        (mu,) = with_corners((log_uniform(rng, 1e-12, 60, -(-count // len(differences))),), MUS)
        for m, b in zip(mu, laplace.scale(mu, statistic_of(parts)), strict=True):
            yield parts, float(m), float(b)


def scale_samples(differences: tuple[Parts, ...], rng: Generator, count: int) -> Iterator[Sample]:
    for parts, mu, b in calibration(differences, rng, count):
        exact, elasticity = largest_mu(parts, b)
        yield Sample((mu, *parts), b, b * (1 + (exact / mu - 1) / elasticity))


def mu_samples(differences: tuple[Parts, ...], rng: Generator, count: int) -> Iterator[Sample]:
    for parts, _, b in calibration(differences, rng, count):
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
        Row(
            "laplace.scale", f"{name}, {MU}", "μ, parts", 1e-11, partial(scale_samples, differences)
        )
        for name, differences in DIFFERENCES
    ),
    Row("laplace.mu", f"one part, {MU}", "b", 1e-11, one_mu_samples),
    *(
        Row("laplace.mu", f"{name}, {MU}", "b, parts", 1e-11, partial(mu_samples, differences))
        for name, differences in DIFFERENCES
    ),
    Row("laplace.scale_pure", f"{MU}, Δ₁ in [1e-6, 1e6]", "μ, Δ₁", 1e-11, pure_samples),
    Row("laplace.scale_l1", f"{MU}, Δ₁ in [1e-6, 1e6]", "μ, Δ₁", 1e-11, l1_samples),
)
