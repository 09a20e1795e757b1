"""The operations that only move cells: transposing, cutting into heads or rows, putting pieces side by side, sharing heads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from app.core.operations.explain import Index, passed_on, read
from app.core.operations.expression import Expression
from app.core.operations.operation import Inputs, Linear, Operation, Values


class Reindex(Linear):
    """An operation that only moves cells: every cell is one cell of the input, unchanged."""

    tex = "#1"
    sign = ""

    def explain(self, inputs: Inputs, index: Index) -> Expression | None:
        source = self.source(index)
        assert source is not None
        return passed_on(inputs[0], source)

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """Every cell of the result hands its share back to the cell that it is; one that was copied gets several."""
        (moved,) = inputs
        sources = self.forward(np.arange(moved.size).reshape(moved.shape))
        shares = np.bincount(sources.ravel(), weights=upstream.ravel(), minlength=moved.size)
        return (shares.reshape(moved.shape),)


@dataclass(frozen=True, slots=True)
class Transpose(Reindex):
    """Swap rows and columns: the last two axes."""

    tex = r"#1^{\mathsf{T}}"
    code = "#1.swapaxes(-1, -2)"

    def forward(self, *values: Values) -> Values:
        return values[0].swapaxes(-1, -2)

    def source(self, index: Index) -> Index:
        *heads, row, column = index
        return (*heads, column, row)


@dataclass(frozen=True, slots=True)
class SplitHeads(Reindex):
    """Cut the columns into heads, head 0 first. Shapes: (n, n_heads · d_head) -> (n_heads, n, d_head)."""

    n_heads: int
    d_head: int

    @property
    def code(self) -> str:
        return f"split_heads(#1, {self.n_heads})"

    def forward(self, *values: Values) -> Values:
        (rows,) = values
        return rows.reshape(len(rows), self.n_heads, self.d_head).transpose(1, 0, 2)

    def source(self, index: Index) -> Index:
        head, row, column = index
        return (row, head * self.d_head + column)


@dataclass(frozen=True, slots=True)
class MergeHeads(Reindex):
    """Put the heads side by side, head 0 first. Shapes: (n_heads, n, d_v) -> (n, n_heads · d_v)."""

    tex = r"[{#1}_1 \,|\, {#1}_2 \,|\, \cdots]"
    code = "merge_heads(#1)"

    d_v: int
    layout: ClassVar[str] = "join"

    def forward(self, *values: Values) -> Values:
        (heads,) = values
        return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)

    def source(self, index: Index) -> Index:
        row, column = index
        return (column // self.d_v, row, column % self.d_v)


@dataclass(frozen=True, slots=True)
class ShareHeads(Reindex):
    """Let neighbouring query heads read one key/value head. Shapes: (n_kv_heads, n, d) -> (n_heads, n, d).

    Query head a reads key/value head a // group. Source: Ainslie et al. 2023 (GQA), section 2.2.
    """

    group: int

    @property
    def code(self) -> str:
        return f"share_heads(#1, {self.group})"

    def forward(self, *values: Values) -> Values:
        return values[0] if self.group == 1 else np.repeat(values[0], self.group, axis=0)

    def source(self, index: Index) -> Index:
        head, *rest = index
        return (head // self.group, *rest)


@dataclass(frozen=True, slots=True)
class Rows(Reindex):
    """Take the rows from ``start`` up to, not including, ``stop``. Shapes: (..., n, d) -> (..., stop − start, d)."""

    start: int
    stop: int

    @property
    def code(self) -> str:
        return f"#1[..., {self.start}:{self.stop}, :]"

    def forward(self, *values: Values) -> Values:
        return values[0][..., self.start : self.stop, :]

    def source(self, index: Index) -> Index:
        *heads, row, column = index
        return (*heads, row + self.start, column)


@dataclass(frozen=True, slots=True)
class JoinRows(Operation):
    """Put pieces under each other, the first on top. Shapes: (..., n_1, d), (..., n_2, d), ... -> (..., n_1 + n_2 + ..., d)."""

    tex = r"[#1;\,\cdots]"
    sign = ""
    code = "np.concatenate([#*], axis=-2)"

    layout: ClassVar[str] = "join"

    def forward(self, *values: Values) -> Values:
        return np.concatenate(values, axis=-2)

    def explain(self, inputs: Inputs, index: Index) -> Expression:
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


def spans(n: int, size: int) -> list[range]:
    """Cut n places into spans of one size; the last may be shorter. Errors: ValueError for a size below 1."""
    if size < 1:
        raise ValueError(f"a tile cannot hold {size} tokens")
    return [range(start, min(start + size, n)) for start in range(0, n, size)]
