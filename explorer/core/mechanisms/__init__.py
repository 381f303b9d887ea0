"""Mechanisms for tables: what each guarantees and what it costs.

Every mechanism releases θ + noise, the noise on the whole space or on the span of the
sensitivity space, and may then shrink the release. To add one, write its class and add a
line to `catalogue.MECHANISMS`, which is the menu's order. `OptimalGaussian` and
`AdditiveGaussian` are for other statistics than tables and not in the menu.
"""

from explorer.core.mechanisms.additive import AdditiveGaussian
from explorer.core.mechanisms.base import Mechanism
from explorer.core.mechanisms.catalogue import MECHANISMS, OLD_NAMES, by_key, make
from explorer.core.mechanisms.gaussian import Gaussian, RankDeficientGaussian
from explorer.core.mechanisms.james_stein import (
    JamesStein,
    JamesSteinMean,
    JamesSteinZero,
    RankDeficientJamesStein,
    RankDeficientJamesSteinZero,
)
from explorer.core.mechanisms.laplace import Laplace, ProjectedLaplace
from explorer.core.mechanisms.optimal import OptimalGaussian

__all__ = [
    "MECHANISMS",
    "OLD_NAMES",
    "AdditiveGaussian",
    "Gaussian",
    "JamesStein",
    "JamesSteinMean",
    "JamesSteinZero",
    "Laplace",
    "Mechanism",
    "OptimalGaussian",
    "ProjectedLaplace",
    "RankDeficientGaussian",
    "RankDeficientJamesStein",
    "RankDeficientJamesSteinZero",
    "by_key",
    "make",
]
