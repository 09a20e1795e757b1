"""Attention, as short as it is.

Every line names one quantity of the trace ``t``; what is on the page comes from these lines and no others.
"""

from collections.abc import Callable
from math import inf

import numpy as np

from app.core.array import Array
from app.core.heads import merge_heads, share_heads, split_heads
from app.core.trace import Trace

NORMALIZERS: dict[str, Callable[[Array], Array]] = {"softmax": Array.softmax, "division": Array.divide}


@np.errstate(over="ignore", invalid="ignore")  # a hidden score may overflow; a visible one is refused by the normalizer
def attend(t: Trace, mask: Array, scale: str | float = "sqrt", normalizer: str = "softmax") -> None:
    """Every query compares itself with every key and takes that much of each value.

    Shapes: q (n_heads, n_q, d_head), k (n_kv_heads, n_k, d_head), v (n_kv_heads, n_k, d_v), mask (n_q, n_k)
    -> scores, scaled, masked, weights (n_heads, n_q, n_k), z (n_heads, n_q, d_v).
    Errors: NotFinite where a visible score overflows.
    Source: Vaswani et al. 2017, section 3.2.1, equation 1.
    """
    n_heads, _, d_head = t.q.shape
    t.scores = t.q @ share_heads(t.k, n_heads).T
    t.scaled = rescale(t.scores, scale, d_head)
    t.mask = mask
    t.masked = t.scaled.where(t.mask, -inf)
    t.weights = NORMALIZERS[normalizer](t.masked)
    t.z = t.weights @ share_heads(t.v, n_heads)


def rescale(scores: Array, scale: str | float, d_head: int) -> Array:
    """Keep scores of wide heads from growing: divide by √d_head (``sqrt``), do nothing (``none``), or times a number."""
    if scale == "sqrt":
        return scores.over_root(d_head)
    return scores * (1.0 if scale == "none" else float(scale))


def project(t: Trace, x: Array, n_heads: int, n_kv_heads: int) -> None:
    """Make from each token what it looks for (q), what it offers (k) and what it gives (v).

    Shapes: x (n, d_model), w_q (d_model, n_heads · d_head), w_k (d_model, n_kv_heads · d_head), w_v (d_model, n_kv_heads · d_v)
    -> q (n_heads, n, d_head), k (n_kv_heads, n, d_head), v (n_kv_heads, n, d_v).
    Source: Vaswani et al. 2017, section 3.2.2.
    """
    t.q = split_heads(x @ t.w_q, n_heads)
    t.k = split_heads(x @ t.w_k, n_kv_heads)
    t.v = split_heads(x @ t.w_v, n_kv_heads)


def combine(t: Trace, w_o: Array | None = None) -> None:
    """Put the heads side by side and, where there is a w_o, mix them into the output.

    Shapes: z (n_heads, n_q, d_v), w_o (n_heads · d_v, d_model) -> concat (n_q, n_heads · d_v), out (n_q, d_model).
    Source: Vaswani et al. 2017, section 3.2.2.
    """
    t.concat = merge_heads(t.z)
    if w_o is not None:
        t.w_o = w_o
        t.out = t.concat @ t.w_o
