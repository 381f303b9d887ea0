"""Privacy by enumeration of events and of tests."""

import math

import pytest

from explorer.paper import privacy


def test_randomised_response_with_three_answers():
    # With e^ε = 2: P is (2, 1, 1)/4 and Q is (1, 2, 1)/4.
    response = privacy.pure(epsilon=math.log(2), answers=3)
    assert response.event == ("{0}", "{1}", "{0, 1}", "{2}", "{0, 2}", "{1, 2}")
    assert response.p == pytest.approx([0.5, 0.25, 0.75, 0.25, 0.75, 0.5])
    assert response.q == pytest.approx([0.25, 0.5, 0.75, 0.25, 0.5, 0.75])
    assert response.loss[:3] == pytest.approx([math.log(2), -math.log(2), 0], abs=1e-15)


def test_sorting_finds_the_best_of_all_tests():
    tests = privacy.every_test(mu=2.0)
    assert tests.tried == pytest.approx(tests.by_sorting, abs=1e-14)
    assert tests.by_sorting[0] == 1
    assert tests.by_sorting[-1] == 0
