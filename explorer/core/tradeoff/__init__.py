r"""Trade-off functions: the least type II error of a test at each type I error.

:math:`T(P, Q)(\alpha) = \inf\{\beta_\phi : \alpha_\phi \le \alpha\}` over the tests :math:`\phi` of
`P` against `Q`. The smaller it is, the more an attacker learns.
"""

from explorer.core.tradeoff.checks import Violation, violation
from explorer.core.tradeoff.closed_forms import approximate, gaussian, laplace
from explorer.core.tradeoff.curve import PiecewiseLinear, discrete, discrete_curve
from explorer.core.tradeoff.sampled import EmpiricalTradeOff, empirical
from explorer.core.tradeoff.tight import Bounds, gdp_parameter, gdp_parameter_bounds

__all__ = [
    "Bounds",
    "EmpiricalTradeOff",
    "PiecewiseLinear",
    "Violation",
    "approximate",
    "discrete",
    "discrete_curve",
    "empirical",
    "gaussian",
    "gdp_parameter",
    "gdp_parameter_bounds",
    "laplace",
    "violation",
]
