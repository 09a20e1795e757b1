"""Expression: a written-out sum as a tree, so that it can be set as a fraction or said in words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.sheet.why import PartOut


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a sum.

    ``number``: ``text``, and ``term`` where it was read from a cell. ``sum`` and ``product``: ``children`` with ``signs``
    before each but the first. ``power``: base and exponent. ``minus``, ``root``, ``group``: one child. ``call``: the
    function ``text`` of its children. ``becomes``: what ``text`` says (a mask's bit), then what comes of it. ``among``: a
    number, how many are taken (``text``), from which, and whether it is (``signs``); ``becomes`` around it.
    """

    kind: str
    children: tuple["Node", ...] = ()
    text: str = ""
    signs: tuple[str, ...] = ()
    term: int | None = None


_TOKEN = re.compile(r"\d+(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|[A-Za-zΦ_][A-Za-z_0-9]*|[^\s]")
_ADDING, _TIMES = ("+", "−"), ("×", "÷", "/")
_END = ("", None)
Token = tuple[str, int | None]


def parse(parts: Sequence[PartOut]) -> Node | None:
    """The tree of a sum; None where there is no sum. Errors: ValueError for what no sum is written like."""
    tokens = [token for part in parts for token in _tokens(part)]
    if not tokens:
        return None
    reader = _Reader(tokens)
    node = reader.whole()
    if reader.next != _END:
        raise ValueError(f"{reader.next[0]!r} stands where nothing was expected")
    return node


def _tokens(part: PartOut) -> list[Token]:
    if part.term is not None:
        return [(part.text, part.term)]
    return [(text, None) for text in _TOKEN.findall(part.text)]


class _Reader:
    """Reads tokens from the left, the loosest sign first."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens, self._place = tokens, 0

    @property
    def next(self) -> Token:
        return self._tokens[self._place] if self._place < len(self._tokens) else _END

    def take(self) -> Token:
        token = self.next
        self._place += 1
        return token

    def skip(self, *texts: str) -> bool:
        """Pass one of these signs, if it is next."""
        found = self.next[1] is None and self.next[0] in texts
        self._place += found
        return found

    def need(self, text: str) -> None:
        if not self.skip(text):
            raise ValueError(f"{text!r} was expected, not {self.next[0]!r}")

    def whole(self) -> Node:
        """A sum, or what is decided by a mask or by a choice."""
        if self.is_named():
            name = self.take()[0]
            return self.becoming(self.unary(), name)
        node = self.sum()
        if self.next[0] in ("∈", "∉"):
            node = self.among(node)
        return self.becoming(node) if self.next[0] == "→" else node

    def is_named(self) -> bool:
        """True where a name stands first that is no function: ``mask 1 → 2``."""
        after = self._tokens[self._place + 1][0] if self._place + 1 < len(self._tokens) else ""
        return self.next[1] is None and self.next[0].isidentifier() and after not in ("^", "(", "")

    def becoming(self, node: Node, name: str = "") -> Node:
        self.need("→")
        return Node("becomes", (node, self.sum()), name)

    def among(self, node: Node) -> Node:
        sign = self.take()[0]
        self.need("top")
        count = self.take()[0]
        self.need("{")
        members = [self.sum()]
        while self.skip(","):
            members.append(self.sum())
        self.need("}")
        return Node("among", (node, *members), count, (sign,))

    def sum(self) -> Node:
        return self._chain("sum", _ADDING, self.product)

    def product(self) -> Node:
        return self._chain("product", _TIMES, self.unary)

    def _chain(self, kind: str, signs: tuple[str, ...], read: Callable[[], Node]) -> Node:
        children, between = [read()], []
        while self.next[1] is None and self.next[0] in signs:
            between.append(self.take()[0])
            children.append(read())
        return Node(kind, tuple(children), signs=tuple(between)) if between else children[0]

    def unary(self) -> Node:
        if self.skip("−"):
            return Node("minus", (self.unary(),))
        base = self.atom()
        return Node("power", (base, self.unary())) if self.skip("^") else base

    def atom(self) -> Node:
        if self.skip("("):
            return Node("group", (self.closing(),))
        if self.skip("√"):
            return Node("root", (self.atom(),))
        text, term = self.take()
        if term is None and text.isidentifier() and self.skip("("):
            return Node("call", self.arguments(), text)
        if term is None and not (text[:1].isdigit() or text in ("e", "∞")):
            raise ValueError(f"{text!r} is no number")
        return Node("number", text=text, term=term)

    def closing(self) -> Node:
        node = self.sum()
        self.need(")")
        return node

    def arguments(self) -> tuple[Node, ...]:
        found = [self.sum()]
        while self.skip(","):
            found.append(self.sum())
        self.need(")")
        return tuple(found)
