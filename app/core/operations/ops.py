"""The operations of attention: each one computes forward, explains a cell, and says how its result grows with its inputs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from app.core.operations.explain import Index, arithmetic, read
from app.core.operations.expression import (
    HIDDEN,
    Call,
    Expression,
    Masked,
    Product,
    Quotient,
    Root,
    Sum,
    chain,
    constant,
    over,
    power,
)
from app.core.operations.numbers import show
from app.core.operations.operation import Cellwise, Inputs, Linear, NotFinite, Operation, Slopes, Source, Values, summed_to
from app.core.operations.softmax import Divide, Softmax

__all__ = [
    "Divide", "DivideByRoot", "Edit", "Inputs", "MatMul", "Multiply", "NotFinite", "Operation", "Sinusoid", "Softmax", "Values",
    "Where",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class MatMul(Linear):
    """Row times column, added up. Shapes: (..., n, m) @ (..., m, p) -> (..., n, p)."""

    tex = r"#1\,#2"
    sign = ""
    code = "#1 @ #2"

    layout: ClassVar[str] = "product"

    def forward(self, *values: Values) -> Values:
        left, right = values
        product: Values = left @ right
        return product

    def pairs(self, inputs: Inputs, index: Index) -> list[tuple[Expression, Expression]]:
        """The factors that meet in one cell: a row of the left, a column of the right."""
        left, right = inputs
        *heads, row, column = index
        lead_left, lead_right = tuple(heads[: left.value.ndim - 2]), tuple(heads[: right.value.ndim - 2])
        return [
            (
                read(left, (*lead_left, row, inner), brackets=inner > 0),
                read(right, (*lead_right, inner, column), brackets=True),
            )
            for inner in range(left.shape[-1])
        ]

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        return chain(Sum, [Product(pair, ("×",), apart=True) for pair in self.pairs(inputs, index)], "+")

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """A factor counts as much as the other factor is large: upstream·rightᵀ, leftᵀ·upstream."""
        left, right = inputs
        to_left, to_right = upstream @ right.swapaxes(-1, -2), left.swapaxes(-1, -2) @ upstream
        return summed_to(to_left, left.shape), summed_to(to_right, right.shape)

    def second_way(self, *values: Values) -> Values | None:
        return np.asarray(np.einsum("...ij,...jk->...ik", *values, optimize=False))


@dataclass(frozen=True, slots=True)
class Multiply(Cellwise):
    """Every cell times one number."""

    tex = r"c\,#1"

    factor: float

    @property
    def sign(self) -> str:
        return f"× {show(self.factor, 12)}"

    @property
    def code(self) -> str:
        return f"#1 * {self.factor!r}"

    def forward(self, *values: Values) -> Values:
        return values[0] if self.factor == 1 else np.multiply(values[0], values[0].dtype.type(self.factor))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        return Product((read(inputs[0], index), constant(self.factor, brackets=True)), ("×",), apart=True)

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        return (self.factor,)


@dataclass(frozen=True, slots=True)
class DivideByRoot(Cellwise):
    """Every cell divided by the square root of a width."""

    tex = r"\frac{#1}{\sqrt{d_{head}}}"

    width: int

    @property
    def sign(self) -> str:
        return f"÷ √{self.width}"

    @property
    def code(self) -> str:
        return f"#1 / sqrt({self.width})"

    def forward(self, *values: Values) -> Values:
        scaled: Values = values[0] / values[0].dtype.type(math.sqrt(self.width))
        return scaled

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        return Quotient(read(inputs[0], index), Root(constant(self.width)), apart=True)

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        return (1 / math.sqrt(self.width),)

    def second_way(self, *values: Values) -> Values | None:
        return np.multiply(values[0], 1 / math.sqrt(self.width))


@dataclass(frozen=True, slots=True)
class Where(Cellwise):
    """Keep the cells whose mask is 1 and put ``fill`` in the others. Shapes: (..., n_q, n_k), mask (n_q, n_k).

    Errors: NotFinite where a kept cell is −∞, which would look hidden, or where any cell is not a number.
    """

    cell = "ij"
    sign = "@sign.where"

    switches: ClassVar[tuple[int, ...]] = (1,)
    fill: float

    @property
    def tex(self) -> str:
        return r"{#1}_{ij}\;(#2_{ij} = 1),\quad %s\;(#2_{ij} = 0)" % (r"-\infty" if self.fill < 0 else "0")

    @property
    def code(self) -> str:
        return f"np.where(#2?, #1, {'-inf' if self.fill < 0 else '0.0'})"

    def forward(self, *values: Values) -> Values:
        kept, mask = values
        lowest = kept.min(initial=0)
        if np.isnan(lowest) or (lowest == -np.inf and (kept == -np.inf)[..., mask.astype(bool)].any()):
            raise NotFinite("scores: a visible score is too large to be a number")
        if mask.all():
            return kept
        shown = kept.copy()
        np.copyto(shown, kept.dtype.type(self.fill), where=np.logical_not(mask))
        return shown

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        kept, mask = inputs
        hidden = HIDDEN if self.fill < 0 else constant(self.fill)
        result = read(kept, index) if mask.value[index[-2:]] else hidden
        return Masked(mask.name.rpartition(".")[2], read(mask, index[-2:]), result)

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        """1 where the mask lets through, 0 where it hides. A bit of the mask jumps and has no slope."""
        return inputs[1].astype(bool).astype(float), None


@dataclass(frozen=True, slots=True)
class Sinusoid(Source):
    """The position table: sine on even columns, cosine on odd ones; no inputs. Shape: (n, d_model).

    Source: Vaswani et al. 2017, section 3.5.
    """

    sign = ""

    n: int
    d_model: int
    base: float = 10000.0

    @property
    def tex(self) -> str:
        return rf"\sin(i/{self.base:.10g}^{{2c/d}}),\; \cos(i/{self.base:.10g}^{{2c/d}})"

    @property
    def code(self) -> str:
        return f"waves({self.n!r}, {self.d_model!r}, {self.base!r})"

    def forward(self, *values: Values) -> Values:
        column = np.arange(self.d_model)
        angle = np.arange(self.n)[:, None] / self.base ** (2 * (column // 2) / self.d_model)
        return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        position, column = index
        exponent = Quotient(constant(2 * (column // 2)), constant(self.d_model), slash=True)
        return Call("sin" if column % 2 == 0 else "cos", (over(constant(position), power(constant(self.base), exponent)),))


@dataclass(frozen=True, slots=True)
class Edit(Cellwise):
    """Replace single cells by hand; all others stay what they were."""

    tex = "#1"
    sign = ""
    code = "#1"

    cells: tuple[tuple[Index, float], ...]

    def forward(self, *values: Values) -> Values:
        changed = values[0].copy()
        for index, value in self.cells:
            changed[index] = value
        return changed

    def explain(self, inputs: Inputs, index: Index) -> Expression | None:
        return None if index in dict(self.cells) else arithmetic(inputs[0], index)

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        """A cell that was replaced no longer follows what it was made from: nothing comes through it."""
        kept = np.ones(result.shape)
        for index, _ in self.cells:
            kept[index] = 0
        return (kept,)
