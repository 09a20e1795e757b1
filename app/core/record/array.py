"""The traced array: a value that knows its name, the operation that made it, and what went in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from app.core.operations import cellwise, decay, lookup, normalize, online_softmax, ops, reshape

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
        return apply(reshape.Transpose(), self)

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

    def sink_softmax(self, sink: Array) -> Array:
        """Softmax in which one more score takes part that has no value."""
        return apply(normalize.SinkSoftmax(), self, sink)

    def visible_max(self, *sink: Array) -> Array:
        """Each row's largest score that is not hidden; a sink counts too."""
        return apply(normalize.VisibleMax(), self, *sink)

    def log_sum_exp(self, total: Array) -> Array:
        """The largest score plus ln of the sum of e^(score − largest)."""
        return apply(normalize.LogSumExp(), self, total)

    def larger(self, other: Array) -> Array:
        """The larger of two numbers, cell by cell."""
        return apply(online_softmax.Larger(), self, other)

    def power(self, top: Array) -> Array:
        """e^(score − top), and 0 where the score is hidden."""
        return apply(online_softmax.Power(), self, top)

    def ratio(self, whole: Array) -> Array:
        """The cell ÷ whole, and 0 where the whole is 0."""
        return apply(online_softmax.Ratio(), self, whole)

    def per_head(self) -> Array:
        """One number of each head, ready to meet its rows and columns. Shapes: (n_heads, 1) -> (n_heads, 1, 1)."""
        return apply(lookup.PerHead(), self)

    def take_rows(self, rows: Sequence[int]) -> Array:
        """Look up rows of a table. Shapes: (m, d) -> (len(rows), d)."""
        return apply(lookup.TakeRows(tuple(rows)), self)

    def last_rows(self, n: int) -> Array:
        """The last n rows of a table; the table itself where that is all of it. Shapes: (m, d) -> (n, d)."""
        m = self.shape[0]
        return self if n == m else self.take_rows(range(m - n, m))

    def rows(self, start: int, stop: int) -> Array:
        """The rows from start up to, not including, stop."""
        return apply(reshape.Rows(start, stop), self)

    def at_row(self, number: int) -> Array:
        """One row, still as a matrix of one row; where there is one row only, it is the row of every number."""
        return self if self.shape[-2] == 1 else self.rows(number, number + 1)

    def block(self, queries: range, keys: range) -> Array:
        """The rectangle where some rows meet some columns. Shapes: (n_q, n_k) -> (len(queries), len(keys))."""
        return self.rows(queries.start, queries.stop).T.rows(keys.start, keys.stop).T

    def hold(self, a: Array) -> Array:
        """What a step of this length lets in: (e^(Δ·a) − 1) ÷ a."""
        return apply(decay.Hold(), self, a)

    def powers(self, n: int) -> Array:
        """The powers 0 to n − 1 of one row, one a row."""
        return apply(decay.Decay(n), self)

    def remaining(self, n: int) -> Array:
        """What is left of each of n tokens at the end, after all decays that follow."""
        return apply(decay.Remaining(n), self)

    def toeplitz(self) -> Array:
        """A kernel as a table of who reads whom."""
        return apply(decay.Toeplitz(), self)


def apply(operation: ops.Operation, *inputs: Array) -> Array:
    """Compute, and remember how."""
    return Array(operation.forward(*[array.value for array in inputs]), operation, inputs)


def join_rows(*pieces: Array) -> Array:
    """Put pieces under each other, the first on top."""
    return apply(reshape.JoinRows(), *pieces)


def given(value: npt.ArrayLike) -> Array:
    """An array that comes from outside: a sentence's vectors, a mask."""
    return Array(_floats(value), kind="input")


def parameter(value: npt.ArrayLike) -> Array:
    """An array that a trained model would have learned."""
    return Array(_floats(value), kind="parameter")


def _floats(value: npt.ArrayLike) -> npt.NDArray[Any]:
    array = np.asarray(value).view()  # the record freezes its own view, not the caller's array
    return array if array.dtype.kind in "fb" else array.astype(np.float64)
