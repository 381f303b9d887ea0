"""Rows of `explorer.core.shrinkage`."""

from collections.abc import Iterator

import numpy as np
from mpmath import mpf
from numpy.random import Generator
from shrinkage_risk import inverse_mean, losses, mixture, risk_of

from accuracy.samples import Array, Row, Sample, log_uniform, with_corners
from explorer.core import shrinkage

NU, TAU = "ν in [2 + 1e-9, 1e6]", "τ in [0, 1e12]"
NUS, TAUS = (2 + 1e-9, 2.5, 3.0, 10.0, 1e3, 1e6), (0.0, 1e-9, 1.0, 40.0, 1e3, 1e6, 1e12)
DIMENSIONS = 100


def degrees_and_tau(rng: Generator, count: int) -> tuple[Array, Array]:
    nu = 2 + log_uniform(rng, 1e-9, 1e6 - 2, count)
    tau = np.where(
        rng.random(count) < 0.6, log_uniform(rng, 1e-9, 1e12, count), rng.uniform(0, 100, count)
    )
    return with_corners((nu, tau), NUS, TAUS)


def mean_samples(rng: Generator, count: int) -> Iterator[Sample]:
    nu, tau = degrees_and_tau(rng, count)
    for n, t, value in zip(nu, tau, shrinkage.inverse_chi2_mean(nu, tau), strict=True):
        yield Sample((n, t), value, inverse_mean(mpf(n), mpf(t)))


def risk_samples(rng: Generator, count: int) -> Iterator[Sample]:
    nu, tau = degrees_and_tau(rng, count)
    for n, t, value in zip(nu, tau, shrinkage.risk(nu, tau), strict=True):
        yield Sample((n, t), value, risk_of(mpf(n), mpf(t)))


def positive_samples(rng: Generator, count: int) -> Iterator[Sample]:
    number = min(DIMENSIONS, max(1, count // 20))
    nus = np.concatenate([NUS, 2 + log_uniform(rng, 1e-9, 1e6 - 2, number)])
    for n in nus:
        terms = losses(float(n))
        points = -(-count // len(nus))
        reach = 2.0 * len(terms)
        tau = np.concatenate(
            [
                TAUS,
                log_uniform(rng, 1e-9, 1e12, points // 3),
                rng.uniform(0, reach, points - points // 3),
            ]
        )
        values = shrinkage.risk(float(n), tau, positive_part=True)
        for t, value in zip(tau, values, strict=True):
            saving = mixture(terms, mpf(t) / 2)
            yield Sample((n, t), value, risk_of(mpf(n), mpf(t)) - saving)


ROWS = (
    Row("shrinkage.inverse_chi2_mean", f"{NU}, {TAU}", "ν, τ", 1e-12, mean_samples),
    Row("shrinkage.risk", f"{NU}, {TAU}", "ν, τ", 1e-12, risk_samples),
    Row("shrinkage.risk, positive part", f"{NU}, {TAU}", "ν, τ", 1e-10, positive_samples),
)
