"""The mechanisms of the menu, and how one is made from its key."""

from explorer.core.mechanisms.base import Mechanism
from explorer.core.mechanisms.gaussian import Gaussian, RankDeficientGaussian
from explorer.core.mechanisms.james_stein import (
    JamesStein,
    JamesSteinMean,
    JamesSteinZero,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.core.mechanisms.laplace import Laplace, ProjectedLaplace
from explorer.core.quantities import MECHANISM
from explorer.core.sensitivity import Statistic

MECHANISMS: tuple[type[Mechanism], ...] = (
    Gaussian,
    RankDeficientGaussian,
    JamesSteinZero,
    JamesSteinMean,
    RankDeficientJamesSteinZero,
    RankDeficientJamesStein,
    Laplace,
    ProjectedLaplace,
)

OLD_NAMES = {
    "Gaussian": "gaussian",
    "RankDeficientGaussian": "rank-deficient",
    "JamesSteinZero": "james-stein-zero",
    "JamesSteinMean": "james-stein-mean",
    "RankDeficientJamesSteinZero": "rank-deficient-james-stein-zero",
    "RankDeficientJamesStein": "rank-deficient-james-stein",
    "Laplace": "laplace",
    "ProjectedLaplace": "projected-laplace",
}
"""Keys by the names that links and studies held before there were keys. It never changes."""


def by_key(key: str) -> type[Mechanism]:
    """Return the mechanism class of a key, or of a name that was used before there were keys.

    Raises
    ------
    ParameterError
        If no mechanism of the menu has it; the message lists the keys.
    """
    key = OLD_NAMES.get(key, key)
    for mechanism_class in MECHANISMS:
        if mechanism_class.key == key:
            return mechanism_class
    keys = ", ".join(mechanism_class.key for mechanism_class in MECHANISMS)
    raise MECHANISM.refuse(key, f"must be one of {keys}")


def make(
    mechanism_class: type[Mechanism], statistic: Statistic, mu: float, *, positive_part: bool
) -> Mechanism:
    """Return a mechanism; the positive part goes to those that have one.

    Raises
    ------
    ParameterError
        If an argument lies outside its domain.
    """
    if issubclass(mechanism_class, JamesStein):
        return mechanism_class(statistic, mu, positive_part=positive_part)
    return mechanism_class(statistic, mu)
