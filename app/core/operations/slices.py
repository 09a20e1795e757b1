"""Cut an array into tiles or tokens, and join the pieces again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from app.core.operations.explain import Index, Part, read
from app.core.operations.operation import Inputs, Operation, Values
from app.core.operations.reshape import Reindex
from app.core.record.array import Array, apply


@dataclass(frozen=True, slots=True)
class Rows(Reindex):
    """Take the rows from ``start`` up to, not including, ``stop``. Shapes: (..., n, d) -> (..., stop − start, d)."""

    start: int
    stop: int

    def forward(self, *values: Values) -> Values:
        return values[0][..., self.start : self.stop, :]

    def source(self, index: Index) -> Index:
        *heads, row, column = index
        return (*heads, row + self.start, column)


@dataclass(frozen=True, slots=True)
class JoinRows(Operation):
    """Put pieces under each other, the first on top. Shapes: (..., n_1, d), (..., n_2, d), ... -> (..., n_1 + n_2 + ..., d)."""

    layout: ClassVar[str] = "join"

    def forward(self, *values: Values) -> Values:
        return np.concatenate(values, axis=-2)

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        *heads, row, column = index
        for piece in inputs:
            if row < piece.shape[-2]:
                return read(piece, (*heads, row, column))
            row -= piece.shape[-2]
        raise IndexError(f"no row {index[-2]} in the pieces")

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """Each piece gets its own rows back."""
        ends = np.cumsum([piece.shape[-2] for piece in inputs])[:-1]
        return tuple(np.split(upstream, ends, axis=-2))

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        return self.forward(*[change if number == place else np.zeros_like(piece) for number, piece in enumerate(inputs)])


def rows(array: Array, start: int, stop: int) -> Array:
    """The rows from start up to, not including, stop."""
    return apply(Rows(start, stop), array)


def row(array: Array, number: int) -> Array:
    """One row, still as a matrix of one row; an array that has one row only has the same row for every number."""
    return array if array.shape[-2] == 1 else rows(array, number, number + 1)


def block(array: Array, queries: range, keys: range) -> Array:
    """The rectangle where some rows meet some columns. Shapes: (n_q, n_k) -> (len(queries), len(keys))."""
    return rows(rows(array, queries.start, queries.stop).T, keys.start, keys.stop).T


def join_rows(*pieces: Array) -> Array:
    """Put pieces under each other."""
    return apply(JoinRows(), *pieces)


def spans(n: int, size: int) -> list[range]:
    """Cut n places into spans of one size; the last may be shorter. Errors: ValueError for a size below 1."""
    if size < 1:
        raise ValueError(f"a tile cannot hold {size} tokens")
    return [range(start, min(start + size, n)) for start in range(0, n, size)]
