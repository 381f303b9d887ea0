"""The trade-off functions of (ε, δ) and of μ."""

from statistics import NormalDist

import numpy as np
import pytest

from explorer.paper import tradeoff_functions

NORMAL = NormalDist()


def test_the_family_is_that_of_the_standard_library():
    family = tradeoff_functions.family()
    for mu, column in ((0.5, family.half), (1.0, family.one), (2.0, family.two)):
        values = [NORMAL.cdf(NORMAL.inv_cdf(1 - level) - mu) for level in family.level]
        assert column == pytest.approx(values, rel=1e-9)


def test_pairs_touch_where_the_slope_is_minus_e_to_the_epsilon():
    # G' = -e^ε where Φ⁻¹(1 - α) = ε/μ + μ/2, and by symmetry at (β, α).
    tangents = tradeoff_functions.tangents(mu=2.0)
    upper = np.array([NORMAL.cdf(-epsilon / 2 - 1) for epsilon in tangents.epsilon])
    lower = np.array([NORMAL.cdf(epsilon / 2 - 1) for epsilon in tangents.epsilon])
    nearest = np.minimum(abs(tangents.touching / upper - 1), abs(tangents.touching / lower - 1))
    assert (nearest < 0.01).all()
    assert tangents.distance == pytest.approx(np.zeros(5), abs=1e-9)


def test_two_pairs_are_below_all_pairs_together():
    envelope = tradeoff_functions.envelope(mu=2.0)
    assert (np.maximum(envelope.first, envelope.second) <= envelope.all_pairs + 1e-15).all()
    assert envelope.all_pairs == pytest.approx(envelope.gaussian, rel=1e-3)
