"""Scaffold: what helps a reader to work a number out by hand, and gives none of the numbers away.

The frame of the written sum, room to calculate, and the powers and roots that nobody knows by heart.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.core.operations.cellwise import Function
from app.core.operations.expression import Call, E, Expression, Masked, Number, Operand, Power, Root, as_asked, children_of
from app.core.operations.numbers import is_rounded, show
from app.core.record.walk import Walk
from app.sheet.why import Why

_LINE = 170.0
"""Millimetres of writing on a line of paper."""
_TERM = 11.0
"""Millimetres that a number and its sign take, written by hand."""
_NUMBERED = 9
"""Blanks up to which every one has a line of its own."""
_MOST_LINES = 22
_MOST_HELPS = 40
_KEYS = ("tanh", "sin", "cos", "ln", "Φ")
"""Functions that take a calculator."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a frame: a sign, or (with no text) an empty box; ``raised`` where it is a power."""

    text: str
    raised: bool = False


@dataclass(frozen=True, slots=True)
class Help:
    """A line of the table of powers and roots: ``e^2.309 ≈ 10.066``."""

    left: str
    raised: str
    right: str


@dataclass(frozen=True, slots=True)
class Helps:
    """Powers and roots that cannot be worked out in the head: a table of them, or whether a calculator is needed."""

    table: list[Help]
    calculator: bool


def frame_of(why: Why) -> list[Piece]:
    """The written sum with a box in place of each number: □×□ + □×□ = □."""
    tree = as_asked(why.tree) if why.tree else None
    if tree is None:
        return [Piece(f" {why.relation} "), Piece("")]
    if not why.terms and "".join(part.text for part in why.parts) == why.text:
        return [Piece("")]
    frame = _Frame()
    if not isinstance(tree, Masked):
        frame.write(tree)
        return [*frame.pieces, Piece(f" {why.relation} "), Piece("")]
    frame.write(replace(tree, result=Operand(0.0, "", ())))
    return frame.pieces


class _Frame(Walk):
    """Writes boxes in place of numbers that were read; the power of e is a raised box."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._glued = False

    def text(self, text: str) -> None:
        if self._glued:
            text = self.pieces.pop().text + text
        self.pieces.append(Piece(text))
        self._glued = True

    def operand(self, operand: Operand) -> None:
        self._box()

    def seam(self) -> None:
        self._glued = False

    def raised(self, base: Expression, exponent: Expression) -> None:
        if not isinstance(exponent, Operand):
            super().raised(base, exponent)
            return
        self.write(base)
        self._box(raised=True)

    def _box(self, *, raised: bool = False) -> None:
        self.pieces.append(Piece("", raised))
        self._glued = False


@dataclass(frozen=True, slots=True)
class WritingSpace:
    """The place of the blank whose sum has the frame, and lines for the others: each with the place of its blank, or None.

    Sums that are short stand in two columns.
    """

    framed: int
    lines: list[int | None]
    columns: int


def room_for(whys: Sequence[Why]) -> WritingSpace:
    """WritingSpace in proportion to the blanks and to the length of their sums. The frame is that of the first of the longest."""
    framed = max(range(len(whys)), key=lambda place: len(whys[place].terms))
    wide = [(len(why.terms) + 1) * _TERM for why in whys]
    columns = 2 if len(whys) > 2 and max(wide) <= _LINE / 2 else 1
    each = [max(1, math.ceil(width * columns / _LINE)) for width in wide]
    if len(whys) > _NUMBERED:
        return WritingSpace(framed, [None] * min(_MOST_LINES, math.ceil(0.6 * sum(each))), columns)
    lines: list[int | None] = [None] * (each[0] if len(whys) == 1 else 0)
    for place, count in enumerate(each):
        lines += [place, *[None] * (count - 1)] if place != framed else []
    return WritingSpace(framed, lines, columns)


def helps_for(whys: Iterable[Why], secret: Collection[tuple[str, tuple[int, ...]]]) -> Helps:
    """The powers of e and the roots in these sums, apart from those that are asked for or would tell an exponent."""
    table: dict[Help, None] = {}
    calculator = False
    for why in whys:
        for piece in _pieces(why.tree) if why.tree else ():
            help_ = _help(piece)
            if help_ and not _tells(help_, piece, why, secret):
                table[help_] = None
            else:
                calculator = calculator or help_ is not None or _takes_a_calculator(piece)
    if len(table) > _MOST_HELPS:
        return Helps([], True)
    return Helps(list(table), calculator)


def _pieces(tree: Expression) -> Iterator[Expression]:
    """A tree and all its pieces, in reading order."""
    yield tree
    for child in children_of(tree):
        yield from _pieces(child)


def _help(piece: Expression) -> Help | None:
    """The line of the table that gives a power of e or a root; None where a piece is neither, or is worked out first."""
    if isinstance(piece, Root) and isinstance(piece.of, Number):
        return Help(f"√{piece.of.text}", "", _is("sqrt", piece.of.value))
    if isinstance(piece, Power) and piece.base == E and isinstance(piece.exponent, Operand):
        return Help("e", piece.exponent.text, _is("exp", piece.exponent.value))
    return None


def _tells(line: Help, piece: Expression, why: Why, secret: Collection[tuple[str, tuple[int, ...]]]) -> bool:
    """True where the line would give away a number that is asked for."""
    if not isinstance(piece, Power) or not isinstance(piece.exponent, Operand):
        return False
    cell = (piece.exponent.step, piece.exponent.index)
    return cell in secret or (len(why.terms) == 1 and line.right.endswith(f" {why.text}"))


def _takes_a_calculator(piece: Expression) -> bool:
    """True for what no table of single numbers gives."""
    return (
        isinstance(piece, Root)
        or (isinstance(piece, Power) and piece.base == E)
        or (isinstance(piece, Call) and piece.text in _KEYS)
    )


def _is(function: str, value: float) -> str:
    """``≈ 10.066``, of a function that the operations compute."""
    result = float(Function(function).forward(np.asarray(value)))
    return f"{'≈' if is_rounded(result) or is_rounded(value) else '='} {show(result)}"
