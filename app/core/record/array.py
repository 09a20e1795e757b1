"""The traced array: a value that knows its name, the operation that made it, and what went in."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from app.core.operations import cellwise, ops
from app.core.operations import reshape as moves

Kind = Literal["input", "parameter", "computed"]


class Array:
    """An array of numbers that remembers how it was made.

    It keeps references only: explaining happens when somebody asks.
    """

    __slots__ = ("inputs", "kind", "name", "operation", "value")

    def __init__(
        self, value: ops.Values, operation: ops.Operation | None = None, inputs: tuple[Array, ...] = (), kind: Kind = "computed"
    ) -> None:
        self.value = value
        self.operation = operation
        self.inputs = inputs
        self.kind: Kind = kind
        self.name = ""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    @property
    def T(self) -> Array:  # noqa: N802 - NumPy's own name for it
        """Rows become columns (the last two axes are swapped)."""
        return apply(moves.Transpose(), self)

    def __matmul__(self, other: Array) -> Array:
        return apply(ops.MatMul(), self, other)

    def __add__(self, other: Array | float) -> Array:
        return self._with("+", other) if isinstance(other, Array) else apply(cellwise.Shift(other), self)

    def __sub__(self, other: Array) -> Array:
        return self._with("−", other)

    def __mul__(self, other: Array | float) -> Array:
        return self._with("×", other) if isinstance(other, Array) else apply(ops.Multiply(other), self)

    def __truediv__(self, other: Array) -> Array:
        return self._with("÷", other)

    def _with(self, sign: str, other: Array) -> Array:
        return apply(cellwise.Combine(sign), self, other)

    def function(self, name: str) -> Array:
        """A function of one number, cell by cell: exp, sqrt, tanh, relu, gelu, ..."""
        return apply(cellwise.Function(name), self)

    def row(self, kind: str) -> Array:
        """Each row's ``sum``, ``mean`` or ``max``, as a column."""
        return apply(cellwise.RowTotal(kind), self)

    def over_root(self, width: int) -> Array:
        """Divide every cell by √width."""
        return apply(ops.DivideByRoot(width), self)

    def where(self, mask: Array, fill: float) -> Array:
        """Keep the cells the mask allows; the others become ``fill``."""
        return apply(ops.Where(fill), self, mask)

    def softmax(self) -> Array:
        """Turn each row into weights with e^score."""
        return apply(ops.Softmax(), self)

    def divide(self) -> Array:
        """Turn each row into weights by dividing by the row's sum."""
        return apply(ops.Divide(), self)


def apply(operation: ops.Operation, *inputs: Array) -> Array:
    """Compute, and remember how."""
    return Array(operation.forward(*[array.value for array in inputs]), operation, inputs)


def given(value: npt.ArrayLike) -> Array:
    """An array that comes from outside: a sentence's vectors, a mask."""
    return Array(_floats(value), kind="input")


def parameter(value: npt.ArrayLike) -> Array:
    """An array that a trained model would have learned."""
    return Array(_floats(value), kind="parameter")


def _floats(value: npt.ArrayLike) -> npt.NDArray[Any]:
    array = np.asarray(value).view()  # the record freezes its own view, not the caller's array
    return array if array.dtype.kind in "fb" else array.astype(np.float64)
