"""Section 6 of the paper: tests of homogeneity and independence, whose null distribution is estimated."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.paper._mechanisms import MechanismClass, classes_in, places, symbol
from explorer.paper._result import Array, Result
from explorer.paper.level_and_power import Columns

STATISTICS: Final = {"pearson": "Pearson", "ridge": "ridge"}


@dataclass(frozen=True, eq=False, repr=False)
class Rejections(Result):
    """Shares of rejected releases, by mechanism and statistic.

    Attributes
    ----------
    mechanisms : tuple of type
        Mechanisms of the releases.
    n, mu : ndarray of shape (m,)
        Number of records and μ.
    power, error : ndarray of shape (statistics, mechanisms, m)
        Shares and their standard errors, Pearson's statistic first, then ridge.
    """

    mechanisms: tuple[MechanismClass, ...]
    n: NDArray[Any]
    mu: Array
    power: Array
    error: Array

    def columns(self) -> dict[str, list[str]]:
        """Return n, μ and a column of shares for each statistic and mechanism."""
        cells = {
            f"{name}: {symbol(mechanism_class)}": [f"{share:.3f}" for share in row]
            for name, rows in zip(STATISTICS.values(), self.power, strict=True)
            for mechanism_class, row in zip(self.mechanisms, rows, strict=True)
        }
        return {"n": [f"{n:d}" for n in self.n], "μ": [f"{mu:g}" for mu in self.mu], **cells}

    def of(self, statistic: str, mechanism_class: MechanismClass | None = None) -> Array:
        """Return the shares of a statistic, of shape (m,) for a mechanism or (mechanisms, m)."""
        rows: Array = self.power[[*STATISTICS].index(statistic)]
        return rows if mechanism_class is None else rows[self.mechanisms.index(mechanism_class)]

    def gain(self, statistic: str, mechanism_class: MechanismClass, over: MechanismClass) -> Array:
        """Return by how many standard errors one mechanism beats another, of shape (m,)."""
        row = [*STATISTICS].index(statistic)
        one, other = self.mechanisms.index(mechanism_class), self.mechanisms.index(over)
        error = np.hypot(self.error[row, one], self.error[row, other])
        gain: Array = (self.power[row, one] - self.power[row, other]) / error
        return gain


def rejections(study: Columns, test: str, strength: float) -> Rejections:
    """Collect the cells of one test and one strength of the alternative.

    Parameters
    ----------
    study : mapping
        Columns of a study with Pearson's statistic and ridge.
    test : {"homogeneity", "independence"}
        Null hypothesis.
    strength : float
        0 for the size of the test, or another value of the study's axis for its power.
    """
    here = (study["test"] == test) & (study["strength"] == strength)
    names, statistic = study["mechanism"][here], study["statistic"][here]
    classes = classes_in(names)
    order = np.lexsort((study["mu"][here], study["n"][here], places(names), statistic == "ridge"))
    shape = len(STATISTICS), len(classes), -1
    n, mu, power, error = (
        study[name][here][order].reshape(shape) for name in ("n", "mu", "power", "standard_error")
    )
    return Rejections(classes, n[0, 0], mu[0, 0], power, error)
