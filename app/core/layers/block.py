"""The block: attention, then the feed-forward network, each added to what came in, each with its norm."""

from collections.abc import Callable, Sequence

import numpy as np

from app.core.record.array import Array
from app.core.record.finite import finite
from app.core.record.trace import Trace

Change = Callable[[Array], Array]
"""From every token's vector to a new one, for all tokens at once. Shapes: (n, d_model) -> (n, d_model)."""


@np.errstate(over="ignore", invalid="ignore")
def pre_norm(t: Trace, x: Array, attention: Change, feed_forward: Change, norm_1: Change, norm_2: Change) -> Array:
    """Norm first: what attention and the network say about the normed tokens is added to the tokens as they came.

    Shapes: x (n, d_model) -> after_attention, after_ffn (n, d_model); the block hands on after_ffn.
    Errors: NotFinite where a sum overflows.
    Source: Xiong et al. 2020, section 3, table 1 (pre-LN); Radford et al. 2019, section 2.3.
    """
    t.after_attention = finite(x + attention(norm_1(x)))
    t.after_ffn = finite(t.after_attention + feed_forward(norm_2(t.after_attention)))
    return t.after_ffn


@np.errstate(over="ignore", invalid="ignore")
def post_norm(t: Trace, x: Array, attention: Change, feed_forward: Change, norm_1: Change, norm_2: Change) -> Array:
    """Norm last, as in the first transformer: add, then norm the sum; twice.

    Shapes: x (n, d_model) -> after_attention, after_ffn (n, d_model); the block hands on the second norm's result.
    Errors: NotFinite where a sum overflows.
    Source: Vaswani et al. 2017, section 3.1: LayerNorm(x + Sublayer(x)).
    """
    t.after_attention = finite(x + attention(x))
    y = norm_1(t.after_attention)
    t.after_ffn = finite(y + feed_forward(y))
    return norm_2(t.after_ffn)


ORDERS: dict[str, Callable[[Trace, Array, Change, Change, Change, Change], Array]] = {"pre": pre_norm, "post": post_norm}


def stack(t: Trace, x: Array, layers: Sequence[Callable[[Trace, Array], Array]]) -> Array:
    """One layer after the other, ``layer.0``, ``layer.1``, ...: what one hands on, the next one takes in.

    Shapes: x (n, d_model) -> (n, d_model).
    Source: Vaswani et al. 2017, section 3.1.
    """
    for number, layer in enumerate(layers):
        x = layer(t.part(f"layer.{number}"), x)
    return x
