"""Section 6 of the paper: level and power of the tests, from the columns of a finished study.

The columns are arrays of shape (cells,) by name: ``mechanism``, ``mu``, ``strength``,
``null_strength``, ``power``, ``standard_error``, ``replicates`` and so on. Each cell has its own
random numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.core.mechanisms import (
    Gaussian,
    Laplace,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.paper._mechanisms import (
    ByMechanism,
    MechanismClass,
    classes_in,
    collect,
    places,
    style,
    symbol,
)
from explorer.paper._plot import Plot, line, plot, points
from explorer.paper._result import Array, Result, heading
from explorer.paper._simulation import level_band
from explorer.paper.ten_cells import DISTRIBUTIONS

Columns = Mapping[str, NDArray[Any]]

CERTAIN: Final = 6.0
"""Standard errors; 500 comparisons without a difference exceed it once in 10⁶."""


@dataclass(frozen=True, eq=False, repr=False)
class Sizes(Result):
    """How often a true null hypothesis is rejected.

    Attributes
    ----------
    name : tuple of str
        Symbols of the mechanisms.
    least, most : ndarray of shape (mechanisms,)
        Smallest and largest share over all μ and null hypotheses.
    cells : int
        Number of shares.
    low, high : float
        Ends of `level_band` for so many cells.
    mechanism, mu, size : ndarray of shape (cells,)
        All shares.
    """

    name: tuple[str, ...] = field(metadata=heading("mechanism"))
    least: Array = field(metadata=heading("smallest size"))
    most: Array = field(metadata=heading("largest size"))
    cells: int = field(metadata=heading("cells"))
    low: float = field(metadata=heading("lower end for a level of 5%"))
    high: float = field(metadata=heading("upper end"))
    mechanism: NDArray[Any]
    mu: Array
    size: Array

    def figure(self) -> Plot:
        """Return a plot of every size against μ, the mechanisms side by side."""
        markers = []
        for place, mechanism_class in enumerate(classes_in(self.mechanism)):
            rows = places(self.mechanism) == place
            beside = self.mu[rows] * 1.03 ** (place - 3.5)
            colour = style(mechanism_class).colour
            markers.append(points(beside, self.size[rows], symbol(mechanism_class), color=colour))
        ends = [self.mu.min() * 0.85, self.mu.max() * 1.18]
        band = [
            line(ends, [end, end], name, color="#999999", dash="dot", width=1)
            for end, name in ((self.low, "lower end"), (self.high, "upper end"))
        ]
        return plot([*markers, *band], "μ", "size of a test of level 5%", "log", np.unique(self.mu))


def sizes(study: Columns) -> Sizes:
    """Collect the cells in which the null hypothesis holds."""
    true = study["strength"] == study["null_strength"]
    mechanism, size = study["mechanism"][true], study["power"][true]
    classes = classes_in(mechanism)
    shares = [size[places(mechanism) == place] for place in range(len(classes))]
    low, high = level_band(
        float(study["level"][0]), int(study["replicates"][0]), int(np.count_nonzero(true))
    )
    return Sizes(
        tuple(symbol(one) for one in classes),
        np.array([share.min() for share in shares]),
        np.array([share.max() for share in shares]),
        len(size),
        low,
        high,
        mechanism,
        study["mu"][true],
        size,
    )


@dataclass(frozen=True, eq=False, repr=False)
class Powers(Result):
    """Power of every mechanism against one alternative, by μ.

    Attributes
    ----------
    mechanisms : tuple of type
        Mechanisms of the releases.
    mu : ndarray of shape (k,)
        Ascending.
    power, error : ndarray of shape (mechanisms, k)
        Powers and their standard errors.
    """

    mechanisms: tuple[MechanismClass, ...]
    mu: Array
    power: Array
    error: Array

    def columns(self) -> dict[str, list[str]]:
        """Return the mechanisms, and a column of powers for each μ."""
        by_mu = zip(self.mu, self.power.T, strict=True)
        return {
            "power": [symbol(one) for one in self.mechanisms],
            **{f"μ = {mu:g}": [f"{power:.3f}" for power in column] for mu, column in by_mu},
        }

    def of(self, mechanism_class: MechanismClass) -> Array:
        """Return the powers of a mechanism, of shape (k,)."""
        row: Array = self.power[self.mechanisms.index(mechanism_class)]
        return row

    def gain(self, mechanism_class: MechanismClass, over: MechanismClass) -> Array:
        """Return by how many standard errors one mechanism beats another, of shape (k,)."""
        one, other = self.mechanisms.index(mechanism_class), self.mechanisms.index(over)
        error = np.hypot(self.error[one], self.error[other])
        gain: Array = (self.power[one] - self.power[other]) / error
        return gain

    def figure(self) -> Plot:
        """Return a plot of power against μ."""
        lines = []
        for mechanism_class, power in zip(self.mechanisms, self.power, strict=True):
            look = style(mechanism_class)
            options = {"color": look.colour, "dash": look.dash, "width": look.width}
            one = line(self.mu, power, symbol(mechanism_class), **options)
            lines.append({**one, "mode": "lines+markers"})
        return plot(lines, "μ", "power", "log", self.mu)


def powers(study: Columns, null: float, strength: float) -> Powers:
    """Collect the cells of one null hypothesis and one distribution of the table.

    Parameters
    ----------
    study : mapping
        Columns of a study.
    null, strength : float
        Signal strengths of the two distributions, values of the study's axes.
    """
    here = (study["null_strength"] == null) & (study["strength"] == strength)
    names, mu = study["mechanism"][here], study["mu"][here]
    classes, ascending = classes_in(names), np.unique(mu)
    order = np.lexsort((mu, places(names)))
    shape = len(classes), len(ascending)
    power, error = (study[name][here][order].reshape(shape) for name in ("power", "standard_error"))
    return Powers(classes, ascending, power, error)


@dataclass(frozen=True, eq=False, repr=False)
class Summary(Result):
    """Differences between the powers of mechanisms and that of M_r, by null hypothesis and truth.

    Attributes
    ----------
    name : tuple of str
        Null hypothesis and truth.
    unshrunk : ndarray of shape (m,)
        Power of M_r.
    difference : mapping of mechanism to ndarray of shape (m,)
        Powers of M_G, M_rJS0, M_rJS in the Helmert basis and Laplace noise, minus that of M_r.
    error : ndarray of shape (m,)
        Largest standard error of such a difference.
    """

    name: tuple[str, ...] = field(metadata=heading("null; truth"))
    unshrunk: Array = field(metadata=heading("power of M_r"))
    difference: ByMechanism = field(metadata=heading("{} minus M_r"))
    error: Array = field(metadata=heading("standard error"))


def summary(study: Columns, mu: float) -> Summary:
    """Compare the mechanisms with M_r at one μ, for each null hypothesis and each alternative."""
    others: tuple[MechanismClass, ...] = (
        *(Gaussian, RankDeficientJamesSteinZero),
        *(RankDeficientJamesStein, Laplace),
    )
    names, rows, differences = [], [], []
    for null in np.unique(study["null_strength"]):
        for truth in np.unique(study["strength"]):
            if null == truth:
                continue
            by_mechanism = powers(study, null, truth)
            at = int(np.searchsorted(by_mechanism.mu, mu))
            unshrunk = float(by_mechanism.of(RankDeficientGaussian)[at])
            differences.append({one: float(by_mechanism.of(one)[at]) - unshrunk for one in others})
            names.append(f"{DISTRIBUTIONS[null]}; {DISTRIBUTIONS[truth]}")
            rows.append([unshrunk, 2**0.5 * by_mechanism.error[:, at].max()])
    unshrunk_powers, error = np.array(rows).T
    return Summary(tuple(names), unshrunk_powers, collect(differences), error)
