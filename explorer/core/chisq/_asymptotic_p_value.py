"""P-values from the distribution of a statistic when the table is taken for normal."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.core.chisq import weighted_chi2
from explorer.core.chisq._problem import Problem
from explorer.core.chisq.statistics import ChiSquaredStatistic
from explorer.core.mechanisms import JamesStein
from explorer.core.quantities import MECHANISM

Array = NDArray[np.float64]

MOST_CELLS = 1_024  # of a matrix whose eigenvalues take a second
RANK_TOLERANCE = 1e-12


def asymptotic_p_value(problem: Problem, expected: Array, value: float) -> float:
    """Return P(T > value) under a null hypothesis with this expected table (groups, categories)."""
    mechanism = problem.mechanism
    shrinks = isinstance(mechanism, JamesStein) and mechanism.shrunk_dimension > 2
    if shrinks and not problem.undoes_shrinkage:
        rule = (
            "must not shrink for the asymptotic distribution, which is not Σ λ χ²₁; use simulation"
        )
        raise MECHANISM.refuse(mechanism, rule)
    if expected.size > MOST_CELLS:
        rule = (
            f"must have at most {MOST_CELLS} cells for the asymptotic distribution; use simulation"
        )
        raise MECHANISM.refuse(mechanism, rule)
    return float(weighted_chi2.sf(max(value, 0.0), weights(problem, expected)))


def weights(problem: Problem, expected: Array) -> Array:
    """Return the weights λ of the distribution Σ λ χ²₁ of a statistic under its null hypothesis.

    A release less its own fit is (I - J)Y to first order, Y the release less the true expectation
    and J the derivative of the fit. With the covariance RRᵀ of Y and the matrix W of the statistic
    the weights are the eigenvalues of Rᵀ(I - J)ᵀW(I - J)R.
    """
    p, mechanism = expected.size, problem.mechanism
    units = np.eye(p)
    residual = (
        units - problem.hypothesis.move(expected, units.reshape(p, *expected.shape)).reshape(p, p).T
    )
    noise = mechanism.statistic.project(units) if mechanism.on_span else units
    covariance = _blocks([np.diag(row) - np.outer(row, row) / row.sum() for row in expected])
    values, axes = np.linalg.eigh(covariance + mechanism.variance * noise)
    root = residual @ (axes * np.sqrt(np.maximum(values, 0.0)))
    spectrum = np.linalg.eigvalsh(
        root.T @ _form(problem.statistic, expected, mechanism.variance) @ root
    )
    positive: Array = spectrum[spectrum > RANK_TOLERANCE * spectrum[-1]]
    return positive


def _form(statistic: ChiSquaredStatistic, expected: Array, variance: float) -> Array:
    """Return the matrix of a statistic, of shape (p, p)."""
    if statistic.name != "projected":
        added = variance if statistic.name == "ridge" else 0.0
        return np.diag(1 / (expected.ravel() + added))
    units = np.eye(expected.shape[1])
    centring = units - 1 / len(units)
    inverses = [
        np.linalg.inv(np.diag(row + variance) - np.outer(row, row) / row.sum()) for row in expected
    ]
    return _blocks([centring @ inverse @ centring for inverse in inverses])


def _blocks(matrices: Sequence[Array]) -> Array:
    """Return the matrix with these on its diagonal."""
    size = len(matrices[0])
    whole = np.zeros((len(matrices), size, len(matrices), size))
    for i, matrix in enumerate(matrices):
        whole[i, :, i, :] = matrix
    return whole.reshape(len(matrices) * size, -1)
