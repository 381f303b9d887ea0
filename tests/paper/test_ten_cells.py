"""The distributions of the studies."""

import numpy as np
import pytest

from explorer.paper.ten_cells import HALFWAY, LINEAR, STEEPER, probabilities_of


def test_the_distributions_are_those_of_the_reference_cases():
    assert probabilities_of(LINEAR) == pytest.approx(np.arange(1, 11) / 55, rel=1e-14)
    assert probabilities_of(HALFWAY) == pytest.approx((np.arange(1, 11) / 55 + 0.1) / 2, rel=1e-14)
    assert 0 < probabilities_of(STEEPER)[0] < 1 / 55
