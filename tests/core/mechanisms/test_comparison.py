"""How mechanisms compare: the scaling of costs, and the μ from which Laplace noise costs less."""

import numpy as np
import pytest

from explorer.core.mechanisms import MECHANISMS, Gaussian, Laplace, make
from explorer.core.mechanisms.comparison import laplace_crossing, scaled_cost
from explorer.core.sensitivity import Table


@pytest.mark.parametrize(
    ("neighbours", "mu"),
    [
        # One shift: Laplace noise costs less from -2 log(2Φ(-μ/2)) = √2 μ, by mpmath at 30 digits
        #
        #     findroot(lambda m: -2*log(2*ncdf(-m/2)) - sqrt(2)*m, 3)
        #
        # and two equal shifts likewise from the scale at which their trade-off touches G_μ.
        ("add-remove", 3.360777379191635027304451),
        ("replace", 3.687060656280793593633389),
    ],
)
@pytest.mark.parametrize("records", [1, 7])
def test_laplace_noise_wins_from_a_known_mu(neighbours, mu, records):
    statistic = Table((3, 3), neighbours, records)
    assert laplace_crossing(statistic) == pytest.approx(mu, abs=1e-9)
    theta = np.zeros(9)
    for side, wins in ((1 - 1e-9, False), (1 + 1e-9, True)):
        laplace, gaussian = (one(statistic, mu * side) for one in (Laplace, Gaussian))
        assert (laplace.l2_cost(theta) < gaussian.l2_cost(theta)) == wins


@pytest.mark.parametrize("mechanism_class", MECHANISMS, ids=lambda one: one.key)
@pytest.mark.parametrize("positive_part", [False, True])
def test_a_scaled_cost_is_that_of_direct_calibration(mechanism_class, positive_part):
    statistic, mus = Table((2, 3)), np.array([0.02, 0.7, 30.0])
    direct = [make(mechanism_class, statistic, mu, positive_part=positive_part) for mu in mus]
    unit = make(mechanism_class, statistic, 1.0, positive_part=positive_part)
    theta = np.array([90.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    scales = np.array([float(one.scale) for one in direct])
    expected = [float(one.l2_cost(theta)) for one in direct]
    assert scaled_cost(unit, scales, theta) == pytest.approx(expected, rel=1e-9)
