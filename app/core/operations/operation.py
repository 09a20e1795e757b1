"""What every operation can be asked: to compute, to explain a cell, and how its result grows when an input grows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from app.core.operations.expression import Expression, Index

Values = npt.NDArray[Any]
Slopes = Values | float | None


class Node(Protocol):
    """What an operation may know of an array that goes in: its numbers, what it is called, and how it was made itself."""

    @property
    def value(self) -> Values: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def name(self) -> str: ...
    @property
    def operation(self) -> Operation | None: ...
    @property
    def inputs(self) -> Sequence[Node]: ...


Inputs = Sequence[Node]


class NotFinite(ValueError):
    """A score that a query may see has grown past what numbers can hold."""


class Operation:
    """What every operation can be asked.

    ``layout`` says how the operation is laid out on paper: ``product`` (left, right above, result where they
    cross), ``map`` (operands beside the result), ``join`` (several parts side by side).
    ``switches`` counts the inputs that only choose, such as a mask: nothing grows with them, it jumps.
    ``tex``, ``sign`` and ``code`` write the operation down. In a template #1 is the first input and #* are all of them.
    ``cell`` is the index of the result in ``tex``, where that speaks of one cell: ``ij``.
    """

    layout: ClassVar[str] = "map"
    switches: ClassVar[tuple[int, ...]] = ()
    cell: ClassVar[str] = ""

    @property
    def tex(self) -> str:
        """The right-hand side of the formula; with #0, the result, it is the whole formula."""
        raise NotImplementedError

    @property
    def sign(self) -> str:
        """What stands between inputs and result in a picture, nothing where the picture says it; @name is a word to look up."""
        raise NotImplementedError

    @property
    def code(self) -> str:
        """The operation in NumPy, or a call of one of the helpers; #1? is an input that answers yes or no."""
        raise NotImplementedError

    def forward(self, *values: Values) -> Values:
        """Compute the result from the values of the inputs."""
        raise NotImplementedError

    def explain(self, inputs: Inputs, index: Index) -> Expression | None:
        """The written-out arithmetic of the result's cell at ``index``; none where nothing is behind it."""
        raise NotImplementedError

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """Backwards: how much a later number grows with each cell of each input, told how much it grows with each
        cell of the result (``upstream``). An array an input, in its shape; None for a switch."""
        raise NotImplementedError

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        """Forwards: how much each cell of the result grows when input number ``place`` grows by ``change``."""
        raise NotImplementedError

    def source(self, index: Index) -> Index | None:
        """Where a cell is merely moved, say which cell of the first input it is; otherwise None."""
        return None

    def second_way(self, *values: Values) -> Values | None:
        """Compute the result by another route, for the check on the page; None where there is no other route."""
        return None


_SLOT = re.compile(r"#(\d|\*)")


def fill(template: str, texts: Sequence[str], is_loose: Callable[[str], bool], result: str = "") -> str:
    """Put texts into the slots of a template: #1 takes the first, #* takes all with commas between them, #0 the result.

    A text that is loose, such as a sum, gets brackets, except where it stands alone between brackets or commas.
    """

    def written(slot: re.Match[str]) -> str:
        if slot[1] == "*":
            return ", ".join(texts)
        text = texts[int(slot[1]) - 1] if slot[1] != "0" else result
        return f"({text})" if is_loose(text) and not _stands_alone(template, *slot.span()) else text

    return _SLOT.sub(written, template)


def _stands_alone(template: str, start: int, end: int) -> bool:
    """True where nothing but brackets or commas touches a slot, and nothing is said of those, such as an index."""
    before, after = template[:start], template[end:]
    return before.endswith(("(", "[", "{", ", ")) and after.startswith((")", "]", "}", ",")) and after[1:2] not in ("_", "^")


class Source(Operation):
    """An operation without inputs: nothing goes in, so nothing comes back."""

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        return ()

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        raise IndexError("an operation without inputs")


class Linear(Operation):
    """An operation whose result is twice as large when one input is: a change of that input goes the way the input goes."""

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        return self.forward(*[change if number == place else value for number, value in enumerate(inputs)])


class Cellwise(Operation):
    """An operation whose every cell is made from one cell of each input: its slopes say all, in both directions."""

    def slopes(self, inputs: Sequence[Values], result: Values) -> tuple[Slopes, ...]:
        """For each input: how much a cell of the result grows when the input's cell grows by 1; None for a switch."""
        raise NotImplementedError

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        return tuple(
            None if slope is None else summed_to(times(upstream, slope), value.shape)
            for value, slope in zip(inputs, self.slopes(inputs, result), strict=True)
        )

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        slope = self.slopes(inputs, result)[place]
        assert slope is not None
        return np.broadcast_to(times(change, slope), result.shape)


def times(change: Values, slope: Values | float) -> Values:
    """Change times slope; where nothing changes, 0, even if the slope there is infinite."""
    return np.where(change == 0, 0.0, change * slope)


def summed_to(share: Values, shape: tuple[int, ...]) -> Values:
    """Bring a gradient back to the shape of an input that was repeated: every copy's share is added up."""
    total = share.sum(axis=tuple(range(share.ndim - len(shape))))
    repeated = tuple(axis for axis, count in enumerate(shape) if count == 1 and total.shape[axis] > 1)
    return np.asarray(total.sum(axis=repeated, keepdims=True))
