"""The operations that work cell by cell or along a row: sums, products, functions of one number, row totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from app.core.operations.curves import CURVES, Curve
from app.core.operations.explain import Index, read
from app.core.operations.expression import Call, Expression, Group, Product, Quotient, Sum, chain, constant
from app.core.operations.operation import Cellwise, Inputs, Operation, Slopes, Values

_SIGNS: dict[str, Callable[[Values, Values], Values]] = {
    "+": np.add,
    "−": np.subtract,
    "×": np.multiply,
    "÷": np.divide,
}
_TEX = {"+": "#1 + #2", "−": "#1 - #2", "×": r"#1 \odot #2", "÷": "#1 / #2"}
_CODE = {"+": "#1 + #2", "−": "#1 - #2", "×": "#1 * #2", "÷": "#1 / #2"}
_TOTALS = {
    "sum": (r"\sum_{j} {#1}_{ij}", "Σ"),
    "mean": (r"\frac{1}{d}\sum_{c} {#1}_{ic}", "Σ ÷ n"),
    "max": (r"\max_{j} {#1}_{ij}", "max"),
}


def spread(index: Index, shape: tuple[int, ...]) -> Index:
    """The cell of a smaller array that meets a cell of the result: axes of length 1 are repeated, missing ones too."""
    return tuple(0 if count == 1 else place for place, count in zip(index[len(index) - len(shape) :], shape, strict=True))


@dataclass(frozen=True, slots=True)
class Combine(Cellwise):
    """Two arrays, cell by cell; an axis of length 1, or one that is missing in front, is repeated."""

    sign = ""
    between: str

    @property
    def tex(self) -> str:
        return _TEX[self.between]

    @property
    def code(self) -> str:
        return _CODE[self.between]

    def forward(self, *values: Values) -> Values:
        left, right = values
        return np.asarray(_SIGNS[self.between](left, right))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        left, right = (read(array, spread(index, array.shape), brackets=place > 0) for place, array in enumerate(inputs))
        if self.between == "÷":
            return Quotient(left, right, apart=True)
        kind = Sum if self.between in "+−" else Product
        return kind((left, right), (self.between,), apart=True)

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        left, right = inputs
        if self.between in "+−":
            return 1.0, 1.0 if self.between == "+" else -1.0
        return (right, left) if self.between == "×" else (1 / right, -result / right)


@dataclass(frozen=True, slots=True)
class Shift(Cellwise):
    """Every cell plus one number."""

    tex = "#1 + c"
    sign = ""

    number: float

    @property
    def code(self) -> str:
        return f"#1 + {self.number!r}"

    def forward(self, *values: Values) -> Values:
        return np.asarray(np.add(values[0], values[0].dtype.type(self.number)))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        return Sum((read(inputs[0], index), constant(self.number, brackets=True)), ("+",), apart=True)

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        return (1.0,)


@dataclass(frozen=True, slots=True)
class Function(Cellwise):
    """A function of one number, cell by cell; what it is stands in its row of ``CURVES``."""

    name: str

    @property
    def tex(self) -> str:
        return self.curve.tex

    @property
    def sign(self) -> str:
        return self.curve.sign

    @property
    def code(self) -> str:
        return self.curve.code

    @property
    def curve(self) -> Curve:
        """The row of the table of functions."""
        return CURVES[self.name]

    def forward(self, *values: Values) -> Values:
        return np.asarray(self.curve.value(values[0]))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        x, inner = read(inputs[0], index), read(inputs[0], index, brackets=True)
        return self.curve.written(float(inputs[0].value[index]), x, inner)

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        return (self.curve.slope(inputs[0], result),)


@dataclass(frozen=True, slots=True)
class RowTotal(Operation):
    """Each row to one number: its sum, mean or max. Shapes: (..., m) -> (..., 1)."""

    cell = "i"

    kind: str

    @property
    def tex(self) -> str:
        return _TOTALS[self.kind][0]

    @property
    def sign(self) -> str:
        return _TOTALS[self.kind][1]

    @property
    def code(self) -> str:
        return f"#1.{self.kind}(axis=-1, keepdims=True)"

    def forward(self, *values: Values) -> Values:
        total: Values = getattr(values[0], self.kind)(axis=-1, keepdims=True)
        return total

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        row, width = index[:-1], inputs[0].shape[-1]
        cells = [read(inputs[0], (*row, column), brackets=column > 0 and self.kind != "max") for column in range(width)]
        if self.kind == "max":
            return Call("max", tuple(cells))
        total = chain(Sum, cells, "+")
        return total if self.kind == "sum" else Quotient(Group(total), constant(width))

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
