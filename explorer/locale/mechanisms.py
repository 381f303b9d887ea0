"""Names of the mechanisms, by key and neighbour relation."""

from functools import cached_property

from explorer.core.sensitivity import Neighbours
from explorer.locale.phrases import Phrases


class MechanismText(Phrases):
    """Names in menus and at the ends of lines.

    Where one person joins or leaves, n is not public and the sensitivity space is the whole space:
    some mechanisms are then the same as others, and their names say so.
    """

    @cached_property
    def _labels(self) -> dict[str, str]:
        return {
            "gaussian": self._("Gaussian"),
            "rank-deficient": self._("rank-deficient"),
            "james-stein-zero": self._("James–Stein to zero"),
            "james-stein-mean": self._("James–Stein to the mean"),
            "rank-deficient-james-stein-zero": self._("rank-deficient, to the uniform table"),
            "rank-deficient-james-stein": self._("rank-deficient James–Stein"),
            "laplace": self._("Laplace"),
            "projected-laplace": self._("Laplace, total kept"),
        }

    @cached_property
    def _short(self) -> dict[str, str]:
        return {
            "gaussian": self._("Gaussian"),
            "rank-deficient": self._("rank-deficient"),
            "james-stein-zero": self._("James–Stein → 0"),
            "james-stein-mean": self._("James–Stein → mean"),
            "rank-deficient-james-stein-zero": self._("rank-deficient → uniform"),
            "rank-deficient-james-stein": self._("rank-deficient JS"),
            "laplace": self._("Laplace"),
            "projected-laplace": self._("Laplace, total kept"),
        }

    @cached_property
    def _labels_without_n(self) -> dict[str, str]:
        return {
            "rank-deficient": self._("rank-deficient (here the same as Gaussian)"),
            "rank-deficient-james-stein-zero": self._(
                "rank-deficient, shrunk (here the same as James–Stein to zero)"
            ),
            "rank-deficient-james-stein": self._(
                "rank-deficient James–Stein (here the same as James–Stein to the mean)"
            ),
            "projected-laplace": self._("projected Laplace (here the same as Laplace)"),
        }

    @cached_property
    def _short_without_n(self) -> dict[str, str]:
        return {
            "rank-deficient": self._("rank-def. = Gaussian"),
            "rank-deficient-james-stein-zero": self._("rank-def. = JS → 0"),
            "rank-deficient-james-stein": self._("rank-def. = JS → mean"),
            "projected-laplace": self._("projected = Laplace"),
        }

    def mechanism(self, key: str, neighbours: Neighbours) -> str:
        """Return the name of a mechanism in a menu; its key where it has no name yet."""
        plain = self._labels.get(key, key.replace("-", " "))
        return self._labels_without_n.get(key, plain) if _without_n(neighbours) else plain

    def mechanism_short(self, key: str, neighbours: Neighbours) -> str:
        """Return the name of a mechanism at the end of a line."""
        plain = self._short.get(key, key.replace("-", " "))
        return self._short_without_n.get(key, plain) if _without_n(neighbours) else plain


def _without_n(neighbours: Neighbours) -> bool:
    return neighbours == Neighbours.ADD_REMOVE
