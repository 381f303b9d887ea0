r"""Effects: what every set of variables adds to the smaller sets, in a table and its margins.

A table t is the sum of its effects :math:`t_B = E_B t`, one for each set B of variables, where
:math:`E_B` is the Kronecker product of centring (B) and averaging (the others) over the
levels. With N cells in all and :math:`|A|` in the margin A, the margin of :math:`t_B` in A is
:math:`N/|A|` times its values if B ⊂ A and zero otherwise. So the vectors of margins that
belong to the effect B are orthogonal to those of every other effect, and the map from
:math:`t_B` to them multiplies lengths by :math:`\sqrt{N g_B}`, :math:`g_B = \sum_{A \supset B}
1/|A|`. Vectors of margins that belong to some table are the sum of these spaces.

`analyse` puts all effects of a table side by side in one array that has one more index along
every axis: the deviations from the mean of the axis, then the mean. The effect of a set of
variables is the `block` with deviations along these and means along the others.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import EllipsisType

import numpy as np

from explorer.core._typing import Array
from explorer.core.sensitivity.base import helmert, helmert_sum, kron

Variables = tuple[int, ...]


@dataclass(frozen=True)
class Effects:
    """The effects that some marginal tables of one table have.

    Attributes
    ----------
    shape : tuple of int
        Numbers of levels of the table's variables.
    margins : tuple of tuple of int
        The variables of each marginal table, in increasing order.
    total_is_public : bool
        Whether the empty set is left out.
    """

    shape: tuple[int, ...]
    margins: tuple[Variables, ...]
    total_is_public: bool

    @cached_property
    def sets(self) -> tuple[Variables, ...]:
        """The sets of variables whose effects are not always zero, small ones first."""
        effects = {subset for margin in self.margins for subset in self._subsets(margin)}
        if self.total_is_public:
            effects.discard(())
        return tuple(sorted(effects, key=lambda effect: (len(effect), effect)))

    @cached_property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """Shapes of the margins."""
        return tuple(tuple(self.shape[k] for k in margin) for margin in self.margins)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of cells of the margins."""
        return tuple(math.prod(levels) for levels in self.levels)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Degrees of freedom of each effect."""
        return tuple(math.prod(self.shape[k] - 1 for k in effect) for effect in self.sets)

    @cached_property
    def weights(self) -> Array:
        """The g of each effect."""
        weights = [sum(1 / self.sizes[m] for m in held) for held in self._holders]
        return np.array(weights, dtype=np.float64)

    def project(self, cells: Array) -> Array:
        """Project margins (..., p) on the sum of the effects.

        Only the effects that several margins share change, and a public total: few and small.
        """
        tables = self._split(cells)
        own = [
            {common: analyse(average(table, margin, common), len(common)) for common in overlaps}
            for table, margin, overlaps in zip(tables, self.margins, self._overlaps, strict=True)
        ]
        change = [{common: np.zeros_like(part) for common, part in parts.items()} for parts in own]
        for effect, homes, weight in self._shared:
            blocks = {m: own[m][common][block(effect, common)] for m, common in homes.items()}
            total = sum(blocks.values()) / weight
            for m, common in homes.items():
                change[m][common][block(effect, common)] = total / self.sizes[m] - blocks[m]
        for m, margin in enumerate(self.margins):
            for common, part in change[m].items():
                tables[m] += spread(synthesise(part, len(common)), margin, common)
        return _join(tables, cells)

    def weigh(self, cells: Array, weights: Array) -> Array:
        """Return the sum of the effects of margins (..., p), times weights (effects,)."""
        tables = self._split(cells)
        spectra = [analyse(t, len(m)) for t, m in zip(tables, self.margins, strict=True)]
        if self.total_is_public:
            for spectrum, margin in zip(spectra, self.margins, strict=True):
                spectrum[block((), margin)] = 0.0
        factors = weights / self.weights
        for effect, held, factor in zip(self.sets, self._holders, factors, strict=True):
            blocks = {m: spectra[m][block(effect, self.margins[m])] for m in held}
            total = factor * sum(blocks.values())
            for m, values in blocks.items():
                values[...] = total / self.sizes[m]
        tables = [synthesise(s, len(m)) for s, m in zip(spectra, self.margins, strict=True)]
        return _join(tables, cells)

    def basis(self) -> Array:
        """Return an orthonormal basis of the sum, effect by effect, as columns.

        Those of one effect are margins of Kronecker products of its variables' Helmert bases.
        """
        columns = []
        for i, effect in enumerate(self.sets):
            tables = [np.zeros((size, self.ranks[i])) for size in self.sizes]
            for m in self._holders[i]:
                factors = [
                    helmert(self.shape[k]) if k in effect else _even(self.shape[k])
                    for k in self.margins[m]
                ]
                tables[m] = kron(*factors) / math.sqrt(self.sizes[m] * self.weights[i])
            columns.append(np.concatenate(tables))
        return np.concatenate(columns, axis=1)

    def basis_sum(self) -> Array:
        """Return the sum of the columns of `basis`, of shape (p,), without forming it."""
        tables = []
        for m, (margin, levels) in enumerate(zip(self.margins, self.levels, strict=True)):
            rows = [np.append(helmert_sum(n) * math.sqrt(n), 1.0) for n in levels]
            spectrum = (kron(*rows) / self.sizes[m]).reshape([n + 1 for n in levels])
            for effect, held, weight in zip(self.sets, self._holders, self.weights, strict=True):
                if m in held:
                    spectrum[block(effect, margin)] /= math.sqrt(weight)
            if self.total_is_public:
                spectrum[block((), margin)] = 0.0
            tables.append(synthesise(spectrum, len(margin)).ravel())
        return np.concatenate(tables)

    def _split(self, cells: Array) -> list[Array]:
        """Return the margins, each with an axis for every variable."""
        parts = np.split(cells, np.cumsum(self.sizes)[:-1], axis=-1)
        lead = cells.shape[:-1]
        return [p.reshape((*lead, *levels)) for p, levels in zip(parts, self.levels, strict=True)]

    def _subsets(self, margin: Variables) -> Iterator[Variables]:
        """Return the sets of variables of a margin that have several levels."""
        several = [k for k in margin if self.shape[k] > 1]
        sizes = range(len(several) + 1)
        return itertools.chain.from_iterable(itertools.combinations(several, n) for n in sizes)

    @cached_property
    def _holders(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of the margins that have each effect."""
        return tuple(
            tuple(m for m, margin in enumerate(self.margins) if set(effect) <= set(margin))
            for effect in self.sets
        )

    @cached_property
    def _overlaps(self) -> tuple[tuple[Variables, ...], ...]:
        """Largest sets of variables that each margin shares with others, or keeps public."""
        overlaps = []
        for margin in self.margins:
            others = [set(other) for other in self.margins if other != margin]
            common = {tuple(k for k in margin if k in other) for other in others}
            if self.total_is_public:
                common.add(())
            overlaps.append(
                tuple(a for a in sorted(common) if not any(set(a) < set(b) for b in common))
            )
        return tuple(overlaps)

    @cached_property
    def _shared(self) -> list[tuple[Variables, dict[int, Variables], float]]:
        """The effects of the overlaps: for each margin that has it, one overlap; and its g.

        A public total is to become zero, as if its g were infinite.
        """
        homes: dict[Variables, dict[int, Variables]] = {}
        for m, overlaps in enumerate(self._overlaps):
            for common in overlaps:
                for effect in self._subsets(common):
                    homes.setdefault(effect, {})[m] = common
        weights = dict(zip(self.sets, self.weights.tolist(), strict=True))
        return [(effect, where, weights.get(effect, math.inf)) for effect, where in homes.items()]


def analyse(x: Array, variables: int) -> Array:
    """Return the effects of tables, whose variables are the last axes."""
    for axis in range(x.ndim - variables, x.ndim):
        mean = x.mean(axis=axis, keepdims=True)
        x = np.concatenate([x - mean, mean], axis=axis)
    return x


def synthesise(effects: Array, variables: int) -> Array:
    """Return the sum of all effects, spread over the table: the inverse of `analyse`."""
    for axis in range(effects.ndim - variables, effects.ndim):
        last = effects.shape[axis] - 1
        deviations, mean = np.split(effects, [last], axis=axis)
        effects = deviations + mean
    return effects


def average(x: Array, margin: Variables, common: Variables) -> Array:
    """Return the means of marginal tables (last axes) over all but some common variables."""
    first = x.ndim - len(margin)
    axes = tuple(first + i for i, k in enumerate(margin) if k not in common)
    return x.mean(axis=axes) if axes else x


def spread(x: Array, margin: Variables, common: Variables) -> Array:
    """Give tables of some common variables the axes of the margin, the others of length 1."""
    first = x.ndim - len(common)
    axes = tuple(first + i for i, k in enumerate(margin) if k not in common)
    return np.expand_dims(x, axes)


def block(effect: Variables, margin: Variables) -> tuple[EllipsisType | slice | int, ...]:
    """Return the index of an effect among those of a margin."""
    return (..., *(slice(-1) if k in effect else -1 for k in margin))


def _even(levels: int) -> Array:
    """Return the unit vector of equal entries as a column."""
    return np.full((levels, 1), 1 / math.sqrt(levels))


def _join(tables: Sequence[Array], like: Array) -> Array:
    lead = like.shape[:-1]
    return np.concatenate([table.reshape(*lead, -1) for table in tables], axis=-1)
