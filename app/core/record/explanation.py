"""The written-out arithmetic of one cell, each operand pointing at the cell it came from."""

from dataclasses import dataclass

from app.core.operations.explain import arithmetic, inside
from app.core.operations.expression import Expression, Index, Masked, Operand
from app.core.operations.numbers import is_rounded, show
from app.core.operations.operation import Node
from app.core.record.walk import Part, parts_of


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one cell has its value: the tree of its sum, none where it was given, and its parts in reading order."""

    value: float
    tree: Expression | None
    parts: tuple[Part, ...]

    @property
    def terms(self) -> tuple[Operand, ...]:
        """The operands, in reading order."""
        return tuple(part for part in self.parts if isinstance(part, Operand))

    @property
    def is_copy(self) -> bool:
        """True where the cell is another cell, unchanged."""
        return isinstance(self.tree, Operand)

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
        if self.tree is None or self.is_copy or written == shown:
            return shown
        return written if isinstance(self.tree, Masked) else f"{written} {self.relation} {shown}"


def explain(array: Node, index: Index) -> Explanation:
    """Write out the arithmetic behind one cell.

    Shapes: ``index`` has one number for each axis of ``array``.
    Errors: IndexError where the cell does not exist.
    """
    if not inside(index, array.shape):
        raise IndexError(f"no cell {list(index)} in an array of shape {list(array.shape)}")
    tree = arithmetic(array, index)
    return Explanation(float(array.value[index]), tree, parts_of(tree) if tree else ())
