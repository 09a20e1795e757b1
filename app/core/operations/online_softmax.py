"""What is carried along while the keys come by in pieces: the larger of two, e to a difference, a ratio."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.core.operations.cellwise import spread
from app.core.operations.explain import Index, read
from app.core.operations.expression import ZERO, Call, E, Expression, Quotient, less, power
from app.core.operations.operation import Cellwise, Inputs, NotFinite, Slopes, Values


@dataclass(frozen=True, slots=True)
class Larger(Cellwise):
    """The larger of two numbers, cell by cell."""

    tex = r"\max(#1,\, #2)"
    sign = ""
    code = "np.maximum(#*)"

    def forward(self, *values: Values) -> Values:
        return np.maximum(*values)

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        left, right = inputs
        return Call("max", (read(left, index), read(right, index)))

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        """Only the larger one moves the result; of equals we take the left, of two that are −∞ none."""
        left, seen = inputs[0] >= inputs[1], result > -np.inf
        return (left & seen).astype(float), (~left & seen).astype(float)


@dataclass(frozen=True, slots=True)
class Power(Cellwise):
    """e to (left − right), cell by cell; where left is −∞ (nothing seen) it is 0, whatever right is.

    Errors: NotFinite where the power is too large to be a number.
    Source: Milakov & Gimelshein 2018, algorithm 3.
    """

    tex = "e^{{#1}_{ij} - #2_i}"
    cell = "ij"
    sign = ""
    code = "power_of_difference(#*)"

    def forward(self, *values: Values) -> Values:
        left, right = values
        with np.errstate(over="ignore", invalid="ignore"):  # −∞ − (−∞) is not used
            power = np.where(left == -np.inf, 0, np.exp(left - right))
        if not np.isfinite(power).all():
            raise NotFinite("powers: a visible score is too large to be a number")
        return power

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        cells = [(array, spread(index, array.shape)) for array in inputs]
        if all(array.value[cell] == -np.inf for array, cell in cells):
            return ZERO
        left, right = (read(array, cell, brackets=place > 0) for place, (array, cell) in enumerate(cells))
        return power(E, less(left, right))

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        return result, -result


@dataclass(frozen=True, slots=True)
class Ratio(Cellwise):
    """Left ÷ right, cell by cell; where right is 0 (nothing seen) the answer is 0.

    Errors: NotFinite where the ratio is not a number.
    """

    tex = r"\frac{#1_i}{#2_i}"
    cell = "i"
    sign = ""
    code = "safe_ratio(#*)"

    def forward(self, *values: Values) -> Values:
        left, right = values
        result = np.where(right == 0, 0, left / np.where(right == 0, 1, right))
        if not np.isfinite(result).all():
            raise NotFinite("weights: a visible score is too large to be a number")
        return result

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        (top, cell), (bottom, under) = ((array, spread(index, array.shape)) for array in inputs)
        if bottom.value[under] == 0:
            return ZERO
        return Quotient(read(top, cell), read(bottom, under, brackets=True), apart=True)

    def second_way(self, *values: Values) -> Values | None:
        left, right = values
        return np.where(right == 0, 0, left * (1 / np.where(right == 0, 1, right)))

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        over = np.where(inputs[1] == 0, 0, 1 / np.where(inputs[1] == 0, 1, inputs[1]))
        return over, -result * over
