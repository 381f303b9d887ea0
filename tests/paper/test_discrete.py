"""Distributions on finitely many outcomes."""

from statistics import NormalDist

import numpy as np
import pytest

from explorer.paper._discrete import events, fine_cuts, rounded_normals


def test_events_are_all_and_different():
    chosen = events(5)
    assert chosen.shape == (32, 5)
    assert len(np.unique(chosen, axis=0)) == 32
    assert set(np.unique(chosen)) == {0, 1}


def test_rounded_normals_have_the_probabilities_of_the_standard_library():
    cuts = np.array([-1.5, 0.25, 1.0, 3.0])
    for centre, probabilities in zip((0.0, 1.0), rounded_normals(1.0, cuts), strict=True):
        below = [0.0, *map(NormalDist(centre).cdf, cuts), 1.0]
        assert probabilities == pytest.approx(np.diff(below), rel=1e-13)


def test_rounding_finely_keeps_the_digits_of_both_tails():
    p, q = rounded_normals(1.0, fine_cuts(1.0))
    assert p.sum() == pytest.approx(1, rel=1e-14)
    np.testing.assert_allclose(q, p[::-1], rtol=1e-9)  # the cuts are symmetric about 1/2
