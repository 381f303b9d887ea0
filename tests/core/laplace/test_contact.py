"""The separation of two Laplace distributions at a loss, on both sides of the switch between its two forms."""

import numpy as np
import pytest
from laplace_loss import ReferenceLoss
from many_digits import quantile
from mpmath import mp, mpf

from explorer.core.laplace._contact import _separation
from explorer.core.laplace._privacy_loss import loss_distribution


@pytest.mark.parametrize("parts", [(1,), (1, 1), (1, 1, 1), (0.2, 0.6, 1), (1,) * 6, (1, 1, 1, 3)])
@pytest.mark.parametrize("factor", [1e-6, 0.4, 0.6, 0.8, 1.0, 1.3])
def test_separation_matches_many_digits(parts, factor):
    # -Φ⁻¹(α) - Φ⁻¹(β) with the alternating sum and Newton's method for Φ⁻¹. It is a difference of nearly
    # equal numbers for small μ; μ = 1 is passed at different factors and losses.
    shifts = tuple(factor * part / np.sqrt(len(parts)) for part in parts)
    distribution, exact = loss_distribution(shifts), ReferenceLoss(tuple(map(mpf, shifts)))
    for index in np.flatnonzero(distribution.knots[1:] > 0):
        start, end = max(distribution.knots[index], 0), distribution.knots[index + 1]
        for place in (0.1, 0.5, 0.9):
            loss = start + (end - start) * place
            separation, *_ = _separation(distribution, np.asarray(loss), np.asarray(index))
            with mp.workdps(exact.digits):
                mu = -quantile(exact.alpha(mpf(loss))) - quantile(exact.beta(mpf(loss)))
            assert separation == pytest.approx(float(mu), rel=2e-14, abs=0)
