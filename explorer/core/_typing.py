"""Types of arrays that the modules of the package share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Numbers = NDArray[Any]
"""Real where the argument is real, complex where it is complex."""
Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]
