"""The operations of attention: each one computes forward, explains a cell, and can be computed a second way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from app.core.explain import Index, Part, Sign, arithmetic, join, read
from app.core.numbers import show, write

if TYPE_CHECKING:
    from app.core.array import Array

Values = npt.NDArray[Any]
Inputs = Sequence["Array"]


class NotFinite(ValueError):
    """A score that a query may see has grown past what numbers can hold."""


class Operation:
    """What every operation can be asked.

    ``layout`` says how the operation is laid out on paper: ``product`` (left, right above, result where they
    cross), ``map`` (operands beside the result), ``join`` (several parts side by side).
    """

    layout: ClassVar[str] = "map"

    def forward(self, *values: Values) -> Values:
        """Compute the result from the values of the inputs."""
        raise NotImplementedError

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        """Write out the arithmetic of the result's cell at ``index``."""
        raise NotImplementedError

    def source(self, index: Index) -> Index | None:
        """Where a cell is merely moved, say which cell of the first input it is; otherwise None."""
        return None

    def second_way(self, *values: Values) -> Values | None:
        """Compute the result by another route, for the check on the page; None where there is no other route."""
        return None


@dataclass(frozen=True, slots=True)
class MatMul(Operation):
    """Row times column, added up. Shapes: (..., n, m) @ (..., m, p) -> (..., n, p)."""

    layout: ClassVar[str] = "product"

    def forward(self, *values: Values) -> Values:
        left, right = values
        product: Values = left @ right
        return product

    def pairs(self, inputs: Inputs, index: Index) -> list[tuple[list[Part], list[Part]]]:
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

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        return join([[*left, Sign("×"), *right] for left, right in self.pairs(inputs, index)], " + ")

    def second_way(self, *values: Values) -> Values | None:
        return np.asarray(np.einsum("...ij,...jk->...ik", *values, optimize=False))


@dataclass(frozen=True, slots=True)
class Multiply(Operation):
    """Every cell times one number."""

    factor: float

    def forward(self, *values: Values) -> Values:
        return values[0] if self.factor == 1 else np.multiply(values[0], values[0].dtype.type(self.factor))

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        factor = write(self.factor)
        return [*read(inputs[0], index), Sign("×"), Sign(f"({factor})" if self.factor < 0 else factor)]


@dataclass(frozen=True, slots=True)
class DivideByRoot(Operation):
    """Every cell divided by the square root of a width."""

    width: int

    def forward(self, *values: Values) -> Values:
        scaled: Values = values[0] / values[0].dtype.type(math.sqrt(self.width))
        return scaled

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        return [*read(inputs[0], index), Sign(" ÷ "), Sign(f"√{self.width}")]

    def second_way(self, *values: Values) -> Values | None:
        return np.multiply(values[0], 1 / math.sqrt(self.width))


@dataclass(frozen=True, slots=True)
class Where(Operation):
    """Keep the cells whose mask is 1 and put ``fill`` in the others. Shapes: (..., n_q, n_k), mask (n_q, n_k).

    Errors: NotFinite where a kept cell is −∞, which would look hidden, or where any cell is not a number.
    """

    fill: float

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

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        kept, mask = inputs
        bit = read(mask, index[-2:])
        result = read(kept, index) if mask.value[index[-2:]] else [Sign(show(self.fill))]
        return [Sign(f"{mask.name.rpartition('.')[2]} "), *bit, Sign(" → "), *result]


@dataclass(frozen=True, slots=True)
class Softmax(Operation):
    """Each row: e to every score, divided by the sum of those. Hidden scores (−∞) get exactly 0.

    The row maximum is taken off first, which changes no weight and keeps e^score finite.
    Errors: NotFinite where a visible score is infinite or not a number.
    Source: Vaswani et al. 2017, section 3.2.1; the shift: Goodfellow et al. 2016, section 4.1.
    """

    _SHIFT_ABOVE: ClassVar[float] = 100.0

    def forward(self, *values: Values) -> Values:
        (scores,) = values
        top = _row_maxima(scores)
        if not top.max() < np.inf:
            raise NotFinite("weights: a visible score is too large to be a number")
        np.maximum(top, np.finfo(top.dtype).min, out=top)  # a row that sees nothing has no largest score
        weights: Values = np.subtract(scores, top)
        np.exp(weights, out=weights)
        total = weights @ np.ones((weights.shape[-1], 1), weights.dtype)
        np.maximum(total, 1, out=total)  # the largest score gives e^0 = 1; only a row that sees nothing has less
        np.divide(weights, total, out=weights)
        return weights

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        scores = inputs[0]
        visible = _visible(scores, index)
        if not visible:
            return [Sign("0")]
        top = max(visible, key=lambda cell: scores.value[cell])
        shift = top if max(abs(scores.value[cell]) for cell in visible) > self._SHIFT_ABOVE else None
        total = join([self._power(scores, cell, shift) for cell in visible], " + ")
        return [*self._power(scores, index, shift), Sign(" ÷ ("), *total, Sign(")")]

    @staticmethod
    def _power(scores: Array, cell: Index, shift: Index | None) -> list[Part]:
        if shift is None:
            return [Sign("e^"), *read(scores, cell, brackets=True)]
        return [Sign("e^("), *read(scores, cell), Sign(" − "), *read(scores, shift, brackets=True), Sign(")")]

    def second_way(self, *values: Values) -> Values | None:
        (scores,) = values
        log_total = np.logaddexp.reduce(scores, axis=-1, keepdims=True)
        return np.asarray(np.exp(scores - np.where(np.isfinite(log_total), log_total, 0)))


@dataclass(frozen=True, slots=True)
class Divide(Operation):
    """Each row: every score divided by the sum of the row's visible scores. Hidden scores count 0.

    A row whose visible scores add up to 0 (float noise aside), or that sees nothing, gets weights 0.
    Errors: NotFinite where a visible score is infinite or not a number.
    """

    _ZERO: ClassVar[float] = 1e-12

    def forward(self, *values: Values) -> Values:
        (scores,) = values
        shown = np.where(scores == -np.inf, scores.dtype.type(0), scores)
        total = shown.sum(axis=-1, keepdims=True)
        if not np.isfinite(total).all():
            raise NotFinite("weights: a visible score is too large to be a number")
        empty = np.abs(total) <= self._ZERO * np.maximum(1, np.abs(shown).sum(axis=-1, keepdims=True))
        return np.where(empty, 0, np.divide(shown, np.where(empty, 1, total)))

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        scores = inputs[0]
        visible = _visible(scores, index)
        values = [scores.value[cell] for cell in visible]
        if abs(sum(values)) <= self._ZERO * max(1, sum(map(abs, values))):
            return [Sign("0")]
        total = join([read(scores, cell, brackets=n > 0) for n, cell in enumerate(visible)], " + ")
        part = read(scores, index) if index in visible else [Sign("0")]
        return [*part, Sign(" ÷ ("), *total, Sign(")")]


def _row_maxima(scores: Values) -> Values:
    """The largest score of each row; on short rows argmax is three times as fast as max. Shapes: (..., n_k) -> (..., 1)."""
    rows = scores.reshape(-1, scores.shape[-1])
    largest: Values = rows[np.arange(len(rows)), rows.argmax(axis=-1)]
    return largest.reshape(*scores.shape[:-1], 1)


def _visible(scores: Array, index: Index) -> list[Index]:
    row = index[:-1]
    return [(*row, key) for key in range(scores.shape[-1]) if scores.value[(*row, key)] != -np.inf]


@dataclass(frozen=True, slots=True)
class Sinusoid(Operation):
    """The position table: sine on even columns, cosine on odd ones; no inputs. Shape: (n, d_model).

    Source: Vaswani et al. 2017, section 3.5.
    """

    n: int
    d_model: int
    base: float = 10000.0

    def forward(self, *values: Values) -> Values:
        column = np.arange(self.d_model)
        angle = np.arange(self.n)[:, None] / self.base ** (2 * (column // 2) / self.d_model)
        return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        position, column = index
        wave = "sin" if column % 2 == 0 else "cos"
        power = f"{show(self.base)}^({2 * (column // 2)}/{self.d_model})"
        return [Sign(f"{wave}({position} ÷ {power})")]


@dataclass(frozen=True, slots=True)
class Edit(Operation):
    """Replace single cells by hand; all others stay what they were."""

    cells: tuple[tuple[Index, float], ...]

    def forward(self, *values: Values) -> Values:
        changed = values[0].copy()
        for index, value in self.cells:
            changed[index] = value
        return changed

    def explain(self, inputs: Inputs, index: Index) -> list[Part]:
        if index in dict(self.cells):
            return []
        return arithmetic(inputs[0], index)
