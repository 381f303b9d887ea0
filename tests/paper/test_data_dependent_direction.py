"""The attack on a direction that is computed from the table."""

import math

import numpy as np
import pytest

from explorer.paper import (
    data_dependent_direction,
)


def test_the_error_rates_of_the_attack_by_its_two_scalars():
    # Along its own line the release is N(mu, 1), in units of sigma. The other line has the cosine
    # 1/2 with it, so along that the release is half of this plus sqrt(3)/2 times one coordinate X of
    # the shrunk part, which is multiplied by 1 - 6/(X^2 + a chi-squared of 7 degrees).
    mu, samples = 0.1, 400_000
    attacks = data_dependent_direction.attacks(mu=mu, samples=50_000)
    rng = np.random.default_rng(16)
    own, x = rng.normal(mu, 1, samples), rng.normal(size=samples)
    shrunk = (1 - 6 / (x**2 + rng.chisquare(7, samples))) * x
    errors = (np.abs(own / 2 + math.sqrt(3) / 2 * shrunk) > np.abs(own)).mean()
    margin = math.sqrt(math.log(4 / 1e-6) / 2 / 50_000) + math.sqrt(
        math.log(4 / 1e-6) / 2 / samples
    )
    assert attacks.alpha[1] == pytest.approx(errors, abs=margin)
    assert attacks.beta[1] == pytest.approx(errors, abs=margin)
    assert attacks.on_the_line == pytest.approx(1 - math.exp(-3) * (1 + 3 + 9 / 2 + 27 / 6))
    assert attacks.alpha[2] == 0
    assert attacks.beta[2] == pytest.approx(1 - attacks.on_the_line, abs=margin)
