"""Attention, as short as it is.

Every line names one quantity of the trace ``t``; what is on the page comes from these lines and no others.
"""

from collections.abc import Callable
from math import inf

import numpy as np

from app.core.heads import merge_heads, share_heads, split_heads
from app.core.record.array import Array
from app.core.record.trace import Trace
from app.core.variants import PLAIN, Form, first_named, mix, shape_scores, share_out, with_distances

NORMALIZERS: dict[str, Callable[[Array], Array]] = {"softmax": Array.softmax, "division": Array.divide}


@np.errstate(over="ignore", invalid="ignore")  # a hidden score may overflow; a visible one is refused by the normalizer
def attend(t: Trace, mask: Array, form: Form = PLAIN) -> None:
    """Every query compares itself with every key and takes that much of each value.

    Plain attention is scores, scaled, masked, weights, z. What ``form`` asks for, and what a position has named before
    (q_rot and k_rot, bias, rel_index), stands between them as steps of its own.
    Shapes: q (n_heads, n_q, d_head), k (n_kv_heads, n_k, d_head), v (n_kv_heads, n_k, d_v), mask (n_q, n_k)
    -> scores, scaled, masked, weights (n_heads, n_q, n_k), z (n_heads, n_q, d_v).
    Errors: NotFinite where a visible score overflows.
    Source: Vaswani et al. 2017, section 3.2.1, equation 1.
    """
    n_heads, _, d_head = t.q.shape
    q, k = first_named(t, "q_rot", "q_norm", "q"), first_named(t, "k_rot", "k_norm", "k")
    t.scores = q @ share_heads(k, n_heads).T
    t.scaled = rescale(with_distances(t, q), form.scale, d_head)
    shaped = shape_scores(t, form)
    if form.mask_place == "after":
        cut_after(t, shaped, mask, form)
        return
    t.mask = mask
    t.masked = shaped.where(t.mask, -inf)
    t.weights = share_out(t, t.masked, NORMALIZERS[form.normalizer], form)
    mix(t, t.weights, share_heads(t.v, n_heads))


def cut_after(t: Trace, shaped: Array, mask: Array, form: Form) -> None:
    """The classic mistake: all keys share first, then the hidden ones lose their share, and the rows no longer sum to 1.

    Shapes: as in ``attend``, with weights_cut (n_heads, n_q, n_k) in the place of masked.
    """
    t.weights = share_out(t, shaped, NORMALIZERS[form.normalizer], form)
    t.mask = mask
    t.weights_cut = t.weights.where(t.mask, 0)
    mix(t, t.weights_cut, share_heads(t.v, t.q.shape[0]))


def rescale(scores: Array, scale: str | float, d_head: int) -> Array:
    """Keep scores of wide heads from growing: divide by √d_head (``sqrt``), do nothing (``none``), or times a number."""
    if scale == "sqrt":
        return scores.over_root(d_head)
    return scores * (1.0 if scale == "none" else float(scale))


def project(t: Trace, x: Array, n_heads: int, n_kv_heads: int, x_k: Array | None = None) -> None:
    """Make from each token what it looks for (q), what it offers (k) and what it gives (v).

    Where ``x_k`` is given, keys and values come from the tokens of another sentence (cross-attention).

    Shapes: x (n, d_model), w_q (d_model, n_heads · d_head), w_k (d_model, n_kv_heads · d_head), w_v (d_model, n_kv_heads · d_v)
    -> q (n_heads, n, d_head), k (n_kv_heads, n, d_head), v (n_kv_heads, n, d_v).
    Source: Vaswani et al. 2017, section 3.2.2.
    """
    t.q = split_heads(x @ t.w_q, n_heads)
    other = x if x_k is None else x_k
    t.k = split_heads(other @ t.w_k, n_kv_heads)
    t.v = split_heads(other @ t.w_v, n_kv_heads)


def combine(t: Trace, w_o: Array | None = None) -> None:
    """Put the heads side by side and, where there is a w_o, mix them into the output.

    Shapes: z (n_heads, n_q, d_v), w_o (n_heads · d_v, d_model) -> concat (n_q, n_heads · d_v), out (n_q, d_model).
    Source: Vaswani et al. 2017, section 3.2.2.
    """
    t.concat = merge_heads(t.z)
    if w_o is not None:
        t.w_o = w_o
        t.out = t.concat @ t.w_o
