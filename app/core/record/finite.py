"""Numbers that have grown past what numbers can hold are refused, never shown."""

import numpy as np

from app.core.operations.ops import NotFinite
from app.core.record.array import Array


def finite(array: Array) -> Array:
    """The array itself. Errors: NotFinite where a cell is infinite or not a number."""
    if not np.isfinite(array.value).all():
        raise NotFinite("a number is too large to be held, or divided by 0")
    return array
