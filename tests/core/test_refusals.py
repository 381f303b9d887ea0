"""Every part of a refusal: which argument, what it means, what must hold, what was got."""

import pytest

from explorer.core import tradeoff
from explorer.core.parameter import ParameterError

CURVES = [
    (
        lambda: tradeoff.PiecewiseLinear([0.25], [0.5, 0.25]),
        "α (type I error) and the others must be of one shape (k,), got alpha=((1,), (2,), (2,)).",
    ),
    (
        lambda: tradeoff.PiecewiseLinear([0.25], [0.5], [0.5]),
        "β (type II error) must be 1 - α - advantage, got beta=[0.5].",
    ),
    (
        lambda: tradeoff.PiecewiseLinear([0.5, 0.25], [0.25, 0.5]),
        "α (type I error) must be in increasing order, got alpha=[0.5, 0.25].",
    ),
    (
        lambda: tradeoff.discrete([0.5], [1.0], [0.5, 0.5]),
        "Q (probabilities of the second law) must have the shape of p, (1,), got q=(2,).",
    ),
    (
        lambda: tradeoff.discrete([0.5], [[1.0]], [1.0]),
        "P (probabilities of the first law) must have one shape (k,), got p=(1, 1).",
    ),
    (
        lambda: tradeoff.discrete([0.5], [1.0], [0.25, 0.5]),
        "Q (probabilities of the second law) must sum to 1 within 1e-09, got q=0.75.",
    ),
]


@pytest.mark.parametrize(("call", "message"), [*CURVES])
def test_refusals_say_it_all(call, message):
    with pytest.raises(ParameterError) as caught:
        call()
    assert str(caught.value) == message
