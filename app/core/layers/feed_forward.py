"""The feed-forward network: each token for itself, through a wide layer and back."""

from collections.abc import Callable
from math import pi, sqrt
from operator import methodcaller

import numpy as np

from app.core.layers.parameters import Parameters, Shapes, learned
from app.core.operations.curves import CURVES
from app.core.operations.routing import EachRow
from app.core.record.array import Array, apply
from app.core.record.finite import finite
from app.core.record.trace import Trace


def gelu_tanh(x: Array) -> Array:
    """GELU as GPT-2 computes it: Φ(x) by way of tanh; up to 5e-4 away from the exact form.

    Source: Hendrycks & Gimpel 2016, section 2.
    """
    bent = ((x + x * x * x * 0.044715) * sqrt(2 / pi)).function("tanh")
    return x * (bent + 1.0) * 0.5


_ONE_NUMBER: dict[str, Callable[[Array], Array]] = {
    curve.name: methodcaller("function", curve.name) for curve in CURVES.values() if curve.is_activation
}

ACTIVATIONS: dict[str, Callable[[Array], Array]] = dict(sorted({**_ONE_NUMBER, "gelu_tanh": gelu_tanh}.items()))
"""Functions between the two matrices."""
NETWORKS = (*ACTIVATIONS, "swiglu")
"""All kinds of network by name: one for each activation, and SwiGLU, whose activation is no function of one number."""


def each_row(x: Array, w: Array) -> Array:
    """Every token times a matrix, each for itself. Shapes: (n, m), (m, p) -> (n, p)."""
    return apply(EachRow(), x, w)


@np.errstate(over="ignore", invalid="ignore")  # what overflows is refused at the hidden layer and at the output
def feed_forward(t: Trace, x: Array, parameters: Parameters, activation: str) -> Array:
    """Widen each token's vector, let the activation cut or bend it, and bring it back to the model's width.

    Shapes: x (n, d_model), w_1 (d_model, d_ff), b_1 (d_ff), w_2 (d_ff, d_model), b_2 (d_model)
    -> hidden, activated (n, d_ff), ffn_out (n, d_model). With ``swiglu`` see there.
    Errors: NotFinite where a number overflows; KeyError for an unknown activation.
    Source: Vaswani et al. 2017, section 3.3, equation 2.
    """
    if activation == "swiglu":
        return swiglu(t, x, parameters)
    learned(t, parameters, "w_1", "b_1")
    t.hidden = finite(each_row(x, t.w_1) + t.b_1)
    t.activated = ACTIVATIONS[activation](t.hidden)
    learned(t, parameters, "w_2", "b_2")
    t.ffn_out = finite(each_row(t.activated, t.w_2) + t.b_2)
    return t.ffn_out


@np.errstate(over="ignore", invalid="ignore")
def swiglu(t: Trace, x: Array, parameters: Parameters) -> Array:
    """Widen twice: one copy, through SiLU, opens or closes the other cell by cell; then back to the model's width.

    Shapes: x (n, d_model), w_gate, w_up (d_model, d_ff), w_down (d_ff, d_model)
    -> gate, activated, up, gated (n, d_ff), ffn_out (n, d_model).
    Errors: NotFinite where a number overflows.
    Source: Shazeer 2020 (GLU variants), section 2, equation 6.
    """
    learned(t, parameters, "w_gate")
    t.gate = finite(each_row(x, t.w_gate))
    t.activated = t.gate.function("silu")
    learned(t, parameters, "w_up")
    t.up = finite(each_row(x, t.w_up))
    t.gated = t.activated * t.up
    learned(t, parameters, "w_down")
    t.ffn_out = finite(each_row(t.gated, t.w_down))
    return t.ffn_out


def feed_forward_shapes(activation: str, d_model: int, d_ff: int) -> Shapes:
    """What a feed-forward network learns: two matrices with biases, or for SwiGLU three matrices without."""
    if activation == "swiglu":
        return {"w_gate": (d_model, d_ff), "w_up": (d_model, d_ff), "w_down": (d_ff, d_model)}
    return {"w_1": (d_model, d_ff), "b_1": (d_ff,), "w_2": (d_ff, d_model), "b_2": (d_model,)}
