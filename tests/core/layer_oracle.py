"""Layers for the tests: every form of block, small, with numbers from a drawn seed; and the same by plain loops."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from app.core.attention import attend
from app.core.layers.block import stack
from app.core.layers.layer import LayerForm, layer, layer_shapes
from app.core.layers.parameters import inside
from app.core.record.array import given
from app.core.record.trace import Trace
from tests.core import oracle
from tests.core.build import Values
from tests.core.evaluate import evaluate

Rows = Sequence[Sequence[float]]
ACTIVATIONS = ["relu", "gelu", "gelu_tanh", "silu", "swiglu"]


@dataclass
class Stack:
    """Everything that decides the numbers of a stack of layers."""

    x: Values
    mask: Values
    form: LayerForm
    layers: list[Mapping[str, Any]]
    x_k: Values | None = None
    edits: Mapping[str, Mapping[tuple[int, ...], float]] = field(default_factory=dict)

    def run(self) -> tuple[Trace, Values]:
        """The trace, and what the last layer hands on."""
        t = Trace(self.edits)
        t.x = given(self.x)
        if self.x_k is not None:
            t.x_k = given(self.x_k)
        other = None if self.x_k is None else t.x_k
        layers = [
            lambda t, x, learned=learned: layer(t, x, learned, self.form, lambda t: attend(t, given(self.mask)), other)
            for learned in self.layers
        ]
        out = stack(t, t.x, layers).value
        t.finish()
        return t, out

    def with_form(self, **changes: Any) -> "Stack":
        return replace(self, form=replace(self.form, **changes))


def make(seed: int, form: LayerForm, n: int = 3, n_layers: int = 1, *, n_k: int | None = None, causal: bool = False) -> Stack:
    """A stack with random numbers: 6 wide, heads 2 wide with values 5 wide, the network 7 wide."""
    rng = np.random.default_rng(seed)
    shapes = layer_shapes(form, d_model=6, d_head=2, d_ff=7, d_v=5)
    layers = [{name: rng.normal(size=shape) for name, shape in shapes.items()} for _ in range(n_layers)]
    mask = np.tri(n, n_k or n, (n_k or n) - n, dtype=bool) if causal else np.ones((n, n_k or n), dtype=bool)
    return Stack(rng.normal(size=(n, 6)), mask, form, list(layers), rng.normal(size=(n_k, 6)) if n_k else None)


@st.composite
def stacks(draw: st.DrawFn, n_layers: int = 1) -> Stack:
    """Every order, norm and network; one sentence or two; masks that may hide a whole row."""
    kv_heads = draw(st.integers(1, 2))
    form = LayerForm(
        n_heads=kv_heads * draw(st.integers(1, 2)),
        n_kv_heads=kv_heads,
        norm_place=draw(st.sampled_from(["pre", "post"])),
        norm=draw(st.sampled_from(["layer_norm", "rms_norm"])),
        activation=draw(st.sampled_from(ACTIVATIONS)),
        n_experts=draw(st.sampled_from([0, 3])),
        top_k=draw(st.integers(1, 3)),
        renormalise=draw(st.booleans()),
    )
    seed, n = draw(st.integers(0, 2**32 - 1)), draw(st.integers(1, 3))
    made = make(seed, form, n, n_layers, n_k=draw(st.sampled_from([None, 4])))
    if draw(st.booleans()):
        made.mask = np.random.default_rng(seed).random(made.mask.shape) < 0.6
    return made


def plain_norm(x: Rows, learned: Mapping[str, Any], norm: str, eps: float = 1e-5) -> list[list[float]]:
    rows = []
    for row in x:
        mean = sum(row) / len(row) if norm == "layer_norm" else 0.0
        size = math.sqrt(sum((number - mean) ** 2 for number in row) / len(row) + eps)
        beta = learned.get("beta", [0.0] * len(row))
        rows.append([(n - mean) / size * g + b for n, g, b in zip(row, learned["gamma"], beta, strict=True)])
    return rows


def plain_activation(name: str, x: float) -> float:
    return {
        "relu": lambda: max(0.0, x),
        "gelu": lambda: x * 0.5 * (1 + math.erf(x / math.sqrt(2))),
        "gelu_tanh": lambda: 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
        "silu": lambda: x / (1 + math.exp(-x)),
    }[name]()


def plain_network(row: Sequence[float], learned: Mapping[str, Any], activation: str) -> list[float]:
    """One token through the feed-forward network."""
    if activation == "swiglu":
        gate, up = (oracle.product([row], learned[name])[0] for name in ("w_gate", "w_up"))
        return oracle.product([[plain_activation("silu", a) * b for a, b in zip(gate, up, strict=True)]], learned["w_down"])[0]
    hidden = [h + b for h, b in zip(oracle.product([row], learned["w_1"])[0], learned["b_1"], strict=True)]
    activated = [plain_activation(activation, h) for h in hidden]
    return [o + b for o, b in zip(oracle.product([activated], learned["w_2"])[0], learned["b_2"], strict=True)]


def plain_gates(logits: Sequence[float], top_k: int, renormalise: bool) -> dict[int, float]:
    """The experts of one token and their gates, best first."""
    shares = oracle.row_weights(logits, [True] * len(logits), "softmax")
    best = sorted(range(len(logits)), key=lambda expert: (-logits[expert], expert))[:top_k]
    total = sum(shares[expert] for expert in best) if renormalise else 1.0
    return {expert: shares[expert] / total for expert in best}


def plain_experts(row: Sequence[float], learned: Mapping[str, Any], form: LayerForm) -> list[float]:
    """One token through its experts, one after the other."""
    total = [0.0] * len(row)
    logits = oracle.product([row], learned["w_router"])[0]
    for expert, gate in plain_gates(logits, form.top_k, form.renormalise).items():
        answer = plain_network(row, inside(learned, f"expert.{expert}"), form.activation)
        total = [a + gate * b for a, b in zip(total, answer, strict=True)]
    return total


def plain_attention(x: Rows, x_k: Rows, learned: Mapping[str, Any], form: LayerForm, mask: Values) -> list[list[float]]:
    q, k, v = oracle.product(x, learned["w_q"]), oracle.product(x_k, learned["w_k"]), oracle.product(x_k, learned["w_v"])
    d_head, d_v = len(q[0]) // form.n_heads, len(v[0]) // form.n_kv_heads
    concat: list[list[float]] = [[] for _ in x]
    for a in range(form.n_heads):
        b = a // (form.n_heads // form.n_kv_heads)
        parts = oracle.columns(q, a * d_head, d_head), oracle.columns(k, b * d_head, d_head), oracle.columns(v, b * d_v, d_v)
        z = oracle.head(*parts, mask.tolist(), 1 / math.sqrt(d_head), "softmax")["z"]
        concat = [left + right for left, right in zip(concat, z, strict=True)]
    return oracle.product(concat, learned["w_o"])


def plain_layer(x: Rows, made: Stack, learned: Mapping[str, Any]) -> list[list[float]]:
    form = made.form

    def attention(rows: Rows) -> list[list[float]]:
        return plain_attention(rows, rows if made.x_k is None else made.x_k.tolist(), learned, form, made.mask)

    def network(rows: Rows) -> list[list[float]]:
        if form.n_experts:
            return [plain_experts(row, learned, form) for row in rows]
        return [plain_network(row, learned, form.activation) for row in rows]

    def norm(rows: Rows, part: str) -> list[list[float]]:
        return plain_norm(rows, inside(learned, part), form.norm)

    def plus(left: Rows, right: Rows) -> list[list[float]]:
        return [[a + b for a, b in zip(one, two, strict=True)] for one, two in zip(left, right, strict=True)]

    if form.norm_place == "pre":
        y = plus(x, attention(norm(x, "norm_1")))
        return plus(y, network(norm(y, "norm_2")))
    y = norm(plus(x, attention(x)), "norm_1")
    return norm(plus(y, network(y)), "norm_2")


def check_every_cell(t: Trace) -> None:
    """Every explanation evaluates to its value; what has none was given, or edited by hand."""
    for name in t:
        for index in np.ndindex(t[name].shape):
            explanation = t.explain(name, index)
            if not explanation.parts:
                assert t[name].kind != "computed" or index in t.edited(name), (name, index)
                continue
            assert evaluate(explanation.tree) == pytest.approx(explanation.value, rel=1e-9, abs=1e-9), (name, index)
            assert all(term.value == t[term.step].value[term.index] for term in explanation.terms)
            assert {term.step for term in explanation.terms} <= set(t.inputs(name))
