r"""Trade-off functions: the least type II error of a test at each type I error.

:math:`T(P, Q)(\alpha) = \inf\{\beta_\phi : \alpha_\phi \le \alpha\}` over the tests :math:`\phi` of
`P` against `Q`. The smaller it is, the more an attacker learns.
"""

from explorer.core.tradeoff.closed_forms import approximate, gaussian, laplace

__all__ = [
    "approximate",
    "gaussian",
    "laplace",
]
