"""Shrinkage within the sensitivity space."""

import numpy as np
import pytest

from explorer.core.sensitivity import Table
from explorer.paper import (
    james_stein,
    rank_deficient_james_stein,
)


def test_shrinkage_in_the_span_of_the_first_coordinates_leaves_the_last():
    releases = np.random.default_rng(14).normal(3, 4, (50, 6))
    shrunk = rank_deficient_james_stein.shrink_in_span(releases, np.eye(6)[:, :5], 2.0)
    assert shrunk[:, 5] == pytest.approx(releases[:, 5])
    assert shrunk[:, :5] == pytest.approx(james_stein.shrink_to_mean(releases[:, :5], 2.0))


def test_a_rotated_basis_is_an_orthonormal_basis_of_the_span():
    table = Table((7,))
    basis = rank_deficient_james_stein.rotated_basis(table, np.random.default_rng(15))
    assert basis.T @ basis == pytest.approx(np.eye(6), abs=1e-13)
    assert basis @ basis.T == pytest.approx(table.project(np.eye(7)), abs=1e-13)


def test_every_basis_is_cheaper_than_no_shrinkage():
    bases = rank_deficient_james_stein.bases([9, 1, 1, 1, 1, 1], mu=0.5)
    assert bases.cost_of(rank_deficient_james_stein.UNSHRUNK) == pytest.approx(5 * 2 / 0.25)
    assert bases.random.max() < 5 * 2 / 0.25
    assert ((bases.alignment >= 0) & (bases.alignment <= 1)).all()
