"""Spoken: where a number comes from, as a teacher would say it, in words and without signs."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from app.core.operations.explain import Index
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
from app.core.operations.numbers import MINUS, mantissa_and_power
from app.glossary import entry_of
from app.language.words import Words
from app.run.run import Run
from app.sheet.labels import axes_of
from app.sheet.why import Why, make_why, with_ways

MOST = 8
"""Terms up to which a sum is said whole."""
_SAID = 6
"""Terms of a longer sum that are said before the others are only counted."""
_PLAIN = ("number", "power", "root", "call")


def make_spoken_why(run: Run, step: str, index: Index, words: Words) -> Why:
    """Explain a cell as fully as can be, its spoken form included. Errors: Refusal where there is no such step or cell."""
    why = with_ways(run, make_why(run, step, index, words), words)
    return replace(why, spoken=speak(run, why, words))


def speak(run: Run, why: Why, words: Words) -> str:
    """The answer in words: what the number is called, the number, and how it is made."""
    head = _head(run, why, words)
    tree = why.tree
    if why.note:
        return words("spoken.note", head=head, note=why.note)
    if tree is None or why.expression == why.text:
        return head
    return words("spoken.why", head=head, sum=_Speaker(run, why, words).whole(tree))


def unsaid(why: Why, words: Words) -> str:
    """Speak the name of a cell without its value: on a projector, before the answer is revealed."""
    return words("spoken.not_yet", name=_named(why, words))


def _head(run: Run, why: Why, words: Words) -> str:
    """The name and the number."""
    name = _named(why, words)
    if why.value == "-Infinity" and "key" in axes_of(run, why.step):
        return words("spoken.is_hidden", name=name)
    value = say_number(why.text, words)
    if entry_of(why.step).asks:
        return words("spoken.asked", name=name, value=value)
    return words("spoken.is" if why.relation == "=" else "spoken.is_about", name=name, value=value)


def _named(why: Why, words: Words) -> str:
    """The cell's name, with the article where the language has one and the name takes it."""
    takes = why.name.split(" ")[0] in words("spoken.nouns").split()
    return words("spoken.the", name=why.name) if takes else why.name


def say_number(text: str, words: Words) -> str:
    """A printed number in words, as far as it has signs: minus, times 10 to the power of."""
    text = text.strip("()")
    if text.startswith(MINUS):
        return words("spoken.minus", number=say_number(text.removeprefix(MINUS), words))
    mantissa, power = mantissa_and_power(text)
    if power:
        raised = words("spoken.power", base="10", exponent=say_number(power, words))
        return words("spoken.times", left=mantissa, right=raised)
    return words("spoken.infinity") if text == "\u221e" else text


class _Speaker:
    """Says the tree of one sum."""

    def __init__(self, run: Run, why: Why, words: Words) -> None:
        self.run, self.why, self.words = run, why, words

    def whole(self, node: Expression) -> str:
        """The whole sum: its terms with pauses between them."""
        if isinstance(node, Masked):
            return self.becomes(node)
        if isinstance(node, Equal):
            return self.equal(node)
        return self.added(node, "_pause") if isinstance(node, Sum) else self.say(node)

    def say(self, node: Expression) -> str:
        """A piece of it, without a word for brackets around it."""
        said: str = getattr(self, node.kind)(node)
        return said

    def bracketed(self, node: Expression) -> str:
        """A piece that belongs together: a sum is called a sum, anything else a result."""
        inner = _inside(node)
        if _is_plain(inner) or inner.kind == "fraction":
            return self.say(inner)
        if isinstance(inner, Sum) and set(inner.signs) == {"+"}:
            return self.words("spoken.sum_of", list=self.listed([self.term(child) for child in inner.children]))
        return self.words("spoken.result_of", sum=self.say(inner))

    def number(self, node: Operand | Number) -> str:
        if node.step and node.value == -inf and "key" in axes_of(self.run, node.step):
            return self.words("spoken.hidden")
        return say_number(node.text, self.words)

    def sum(self, node: Sum) -> str:
        return self.added(node, "")

    def equal(self, node: Equal) -> str:
        """The sum, and then what it is in numbers, once: the last step is the shortest."""
        first, *_, last = node.children
        return self.words("spoken.that_is", left=self.say(first), right=self.say(last))

    def added(self, node: Sum, pause: str) -> str:
        """Terms one after the other; of many only the first."""
        shown = len(node.children) if len(node.children) <= MOST else _SAID
        said = self.term(node.children[0])
        for sign, child in zip(node.signs[: shown - 1], node.children[1:shown], strict=True):
            key = ("spoken.plus" if sign == "+" else "spoken.less") + pause
            said = self.words(key, left=said, right=self.term(child))
        return self.more(said, len(node.children) - shown)

    def term(self, node: Expression) -> str:
        """A term of a sum: a product needs no brackets there."""
        inner = _inside(node)
        return self.say(inner) if inner.kind == "product" else self.operand(node)

    def product(self, node: Product | Quotient) -> str:
        children, signs = node.children, node.signs
        shown = len(children) if len(children) <= MOST else _SAID
        said = self.factor(children[0])
        for sign, child in zip(signs[: shown - 1], children[1:shown], strict=True):
            long = "" if all(_inside(side).kind in ("number", "root") for side in (children[0], child)) else "_pause"
            key = "spoken.times" if sign == "×" else f"spoken.divided{long}"
            said = self.words(key, left=said, right=self.factor(child) if sign == "×" else self.operand(child))
        return self.more(said, len(children) - shown)

    def factor(self, node: Expression) -> str:
        inner = _inside(node)
        return self.say(inner) if isinstance(inner, Product) and set(inner.signs) == {"×"} else self.operand(node)

    def operand(self, node: Expression) -> str:
        return self.say(node) if _is_plain(node) or node.kind == "fraction" else self.bracketed(node)

    def fraction(self, node: Quotient) -> str:
        above, below = (self.operand(child) for child in node.children)
        return self.words("spoken.over", above=above, below=below)

    def group(self, node: Group) -> str:
        return self.bracketed(node)

    def minus(self, node: Minus) -> str:
        inner = node.of
        if isinstance(inner, Number) and inner.value == inf:
            return self.words("spoken.hidden")
        return self.words("spoken.minus", number=self.operand(inner))

    def power(self, node: Power) -> str:
        inner = _inside(node.exponent)
        simple = _is_plain(inner) or inner.kind == "fraction"
        key = "spoken.power" if simple else "spoken.power_of"
        if isinstance(_inside(node.base), Call):  # else only its last number would seem to be raised
            key = "spoken.power_of_all"
        return self.words(key, base=self.operand(node.base), exponent=self.say(inner))

    def root(self, node: Root) -> str:
        inner = _inside(node.of)
        return self.words("spoken.root" if _is_plain(inner) else "spoken.root_of", number=self.bracketed(inner))

    def call(self, node: Call) -> str:
        return self.words(f"spoken.call.{_CALLS[node.text]}", of=self.listed([self.operand(child) for child in node.children]))

    def becomes(self, node: Masked) -> str:
        """What a mask, or the choice of an expert, makes of a number."""
        cause, result = node.cause, node.result
        if isinstance(cause, Among):
            return self.words("spoken.so", cause=self.among(cause), result=self.say(result))
        bit = self.say(cause)
        said = self.words(f"spoken.bit.{node.text}", bit=bit)
        if result.kind == "minus" or self.why.value == "-Infinity":
            return self.words("spoken.so_hidden", cause=said)
        return self.words("spoken.becomes" if bit == "0" else "spoken.stays", cause=said, result=self.operand(result))

    def among(self, node: Among) -> str:
        key = "spoken.among" if node.within else "spoken.not_among"
        members = self.listed([self.say(one) for one in node.members])
        return self.words(key, number=self.say(node.number), count=node.count, list=members)

    def listed(self, said: Sequence[str]) -> str:
        """a, b and c; of many only the first."""
        if len(said) > MOST:
            return self.more(self.words("spoken.comma").join(said[:_SAID]), len(said) - _SAID)
        *first, last = said
        return self.words("spoken.and", first=self.words("spoken.comma").join(first), last=last) if first else last

    def more(self, said: str, count: int) -> str:
        return self.words("spoken.more", said=said, count=count) if count else said


_CALLS = {name: name for name in ("ln", "sin", "cos", "tanh", "max", "min", "floor")} | {"Φ": "phi"}


def _inside(node: Expression) -> Expression:
    """A piece without the brackets around it."""
    while isinstance(node, Group):
        node = node.inner
    return node


def _is_plain(node: Expression) -> bool:
    """True for what needs no word for brackets anywhere."""
    return node.kind in _PLAIN or (isinstance(node, Minus) and _inside(node.of).kind == "number")
