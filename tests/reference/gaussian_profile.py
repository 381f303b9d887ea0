"""The privacy profile of μ-GDP by the textbook difference, and its inverses by Newton's method."""

from many_digits import DIGITS
from mpmath import mp, mpf


def exact_delta(epsilon: mpf, mu: mpf) -> mpf:
    """Evaluate the textbook difference with so many digits that 50 are left of it."""
    ratio = epsilon / mu + mu / 2
    lost = 3 * mp.log10(max(ratio, 1)) - mp.log10(min(mu, 1))
    with mp.workdps(DIGITS + int(lost)):
        above, below = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
        return mp.ncdf(above) - mp.exp(epsilon) * mp.ncdf(below)


def solve(epsilon: mpf, mu: mpf, goal: mpf, unknown: str) -> tuple[mpf, mpf]:
    """Return the root of δ(ε, μ) = goal in the unknown by Newton's method, and its condition."""
    for _ in range(30):
        delta = exact_delta(epsilon, mu)
        by_epsilon = mp.exp(epsilon) * mp.ncdf(-epsilon / mu - mu / 2)
        by_mu = mp.npdf(epsilon / mu - mu / 2)
        # log(δ/goal) is concave, so that Newton's method converges from anywhere.
        excess = delta * mp.log(delta / goal)
        if unknown == "epsilon":
            step = excess / by_epsilon
            epsilon, size, rate, other = epsilon + step, epsilon, by_epsilon, by_mu * mu
        else:
            step = -excess / by_mu
            mu, size, rate, other = mu + step, mu, by_mu, by_epsilon * epsilon
        if abs(step) < mpf(10) ** -25 * size:
            root = epsilon if unknown == "epsilon" else mu
            return root, (goal + other) / (rate * root)
    raise ArithmeticError(f"no root near ε = {epsilon}, μ = {mu}")
