"""The law of a statistic under its null hypothesis when the table is taken for normal."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.core.chisq import weighted_chi2
from explorer.core.chisq._hypotheses import Setting
from explorer.core.chisq.statistics import Statistic
from explorer.core.mechanisms import JamesStein
from explorer.core.parameter import ParameterError

Array = NDArray[np.float64]

MOST_CELLS = 1_024  # of a matrix whose eigenvalues take a second
RANK_TOLERANCE = 1e-12


def limit_p_value(setting: Setting, expected: Array, value: float) -> float:
    """Return P(T > value) under a null hypothesis with this expected table (groups, categories)."""
    mechanism = setting.mechanism
    if isinstance(mechanism, JamesStein) and mechanism.shrunk_dimension > 2:
        rule = "must not shrink for the asymptotic law, which is not Σ λ χ²₁; use simulation"
        raise ParameterError("mechanism", "M", "mechanism", rule, mechanism)
    if expected.size > MOST_CELLS:
        rule = f"must have at most {MOST_CELLS} cells for the asymptotic law; use simulation"
        raise ParameterError("mechanism", "M", "mechanism", rule, mechanism)
    return float(weighted_chi2.sf(max(value, 0.0), weights(setting, expected)))


def weights(setting: Setting, expected: Array) -> Array:
    """Return the weights λ of the law Σ λ χ²₁ of a statistic under its null hypothesis.

    A release less its own fit is (I - J)Y to first order, Y the release less the true expectation
    and J the derivative of the fit. With the covariance RRᵀ of Y and the matrix W of the statistic
    the weights are the eigenvalues of Rᵀ(I - J)ᵀW(I - J)R.
    """
    p, mechanism = expected.size, setting.mechanism
    units = np.eye(p)
    residual = (
        units - setting.hypothesis.move(expected, units.reshape(p, *expected.shape)).reshape(p, p).T
    )
    noise = mechanism.statistic.project(units) if mechanism.on_span else units
    covariance = _blocks([np.diag(row) - np.outer(row, row) / row.sum() for row in expected])
    values, axes = np.linalg.eigh(covariance + mechanism.variance * noise)
    root = residual @ (axes * np.sqrt(np.maximum(values, 0.0)))
    spectrum = np.linalg.eigvalsh(
        root.T @ _form(setting.statistic, expected, mechanism.variance) @ root
    )
    positive: Array = spectrum[spectrum > RANK_TOLERANCE * spectrum[-1]]
    return positive


def _form(statistic: Statistic, expected: Array, variance: float) -> Array:
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
