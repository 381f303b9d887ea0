"""Sensitivities of a mean and normal noise for a known Δ₂."""

import math

import numpy as np
import pytest

from explorer.paper import gaussian


def test_norms_of_a_mean():
    norms = gaussian.norms(p=3, n=2)
    by_hand = [9 / 2, 3 / 2, math.sqrt(3) / 2, 3 ** (1 / 3) / 2, 1 / 2]  # r = 1/2, 1, 2, 3, ∞
    assert norms.formula == pytest.approx(by_hand)
    assert norms.corners == pytest.approx(by_hand)


def test_independent_noise_has_the_mu_of_its_scale():
    isotropic = gaussian.isotropic(mu=0.2)
    assert isotropic.at == pytest.approx(np.full(4, 0.2))
    assert isotropic.below == pytest.approx(np.full(4, 0.2 / 0.99))


def test_no_covariance_is_cheaper_than_the_identity():
    covariances = gaussian.covariances(p=3, mu=2.0, count=20)
    assert covariances.exact == pytest.approx(np.full(20, 2.0))
    assert covariances.cost.min() == covariances.cost[0] == pytest.approx(1)
