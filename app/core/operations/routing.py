"""The operations of a mixture of experts: choose the largest of each row, send rows to an expert, add what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from app.core.operations.explain import Index, read
from app.core.operations.expression import ONE, ZERO, Among, Expression, Masked, Product, Sum, chain
from app.core.operations.operation import Inputs, Linear, Operation, Values
from app.core.operations.ops import MatMul


@dataclass(frozen=True, slots=True)
class TopK(Operation):
    """1 at the k largest of each row, 0 elsewhere; of equals the one further left wins. Shapes: (..., m) -> (..., m).

    Source: Shazeer et al. 2017, section 2.1, equation 5.
    """

    tex = r"1\;(#1_{ie} \in \mathrm{top}_k(#1_i)),\quad 0\;(#1_{ie} \notin \mathrm{top}_k(#1_i))"
    cell = "ie"
    sign = ""

    switches: ClassVar[tuple[int, ...]] = (0,)
    k: int

    @property
    def code(self) -> str:
        return f"top_of_row(#1, {self.k})"

    def forward(self, *values: Values) -> Values:
        (scores,) = values
        order = np.argsort(-scores, axis=-1, kind="stable")
        chosen = np.zeros_like(scores)
        np.put_along_axis(chosen, order[..., : self.k], 1, axis=-1)
        return chosen

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        row = tuple(read(inputs[0], (*index[:-1], column)) for column in range(inputs[0].shape[-1]))
        chosen = bool(self.forward(inputs[0].value[index[:-1]])[index[-1]])
        return Masked("", Among(row[index[-1]], row, self.k, chosen), ONE if chosen else ZERO)

    def second_way(self, *values: Values) -> Values | None:
        """Count in each row how many come first: the larger ones, and the equal ones further left."""
        (scores,) = values
        mine, other = scores[..., :, None], scores[..., None, :]
        left = np.tri(scores.shape[-1], k=-1, dtype=bool)
        ahead = ((other > mine) | ((other == mine) & left)).sum(axis=-1)
        return np.asarray(ahead < self.k, dtype=scores.dtype)

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """A choice does not grow with a score: it stays, or it jumps."""
        return (None,)

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        return np.zeros(result.shape)


@dataclass(frozen=True, slots=True)
class EachRow(MatMul):
    """A product that takes each row for itself. Shapes: (n, m) @ (m, p) -> (n, p).

    So a token's numbers are the same to the last bit, however many others are sent along with it.
    """

    def forward(self, *values: Values) -> Values:
        left, right = values
        return np.array([row @ right for row in left])


@dataclass(frozen=True, slots=True)
class GatedSum(Linear):
    """Each row: gate times answer, added up over the experts that the row was sent to.

    ``sent`` holds (expert, its rows) for each answer; a row that was sent nowhere gives zeros.
    Shapes: gates (n, n_experts), answers (count of rows, m) each -> (n, m).
    Source: Shazeer et al. 2017, section 2, equation 1.
    """

    tex = r"\sum_{e} #1_{ie}\,#2^{(e)}_i"
    cell = "i"
    sign = ""

    sent: tuple[tuple[int, tuple[int, ...]], ...]

    @property
    def code(self) -> str:
        sent = ", ".join(f"({expert}, {list(rows)}, #{place})" for place, (expert, rows) in enumerate(self.sent, 2))
        return f"gated_sum(#1, [{sent}])"

    def forward(self, *values: Values) -> Values:
        gates, *answers = values
        total = np.zeros((len(gates), answers[0].shape[-1]), gates.dtype)
        for (expert, rows), answer in zip(self.sent, answers, strict=True):
            total[list(rows)] += gates[list(rows), expert, None] * answer
        return total

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        gates, *answers = inputs
        row, column = index
        products = [
            Product(
                (read(gates, (row, expert), brackets=True), read(answer, (rows.index(row), column), brackets=True)),
                ("×",),
                apart=True,
            )
            for (expert, rows), answer in zip(self.sent, answers, strict=True)
            if row in rows
        ]
        return chain(Sum, products, "+")

    def second_way(self, *values: Values) -> Values | None:
        """Every expert for every row, with answers of 0 where a row was not sent; then one product."""
        gates, *answers = values
        spread = np.zeros((len(gates), gates.shape[1], answers[0].shape[-1]), gates.dtype)
        for (expert, rows), answer in zip(self.sent, answers, strict=True):
            spread[list(rows), expert] = answer
        return np.asarray(np.einsum("ie,iec->ic", gates, spread))

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """A gate counts as much as its expert's answer is large, an answer as much as its gate. Who was sent where stays."""
        gates, *answers = inputs
        to_gates, to_answers = np.zeros(gates.shape), []
        for (expert, rows), answer in zip(self.sent, answers, strict=True):
            share = upstream[list(rows)]
            to_gates[list(rows), expert] = (share * answer).sum(axis=-1)
            to_answers.append(gates[list(rows), expert, None] * share)
        return to_gates, *to_answers

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        """A gate meets all answers; an answer alone moves the sum by its own part."""
        gates, *answers = inputs
        if place == 0:
            return self.forward(change, *answers)
        return self.forward(gates, *[change if n == place else np.zeros_like(answer) for n, answer in enumerate(answers, 1)])
