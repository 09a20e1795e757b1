"""Arithmetic: the sum of one cell, set large: one term a line, a quotient as a fraction, anything else in a row."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from app.sheet.expression import Node, parse
from app.sheet.why import Why

MOST = 8
"""Terms up to which every one has its line."""
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class SumLine:
    """A line of the sum: a term with the sign before it."""

    sign: str
    node: Node


@dataclass(frozen=True, slots=True)
class Panel:
    """``sum``: lines. ``fraction``: lines above and ``below``. ``single``: one line that may be broken. ``given``: none."""

    kind: str
    lines: list[SumLine] = field(default_factory=list)
    below: list[SumLine] = field(default_factory=list)
    more: int = 0
    """Terms that are only counted."""
    more_below: int = 0
    result: str = ""
    relation: str = "="


def make_panel(why: Why) -> Panel:
    """Lay out the answer to why."""
    tree = parse(why.parts)
    if tree is None or why.expression == why.text:
        return Panel("given", result=why.text, relation="")
    if tree.kind == "becomes":
        return Panel("single", [SumLine("", tree)])
    if tree.kind == "product" and tree.signs == ("÷",):
        (lines, more), (below, rest) = (_terms(_opened(child)) for child in tree.children)
        return Panel("fraction", lines, below, more, rest, why.text, why.relation)
    lines, more = _terms(tree)
    return Panel("sum" if len(lines) > 1 else "single", lines, [], more, 0, why.text, why.relation)


def _opened(node: Node) -> Node:
    """Take the brackets off a sum, which needs none above or below the line of a fraction."""
    return node.children[0] if node.kind == "group" else node


def _terms(node: Node) -> tuple[list[SumLine], int]:
    """The terms of a sum, and how many more there are; anything else is one term."""
    lines = list(_flat(node, ""))
    return (lines, 0) if len(lines) <= MOST else (lines[:_SHOWN], len(lines) - _SHOWN)


def _flat(node: Node, sign: str) -> Iterator[SumLine]:
    """The terms one by one; a sum in brackets that is added gives its terms too."""
    inner = _opened(node) if sign != "−" or node.kind != "group" or node.children[0].kind != "sum" else node
    if inner.kind != "sum":
        yield SumLine(sign, inner if inner.kind == "product" else node)
        return
    for between, child in zip((sign, *inner.signs), inner.children, strict=True):
        yield from _flat(child, between)
