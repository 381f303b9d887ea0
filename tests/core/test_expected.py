"""Expected risks of shrinkage over multinomial tables, and the mechanisms' expected costs."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, xlogy

from explorer.core import expected, shrinkage

quick = settings(max_examples=60, deadline=None)


def tables(n, pi):
    """Every table of n records and its multinomial probability."""
    p = len(pi)
    bars = np.array(list(itertools.combinations(range(n + p - 1), p - 1)))
    ends = np.full((len(bars), 1), n + p - 1)
    x = np.diff(bars, axis=1, prepend=-1, append=ends) - 1.0
    return x, np.exp(gammaln(n + 1) + (xlogy(x, pi) - gammaln(x + 1)).sum(axis=1))


@st.composite
def laws(draw):
    """Small tables, empty and sure cells among them."""
    n, weights = draw(
        st.tuples(
            st.integers(0, 12),
            st.lists(st.sampled_from([0, 1e-6, 0.1, 0.5, 1, 1, 2]), min_size=2, max_size=5),
        ).filter(lambda law: sum(law[1]) > 0)
    )
    return n, np.array(weights) / sum(weights)


@quick
@given(laws(), st.integers(1, 8), st.floats(-3, 3), st.booleans())
def test_risk_is_the_mean_over_all_tables(law, nu, log_sigma, centred):
    n, pi = law
    sigma = 10**log_sigma
    x, chance = tables(n, pi)
    tau = ((x - centred * n / len(pi)) ** 2).sum(axis=1) / sigma**2
    mean = chance @ shrinkage.risk(nu, tau)
    assert expected.risk(nu, sigma, n, pi, centred=centred) == pytest.approx(mean, rel=1e-11)
