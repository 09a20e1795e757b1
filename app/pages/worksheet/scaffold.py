"""Scaffold: what helps a reader to work a number out by hand, and gives none of the numbers away.

The frame of the written sum, room to calculate, and the powers and roots that nobody knows by heart.
"""

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from app.core.operations.cellwise import Function
from app.core.operations.numbers import is_rounded, show
from app.sheet.why import Why

_LINE = 170.0
"""Millimetres of writing on a line of paper."""
_TERM = 11.0
"""Millimetres that a number and its sign take, written by hand."""
_NUMBERED = 9
"""Blanks up to which every one has a line of its own."""
_MOST_LINES = 22
_MOST_HELPS = 40
_ROOT = re.compile(r"√(\d+)")
_KEYS = re.compile(r"e\^|√\(|tanh|sin|cos|ln|Φ")
"""What takes a calculator, where no table gives it."""


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
    written = "".join(part.text for part in why.parts)
    if written == why.text and not why.terms:
        return [Piece("")]
    pieces: list[Piece] = []
    for part in why.parts:
        raised = bool(pieces) and pieces[-1].text.endswith("e^")
        if raised:
            pieces[-1] = Piece(pieces[-1].text.removesuffix("^"))
        pieces.append(Piece("" if part.term is not None else part.text, raised))
        if "→" in part.text:
            return [*pieces[:-1], Piece(part.text.partition("→")[0] + "→ "), Piece("")]
    return [*pieces, Piece(f" {why.relation} "), Piece("")]


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
        before = ""
        for part in why.parts:
            for root in _ROOT.findall(part.text) if part.term is None else ():
                table[Help(f"√{root}", "", _is("sqrt", float(root)))] = None
            if part.term is not None and before.endswith("e^"):
                term = why.terms[part.term]
                power = _is("exp", float(term.value))
                if (term.step, tuple(term.index)) in secret or (len(why.terms) == 1 and power.endswith(f" {why.text}")):
                    calculator = True
                else:
                    table[Help("e", part.text, power)] = None
            elif part.term is None:
                calculator = calculator or bool(_KEYS.search(part.text.removesuffix("e^")))
            before = part.text if part.term is None else ""
    if len(table) > _MOST_HELPS:
        return Helps([], True)
    return Helps(list(table), calculator)


def _is(function: str, value: float) -> str:
    """``≈ 10.066``, of a function that the operations compute."""
    result = float(Function(function).forward(np.asarray(value)))
    return f"{'≈' if is_rounded(result) or is_rounded(value) else '='} {show(result)}"
