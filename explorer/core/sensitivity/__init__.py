"""What one person can change: statistics and their sensitivity spaces.

The sensitivity space of a statistic is the set of differences between its values on two
neighbouring data sets. Its largest norms calibrate the noise; its span says in which
directions noise is needed at all.
"""

from explorer.core.sensitivity.base import (
    LARGEST_CELL,
    Isotropic,
    Neighbours,
    Statistic,
    Symmetric,
    check_cells,
    check_shape,
)
from explorer.core.sensitivity.conditioned import FixedMargins, Groups
from explorer.core.sensitivity.cumulative import CumulativeCounts
from explorer.core.sensitivity.marginals import Marginals
from explorer.core.sensitivity.means import BoundedMean, SimplexMean
from explorer.core.sensitivity.table import Table

__all__ = [
    "LARGEST_CELL",
    "BoundedMean",
    "CumulativeCounts",
    "FixedMargins",
    "Groups",
    "Isotropic",
    "Marginals",
    "Neighbours",
    "SimplexMean",
    "Statistic",
    "Symmetric",
    "Table",
    "check_cells",
    "check_shape",
]
