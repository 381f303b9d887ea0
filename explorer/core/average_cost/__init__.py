"""Average cost of shrunk releases over multinomial tables, without simulation."""

from explorer.core._probabilities import SUM_TOLERANCE
from explorer.core.average_cost.risk import RECORDS, check_distribution, risk

__all__ = ["RECORDS", "SUM_TOLERANCE", "check_distribution", "risk"]
