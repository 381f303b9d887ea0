"""Rows of `explorer.core.gdp` and of the trade-off functions without Laplace noise."""

from collections.abc import Iterator

import numpy as np
from gaussian_profile import exact_delta, solve
from many_digits import quantile
from mpmath import mp, mpf
from numpy.random import Generator

from accuracy.samples import (
    TINY,
    Array,
    Row,
    Sample,
    both_tails,
    log_uniform,
    with_corners,
)
from explorer.core import gdp, tradeoff

MU, EPSILON, ALPHA = "μ in [1e-12, 60]", "ε in [0, 2000]", "α in [1e-300, 1 - 1e-12]"
MUS = (1e-12, 1e-6, np.nextafter(0.25, 0), 0.25, 1.0, 20.0, 60.0)
EPSILONS = (0.0, 1e-12, 1e-6, 1.0, 100.0, 700.0, 710.0, 2000.0)
LEVELS = (1e-300, 1e-17, 0.25, 0.5, np.nextafter(0.5, 1), 1 - 1e-12)


def box(rng: Generator, count: int) -> tuple[Array, Array]:
    """Return ε and μ of the whole range."""
    columns = log_uniform(rng, 1e-13, 2000, count), log_uniform(rng, 1e-12, 60, count)
    return with_corners(columns, EPSILONS, MUS)


def where_delta_varies(rng: Generator, count: int) -> tuple[Array, Array]:
    """Return ε and μ with ε/μ - μ/2 below 38, where δ is above 1e-314."""
    mu = log_uniform(rng, 1e-12, 60, count)
    epsilon = mu * (rng.uniform(-mu / 2, 38) + mu / 2)
    return np.clip(epsilon, 0, 2000), mu


def pairs(rng: Generator, count: int) -> tuple[Array, Array]:
    """Return ε and μ, a quarter from all of the range and the others where δ varies."""
    quarter = box(rng, count // 4)
    others = where_delta_varies(rng, count - count // 4)
    epsilon, mu = (np.concatenate(pair) for pair in zip(quarter, others, strict=True))
    return epsilon, mu


def delta_samples(rng: Generator, count: int) -> Iterator[Sample]:
    epsilon, mu = pairs(rng, count)
    for e, m, value in zip(epsilon, mu, gdp.delta(epsilon, mu), strict=True):
        yield Sample((e, m), value, exact_delta(mpf(e), mpf(m)))


def log_delta_samples(rng: Generator, count: int) -> Iterator[Sample]:
    half = box(rng, count // 2)
    others = where_delta_varies(rng, count - count // 2)
    epsilon, mu = (np.concatenate(pair) for pair in zip(half, others, strict=True))
    for e, m, value in zip(epsilon, mu, gdp.log_delta(epsilon, mu), strict=True):
        yield Sample((e, m), value, mp.log(exact_delta(mpf(e), mpf(m))))


def goals(rng: Generator, count: int) -> tuple[Array, Array, Array]:
    """Return ε, μ and a float close to δ, strictly between 0 and 1."""
    epsilon, mu = where_delta_varies(rng, count + count // 3)
    corners = with_corners((epsilon, mu), EPSILONS[1:], MUS)
    epsilon, mu = corners
    delta = gdp.delta(epsilon, mu)
    usable = (delta > TINY) & (delta < 1) & (epsilon > 0)
    return epsilon[usable], mu[usable], delta[usable]


def epsilon_samples(rng: Generator, count: int) -> Iterator[Sample]:
    _, mu, delta = goals(rng, count)
    for d, m, value in zip(delta, mu, gdp.epsilon(delta, mu), strict=True):
        if value == 0:  # right if δ is at least that of ε = 0
            reached = mpf(d) >= exact_delta(mpf(0), mpf(m))
            yield Sample((d, m), value, mpf(0 if reached else 1))
            continue
        yield Sample((d, m), value, *solve(mpf(value), mpf(m), mpf(d), "epsilon"))


def mu_samples(rng: Generator, count: int) -> Iterator[Sample]:
    epsilon, _, delta = goals(rng, count)
    for e, d, value in zip(epsilon, delta, gdp.mu(epsilon, delta), strict=True):
        yield Sample((e, d), value, *solve(mpf(e), mpf(value), mpf(d), "mu"))


def pure_samples(rng: Generator, count: int) -> Iterator[Sample]:
    (epsilon,) = with_corners((log_uniform(rng, 1e-12, 2000, count),), EPSILONS)
    for e, value in zip(epsilon, gdp.mu_from_pure(epsilon), strict=True):
        root = mpf(value)
        goal = -mp.log1p(mp.exp(e))
        for _ in range(3):
            below = mp.ncdf(-root / 2)
            root += 2 * below / mp.npdf(root / 2) * (mp.log(below) - goal) if e else 0
        yield Sample((e,), value, root)


def rho_samples(rng: Generator, count: int) -> Iterator[Sample]:
    (mu,) = with_corners((log_uniform(rng, 1e-12, 60, count),), MUS)
    for m, value in zip(mu, gdp.rho(mu), strict=True):
        yield Sample((m,), value, mpf(m) ** 2 / 2)


def compose_samples(rng: Generator, count: int) -> Iterator[Sample]:
    for number in range(count):
        mus = log_uniform(rng, 1e-12, 60, 1 + number % 20) if number > 1 else np.full(20, 1e-12)
        mus = np.full(20, 60.0) if number == 1 else mus
        exact = mp.sqrt(mp.fsum(mpf(m) ** 2 for m in mus))
        yield Sample(tuple(mus), float(gdp.compose(mus)), exact)


def advantage_samples(rng: Generator, count: int) -> Iterator[Sample]:
    (mu,) = with_corners((log_uniform(rng, 1e-12, 60, count),), MUS)
    for m, value in zip(mu, gdp.advantage(mu), strict=True):
        yield Sample((m,), value, mp.ncdf(mpf(m) / 2) - mp.ncdf(-mpf(m) / 2))


def levels_and_mus(rng: Generator, count: int) -> tuple[Array, Array]:
    """Return α and μ, half of them with a quantile near μ, where power is neither 0 nor 1."""
    columns = both_tails(rng, count), log_uniform(rng, 1e-12, 60, count)
    alpha, mu = with_corners(columns, LEVELS, MUS)
    return alpha, mu


def power_samples(rng: Generator, count: int) -> Iterator[Sample]:
    alpha, mu = levels_and_mus(rng, count)
    for a, m, value in zip(alpha, mu, gdp.power(alpha, mu), strict=True):
        yield Sample((a, m), value, mp.ncdf(quantile(mpf(a)) + m))


def gaussian_samples(rng: Generator, count: int) -> Iterator[Sample]:
    alpha, mu = levels_and_mus(rng, count)
    for a, m, value in zip(alpha, mu, tradeoff.gaussian(alpha, mu), strict=True):
        yield Sample((a, m), value, mp.ncdf(-quantile(mpf(a)) - m))


def bayes_samples(rng: Generator, count: int) -> Iterator[Sample]:
    prior, mu = levels_and_mus(rng, count)
    for p, m, value in zip(prior, mu, gdp.bayes_error(mu, prior), strict=True):
        t = mp.log((1 - mpf(p)) / p) / m
        missed, accused = mp.ncdf(t - mpf(m) / 2), mp.ncdf(-t - mpf(m) / 2)
        yield Sample((m, p), value, p * missed + (1 - mpf(p)) * accused)


def approximate_samples(rng: Generator, count: int) -> Iterator[Sample]:
    alpha, epsilon = both_tails(rng, count), log_uniform(rng, 1e-12, 2000, count)
    near = np.exp(-np.minimum(epsilon, 690)) * rng.uniform(0, 1.1, count)
    alpha = np.where(rng.random(count) < 0.5, alpha, np.clip(near, TINY, 1 - 1e-12))
    delta = np.where(rng.random(count) < 0.8, log_uniform(rng, 1e-300, 1, count), 0.0)
    columns = with_corners((alpha, epsilon, delta), LEVELS, EPSILONS, (0.0, 1e-300, 0.5, 1.0))
    for a, e, d, value in zip(*columns, tradeoff.approximate(*columns), strict=True):
        loss = mp.exp(e) * a
        left, right = 1 - mpf(d) - loss, mp.exp(-e) * (1 - mpf(d) - a)
        exact = max(left, right, mpf(0))
        condition = (loss * (e + 1) + d) / left if left > max(right, 0) else mpf(1)
        yield Sample((a, e, d), value, exact, condition)


ROWS = (
    Row("gdp.delta", f"{EPSILON}, {MU}", "ε, μ", 1e-12, delta_samples),
    Row("gdp.log_delta", f"{EPSILON}, {MU}", "ε, μ", 1e-12, log_delta_samples, "log"),
    Row("gdp.epsilon", f"δ in [1e-300, 1), {MU}", "δ, μ", 1e-12, epsilon_samples, "κ"),
    Row("gdp.mu", "ε in [0, 2000], δ in [1e-300, 1)", "ε, δ", 1e-12, mu_samples),
    Row("gdp.mu_from_pure", EPSILON, "ε", 1e-12, pure_samples),
    Row("gdp.rho", MU, "μ", 1e-12, rho_samples),
    Row("gdp.compose", f"1 to 20 releases, {MU}", "μ", 1e-12, compose_samples),
    Row("gdp.advantage", MU, "μ", 1e-12, advantage_samples),
    Row("gdp.power", f"{ALPHA}, {MU}", "α, μ", 1e-12, power_samples),
    Row("gdp.bayes_error", f"{MU}, π in [1e-300, 1 - 1e-12]", "μ, π", 1e-12, bayes_samples),
    Row("tradeoff.gaussian", f"{ALPHA}, {MU}", "α, μ", 1e-12, gaussian_samples),
    Row(
        "tradeoff.approximate",
        f"{ALPHA}, {EPSILON}, δ in [0, 1]",
        "α, ε, δ",
        1e-12,
        approximate_samples,
        "κ",
    ),
)
