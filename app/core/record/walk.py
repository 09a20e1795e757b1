"""Walk: from the tree of a written-out sum to what is written, from left to right; text with links is the first walk."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.operations.expression import (
    Among,
    Call,
    Equal,
    Expression,
    Group,
    Masked,
    Minus,
    Number,
    Operand,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
)
from app.core.operations.numbers import MINUS


@dataclass(frozen=True, slots=True)
class Sign:
    """What stands between operands: a sign, a bracket, a constant such as √3."""

    text: str


Part = Operand | Sign


class Walk:
    """Writes a tree from left to right. What becomes of a text, an operand, an exponent is for the kinds of walk to say."""

    def text(self, text: str) -> None:
        raise NotImplementedError

    def operand(self, operand: Operand) -> None:
        raise NotImplementedError

    def seam(self) -> None:
        """A part ends here."""

    def raised(self, base: Expression, exponent: Expression) -> None:
        """A power."""
        self.write(base)
        self.text("^")
        self.write(exponent)

    def rooted(self, of: Expression) -> None:
        """A root."""
        self.text("√")
        self.write(of)

    def name(self, name: str) -> None:
        """The name of a function or of a mask."""
        self.text(name)

    def write(self, tree: Expression) -> None:
        """Write a tree, or a piece of one."""
        match tree:
            case Operand():
                self.operand(tree)
            case Number(text):
                self.text(text)
            case Minus(of):
                self.text(MINUS)
                self.write(of)
            case Sum() | Product() | Quotient():
                self._chain(tree)
            case Power(base, exponent):
                self.raised(base, exponent)
            case Root(of):
                self.rooted(of)
            case Group():
                self._group(tree)
            case Call(name, children):
                self.name(name)
                self.text("(")
                self._listed(children)
                self.text(")")
            case Among():
                self._among(tree)
            case Masked():
                self._masked(tree)
            case Equal():
                self._equal(tree)

    def _chain(self, tree: Sum | Product | Quotient) -> None:
        apart = tree.apart
        for place, child in enumerate(tree.children):
            if place:
                self._seam(apart)
                self.text(_BETWEEN[tree.signs[place - 1]])
                self._seam(apart and not (isinstance(child, Group) and child.seams == "inside"))
            self.write(child)

    def _group(self, tree: Group) -> None:
        self._seam(tree.seams == "both")
        self.text("(")
        self._seam(bool(tree.seams))
        self.write(tree.inner)
        self._seam(bool(tree.seams))
        self.text(")")
        self._seam(tree.seams == "both")

    def _equal(self, tree: Equal) -> None:
        for place, child in enumerate(tree.children):
            if place:
                self.seam()
                self.text(" = ")
                self.seam()
            self.write(child)

    def _seam(self, wanted: bool) -> None:
        if wanted:
            self.seam()

    def _listed(self, children: Sequence[Expression]) -> None:
        for place, child in enumerate(children):
            if place:
                self.text(", ")
            self.write(child)

    def _among(self, tree: Among) -> None:
        self.write(tree.number)
        self.text(f" {'∈' if tree.within else '∉'} ")
        self.name("top")
        self.text(f" {tree.count} {{")
        self._listed(tree.members)
        self.text("}")

    def _masked(self, tree: Masked) -> None:
        if tree.text:
            self.name(tree.text)
            self.text(" ")
        self.write(tree.cause)
        self.text(" → ")
        self._seam(bool(tree.text))
        self.write(tree.result)


_BETWEEN = {"+": " + ", "−": " − ", "×": "×", "÷": " ÷ ", "/": "/"}


class _Parts(Walk):
    """Text with links: operands, and the signs between them."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._glued = False

    def text(self, text: str) -> None:
        last = self.parts[-1] if self.parts else None
        if self._glued and isinstance(last, Sign):
            self.parts[-1] = Sign(last.text + text)
        else:
            self.parts.append(Sign(text))
        self._glued = True

    def operand(self, operand: Operand) -> None:
        self.parts.append(operand)
        self._glued = False

    def seam(self) -> None:
        self._glued = False


def parts_of(tree: Expression) -> tuple[Part, ...]:
    """A tree as text with links, in reading order."""
    walk = _Parts()
    walk.write(tree)
    return tuple(walk.parts)
