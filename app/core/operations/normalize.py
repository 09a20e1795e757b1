"""The operations between scores and weights: temperature, softcap, softmax with a sink, and the pieces of softmax."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.core.operations.cellwise import one_of
from app.core.operations.explain import Index, read
from app.core.operations.expression import HIDDEN, ZERO, Call, Expression, Group, Number, Quotient, constant, over, plus, times
from app.core.operations.operation import Cellwise, Inputs, NotFinite, Operation, Slopes, Values, summed_to
from app.core.operations.softmax import SHIFT_ABOVE, Softmax, visible_cells, worked_share

_TOO_LARGE = "weights: a visible score is too large to be a number"


@dataclass(frozen=True, slots=True)
class DivideBy(Cellwise):
    """Every cell divided by one number.

    Source: temperature: Hinton et al. 2015, section 2, equation 1.
    """

    tex = r"\frac{#1}{T}"
    sign = ""

    number: float

    @property
    def code(self) -> str:
        return f"#1 / {self.number!r}"

    def forward(self, *values: Values) -> Values:
        return np.asarray(values[0] / values[0].dtype.type(self.number))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        return over(read(inputs[0], index), constant(self.number))

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        return (1 / self.number,)


@dataclass(frozen=True, slots=True)
class Softcap(Cellwise):
    """c·tanh(s / c): small scores stay nearly what they are, and no score passes c.

    Source: Gemma Team 2024 (Gemma 2), section 2, logit soft-capping.
    """

    tex = r"c\,\tanh\frac{#1}{c}"
    sign = ""

    cap: float

    @property
    def code(self) -> str:
        return f"{self.cap!r} * np.tanh(#1 / {self.cap!r})"

    def forward(self, *values: Values) -> Values:
        cap = values[0].dtype.type(self.cap)
        return np.asarray(cap * np.tanh(values[0] / cap))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        cap = constant(self.cap)
        below = Group(cap) if isinstance(cap, Number) and "×" in cap.text else cap
        return times(cap, Call("tanh", (Quotient(read(inputs[0], index), below),)))

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        """1 for small scores, 0 near the cap: there a score can grow and nothing follows."""
        return (1 - (result / self.cap) ** 2,)


@dataclass(frozen=True, slots=True)
class SinkSoftmax(Operation):
    """Each row: e to every score, divided by the sum of those and of e to the sink. The sink's share goes nowhere.

    Shapes: (n_heads, n_q, n_k), sink (n_heads, 1, 1) -> (n_heads, n_q, n_k).
    Errors: NotFinite where a visible score or the sink is infinite or not a number.
    Source: OpenAI 2025 (gpt-oss), section 2.2; the idea: Xiao et al. 2024 (StreamingLLM), section 3.3.
    """

    tex = r"\frac{e^{{#1}_{ij}}}{e^{#2} + \sum_{m} e^{{#1}_{im}}}"
    cell = "ij"
    sign = ""
    code = "sink_softmax(#*)"

    def forward(self, *values: Values) -> Values:
        scores, sink = values
        top = _largest(scores, sink)
        powers = np.exp(scores - top)
        return np.asarray(powers / (powers.sum(axis=-1, keepdims=True) + np.exp(sink - top)))

    def explain(self, inputs: Inputs, index: Index) -> Expression | None:
        scores, sink = inputs
        if scores.value[index] == -np.inf:
            return ZERO
        cells = [*((scores, cell) for cell in visible_cells(scores, index)), (sink, (index[0], 0, 0))]
        top = max(cells, key=lambda cell: cell[0].value[cell[1]])
        shift = top if max(abs(array.value[cell]) for array, cell in cells) > SHIFT_ABOVE else None
        return worked_share((scores, index), cells, shift)

    def second_way(self, *values: Values) -> Values | None:
        """One more column, softmax over all, and the column left out again."""
        scores, sink = values
        column = np.broadcast_to(sink, (*scores.shape[:-1], 1))
        return Softmax().forward(np.concatenate([scores, column], axis=-1))[..., :-1]

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """As in softmax; the sink grows at the cost of all weights."""
        all_get = (result * upstream).sum(axis=-1, keepdims=True)
        return result * (upstream - all_get), summed_to(-self._sunk(inputs, result) * all_get, inputs[1].shape)

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        if place == 1:
            return np.asarray(-result * self._sunk(inputs, result) * change)
        return np.asarray(result * (change - (result * change).sum(axis=-1, keepdims=True)))

    @staticmethod
    def _sunk(inputs: Sequence[Values], result: Values) -> Values:
        """The share of the sink: what the weights leave, worked out from the scores so that it keeps its digits."""
        scores, sink = inputs
        top = _largest(scores, sink)
        return np.asarray(np.exp(sink - top) / (np.exp(scores - top).sum(axis=-1, keepdims=True) + np.exp(sink - top)))


@dataclass(frozen=True, slots=True)
class VisibleMax(Operation):
    """The largest visible score of each row, or the sink where there is one and it is larger; 0 where there is nothing.

    Shapes: (n_heads, n_q, n_k), sink (n_heads, 1, 1) where there is one -> (n_heads, n_q, 1).
    Errors: NotFinite where a visible score is infinite or not a number.
    """

    tex = r"\max_{j} {#1}_{ij}"
    cell = "i"
    sign = ""
    code = "visible_max(#*)"

    def forward(self, *values: Values) -> Values:
        return _largest(*values)

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        cells = [read(inputs[0], cell) for cell in visible_cells(inputs[0], index)]
        cells += [read(sink, (index[0], 0, 0)) for sink in inputs[1:]]
        if len(cells) < 2:
            return cells[0] if cells else ZERO
        return Call("max", tuple(cells))

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """Only the largest moves the max; of equals we take the first. A row that sees nothing moves with nothing."""
        scores_get, *sink_gets = self._parts(inputs)
        return upstream * scores_get, *(summed_to(upstream * part, inputs[1].shape) for part in sink_gets)

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        return np.asarray((change * self._parts(inputs)[place]).sum(axis=-1, keepdims=True))

    @staticmethod
    def _parts(inputs: Sequence[Values]) -> list[Values]:
        """1 for what the max is, 0 for all others: the scores, and the sink where there is one."""
        scores, *sinks = inputs
        sunk = [sink > scores.max(axis=-1, keepdims=True) for sink in sinks]
        kept = (scores > -np.inf) & (~sunk[0] if sunk else True)
        return [kept * one_of(scores.argmax(axis=-1), scores.shape[-1]), *(part.astype(float) for part in sunk)]


@dataclass(frozen=True, slots=True)
class LogSumExp(Cellwise):
    """The row's largest score plus the logarithm of the sum of e^(score − largest); −∞ where the row sees nothing.

    Shapes: largest and sum (n_heads, n_q, 1) -> (n_heads, n_q, 1).
    Source: Blanchard, Higham & Higham 2021 (section not checked).
    """

    tex = r"#1_i + \ln #2_i"
    cell = "i"
    sign = ""
    code = "log_sum_exp(#*)"

    def forward(self, *values: Values) -> Values:
        largest, total = values
        empty = total <= 0
        return np.where(empty, -np.inf, largest + np.log(np.where(empty, 1, total))).astype(largest.dtype)

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        largest, total = inputs
        if total.value[index] <= 0:
            return HIDDEN
        return plus(read(largest, index), Call("ln", (read(total, index),)))

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        seen = inputs[1] > 0
        return seen.astype(float), seen / np.where(seen, inputs[1], 1)


def _largest(scores: Values, *sink: Values) -> Values:
    top = scores.max(axis=-1, keepdims=True)
    for other in sink:
        top = np.maximum(top, other)
    if not top.max() < np.inf or not all(np.isfinite(other).all() for other in sink):
        raise NotFinite(_TOO_LARGE)
    return np.where(top == -np.inf, 0, top).astype(scores.dtype)
