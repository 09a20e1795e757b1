"""Checks: is what was computed what it claims to be?"""

import numpy as np

from app.core.operations.ops import MatMul, Values
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


def rounding(trace: Trace, name: str) -> float:
    """What float64 may round away in a sum of products, whose terms may be far larger than what they add up to; else 0.

    Source: Higham 2002, Accuracy and Stability of Numerical Algorithms, section 3.5: n·ε·|A|·|B|, for each of two ways.
    """
    array = trace[name]
    while array.inputs and not array.inputs[0].name and not isinstance(array.operation, MatMul):
        array = array.inputs[0]
    if not isinstance(array.operation, MatMul):
        return 0.0
    left, right = (np.abs(np.where(np.isfinite(source.value), source.value, 0)).max(initial=0) for source in array.inputs)
    terms = float(left) * float(right)
    most = float(np.finfo(np.float64).max)
    width = int(array.inputs[0].value.shape[-1])
    return 4 * float(np.finfo(np.float64).eps) * width * min(terms, most)


def row_sums(trace: Trace, name: str) -> Values:
    """What each row adds up to. Shapes: (..., n_q, n_k) -> (..., n_q)."""
    return np.asarray(trace[name].value.sum(axis=-1))


def empty_rows(trace: Trace) -> list[int]:
    """The queries that may see nothing."""
    return [int(row) for row in np.flatnonzero(~trace["mask"].value.astype(bool).any(axis=-1))]
