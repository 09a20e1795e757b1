"""Checks: is what was computed what it claims to be?"""

import numpy as np

from app.core.operations.ops import Values
from app.core.record.array import Array
from app.core.record.trace import Trace


def second_way(trace: Trace, name: str) -> float | None:
    """The largest difference between a step and the same step computed by another route; None where there is none."""
    return _difference(trace[name])


def _difference(array: Array) -> float | None:
    if array.operation is None:
        return None
    if array.operation.source((0,) * array.value.ndim) is not None:
        return _difference(array.inputs[0]) if not array.inputs[0].name else None
    with np.errstate(over="ignore", invalid="ignore"):
        other = array.operation.second_way(*[source.value for source in array.inputs])
        if other is None:
            return None
        return float(np.where(array.value == other, 0, np.abs(array.value - other)).max(initial=0))


def row_sums(trace: Trace, name: str) -> Values:
    """What each row adds up to. Shapes: (..., n_q, n_k) -> (..., n_q)."""
    return np.asarray(trace[name].value.sum(axis=-1))


def empty_rows(trace: Trace) -> list[int]:
    """The queries that may see nothing."""
    return [int(row) for row in np.flatnonzero(~trace["mask"].value.astype(bool).any(axis=-1))]
