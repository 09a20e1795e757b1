"""Measure: how wide texts and arithmetic are, from counts of letters, with a little room to spare whatever the font."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

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
    children_of,
)
from app.pages.projector.arithmetic import Panel, SumLine
from app.text.widths import counted

_LETTER, _WIDE = 0.63, 1.04
_NUMBER = {".": 0.3, ",": 0.3, "(": 0.36, ")": 0.36, "−": 0.61}
_DIGIT = 0.575
_SIGN = 1.15


def ems(text: str) -> float:
    """The width of a text in its own size: kana and kanji are one wide, letters less."""
    return counted(text, _LETTER, _WIDE)


def number_ems(text: str) -> float:
    """The width of a printed number."""
    return sum(_NUMBER.get(char, _DIGIT) for char in text)


@dataclass(frozen=True, slots=True)
class PanelSize:
    """The widths of a panel's pieces; pieces of a fraction stand above or below its line."""

    kind: str
    above: list[float]
    below: list[float]
    result: float
    labels: list[float]
    worked: list[float]

    def fits(self, width: float, height: float, size: float, columns: int) -> bool:
        """True where all of it fits into a space, set in a size."""
        room = height - (_lines([label * 30 for label in self.labels], width) * 42 + 10)
        if (self.result + 2.6) * size > width:
            return False
        if self.kind == "given":
            return 1.9 * size <= room
        if max([*self.above, *self.below]) * size > width / columns or max(self.worked, default=0) * size > width:
            return False
        rows = -(-len(self.above) // columns) if self.kind == "sum" else 0
        rows = rows or _wrapped(self.above, width / size) + _wrapped(self.below, width / size) + len(self.worked)
        return (rows * 1.58 + (1.75 if self.result else 0) + (0.3 if self.below else 0)) * size <= room


def measure_panel(panel: Panel, label: str) -> PanelSize:
    """The widths that decide how large the arithmetic can be."""
    above = [width for line in panel.lines for width in _pieces(panel, line)]
    below = [line_ems(line) for line in panel.below]
    return PanelSize(
        panel.kind,
        above + ([8.0] if panel.more else []),
        below + ([8.0] if panel.more_below else []),
        number_ems(panel.result),
        [ems(text) for text in label.splitlines()],
        [line_ems(line) for line in panel.worked],
    )


def _lines(widths: Sequence[float], limit: float) -> int:
    return sum(int(width // limit) + 1 for width in widths)


def _wrapped(widths: Sequence[float], limit: float) -> int:
    """Lines that pieces take one after the other."""
    lines, taken = (1 if widths else 0), 0.0
    for width in widths:
        if taken and taken + width > limit:
            lines, taken = lines + 1, 0.0
        taken += width
    return lines


def _pieces(panel: Panel, line: SumLine) -> list[float]:
    """What may be parted at the end of a line: only where all stands in one row, a long list or product."""
    node = line.node
    if panel.kind != "single" or not isinstance(node, Call | Product | Quotient | Masked):
        return [line_ems(line)]
    parts = [*children_of(node.cause), node.result] if _is_choice(node) else list(children_of(node))
    first = ems(node.text if isinstance(node, Call | Masked) else "") + 1.2
    return [node_ems(part) + (first if place == 0 else _SIGN) for place, part in enumerate(parts)]


def _is_choice(node: Expression) -> TypeGuard[Masked]:
    return isinstance(node, Masked) and isinstance(node.cause, Among)


def line_ems(line: SumLine) -> float:
    """The width of a term with its sign."""
    return node_ems(line.node) + (_SIGN if line.sign else 0)


def node_ems(node: Expression) -> float:
    """The width of a piece of arithmetic in its own size, boxes around operands counted."""
    inner = sum(map(node_ems, children_of(node)))
    match node:
        case Operand() | Number():
            return number_ems(node.text) + (0.48 if node.step else 0.1)
        case Power(base, exponent):
            return node_ems(base) + 0.78 * node_ems(exponent)
        case Call(name, children):
            return inner + ems(name) + 0.6 + 0.5 * len(children)
        case Masked(name):
            return inner + 1.6 + ems(name)
        case Among():
            return inner + 5.0 + _SIGN
        case Sum() | Product() | Quotient():
            return inner + _SIGN * len(node.signs)
        case Equal():
            return inner + _SIGN * (len(node.children) - 1)
        case Minus() | Root() | Group():
            return inner + {"minus": 0.7, "root": 0.9, "group": 0.8}[node.kind]
