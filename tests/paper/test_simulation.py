"""Simulated costs and levels beside what chance allows."""

from statistics import NormalDist

import numpy as np
import pytest
from mpmath import mp

from explorer.paper._simulation import compare, level_band

FALSE_ALARM = 1e-6


def test_a_right_mean_passes_and_a_wrong_one_does_not():
    rng = np.random.default_rng(12)
    samples = rng.chisquare(10, 100_000)
    study = compare({"right": (10.0, samples), "one per cent more": (10.1, samples)})
    assert abs(study.deviation[0]) < study.bound < abs(study.deviation[1])
    assert study.bound == pytest.approx(-NormalDist().inv_cdf(1e-6 / 4), rel=1e-9)


@pytest.mark.parametrize(("replicates", "cells"), [(1_000, 1), (20_000, 96)])
def test_the_band_of_a_right_level_is_that_of_the_beta_binomial_distribution(replicates, cells):
    samples = 10 * replicates
    k = samples // 20
    low, high = (round(end * replicates) for end in level_band(0.05, replicates, cells))
    with mp.workdps(30):  # scipy's own tail, 1 less a sum, is 10% off here

        def beta(a, b):
            return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)

        def probability(x):
            ways = -beta(x + 1, replicates - x + 1) - mp.log(replicates + 1)
            log_probability = beta(x + k, replicates - x + samples + 1 - k) - beta(
                k, samples + 1 - k
            )
            return mp.exp(ways + log_probability)

        tail = FALSE_ALARM / 2 / cells
        below = sum(probability(x) for x in range(max(0, low - 500), low))
        above = sum(probability(x) for x in range(high + 1, min(replicates, high + 500) + 1))
        assert below < tail < below + probability(low)
        assert above < tail < above + probability(high)
