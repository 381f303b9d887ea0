"""Studies with made-up results."""

import math

import numpy as np
import pytest


@pytest.fixture
def study_of():
    """Make the columns of a study from its axes, its cells in random order; and its powers."""

    def make(**axes):
        grid = np.meshgrid(*axes.values(), indexing="ij")
        order = np.random.default_rng(24).permutation(grid[0].size)
        study = {name: column.ravel()[order] for name, column in zip(axes, grid, strict=True)}
        study["power"] = order / len(order)
        study["standard_error"] = np.full(len(order), 0.01)
        study["level"] = np.full(len(order), 0.05)
        study["replicates"] = np.full(len(order), 1000)
        shape = grid[0].shape
        return study, np.arange(math.prod(shape)).reshape(shape) / math.prod(shape)

    return make
