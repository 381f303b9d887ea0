"""Chi-squared tests of private tables: p-values, level and power.

A release is a table with the noise of a mechanism in it. Besides the release the tests take public
facts only: the mechanism and its scale, n or the sizes of the groups.
"""

from explorer.core.chisq import statistics, weighted_chi2
from explorer.core.chisq._power import Power, PowerMethod
from explorer.core.chisq.hypothesis_tests import (
    ChiSquaredTest,
    goodness_of_fit,
    homogeneity,
    independence,
)
from explorer.core.chisq.normal_power import (
    asymptotic_power,
    power_of_independence_without_noise,
    without_noise,
)
from explorer.core.chisq.planning import Answer, mu_for_power, sample_size
from explorer.core.chisq.simulated_power import (
    power,
    power_in_steps,
    power_of_homogeneity,
    power_of_independence,
    power_of_independence_in_steps,
)
from explorer.core.chisq.statistics import STATISTICS

__all__ = [
    "STATISTICS",
    "Answer",
    "ChiSquaredTest",
    "Power",
    "PowerMethod",
    "asymptotic_power",
    "goodness_of_fit",
    "homogeneity",
    "independence",
    "mu_for_power",
    "power",
    "power_in_steps",
    "power_of_homogeneity",
    "power_of_independence",
    "power_of_independence_in_steps",
    "power_of_independence_without_noise",
    "sample_size",
    "statistics",
    "weighted_chi2",
    "without_noise",
]
