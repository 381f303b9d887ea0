"""Section 6 of the paper: tests of homogeneity and independence, whose null law is fitted."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.core.mechanisms import Mechanism
from explorer.paper._shown import Array, Shown
from explorer.paper.tested import Columns, kinds

STATISTICS: Final = {"pearson": "Pearson", "ridge": "ridge"}


@dataclass(frozen=True, eq=False, repr=False)
class Fitted(Shown):
    """Shares of rejected releases, by mechanism and statistic.

    Attributes
    ----------
    mechanisms : tuple of type
        What was released.
    n, mu : ndarray of shape (m,)
        Number of records and μ.
    power, error : ndarray of shape (statistics, mechanisms, m)
        Shares and their standard errors, Pearson's statistic first, then ridge.
    """

    mechanisms: tuple[type[Mechanism], ...]
    n: NDArray[Any]
    mu: Array
    power: Array
    error: Array

    def columns(self) -> dict[str, list[str]]:
        """Return n, μ and a column of shares for each statistic and mechanism."""
        cells = {
            f"{words}: {kind.short}": [f"{share:.3f}" for share in row]
            for words, rows in zip(STATISTICS.values(), self.power, strict=True)
            for kind, row in zip(self.mechanisms, rows, strict=True)
        }
        return {"n": [f"{n:d}" for n in self.n], "μ": [f"{mu:g}" for mu in self.mu], **cells}

    def of(self, statistic: str, kind: type[Mechanism] | None = None) -> Array:
        """Return the shares of a statistic, of shape (m,) for a mechanism or (mechanisms, m)."""
        rows: Array = self.power[[*STATISTICS].index(statistic)]
        return rows if kind is None else rows[self.mechanisms.index(kind)]

    def gain(self, statistic: str, kind: type[Mechanism], over: type[Mechanism]) -> Array:
        """Return by how many standard errors one mechanism beats another, of shape (m,)."""
        row = [*STATISTICS].index(statistic)
        one, other = self.mechanisms.index(kind), self.mechanisms.index(over)
        error = np.hypot(self.error[row, one], self.error[row, other])
        gained: Array = (self.power[row, one] - self.power[row, other]) / error
        return gained


def fitted(study: Columns, test: str, strength: float) -> Fitted:
    """Collect the cells of one test and one strength of the alternative.

    Parameters
    ----------
    study : mapping
        Columns of a study with Pearson's statistic and ridge.
    test : {"homogeneity", "independence"}
        The test.
    strength : float
        0 for the size, or another value of the study's axis.
    """
    here = (study["test"] == test) & (study["strength"] == strength)
    names, statistic = study["mechanism"][here], study["statistic"][here]
    found = kinds(names)
    place = [[kind.__name__ for kind in found].index(name) for name in names]
    order = np.lexsort((study["mu"][here], study["n"][here], place, statistic == "ridge"))
    shape = len(STATISTICS), len(found), -1
    n, mu, power, error = (
        study[name][here][order].reshape(shape) for name in ("n", "mu", "power", "standard_error")
    )
    return Fitted(found, n[0, 0], mu[0, 0], power, error)
