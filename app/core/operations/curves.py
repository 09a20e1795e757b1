"""The functions of one number, one row each: all that is known of a function stands in its row of ``CURVES``."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.core.operations.expression import (
    ONE,
    ZERO,
    Call,
    E,
    Expression,
    Group,
    Minus,
    Power,
    Root,
    over,
    plus,
    power,
    times,
)

Values = npt.NDArray[Any]
Written = Callable[[float, Expression, Expression], Expression]


@dataclass(frozen=True, slots=True)
class Curve:
    """A function of one number.

    ``written`` is its arithmetic, told the number, the number as an operand, and the same in brackets where it is below 0.
    ``tex``, ``sign`` and ``code`` are those of ``Operation``.
    """

    name: str
    value: Callable[[Values], Values]
    slope: Callable[[Values, Values], Values]
    """How fast it grows, from x and its result y."""
    written: Written
    tex: str
    sign: str
    code: str
    is_activation: bool = False
    """True where a feed-forward network may use it between its two matrices."""


def phi(x: Values) -> Values:
    """Φ: the share of a bell curve that lies below x."""
    return np.asarray(0.5 * (1 + np.vectorize(math.erf, otypes=[x.dtype])(x / math.sqrt(2))))


def bell(x: Values) -> Values:
    """The slope of Φ: the bell curve e^(−x²/2) ÷ √(2π)."""
    return np.asarray(np.exp(-x * x / 2) / math.sqrt(2 * math.pi))


def sigmoid(x: Values) -> Values:
    """1 ÷ (1 + e^(−x)), so that no power grows too large."""
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1, small) / (1 + small))


def _call(name: str, *before: Expression) -> Written:
    return lambda value, x, inner: Call(name, (*before, inner))


def _sigmoid(above: Expression, x: Expression) -> Expression:
    return over(above, plus(ONE, power(E, Minus(x))))


def _elu1(value: float, x: Expression, inner: Expression) -> Expression:
    return plus(x, ONE) if value > 0 else Power(E, inner)


def _softplus(value: float, x: Expression, inner: Expression) -> Expression:
    if value > 100:  # where e^x is too long to work out
        return plus(x, Call("ln", (plus(ONE, power(E, Minus(inner))),)))
    return Call("ln", (plus(ONE, Power(E, inner)),))


ROWS = (
    Curve("exp", np.exp, lambda x, y: y, lambda value, x, inner: Power(E, inner), "e^{#1}", "eˣ", "np.exp(#1)"),
    Curve("sqrt", np.sqrt, lambda x, y: 0.5 / y, lambda value, x, inner: Root(Group(inner)), r"\sqrt{#1}", "√x", "np.sqrt(#1)"),
    Curve("log", np.log, lambda x, y: 1 / x, _call("ln"), r"\ln #1", "ln x", "np.log(#1)"),
    Curve("tanh", np.tanh, lambda x, y: 1 - y * y, _call("tanh"), r"\tanh #1", "tanh", "np.tanh(#1)"),
    Curve(
        "relu",
        lambda x: np.maximum(x, 0),
        lambda x, y: np.where(x > 0, 1.0, 0.0),  # at the corner, where there are two slopes, we take 0
        _call("max", ZERO),
        r"\max(0,\, #1)",
        "max(0, x)",
        "relu(#1)",
        is_activation=True,
    ),
    Curve(  # Hendrycks & Gimpel 2016, the exact form
        "gelu",
        lambda x: x * phi(x),
        lambda x, y: phi(x) + x * bell(x),
        lambda value, x, inner: times(x, Call("Φ", (x,))),
        r"#1\;\Phi(#1)",
        "GELU",
        "gelu(#1)",
        is_activation=True,
    ),
    Curve(  # Elfwing et al. 2018
        "silu",
        lambda x: x * sigmoid(x),
        lambda x, y: sigmoid(x) + y * sigmoid(-x),
        lambda value, x, inner: _sigmoid(x, inner),
        r"\frac{#1}{1 + e^{-#1}}",
        "SiLU",
        "silu(#1)",
        is_activation=True,
    ),
    Curve(
        "sigmoid",
        sigmoid,
        lambda x, y: y * sigmoid(-x),
        lambda value, x, inner: _sigmoid(ONE, inner),
        r"\frac{1}{1 + e^{-#1}}",
        "sigmoid",
        "sigmoid(#1)",
    ),
    Curve(  # Dugas et al. 2000
        "softplus",
        lambda x: np.logaddexp(0, x),
        lambda x, y: sigmoid(x),
        _softplus,
        r"\mathrm{softplus}(#1) = \ln(1 + e^{#1})",
        "softplus",
        "softplus(#1)",
    ),
    Curve(  # elu(x) + 1: Katharopoulos et al. 2020, equation 7
        "elu1",
        lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))),
        lambda x, y: np.where(x > 0, 1.0, y),
        _elu1,
        r"\mathrm{elu}(#1) + 1",
        "elu + 1",
        "elu1(#1)",
    ),
)

CURVES: dict[str, Curve] = {curve.name: curve for curve in ROWS}
