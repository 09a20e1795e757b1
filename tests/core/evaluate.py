"""Work out what an explanation says: from its tree, and from what is printed."""

import functools
import math
import re
from collections.abc import Sequence
from typing import Any

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
from app.core.record.walk import Part

_SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-", "∞": "inf", "^": "**"})
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_NAMES: dict[str, Any] = {"e": math.e, "inf": math.inf, "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos}
_NAMES |= {"tanh": math.tanh, "ln": math.log, "Φ": lambda x: 0.5 * (1 + math.erf(x / math.sqrt(2)))}
_NAMES |= {"max": lambda *numbers: max(numbers), "min": min, "floor": math.floor}


def evaluate(tree: Expression | None) -> float:
    """The value of a tree, each operand taken with all its digits; what a mask decides is worth what becomes of it."""
    match tree:
        case Operand() | Number():
            return float(tree.value)
        case Minus(of):
            return -evaluate(of)
        case Sum() | Product() | Quotient():
            worked_out = [evaluate(child) for child in tree.children]
            return functools.reduce(_together, zip(tree.signs, worked_out[1:], strict=True), worked_out[0])
        case Power(base, exponent):
            return math.pow(evaluate(base), evaluate(exponent))
        case Root(of):
            return math.sqrt(evaluate(of))
        case Group(inner):
            return evaluate(inner)
        case Call(name, children):
            return float(_NAMES[name](*map(evaluate, children)))
        case Masked(_, cause, result):
            assert not isinstance(cause, Among) or evaluate(cause.number) in map(evaluate, cause.members)
            return evaluate(result)
        case Equal(children):
            first, *others = map(evaluate, children)
            assert all(math.isclose(first, other, rel_tol=1e-12, abs_tol=1e-300) for other in others), children
            return first
    raise TypeError(tree)


def _together(left: float, right: tuple[str, float]) -> float:
    sign, number = right
    return {"+": left + number, "−": left - number, "×": left * number}[sign] if sign in "+−×" else left / number


def spelled_out(parts: Sequence[Part]) -> str:
    """The parts as a text in which each operand has all its digits: read by itself, it must say what the tree says."""
    return "".join(f"({part.value!r})" if isinstance(part, Operand) else part.text for part in parts)


def calculate(written: str) -> float:
    """The value of a written-out sum; of ``mask 1 → x``, the value of x; of ``7 ÷ 2 = 3.5``, what stands first."""
    written = written.partition(" = ")[0]
    python = re.sub(r"√(\d+)", r"sqrt(\1)", written.rpartition("→")[2].strip().translate(_SIGNS)).replace("√(", "sqrt(")
    python = re.sub("10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: f"10**{found[1].translate(_RAISED)}", python)
    return float(eval(python, {"__builtins__": {}}, _NAMES))
