"""Section 6 of the paper: level and power of the tests, from the cells of a finished study.

A study comes as its columns, arrays of shape (cells,) by name: ``mechanism``, ``mu``, ``strength``
and ``null_strength``, ``power``, ``standard_error``, ``replicates`` and so on. Each cell has its own
random numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.core.mechanisms import (
    MECHANISMS,
    Gaussian,
    Laplace,
    Mechanism,
    RankDeficientGaussian,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.paper._plot import Plot, line, plot, points
from explorer.paper._shown import Array, Shown, head
from explorer.paper._simulated import level_band
from explorer.paper.ten_cells import LAWS

Columns = Mapping[str, NDArray[Any]]

CERTAIN: Final = 6.0  # standard errors; 500 comparisons of no difference exceed it once in 10⁶


@dataclass(frozen=True, eq=False, repr=False)
class Sizes(Shown):
    """How often a true null hypothesis is rejected.

    Attributes
    ----------
    name : tuple of str
        Mechanisms.
    least, most : ndarray of shape (mechanisms,)
        Smallest and largest share over all μ and null hypotheses.
    cells : int
        Number of shares.
    low, high : float
        Ends of `level_band` for so many cells.
    mechanism, mu, size : ndarray of shape (cells,)
        All shares.
    """

    name: tuple[str, ...] = field(metadata=head("mechanism"))
    least: Array = field(metadata=head("smallest size"))
    most: Array = field(metadata=head("largest size"))
    cells: int = field(metadata=head("cells"))
    low: float = field(metadata=head("a level of 5% stays above"))
    high: float = field(metadata=head("and below"))
    mechanism: NDArray[Any]
    mu: Array
    size: Array

    def figure(self) -> Plot:
        """Return a plot of every size against μ; the mechanisms stand side by side."""
        marks = []
        for place, kind in enumerate(kinds(self.mechanism)):
            of = self.mechanism == kind.__name__
            beside = self.mu[of] * 1.03 ** (place - 3.5)
            marks.append(points(beside, self.size[of], kind.short, color=kind.colour))
        ends = [self.mu.min() * 0.85, self.mu.max() * 1.18]
        limits = [
            line(ends, [end, end], name, color="#999999", dash="dot", width=1)
            for end, name in ((self.low, "lower limit"), (self.high, "upper limit"))
        ]
        return plot([*marks, *limits], "μ", "size of a test of level 5%", "log", np.unique(self.mu))


def sizes(study: Columns) -> Sizes:
    """Collect the cells in which the null hypothesis holds."""
    true = study["strength"] == study["null_strength"]
    mechanism, size = study["mechanism"][true], study["power"][true]
    shares = [size[mechanism == kind.__name__] for kind in kinds(mechanism)]
    low, high = level_band(
        float(study["level"][0]), int(study["replicates"][0]), int(np.count_nonzero(true))
    )
    return Sizes(
        tuple(kind.short for kind in kinds(mechanism)),
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
class Powers(Shown):
    """Power of every mechanism against one law, by μ.

    Attributes
    ----------
    mechanisms : tuple of type
        What was released.
    mu : ndarray of shape (k,)
        Ascending.
    power, error : ndarray of shape (mechanisms, k)
        Powers and their standard errors.
    """

    mechanisms: tuple[type[Mechanism], ...]
    mu: Array
    power: Array
    error: Array

    def columns(self) -> dict[str, list[str]]:
        """Return the mechanisms, and a column of powers for each μ."""
        by_mu = zip(self.mu, self.power.T, strict=True)
        return {
            "power": [kind.short for kind in self.mechanisms],
            **{f"μ = {mu:g}": [f"{power:.3f}" for power in column] for mu, column in by_mu},
        }

    def of(self, kind: type[Mechanism]) -> Array:
        """Return the powers of a mechanism, of shape (k,)."""
        found: Array = self.power[self.mechanisms.index(kind)]
        return found

    def gain(self, kind: type[Mechanism], over: type[Mechanism]) -> Array:
        """Return by how many standard errors one mechanism beats another, of shape (k,)."""
        one, other = self.mechanisms.index(kind), self.mechanisms.index(over)
        error = np.hypot(self.error[one], self.error[other])
        gained: Array = (self.power[one] - self.power[other]) / error
        return gained

    def figure(self) -> Plot:
        """Return a plot of power against μ, in the mechanisms' own colours and dashes."""
        lines = [
            {
                **line(
                    self.mu, power, kind.short, color=kind.colour, dash=kind.dash, width=kind.width
                ),
                "mode": "lines+markers",
            }
            for kind, power in zip(self.mechanisms, self.power, strict=True)
        ]
        return plot(lines, "μ", "power", "log", self.mu)


def powers(study: Columns, null: float, strength: float) -> Powers:
    """Collect the cells of one null hypothesis and one law of the table.

    Parameters
    ----------
    study : mapping
        Columns of a study.
    null, strength : float
        Strengths of the two laws, values of the study's axes.
    """
    here = (study["null_strength"] == null) & (study["strength"] == strength)
    names, mu = study["mechanism"][here], study["mu"][here]
    found, ascending = kinds(names), np.unique(mu)
    place = [[kind.__name__ for kind in found].index(name) for name in names]
    shape = len(found), len(ascending)
    power, error = (
        study[name][here][np.lexsort((mu, place))].reshape(shape)
        for name in ("power", "standard_error")
    )
    return Powers(found, ascending, power, error)


@dataclass(frozen=True, eq=False, repr=False)
class Summary(Shown):
    """Powers less that of M_r, by null hypothesis and truth.

    Attributes
    ----------
    name : tuple of str
        Null hypothesis and truth.
    unshrunk : ndarray of shape (m,)
        Power of M_r.
    ordinary, to_uniform, one_direction, laplace : ndarray of shape (m,)
        Powers of M_G, M_rJS0, M_rJS in the Helmert basis and Laplace noise, less that of M_r.
    error : ndarray of shape (m,)
        Largest standard error of such a difference.
    """

    name: tuple[str, ...] = field(metadata=head("null; truth"))
    unshrunk: Array = field(metadata=head("power of M_r"))
    ordinary: Array = field(metadata=head("M_G"))
    to_uniform: Array = field(metadata=head("M_rJS0"))
    one_direction: Array = field(metadata=head("M_rJS, Helmert"))
    laplace: Array = field(metadata=head("Laplace"))
    error: Array = field(metadata=head("standard error"))


def summary(study: Columns, mu: float) -> Summary:
    """Compare the mechanisms with M_r at one μ, for each null hypothesis and each other law."""
    others = Gaussian, RankDeficientJamesSteinZero, RankDeficientJamesStein, Laplace
    names, rows = [], []
    for null in np.unique(study["null_strength"]):
        for truth in np.unique(study["strength"]):
            if null == truth:
                continue
            found = powers(study, null, truth)
            at = int(np.searchsorted(found.mu, mu))
            own = found.of(RankDeficientGaussian)[at]
            error = 2**0.5 * found.error[:, at].max()
            names.append(f"{LAWS[null]}; {LAWS[truth]}")
            rows.append([own, *(found.of(kind)[at] - own for kind in others), error])
    return Summary(tuple(names), *np.array(rows).T)


def kinds(names: NDArray[Any]) -> tuple[type[Mechanism], ...]:
    """Return the mechanisms of these names, in the menu's order."""
    return tuple(kind for kind in MECHANISMS if kind.__name__ in names)
