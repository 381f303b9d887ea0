"""The source of randomness that an argument `rng` names."""

import numpy as np
import pytest

from explorer.core._random import generator
from explorer.core.mechanisms import MECHANISMS, AdditiveGaussian, OptimalGaussian
from explorer.core.parameter import ParameterError
from explorer.core.sensitivity import Table


def test_a_generator_is_used_as_it_is():
    rng = np.random.default_rng(3)
    assert generator(rng) is rng


@pytest.mark.parametrize("seed", [0, 7, np.int64(7), [1, 2], (1, 2), np.random.SeedSequence(5)])
def test_a_seed_gives_the_numbers_of_numpy(seed):
    numbers = generator(seed).random(3)
    assert numbers.tolist() == np.random.default_rng(seed).random(3).tolist()


def test_without_a_seed_the_numbers_differ():
    assert generator(None).random(3).tolist() != generator(None).random(3).tolist()


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, [-1], np.random, object()])
def test_what_is_no_seed_is_refused_with_a_sentence(seed):
    with pytest.raises(ParameterError, match=r"must be a numpy\.random\.Generator, a seed"):
        generator(seed)


RELEASES = [
    *(mechanism_class(Table((2, 3)), 1.0) for mechanism_class in MECHANISMS),
    OptimalGaussian(Table((2, 3)), 1.0),
    AdditiveGaussian(Table((2, 3)), np.eye(6)),
]


@pytest.mark.parametrize("mechanism", RELEASES, ids=lambda mechanism: type(mechanism).__name__)
def test_every_mechanism_takes_a_seed(mechanism):
    theta = [40, 25, 31, 54, 12, 38]
    same = mechanism.simulate(theta, np.random.default_rng(7))
    assert mechanism.simulate(theta, 7).tolist() == same.tolist()
    assert mechanism.simulate(theta, None).tolist() != same.tolist()
    with pytest.raises(ParameterError, match="source of randomness"):
        mechanism.simulate(theta, "7")
