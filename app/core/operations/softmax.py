"""The operations that turn a row of scores into shares of 1: softmax, and division by the sum."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from app.core.operations.explain import Index, read
from app.core.operations.expression import ZERO, E, Equal, Expression, Group, Number, Power, Quotient, Sum, chain, less, power
from app.core.operations.numbers import scientific, show
from app.core.operations.operation import Inputs, Node, NotFinite, Operation, Values

SHIFT_ABOVE = 100.0
"""Where a score is larger than this, e^score is too long to read: the largest is taken off first."""
Cell = tuple[Node, Index]


@dataclass(frozen=True, slots=True)
class Softmax(Operation):
    """Each row: e to every score, divided by the sum of those. Hidden scores (−∞) get exactly 0.

    The row maximum is taken off first, which changes no weight and keeps e^score finite.
    Errors: NotFinite where a visible score is infinite or not a number.
    Source: Vaswani et al. 2017, section 3.2.1; the shift: Goodfellow et al. 2016, section 4.1.
    """

    tex = r"\frac{e^{{#1}_{ij}}}{\sum_{m} e^{{#1}_{im}}}"
    cell = "ij"
    sign = "@choice.softmax"
    code = "softmax(#1)"

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

    def explain(self, inputs: Inputs, index: Index) -> Expression | None:
        scores = inputs[0]
        visible = visible_cells(scores, index)
        if not visible:
            return ZERO
        top = max(visible, key=lambda cell: scores.value[cell])
        shift = (scores, top) if max(abs(scores.value[cell]) for cell in visible) > SHIFT_ABOVE else None
        return worked_share((scores, index), [(scores, cell) for cell in visible], shift)

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """diag(p) − p·pᵀ, row by row: what a weight gains the others lose. A weight of 0 (hidden, or far behind) gets 0."""
        return (self.push(inputs, result, 0, upstream),)

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        """Return the Jacobian itself: it is symmetric, so its transpose is the same."""
        shared: Values = result * (change - (result * change).sum(axis=-1, keepdims=True))
        return shared

    def second_way(self, *values: Values) -> Values | None:
        (scores,) = values
        largest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
        below = scores - np.where(np.isfinite(largest), largest, 0)  # beside 10¹² a logarithm of 2 would be rounded away
        log_total = np.logaddexp.reduce(below, axis=-1, keepdims=True)
        return np.asarray(np.exp(below - np.where(np.isfinite(log_total), log_total, 0)))


@dataclass(frozen=True, slots=True)
class Divide(Operation):
    """Each row: every score divided by the sum of the row's visible scores. Hidden scores count 0.

    A row whose visible scores add up to 0 (float noise aside), or that sees nothing, gets weights 0.
    Errors: NotFinite where a visible score is infinite or not a number.
    """

    tex = r"\frac{{#1}_{ij}}{\sum_{m} {#1}_{im}}"
    cell = "ij"
    sign = "@sign.division"
    code = "divide_rows(#1)"

    _ZERO: ClassVar[float] = 1e-12

    def forward(self, *values: Values) -> Values:
        (scores,) = values
        shown = np.where(scores == -np.inf, scores.dtype.type(0), scores)
        total = shown.sum(axis=-1, keepdims=True)
        if not np.isfinite(total).all():
            raise NotFinite("weights: a visible score is too large to be a number")
        empty = np.abs(total) <= self._ZERO * np.maximum(1, np.abs(shown).sum(axis=-1, keepdims=True))
        return np.where(empty, 0, np.divide(shown, np.where(empty, 1, total)))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        scores = inputs[0]
        visible = visible_cells(scores, index)
        values = [scores.value[cell] for cell in visible]
        if abs(sum(values)) <= self._ZERO * max(1, sum(map(abs, values))):
            return ZERO
        part = read(scores, index) if index in visible else ZERO
        return share_of(part, [read(scores, cell, brackets=n > 0) for n, cell in enumerate(visible)])

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """(upstream − what the whole row's shares get) ÷ sum; 0 at a hidden score and in a row whose sum is 0."""
        visible, over = self._over_the_sum(inputs[0], result)
        return (visible * over * (upstream - (upstream * result).sum(axis=-1, keepdims=True)),)

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        visible, over = self._over_the_sum(inputs[0], result)
        change = visible * change
        return np.asarray(over * (change - result * change.sum(axis=-1, keepdims=True)))

    @staticmethod
    def _over_the_sum(scores: Values, result: Values) -> tuple[Values, Values]:
        """1 where a score is visible; and 1 ÷ sum of each row, 0 where the row has no shares."""
        visible = scores != -np.inf
        total = np.where(visible, scores, 0).sum(axis=-1, keepdims=True)
        empty = ~result.any(axis=-1, keepdims=True)
        return visible, np.where(empty, 0, 1 / np.where(empty, 1, total))


def _row_maxima(scores: Values) -> Values:
    """The largest score of each row; on short rows argmax is three times as fast as max. Shapes: (..., n_k) -> (..., 1)."""
    rows = scores.reshape(-1, scores.shape[-1])
    largest: Values = rows[np.arange(len(rows)), rows.argmax(axis=-1)]
    return largest.reshape(*scores.shape[:-1], 1)


def visible_cells(scores: Node, index: Index) -> list[Index]:
    """The cells of a cell's row that are not hidden."""
    row = index[:-1]
    return [(*row, key) for key in range(scores.shape[-1]) if scores.value[(*row, key)] != -np.inf]


def power_of(cell: Cell, shift: Cell | None) -> Expression:
    """e to a score, or to what it lies below the largest."""
    if shift is None:
        return Power(E, read(*cell, brackets=True))
    return power(E, less(read(*cell), read(*shift, brackets=True)))


def share_of(part: Expression, all_parts: list[Expression]) -> Expression:
    """A part divided by the sum of all."""
    return Quotient(part, Group(chain(Sum, all_parts, "+"), "inside"), apart=True)


def worked_share(part: Cell, all_parts: list[Cell], shift: Cell | None) -> Expression:
    """A power of e divided by the sum of all, and the same in numbers: ``10.07 ÷ (10.07 + 1 + 5.65) = 10.07 ÷ 16.72``."""
    asked = share_of(power_of(part, shift), [power_of(cell, shift) for cell in all_parts])
    top = 0.0 if shift is None else float(shift[0].value[shift[1]])
    above, *powers = (float(np.exp(array.value[cell] - top)) for array, cell in (part, *all_parts))
    total = sum(powers)
    print_in = _enough_digits(above, powers)
    number, *numbers, whole = (_worked_out(value, print_in(value)) for value in (above, *powers, total))
    in_numbers = (share_of(number, numbers),) if len(numbers) > 1 else ()
    return Equal((asked, *in_numbers, Quotient(number, whole, apart=True)))


Printer = Callable[[float], tuple[str, float]]
"""A number as it is printed, and the value of what is printed."""


def _enough_digits(above: float, powers: list[float]) -> Printer:
    """Choose the digits of the powers so that what is printed adds up to the printed sum and gives the printed weight."""
    total = sum(powers)
    printers: list[Printer] = [partial(_in_powers_of_ten, places) for places in range(2, 10)]
    if 1e-6 < total < 1e9:
        fewest = max(2, 2 - math.floor(math.log10(total)))  # a sum below 1 needs more decimals to say as much
        printers = [partial(_in_decimals, places) for places in range(fewest, fewest + 8)]
    for printer in printers:
        (_, part), (written, whole) = printer(above), printer(total)
        added, _ = printer(sum(printer(value)[1] for value in powers))
        if added == written and show(part / whole) == show(above / total):
            return printer
    return printers[0]


def _in_decimals(places: int, value: float) -> tuple[str, float]:
    return show(value, places), round(value, places)


def _in_powers_of_ten(places: int, value: float) -> tuple[str, float]:
    return (scientific(value, places), float(f"{value:.{places}e}")) if value else ("0", 0.0)


def _worked_out(value: float, printed: tuple[str, float]) -> Expression:
    number = Number(printed[0], value)
    return Group(number) if "×" in number.text else number
