"""Mixture of experts: many feed-forward networks, of which each token asks only a few."""

import numpy as np

from app.core.layers.feed_forward import feed_forward, feed_forward_shapes
from app.core.layers.parameters import Parameters, Shapes, inside, learned, placed
from app.core.operations.routing import GatedSum, TopK
from app.core.record.array import Array, apply
from app.core.record.finite import finite
from app.core.record.trace import Trace


@np.errstate(over="ignore", invalid="ignore")  # what overflows is refused at the logits and at the output
def experts(
    t: Trace, x: Array, parameters: Parameters, n_experts: int, top_k: int, activation: str, *, renormalise: bool
) -> Array:
    """A router sends each token to its k best experts; their answers, times their gates, are added up.

    Expert e works on the tokens that were sent to it, as the part ``expert.e``; one that nobody chose does not work at all.
    Shapes: x (n, d_model), w_router (d_model, n_experts) -> ffn_out (n, d_model); expert.e.routed (load of e, d_model).
    Errors: NotFinite where a number overflows; ValueError where top_k is not between 1 and n_experts.
    Source: Shazeer et al. 2017, section 2; Fedus et al. 2022, section 2.1.
    """
    route(t, x, parameters, n_experts, top_k, renormalise=renormalise)
    answers, places = [], []
    for expert, rows in enumerate(sent(t.chosen, t.gates)):
        if rows:
            inner = t.part(f"expert.{expert}")
            inner.routed = x.take_rows(rows)
            answers.append(feed_forward(inner, inner.routed, inside(parameters, f"expert.{expert}"), activation))
            places.append((expert, rows))
    t.ffn_out = finite(apply(GatedSum(tuple(places)), t.gates, *answers)) if answers else x * 0.0
    return t.ffn_out


@np.errstate(over="ignore", invalid="ignore")
def route(t: Trace, x: Array, parameters: Parameters, n_experts: int, top_k: int, *, renormalise: bool) -> None:
    """Score every expert for every token, turn the scores into shares over all experts, keep the k largest.

    Renormalised gates are the kept shares divided by their sum: the same as softmax over the k kept logits alone.
    Shapes: x (n, d_model), w_router (d_model, n_experts)
    -> router_logits, router_probs, chosen, kept_probs, gates (n, n_experts), load (n_experts, 1).
    Source: Fedus et al. 2022, equation 1 (shares over all, not renormalised); Jiang et al. 2024 (Mixtral), section 2.1.
    """
    if not 1 <= top_k <= n_experts:
        raise ValueError(f"top_k is {top_k}: a token cannot ask {top_k} of {n_experts} experts")
    learned(t, parameters, "w_router")
    t.router_logits = finite(x @ t.w_router)
    t.router_probs = t.router_logits.softmax()
    t.chosen = apply(TopK(top_k), t.router_logits)
    t.load = t.chosen.T.row("sum")
    if renormalise:
        t.kept_probs = t.router_probs.where(t.chosen, 0)
        t.gates = t.kept_probs.divide()
    else:
        t.gates = t.router_probs.where(t.chosen, 0)


def sent(chosen: Array, gates: Array) -> list[tuple[int, ...]]:
    """The tokens that each expert works on: those that chose it, and those given a gate for it by hand."""
    going = (chosen.value != 0) | (gates.value != 0)
    return [tuple(int(row) for row in np.flatnonzero(column)) for column in going.T]


def gates_another_way(logits: Array, chosen: Array, gates: Array) -> float:
    """The largest difference between the renormalised gates and softmax over the chosen logits alone."""
    alone = logits.where(chosen, -np.inf).softmax()
    return float(np.abs(gates.value - alone.value).max(initial=0))


def expert_shapes(activation: str, d_model: int, d_ff: int, n_experts: int) -> Shapes:
    """What a mixture learns: the router, and one feed-forward network for each expert."""
    shapes: Shapes = {"w_router": (d_model, n_experts)}
    for expert in range(n_experts):
        shapes |= placed(feed_forward_shapes(activation, d_model, d_ff), f"expert.{expert}")
    return shapes
