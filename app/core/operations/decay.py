"""How a state fades: holding the input for one step, powers of the decay, what is left after the tokens that follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from app.core.operations.cellwise import spread
from app.core.operations.explain import Index, read
from app.core.operations.expression import ONE, ZERO, E, Expression, Product, chain, constant, less, over, plus, power, times
from app.core.operations.operation import Cellwise, Inputs, Linear, Operation, Slopes, Values, summed_to


@dataclass(frozen=True, slots=True)
class Hold(Cellwise):
    """What one step of length Δ lets in, the input held constant: (e^(Δ·a) − 1) ÷ a; and Δ where a is 0.

    Shapes: delta (..., n, 1), a (..., 1, d_state) -> (..., n, d_state).
    Source: Gu & Dao 2023, section 2, equation 4 (zero-order hold).
    """

    tex = r"\frac{e^{#1\,#2} - 1}{#2}"
    sign = ""
    code = "held_input(#*)"

    _SMALL: ClassVar[float] = 1e-3

    def forward(self, *values: Values) -> Values:
        delta, a = values
        return np.where(a == 0, delta, np.expm1(delta * a) / np.where(a == 0, 1, a))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        (delta, at), (a, under) = ((array, spread(index, array.shape)) for array in inputs)
        step, again, slope = read(delta, at), read(delta, at, brackets=True), read(a, under, brackets=True)
        if a.value[under] == 0:
            return step
        if abs(delta.value[at] * a.value[under]) > self._SMALL:
            return over(less(power(E, times(step, slope)), ONE), slope)
        x = times(again, slope)  # e^x − 1 would lose its digits here: the first terms of its series
        half = Product((again, slope, constant(2)), ("×", "÷"))
        return times(step, plus(ONE, half, over(power(x, constant(2)), constant(6)), over(power(x, constant(3)), constant(24))))

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        """e^(Δ·a) for Δ; for a (Δ·e^(Δ·a) − result) ÷ a, near 0 the first terms of its series, as in ``explain``."""
        delta, a = inputs
        x = delta * a
        series = delta**2 * (1 / 2 + x / 3 + x**2 / 8 + x**3 / 30)
        small = np.abs(x) <= self._SMALL
        return np.exp(x), np.where(small, series, (delta * np.exp(x) - result) / np.where(small, 1, a))


@dataclass(frozen=True, slots=True)
class Decay(Cellwise):
    """The powers 0, 1, 2, ... of one row: row j is the row to the power j. Shapes: (..., 1, d) -> (..., n, d)."""

    tex = "{#1}^j"
    sign = ""

    n: int

    @property
    def code(self) -> str:
        return f"#1 ** np.arange({self.n})[:, None]"

    def forward(self, *values: Values) -> Values:
        return np.asarray(values[0] ** np.arange(self.n, dtype=values[0].dtype)[:, None])

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        *heads, exponent, column = index
        return power(read(inputs[0], (*heads, 0, column), brackets=True), constant(exponent))

    def second_way(self, *values: Values) -> Values | None:
        steps = np.broadcast_to(values[0], (*values[0].shape[:-2], self.n, values[0].shape[-1])).copy()
        steps[..., 0, :] = 1
        return np.asarray(np.cumprod(steps, axis=-2))

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        """j·a^(j − 1); the power 0 is always 1 and does not grow."""
        power = np.arange(self.n, dtype=inputs[0].dtype)[:, None]
        return (power * inputs[0] ** np.maximum(power - 1, 0),)


@dataclass(frozen=True, slots=True)
class Remaining(Operation):
    """The share of a token that is left at the end: all later decays, multiplied. One row counts for every token.

    Shapes: (..., n, d) or (..., 1, d) -> (..., n, d).
    """

    tex = r"\prod_{t > j} #1_t"
    cell = "j"
    sign = ""

    n: int

    @property
    def code(self) -> str:
        return f"what_remains(#1, {self.n})"

    def forward(self, *values: Values) -> Values:
        shape = (*values[0].shape[:-2], self.n, values[0].shape[-1])
        later = np.ones(shape, values[0].dtype)
        later[..., :-1, :] = np.broadcast_to(values[0], shape)[..., :0:-1, :].cumprod(axis=-2)[..., ::-1, :]
        return later

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        *heads, token, column = index
        if token == self.n - 1:
            return ONE
        cells = [(*heads, 0 if inputs[0].shape[-2] == 1 else later, column) for later in range(token + 1, self.n)]
        return chain(Product, [read(inputs[0], cell, brackets=place > 0) for place, cell in enumerate(cells)], "×")

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """From the first token on: each row is the next decay times the next row, a product of two."""
        each = np.broadcast_to(inputs[0], result.shape)
        shares, so_far = np.zeros(result.shape), np.zeros_like(upstream[..., 0, :])
        for token in range(self.n - 1):
            so_far = so_far * each[..., token, :] + upstream[..., token, :]
            shares[..., token + 1, :] = so_far * result[..., token + 1, :]
        return (summed_to(shares, inputs[0].shape),)

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        """From the last token back: the same product of two, one growing and then the other."""
        each, growing = np.broadcast_to(inputs[0], result.shape), np.broadcast_to(change, result.shape)
        grown = np.zeros(result.shape)
        for token in range(self.n - 2, -1, -1):
            here = growing[..., token + 1, :] * result[..., token + 1, :]
            grown[..., token, :] = here + each[..., token + 1, :] * grown[..., token + 1, :]
        return grown


@dataclass(frozen=True, slots=True)
class Toeplitz(Linear):
    """The kernel laid out as a table: row i, column j holds kernel[i − j], and 0 for the future.

    Shapes: (..., n, 1) -> (..., n, n).
    """

    tex = r"#1_{i-j}\;(j \leq i),\quad 0\;(j > i)"
    cell = "ij"
    sign = ""
    code = "distance_table(#1)"

    def forward(self, *values: Values) -> Values:
        (kernel,) = values
        n = kernel.shape[-2]
        distance = np.arange(n)[:, None] - np.arange(n)
        return np.where(distance < 0, 0, kernel[..., np.abs(distance), 0])

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        *heads, i, j = index
        return ZERO if j > i else read(inputs[0], (*heads, i - j, 0))

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """A number of the kernel gets the shares of its whole diagonal."""
        n = result.shape[-1]
        diagonals = [np.trace(upstream, -steps, axis1=-2, axis2=-1) for steps in range(n)]
        return (np.stack(diagonals, axis=-1)[..., None],)
