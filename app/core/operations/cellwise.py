"""The operations that work cell by cell or along a row: sums, products, functions of one number, row totals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from app.core.operations.explain import Index, Part, Sign, join, read
from app.core.operations.numbers import write
from app.core.operations.operation import Cellwise, Inputs, Operation, Slopes, Values

_SIGNS: dict[str, Callable[[Values, Values], Values]] = {
    "+": np.add,
    "−": np.subtract,
    "×": np.multiply,
    "÷": np.divide,
}


def spread(index: Index, shape: tuple[int, ...]) -> Index:
    """The cell of a smaller array that meets a cell of the result: axes of length 1 are repeated, missing ones too."""
    return tuple(0 if count == 1 else place for place, count in zip(index[len(index) - len(shape) :], shape, strict=True))


@dataclass(frozen=True, slots=True)
class Combine(Cellwise):
    """Two arrays, cell by cell; an axis of length 1, or one that is missing in front, is repeated."""

    sign: str

    def forward(self, *values: Values) -> Values:
        left, right = values
        return np.asarray(_SIGNS[self.sign](left, right))

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        left, right = (read(array, spread(index, array.shape), brackets=place > 0) for place, array in enumerate(inputs))
        sign = self.sign if self.sign == "×" else f" {self.sign} "
        return [*left, Sign(sign), *right]

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        left, right = inputs
        if self.sign in "+−":
            return 1.0, 1.0 if self.sign == "+" else -1.0
        return (right, left) if self.sign == "×" else (1 / right, -result / right)


@dataclass(frozen=True, slots=True)
class Shift(Cellwise):
    """Every cell plus one number."""

    number: float

    def forward(self, *values: Values) -> Values:
        return np.asarray(np.add(values[0], values[0].dtype.type(self.number)))

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        written = write(self.number)
        return [*read(inputs[0], index), Sign(" + "), Sign(f"({written})" if self.number < 0 else written)]

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        return (1.0,)


def _phi(x: Values) -> Values:
    """Φ: the share of a bell curve that lies below x."""
    return np.asarray(0.5 * (1 + np.vectorize(math.erf, otypes=[x.dtype])(x / math.sqrt(2))))


def _gelu(x: Values) -> Values:
    return np.asarray(x * _phi(x))


def _sigmoid(x: Values) -> Values:
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1, small) / (1 + small))


@dataclass(frozen=True, slots=True)
class Function(Cellwise):
    """A function of one number, cell by cell: exp, sqrt, log, tanh, relu, gelu, silu, sigmoid, softplus, elu1.

    Sources: GELU: Hendrycks & Gimpel 2016 (exact form x·Φ(x)); SiLU: Elfwing et al. 2018; softplus: Dugas et al. 2000;
    elu1 = elu(x) + 1: Katharopoulos et al. 2020, equation 7.
    """

    name: str
    _TABLE: ClassVar[dict[str, Callable[[Values], Values]]] = {
        "exp": np.exp,
        "sqrt": np.sqrt,
        "log": np.log,
        "tanh": np.tanh,
        "relu": lambda x: np.maximum(x, 0),
        "gelu": _gelu,
        "silu": lambda x: x * _sigmoid(x),
        "sigmoid": _sigmoid,
        "softplus": lambda x: np.logaddexp(0, x),
        "elu1": lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))),
    }
    _WRITTEN: ClassVar[dict[str, tuple[str, str]]] = {
        "exp": ("e^", ""),
        "sqrt": ("√(", ")"),
        "log": ("ln(", ")"),
        "tanh": ("tanh(", ")"),
        "relu": ("max(0, ", ")"),
        "softplus": ("ln(1 + e^", ")"),
        "sigmoid": ("1 ÷ (1 + e^(−", "))"),
    }

    def forward(self, *values: Values) -> Values:
        return np.asarray(self._TABLE[self.name](values[0]))

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        x, inner = read(inputs[0], index), read(inputs[0], index, brackets=True)
        if self.name == "gelu":
            return [*x, Sign("×Φ("), *x, Sign(")")]
        if self.name == "silu":
            return [*x, Sign(" ÷ (1 + e^(−"), *inner, Sign("))")]
        if self.name == "elu1":
            return [*x, Sign(" + 1")] if inputs[0].value[index] > 0 else [Sign("e^"), *inner]
        if self.name == "softplus" and inputs[0].value[index] > 100:  # where e^x is too long to work out
            return [*x, Sign(" + ln(1 + e^(−"), *inner, Sign("))")]
        before, after = self._WRITTEN[self.name]
        return [Sign(before), *inner, Sign(after)]

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        return (_SLOPES[self.name](inputs[0], result),)


def _bell(x: Values) -> Values:
    """The slope of Φ: the bell curve e^(−x²/2) ÷ √(2π)."""
    return np.asarray(np.exp(-x * x / 2) / math.sqrt(2 * math.pi))


_SLOPES: dict[str, Callable[[Values, Values], Values]] = {
    "exp": lambda x, y: y,
    "sqrt": lambda x, y: 0.5 / y,
    "log": lambda x, y: 1 / x,
    "tanh": lambda x, y: 1 - y * y,
    "relu": lambda x, y: np.where(x > 0, 1.0, 0.0),
    "gelu": lambda x, y: _phi(x) + x * _bell(x),
    "silu": lambda x, y: _sigmoid(x) + y * _sigmoid(-x),
    "sigmoid": lambda x, y: y * _sigmoid(-x),
    "softplus": lambda x, y: _sigmoid(x),
    "elu1": lambda x, y: np.where(x > 0, 1.0, y),
}
"""How fast each function grows, from x and its result y. At the corner of relu, where there are two slopes, we take 0."""


@dataclass(frozen=True, slots=True)
class RowTotal(Operation):
    """Each row to one number: its sum, mean or max. Shapes: (..., m) -> (..., 1)."""

    kind: str

    def forward(self, *values: Values) -> Values:
        total: Values = getattr(values[0], self.kind)(axis=-1, keepdims=True)
        return total

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        row, width = index[:-1], inputs[0].shape[-1]
        cells = [read(inputs[0], (*row, column), brackets=column > 0 and self.kind != "max") for column in range(width)]
        if self.kind == "max":
            return [Sign("max("), *join(cells, ", "), Sign(")")]
        total = join(cells, " + ")
        return total if self.kind == "sum" else [Sign("("), *total, Sign(f") ÷ {width}")]

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        return (upstream * self._parts(inputs[0]),)

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        return np.asarray((change * self._parts(inputs[0])).sum(axis=-1, keepdims=True))

    def _parts(self, row: Values) -> Values:
        """How much the total grows with each cell. Only the largest moves the max; of equals we take the first."""
        if self.kind != "max":
            return np.full(row.shape, 1.0 if self.kind == "sum" else 1 / row.shape[-1])
        return one_of(row.argmax(axis=-1), row.shape[-1]) * (row > -np.inf)


def one_of(places: Values, count: int) -> Values:
    """A row for each place: 1 there, 0 elsewhere. Shapes: (...) -> (..., count)."""
    return np.asarray(np.arange(count) == places[..., None], dtype=float)
