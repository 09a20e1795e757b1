"""From a run to the code that gives its numbers: each step a line, read off the operation that made it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from app.core.operations.ops import Edit, Values
from app.core.operations.reshape import Rows, ShareHeads, Transpose
from app.core.record.array import Array
from app.exports.code.dialects import Dialect
from app.exports.code.writing import tight, write
from app.run.run import Run


@dataclass(frozen=True, slots=True)
class CodeLine:
    """The code of one step."""

    step: str
    code: str


def variable(step: str) -> str:
    """The name of a step as a variable of Python: ``layer_0_scores`` for ``layer.0.scores``."""
    return step.replace(".", "_")


def lines(run: Run, dialect: Dialect) -> Iterator[CodeLine]:
    """Write the code of every step in the order of the computation."""
    for step in run.steps:
        yield _Step(step, dialect).line(run.array(step))


class _Step:
    """Writes one step."""

    def __init__(self, step: str, dialect: Dialect) -> None:
        self.step, self.dialect = step, dialect

    def line(self, array: Array) -> CodeLine:
        name = variable(self.step)
        operation = array.operation
        if isinstance(operation, Edit):
            first = f"{name} = {self.expression(array.inputs[0])}"
            changes = [f"{name}{place} = {value!r}" for place, value in changed(array.value, dict(operation.cells))]
            copied = f"{name} = {name}.{self.dialect.copy}()  # from here on changed by hand"
            return CodeLine(self.step, "\n".join([first, copied, *changes]))
        return CodeLine(self.step, f"{name} = {self.expression(array, named=False)}")

    def expression(self, array: Array, *, named: bool = True) -> str:
        """Write an array as code: its name, or how it is made where it has none."""
        if named and array.name:
            return variable(array.name)
        if array.operation is None:
            return self.dialect.literal(array.value)
        if (moved := self._moved(array)) is not None:
            return moved
        return write(array.operation, [self.expression(part) for part in array.inputs], array.inputs, self.dialect.words)

    def _moved(self, array: Array) -> str | None:
        """Shorter words for moves that say nothing: heads that nobody shares, columns cut by turning twice."""
        operation = array.operation
        if isinstance(operation, ShareHeads) and operation.group == 1:
            return self.expression(array.inputs[0])
        inner = array.inputs[0] if array.inputs else array
        if not isinstance(operation, Transpose) or not isinstance(inner.operation, Rows) or inner.name:
            return None
        turned = inner.inputs[0]
        if turned.name or not isinstance(turned.operation, Transpose):
            return None
        rows = inner.operation
        return f"{tight(self.expression(turned.inputs[0]))}[..., {rows.start}:{rows.stop}]"


def changed(values: Values, cells: dict[tuple[int, ...], float]) -> Iterator[tuple[str, float]]:
    """The cells that were changed by hand; a head of which every cell has one value is said at once."""
    for first, group in groupby(sorted(cells.items()), key=lambda cell: cell[0][0]):
        inside = list(group)
        same = {value for _, value in inside}
        if values.ndim > 1 and len(same) == 1 and len(inside) == values[0].size > 1:
            yield f"[{first}]", float(same.pop())
        else:
            yield from ((f"[{', '.join(map(str, index))}]", float(np.float64(value))) for index, value in inside)
