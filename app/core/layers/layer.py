"""One whole layer from its choices and its learned numbers: which norm, which order, which network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.core.attention import combine, project
from app.core.layers.block import ORDERS
from app.core.layers.experts import expert_shapes, experts
from app.core.layers.feed_forward import feed_forward, feed_forward_shapes
from app.core.layers.norms import NORMS, norm_shapes
from app.core.layers.parameters import Parameters, Shapes, inside, learned, placed
from app.core.layers.widths import Widths
from app.core.record.array import Array, parameter
from app.core.record.trace import Trace

Attend = Callable[[Trace], None]
"""From the q, k and v of a trace to its z: ``lambda t: attend(t, given(mask))``. Each layer needs a mask array of its own."""


@dataclass(frozen=True, slots=True)
class LayerForm:
    """What kind of layer: heads, place of the norms, norm, activation, and experts (none where n_experts is 0).

    What stands here is what holds where nothing is said.
    """

    n_heads: int
    n_kv_heads: int
    norm_place: str = "pre"
    norm: str = "layer_norm"
    activation: str = "gelu"
    n_experts: int = 0
    top_k: int = 2
    renormalise: bool = True


def layer(t: Trace, x: Array, parameters: Parameters, form: LayerForm, attend: Attend, x_k: Array | None = None) -> Array:
    """Attention between the tokens, then the network for each token; give x_k for keys and values from another sentence.

    Shapes: x (n, d_model), x_k (n_k, d_model) -> (n, d_model); names the array that the layer hands on.
    Errors: NotFinite where a number overflows; KeyError for a learned array that is missing.
    Source: Vaswani et al. 2017, section 3.1; keys and values of the other sentence as they are: section 3.2.3.
    """
    norm = NORMS[form.norm].apply
    return ORDERS[form.norm_place](
        t,
        x,
        lambda x: _attention(t, x, x_k, parameters, form, attend),
        lambda x: _network(t, x, parameters, form),
        lambda x: norm(t.part("norm_1"), x, inside(parameters, "norm_1")),
        lambda x: norm(t.part("norm_2"), x, inside(parameters, "norm_2")),
    )


def _attention(t: Trace, x: Array, x_k: Array | None, parameters: Parameters, form: LayerForm, attend: Attend) -> Array:
    learned(t, parameters, "w_q", "w_k", "w_v")
    project(t, x, form.n_heads, form.n_kv_heads, x_k)
    attend(t)
    combine(t, parameter(parameters["w_o"]))
    return t.out


def _network(t: Trace, x: Array, parameters: Parameters, form: LayerForm) -> Array:
    if form.n_experts:
        return experts(t, x, parameters, form.n_experts, form.top_k, form.activation, renormalise=form.renormalise)
    return feed_forward(t, x, parameters, form.activation)


def layer_shapes(form: LayerForm, d_model: int, d_head: int, d_ff: int, d_v: int | None = None) -> Shapes:
    """Every learned array of one layer, by its name inside the layer. Widths as in ``project`` and ``combine``."""
    attention = Widths(d_model, form.n_heads, form.n_kv_heads, d_head, d_v or d_head).projections
    norm = norm_shapes(form.norm, d_model)
    network = (
        expert_shapes(form.activation, d_model, d_ff, form.n_experts)
        if form.n_experts
        else feed_forward_shapes(form.activation, d_model, d_ff)
    )
    return {**placed(norm, "norm_1"), **attention, **placed(norm, "norm_2"), **network}
