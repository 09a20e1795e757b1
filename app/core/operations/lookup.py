"""The operations that look things up: rows of a table, the column of a distance, one number for each head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from app.core.operations.explain import Index, passed_on, read
from app.core.operations.expression import Expression, Sum, chain
from app.core.operations.operation import Inputs, Linear, Values
from app.core.operations.reshape import Reindex


@dataclass(frozen=True, slots=True)
class TakeRows(Reindex):
    """Look up rows of a table by their numbers. Shapes: (m, d) -> (n, d)."""

    tex = "{#1}_i"
    cell = "i"

    rows: tuple[int, ...]

    def forward(self, *values: Values) -> Values:
        return np.asarray(values[0][list(self.rows)])

    @property
    def code(self) -> str:
        first, last = self.rows[0], self.rows[-1]
        whole = self.rows == tuple(range(first, last + 1))
        return f"#1[{f'{first}:{last + 1}' if whole else list(self.rows)}]"

    def source(self, index: Index) -> Index:
        row, *rest = index
        return (self.rows[row], *rest)


@dataclass(frozen=True, slots=True)
class PerHead(Reindex):
    """Give one number of each head to all its rows and columns. Shapes: (n_heads, 1) -> (n_heads, 1, 1)."""

    code = "#1[:, :, None]"

    def forward(self, *values: Values) -> Values:
        return values[0][:, :, None]

    def source(self, index: Index) -> Index:
        return (index[0], 0)


def chosen(index: Values, count: int) -> Values:
    """Row numbers as they can be used: whole, and never past the ends of the table, whatever was typed."""
    return np.clip(np.rint(index), 0, count - 1).astype(np.intp)


def meant(inputs: Inputs, count: int, index: Index) -> int:
    """The row of the table that one query and key mean."""
    return int(chosen(inputs[1].value[index[-2:]], count))


@dataclass(frozen=True, slots=True)
class PickColumns(Linear):
    """From scores for every distance, keep the one each key stands at.

    Shapes: (n_heads, n_q, m), index (n_q, n_k) -> (n_heads, n_q, n_k).
    """

    tex = "{#1}_{#2_{ij}}"
    cell = "ij"
    sign = ""
    code = "pick_columns(#*)"

    switches: ClassVar[tuple[int, ...]] = (1,)

    def forward(self, *values: Values) -> Values:
        every, index = values
        return np.take_along_axis(every, chosen(index, every.shape[-1])[None], axis=-1)

    def explain(self, inputs: Inputs, index: Index) -> Expression | None:
        every = inputs[0]
        return passed_on(every, (*index[:-1], meant(inputs, every.shape[-1], index)))

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """A score gets the shares of all keys that stand at its distance."""
        every, index = inputs
        return PoolColumns(every.shape[-1]).forward(upstream, index), None


@dataclass(frozen=True, slots=True)
class PoolColumns(Linear):
    """Add up the weights of the keys that stand at the same distance.

    Shapes: (n_heads, n_q, n_k), index (n_q, n_k) -> (n_heads, n_q, m).
    """

    tex = r"\sum_{j:\,#2_{ij} = r} {#1}_{ij}"
    cell = "ir"
    sign = ""

    switches: ClassVar[tuple[int, ...]] = (1,)
    m: int

    @property
    def code(self) -> str:
        return f"pool_columns(#*, {self.m})"

    def forward(self, *values: Values) -> Values:
        weights, index = values
        pooled = np.zeros((*weights.shape[:-1], self.m), weights.dtype)
        for row, columns in enumerate(chosen(index, self.m)):
            np.add.at(pooled[:, row].T, columns, weights[:, row].T)
        return pooled

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        weights, places = inputs
        *row, place = index
        keys = np.flatnonzero(chosen(places.value[row[-1]], self.m) == place)
        return chain(Sum, [read(weights, (*row, int(key)), brackets=n > 0) for n, key in enumerate(keys)], "+")

    def second_way(self, *values: Values) -> Values | None:
        weights, index = values
        return np.asarray(np.einsum("hij,ijm->him", weights, np.eye(self.m)[chosen(index, self.m)]))

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """A weight gets what its distance's sum gets."""
        return PickColumns().forward(upstream, inputs[1]), None


@dataclass(frozen=True, slots=True)
class PickBias(Linear):
    """Look up each head's number for the bucket of a query and a key.

    Shapes: table (n_buckets, n_heads), index (n_q, n_k) -> (n_heads, n_q, n_k).
    """

    tex = "#1_{#2_{ij}}"
    cell = "ij"
    sign = ""
    code = "pick_bias(#*)"

    switches: ClassVar[tuple[int, ...]] = (1,)

    def forward(self, *values: Values) -> Values:
        table, index = values
        return table[chosen(index, len(table))].transpose(2, 0, 1)

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        return read(inputs[0], (meant(inputs, inputs[0].shape[0], index), index[0]))

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """A number of the table gets the shares of all queries and keys that fall into its bucket."""
        table, index = inputs
        shares = np.zeros(table.shape)
        np.add.at(shares, chosen(index, len(table)), upstream.transpose(1, 2, 0))
        return shares, None
