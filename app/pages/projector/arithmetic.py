"""Arithmetic: the sum of one cell, set large: one term a line, a quotient as a fraction, anything else in a row."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from app.core.operations.expression import Equal, Expression, Group, Masked, Product, Quotient, Sum, as_asked
from app.sheet.why import Why

MOST = 8
"""Terms up to which every one has its line."""
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class SumLine:
    """A line of the sum: a term with the sign before it."""

    sign: str
    node: Expression


@dataclass(frozen=True, slots=True)
class Panel:
    """``sum``: lines. ``fraction``: lines above and ``below``. ``single``: one line that may be broken. ``given``: none."""

    kind: str
    lines: list[SumLine] = field(default_factory=list)
    below: list[SumLine] = field(default_factory=list)
    more: int = 0
    """Terms that are only counted."""
    more_below: int = 0
    worked: list[SumLine] = field(default_factory=list)
    """The same in fewer numbers, where it is worked out on the way: a line below."""
    result: str = ""
    relation: str = "="


def make_panel(why: Why) -> Panel:
    """Lay out the answer to why."""
    tree, worked = (as_asked(why.tree) if why.tree else None), _worked(why.tree)
    if tree is None or why.expression == why.text:
        return Panel("given", result=why.text, relation="")
    if isinstance(tree, Masked):
        return Panel("single", [SumLine("", tree)])
    if isinstance(tree, Quotient):
        (lines, more), (below, rest) = (_terms(_opened(child)) for child in tree.children)
        return Panel("fraction", lines, below, more, rest, worked, why.text, why.relation)
    lines, more = _terms(tree)
    return Panel("sum" if len(lines) > 1 else "single", lines, [], more, 0, worked, why.text, why.relation)


def _worked(tree: Expression | None) -> list[SumLine]:
    """The last step on the way to the result: ``= 10.07 ÷ 16.72``."""
    return [SumLine("=", tree.children[-1])] if isinstance(tree, Equal) else []


def _opened(node: Expression) -> Expression:
    """Take the brackets off a sum, which needs none above or below the line of a fraction."""
    return node.inner if isinstance(node, Group) else node


def _terms(node: Expression) -> tuple[list[SumLine], int]:
    """The terms of a sum, and how many more there are; anything else is one term."""
    lines = list(_flat(node, ""))
    return (lines, 0) if len(lines) <= MOST else (lines[:_SHOWN], len(lines) - _SHOWN)


def _flat(node: Expression, sign: str) -> Iterator[SumLine]:
    """The terms one by one; a sum in brackets that is added gives its terms too."""
    inner = node if sign == "−" and isinstance(_opened(node), Sum) else _opened(node)
    if not isinstance(inner, Sum):
        yield SumLine(sign, inner if isinstance(inner, Product | Quotient) else node)
        return
    for between, child in zip((sign, *inner.signs), inner.children, strict=True):
        yield from _flat(child, between)
