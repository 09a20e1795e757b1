"""What a written-out sum is: a tree of numbers and signs, which text, speech and LaTeX walk through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from app.core.operations.numbers import show, write

Index = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """A number in a written-out sum, and the cell it was read from."""

    kind: ClassVar[str] = "number"
    value: float
    step: str
    index: Index
    brackets: bool = False

    @property
    def text(self) -> str:
        shown = show(self.value)
        return f"({shown})" if self.brackets else shown


@dataclass(frozen=True, slots=True)
class Number:
    """A number that comes from no cell, never below 0: see ``constant``."""

    kind: ClassVar[str] = "number"
    step: ClassVar[str] = ""
    text: str
    value: float


@dataclass(frozen=True, slots=True)
class Minus:
    """Minus a number."""

    kind: ClassVar[str] = "minus"
    of: Expression


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms with a + or a − before each but the first."""

    kind: ClassVar[str] = "sum"
    children: tuple[Expression, ...]
    signs: tuple[str, ...]
    apart: bool = False
    """True where every term and every sign is a part of its own in the list of parts."""


@dataclass(frozen=True, slots=True)
class Product:
    """Factors with a × or a ÷ before each but the first."""

    kind: ClassVar[str] = "product"
    children: tuple[Expression, ...]
    signs: tuple[str, ...]
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Quotient:
    """One number ÷ another; ``slash``: written 1/2, as in an exponent."""

    above: Expression
    below: Expression
    apart: bool = False
    slash: bool = False

    @property
    def kind(self) -> str:
        return "fraction" if self.slash else "product"

    @property
    def children(self) -> tuple[Expression, ...]:
        return (self.above, self.below)

    @property
    def signs(self) -> tuple[str, ...]:
        return ("/",) if self.slash else ("÷",)


@dataclass(frozen=True, slots=True)
class Power:
    """A base and its exponent."""

    kind: ClassVar[str] = "power"
    base: Expression
    exponent: Expression


@dataclass(frozen=True, slots=True)
class Root:
    """A square root."""

    kind: ClassVar[str] = "root"
    of: Expression


@dataclass(frozen=True, slots=True)
class Group:
    """What stands in brackets. ``seams``: where parts end, ``inside`` the brackets, or on ``both`` sides of them."""

    kind: ClassVar[str] = "group"
    inner: Expression
    seams: Literal["", "inside", "both"] = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A function of some numbers: ``max(0, 3)``."""

    kind: ClassVar[str] = "call"
    text: str
    children: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Among:
    """Is a number among the ``count`` largest of its row?"""

    kind: ClassVar[str] = "among"
    number: Expression
    members: tuple[Expression, ...]
    count: int
    within: bool


@dataclass(frozen=True, slots=True)
class Masked:
    """What becomes of a number, as a bit of a mask says, or as it is among the largest."""

    kind: ClassVar[str] = "becomes"
    text: str
    """The mask's name."""
    cause: Expression
    result: Expression


@dataclass(frozen=True, slots=True)
class Equal:
    """A sum, and the same again as it is worked out step by step: ``e^2 ÷ (e^2 + e^0) = 7.39 ÷ (7.39 + 1) = 7.39 ÷ 8.39``."""

    kind: ClassVar[str] = "equal"
    children: tuple[Expression, ...]


Expression = Operand | Number | Minus | Sum | Product | Quotient | Power | Root | Group | Call | Among | Masked | Equal
E = Number("e", 2.718281828459045)


def constant(value: float, *, brackets: bool = False) -> Expression:
    """A number that comes from no cell, with all its digits; in brackets where it is below 0, if they are asked for."""
    number = Number(write(abs(value)), abs(value))
    if value >= 0:
        return number
    return Group(Minus(number)) if brackets else Minus(number)


def in_brackets(expression: Expression, *kinds: str) -> Expression:
    """The expression, in brackets where it is of one of these kinds."""
    return Group(expression) if expression.kind in kinds else expression


def plus(*terms: Expression) -> Expression:
    """Terms added up, written without a seam."""
    return Sum(terms, ("+",) * (len(terms) - 1))


def less(left: Expression, right: Expression) -> Expression:
    """One number taken from another."""
    return Sum((left, right), ("−",))


def times(*factors: Expression) -> Expression:
    """Factors multiplied; a sum among them stands in brackets."""
    return Product(tuple(in_brackets(factor, "sum") for factor in factors), ("×",) * (len(factors) - 1))


def over(above: Expression, below: Expression) -> Expression:
    """One number divided by another."""
    return Quotient(in_brackets(above, "sum"), in_brackets(below, "sum", "product"))


def power(base: Expression, exponent: Expression) -> Expression:
    """A base to an exponent; all that is no plain number stands in brackets."""
    loose = ("sum", "product", "fraction", "minus")
    return Power(in_brackets(base, *loose), in_brackets(exponent, *loose))


def chain(kind: type[Sum] | type[Product], children: Sequence[Expression], sign: str) -> Expression:
    """Many terms or factors with one sign between them, each a part of its own; one alone is itself, none is 0."""
    if not children:
        return ZERO
    return kind(tuple(children), (sign,) * (len(children) - 1), apart=True) if len(children) > 1 else children[0]


ZERO, ONE = constant(0), constant(1)
HIDDEN = Minus(Number("∞", float("inf")))


def as_asked(tree: Expression) -> Expression:
    """A sum as it stands before anything in it is worked out."""
    return tree.children[0] if isinstance(tree, Equal) else tree


def children_of(tree: Expression) -> tuple[Expression, ...]:
    """The pieces that a piece is made of, in reading order."""
    match tree:
        case Operand() | Number():
            return ()
        case Minus(of) | Root(of) | Group(of):
            return (of,)
        case Power(base, exponent):
            return (base, exponent)
        case Among(number, members):
            return (number, *members)
        case Masked(_, cause, result):
            return (cause, result)
        case _:
            return tree.children
