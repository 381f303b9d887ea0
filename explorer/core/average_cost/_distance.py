"""Squared distances of a multinomial table from the uniform table or from zero."""

from dataclasses import dataclass

import numpy as np

from explorer.core._typing import Array, Complex
from explorer.core.average_cost._multinomial import CUT, mean_exponential
from explorer.core.average_cost._saddle import Cells

EQUAL = 2.0**49  # probabilities that agree to 49 bits are equal


@dataclass(frozen=True)
class Distance:
    """Q = ‖X - c1‖² for X ~ Multinomial(n, π) with at least two cells of positive probability.

    Attributes
    ----------
    n : int
        Number of records, at least 1.
    probabilities : ndarray of shape (p,)
        Cell probabilities π, of sum 1.
    centred : bool
        Whether c is n/p, the uniform table, or 0.
    """

    n: int
    probabilities: Array
    centred: bool

    @property
    def centre(self) -> float:
        """The number c."""
        return self.n / len(self.probabilities) if self.centred else 0.0

    @property
    def mean(self) -> float:
        """Mean of Q."""
        means = self.n * self.probabilities
        return float((means * (1 - self.probabilities) + (means - self.centre) ** 2).sum())

    def transform(self, s: Complex, share: Array | None = None) -> Complex:  # noqa: ARG002
        """Return E e^{-sQ}.

        Parameters
        ----------
        s : ndarray of shape (m,)
            Complex numbers with a positive real part, in ascending order of it; neighbours, as the
            frequencies that one of them needs are taken for all.
        share : ndarray of shape (m,), optional
            Bounds in (0, 1] of what the means contribute to the result, e^{-Q Re s} for e^{-sQ}.
            The smaller they are, the larger a relative error is admitted; 1 if omitted.

        Returns
        -------
        ndarray of shape (m,)
            Means, of absolute error at most about 1e-12.

        Notes
        -----
        Distances of the f cells of positive probability are from their own mean n/f, so that
        a large s meets whole numbers near it: Q = Σ(X_i - n/f)² + a constant. Where even the
        most even table has s Q above `CUT` the mean is 0.
        """
        (pi,), counts = distinct_cells(self.probabilities)
        cells = Cells(float(self.n), self.n * pi, counts)
        f = int(counts.sum())
        constant = self.n * self.n * (1 / f - self.centred / len(self.probabilities))
        left = self.n % f
        values = np.zeros(len(s), dtype=np.complex128)
        seen = s.real * (constant + left * (f - left) / f) < CUT
        centres = np.full((int(seen.sum()), len(counts)), self.n / f)
        means = mean_exponential(cells, s[seen], centres, np.zeros(len(centres)))[:, 0]
        values[seen] = np.exp(-s[seen] * constant) * means
        return values


def distinct_cells(probabilities: Array, *others: Array) -> tuple[Array, Array]:
    """Return the distinct cells of positive probability, and how many there are of each.

    The first array has the rows `probabilities` and `others`. Probabilities that differ by rounding
    only are replaced by their mean.
    """
    table = np.array([probabilities, *others])[:, probabilities > 0]
    mantissa, exponent = np.frexp(table)
    key = np.ldexp(np.round(mantissa * EQUAL) / EQUAL, exponent)
    _, index, counts = np.unique(key, axis=1, return_inverse=True, return_counts=True)
    sums = np.array([np.bincount(index.ravel(), row) for row in table])
    return sums / counts, counts.astype(np.float64)
