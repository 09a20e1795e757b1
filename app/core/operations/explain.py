"""The written-out arithmetic of one cell, each operand pointing at the cell it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.operations.expression import Index, Operand, Part, Sign
from app.core.operations.numbers import is_rounded, show
from app.core.operations.operation import Node

__all__ = ["Explanation", "Index", "Operand", "Part", "Sign", "arithmetic", "explain", "inside", "join", "read"]


def inside(index: Index, shape: tuple[int, ...]) -> bool:
    """True where an array of this shape has this cell."""
    return len(index) == len(shape) and all(0 <= place < count for place, count in zip(index, shape, strict=True))


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one cell has its value: the parts of the sum, in reading order."""

    value: float
    parts: tuple[Part, ...]

    @property
    def terms(self) -> tuple[Operand, ...]:
        """The operands, in reading order."""
        return tuple(part for part in self.parts if isinstance(part, Operand))

    @property
    def is_copy(self) -> bool:
        """True where the cell is another cell, unchanged."""
        return len(self.parts) == 1 and isinstance(self.parts[0], Operand)

    @property
    def relation(self) -> str:
        """``=`` where everything printed is exact, ``≈`` where something was rounded."""
        rounded = is_rounded(self.value) or any(is_rounded(term.value) for term in self.terms)
        return "≈" if rounded else "="

    @property
    def expression(self) -> str:
        """The sum as a person writes it: ``1×2 + 0×1 + 2×1 = 4``."""
        written = "".join(part.text for part in self.parts)
        shown = show(self.value)
        if not self.parts or self.is_copy or written == shown:
            return shown
        return written if "→" in written else f"{written} {self.relation} {shown}"


def explain(array: Node, index: Index) -> Explanation:
    """Write out the arithmetic behind one cell.

    Shapes: ``index`` has one number for each axis of ``array``.
    Errors: IndexError where the cell does not exist.
    """
    if not inside(index, array.shape):
        raise IndexError(f"no cell {list(index)} in an array of shape {list(array.shape)}")
    return Explanation(float(array.value[index]), tuple(arithmetic(array, index)))


def arithmetic(array: Node, index: Index) -> list[Part]:
    """The sum behind a cell, without brackets around it; nothing where the cell was given."""
    return array.operation.explain(array.inputs, index) if array.operation else []


def read(array: Node, index: Index, *, brackets: bool = False) -> list[Part]:
    """Read a cell as an operand, looking through arrays that have no name of their own."""
    if array.name:
        value = float(array.value[index])
        return [Operand(value, array.name, index, brackets and value < 0)]
    if array.operation is None:
        raise ValueError("an array that is neither named nor computed cannot be an operand")
    if (source := array.operation.source(index)) is not None:
        return read(array.inputs[0], source, brackets=brackets)
    return [Sign("("), *arithmetic(array, index), Sign(")")]


def join(groups: Sequence[Sequence[Part]], sign: str) -> list[Part]:
    """Put a sign between groups of parts."""
    parts: list[Part] = []
    for number, group in enumerate(groups):
        if number:
            parts.append(Sign(sign))
        parts.extend(group)
    return parts
