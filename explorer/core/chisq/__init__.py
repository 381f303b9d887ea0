"""Chi-squared tests of private tables: p-values, level and power.

A release is a table with the noise of a mechanism in it. The tests take it with what is public: the
mechanism and its scale, n or the sizes of the groups.
"""

from explorer.core.chisq import statistics, weighted_chi2
from explorer.core.chisq._power import Power
from explorer.core.chisq.asymptotic import asymptotic_power, without_noise
from explorer.core.chisq.planning import Answer, mu_for_power, sample_size
from explorer.core.chisq.simulation import (
    power,
    power_in_steps,
    power_of_homogeneity,
    power_of_independence,
)
from explorer.core.chisq.statistics import STATISTICS
from explorer.core.chisq.tests import Test, goodness_of_fit, homogeneity, independence

__all__ = [
    "STATISTICS",
    "Answer",
    "Power",
    "Test",
    "asymptotic_power",
    "goodness_of_fit",
    "homogeneity",
    "independence",
    "mu_for_power",
    "power",
    "power_in_steps",
    "power_of_homogeneity",
    "power_of_independence",
    "sample_size",
    "statistics",
    "weighted_chi2",
    "without_noise",
]
