"""Reading operands: how an operation names the cells that went into one of its cells."""

from __future__ import annotations

from app.core.operations.expression import Expression, Group, Index, Operand
from app.core.operations.operation import Node

__all__ = ["Index", "arithmetic", "inside", "read"]


def inside(index: Index, shape: tuple[int, ...]) -> bool:
    """True where an array of this shape has this cell."""
    return len(index) == len(shape) and all(0 <= place < count for place, count in zip(index, shape, strict=True))


def arithmetic(array: Node, index: Index) -> Expression | None:
    """The sum behind a cell, without brackets around it; nothing where the cell was given."""
    return array.operation.explain(array.inputs, index) if array.operation else None


def read(array: Node, index: Index, *, brackets: bool = False) -> Expression:
    """Read a cell as an operand, looking through arrays that have no name of their own."""
    if array.name:
        value = float(array.value[index])
        return Operand(value, array.name, index, brackets and value < 0)
    if array.operation is None:
        raise ValueError("an array that is neither named nor computed cannot be an operand")
    if (source := array.operation.source(index)) is not None:
        return read(array.inputs[0], source, brackets=brackets)
    behind = arithmetic(array, index)
    assert behind is not None
    return Group(behind, "both")


def passed_on(array: Node, index: Index) -> Expression | None:
    """A cell that is another one, unchanged: that one, or where it has no name the sum behind it."""
    return read(array, index) if array.name else arithmetic(array, index)
