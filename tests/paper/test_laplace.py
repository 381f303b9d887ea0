"""The μ from which Laplace noise is cheaper."""

import math

import pytest

from explorer.paper import (
    laplace,
)


def test_the_crossings_are_the_roots_of_the_tangency_equations():
    # The roots of b(mu) = 1/mu and so on, with mpmath at 30 digits from the tangency system of
    # `explorer.core.laplace`; the last two from their closed forms.
    one, two = 3.36077737919163503, 3.68706065628079359
    result = laplace.crossings()
    assert result.mu[:3] == pytest.approx([one, two, two], rel=1e-11)
    assert result.mu_of(laplace.FEW) == pytest.approx(5.23988915750, rel=1e-11)
    assert result.mu_of(laplace.MANY) == pytest.approx(3.73821666072, rel=1e-11)
    from_l1, from_pure = result.mu_of(laplace.FROM_L1), result.mu_of(laplace.FROM_PURE)
    tail = [math.erfc(mu / 8**0.5) / 2 for mu in (from_l1, from_pure)]
    assert -math.log(2 * tail[0]) == pytest.approx(from_l1, rel=1e-11)
    assert math.log(1 / tail[1] - 1) / 2 == pytest.approx(from_pure, rel=1e-11)
