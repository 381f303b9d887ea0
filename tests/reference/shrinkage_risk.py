"""Risks of James–Stein shrinkage: a double exponential rule, and a Poisson mixture."""

from functools import cache, lru_cache

from many_digits import DIGITS
from mpmath import mp, mpf

STEP = 0.16  # of the trapezoid rule


@lru_cache(maxsize=1)
def nodes() -> list[tuple[mpf, mpf]]:
    """Return s = exp(u - exp(-u)) and weights of ∫ f(s) ds for f that falls exponentially."""
    with mp.workdps(DIGITS + 10):
        u = [mpf(STEP) * k for k in range(-31, 500)]
        return [(s, s * (1 + mp.exp(-v)) * STEP) for v in u for s in [mp.exp(v - mp.exp(-v))]]


@cache
def inverse_mean(nu: mpf, tau: mpf) -> mpf:
    """Integrate exp(-zs - x(1 - exp(-s)))/2 over s > 0 by the double exponential rule.

    Here z = ν/2 - 1 and x = τ/2. The number of nodes does not depend on them.
    """
    with mp.workdps(DIGITS + 10):
        z, x = nu / 2 - 1, tau / 2
        # No larger than 1, the scale of exp(-s): to its left the nodes are far apart.
        unit, total = min(1 / (z + x), mpf(1)), mpf(0)
        for node, weight in nodes():
            s = unit * node
            term = weight * mp.exp(x * (mp.exp(-s) - 1) - z * s)
            total += term
            if z * s > 130:
                break
        return total * unit / 2


def risk_of(nu: mpf, tau: mpf) -> mpf:
    return nu - (nu - 2) ** 2 * inverse_mean(nu, tau)


@lru_cache(maxsize=4)
def losses(nu: float) -> list[mpf]:
    """Return what the positive part saves given K = k, where that is more than 1e-40.

    Below c = ν - 2 the plain factor is -(c/S - 1) instead of 0, and costs (c/S - 1)²S +
    2(c/S - 1)⟨X, θ⟩ more. Given K = k, S is chi-squared of m = ν + 2k degrees, and ⟨X, θ⟩ averages to 2k
    whatever S is: E ⟨X, θ⟩h(S) = τ E h(χ'²) of ν + 2 degrees = E 2K h(S). The partial moments of S are
    distribution functions F of m - 2, m and m + 2 degrees.
    """
    n = mpf(nu)
    c = n - 2
    lower = mp.gammainc(c / 2, 0, c / 2, regularized=True)  # F of m - 2 degrees, at c
    mass = mp.exp((c / 2) * mp.log(c / 2) - c / 2 - mp.loggamma(c / 2 + 1))
    saved, k = [], 0
    while True:
        m = n + 2 * k
        middle = lower - mass
        mass *= c / m
        upper = middle - mass
        once = c * lower / (m - 2) - middle
        twice = c * c * lower / (m - 2) - 2 * c * middle + m * upper
        saved.append(4 * k * once + twice)
        if saved[-1] < mpf(10) ** -40:
            return saved
        lower, k = middle, k + 1


def mixture(terms: list[mpf], x: mpf) -> mpf:
    """Average over k Poisson of mean x; 0 where P(K < len(terms)) is below 1e-60 by Chernoff's bound."""
    count = len(terms)
    if x > count and x - count + count * mp.log(count / x) > 140:
        return mpf(0)
    weight, total = mp.exp(-x), mpf(0)
    for k, term in enumerate(terms):
        total += weight * term
        weight *= x / (k + 1)
    return total
