"""Tiled attention (FlashAttention): the same answer, without ever holding the whole table of weights."""

from math import inf

import numpy as np

from app.core.attention import attend, rescale
from app.core.heads import share_heads
from app.core.operations.reshape import spans
from app.core.record.array import Array, given, join_rows
from app.core.record.trace import Trace
from app.core.variants import Form


@np.errstate(over="ignore", invalid="ignore")  # a hidden score may overflow; a visible one is refused
def tiled_attention(t: Trace, mask: Array, tile_q: int, tile_k: int, scale: str | float) -> None:
    """Some queries at a time meet some keys at a time, and only three running numbers are kept of what was seen.

    Shapes: q (n_heads, n_q, d_head), k (n_kv_heads, n_k, d_head), v (n_kv_heads, n_k, d_v), mask (n_q, n_k)
    -> parts tile.<i>.start, tile.<i>.<j> (i counts tiles of queries, j tiles of keys), z (n_heads, n_q, d_v).
    Errors: ValueError for a tile size below 1; NotFinite where a visible score overflows.
    Source: Dao 2023 (FlashAttention-2), section 3.1.1, algorithm 1; the loop over queries outside: section 3.2.
    """
    n_heads, n_q, d_head = t.q.shape
    k, v = share_heads(t.k, n_heads), share_heads(t.v, n_heads)
    t.mask = mask
    answers = []
    for i, queries in enumerate(spans(n_q, tile_q)):
        q = t.q.rows(queries.start, queries.stop)
        tile = nothing_seen(t.part(f"tile.{i}.start"), q, v)
        for j, keys in enumerate(spans(k.shape[1], tile_k)):
            before, tile = tile, t.part(f"tile.{i}.{j}")
            tile.scores = q @ k.rows(keys.start, keys.stop).T
            tile.scaled = rescale(tile.scores, scale, d_head)
            tile.mask = t.mask.block(queries, keys)
            tile.masked = tile.scaled.where(tile.mask, -inf)
            see(tile, before, v.rows(keys.start, keys.stop))
        whole = t.part(f"tile.{i}")
        whole.z = tile.acc.ratio(tile.l)
        answers.append(whole.z)
    t.z = join_rows(*answers)


def nothing_seen(tile: Trace, q: Array, v: Array) -> Trace:
    """Before the first tile: no largest score yet, nothing summed, nothing collected.

    Shapes: q (n_heads, rows, d_head), v (n_heads, n_k, d_v) -> m, l (n_heads, rows, 1), acc (n_heads, rows, d_v).
    Source: Dao et al. 2022, algorithm 1, line 2.
    """
    n_heads, count, _ = q.shape
    kind = q.value.dtype
    tile.m = given(np.full((n_heads, count, 1), -inf, kind))
    tile.l = given(np.zeros((n_heads, count, 1), kind))
    tile.acc = given(np.zeros((n_heads, count, v.shape[-1]), kind))
    return tile


def see(tile: Trace, before: Trace, v: Array) -> None:
    """Take one more tile of keys in: where the largest score grows, what was collected so far shrinks by the correction.

    Shapes: masked, powers (n_heads, rows, keys), v (n_heads, keys, d_v)
    -> tile_max, m, correction, l (n_heads, rows, 1), acc (n_heads, rows, d_v).
    Source: Milakov & Gimelshein 2018, algorithm 3; Dao 2023 (FlashAttention-2), section 3.1.1, algorithm 1.
    """
    tile.tile_max = tile.masked.row("max")
    tile.m = before.m.larger(tile.tile_max)
    tile.correction = before.m.power(tile.m)
    tile.powers = tile.masked.power(tile.m)
    tile.l = before.l * tile.correction + tile.powers.row("sum")
    tile.acc = before.acc * tile.correction + tile.powers @ v


def difference_from_plain(t: Trace, scale: str | float) -> float:
    """The largest difference between the tiled z and the z of the plain way."""
    plain = Trace()
    plain.q, plain.k, plain.v = given(t.q.value), given(t.k.value), given(t.v.value)
    attend(plain, given(t.mask.value), Form(scale=scale))
    return float(np.abs(plain.z.value - t.z.value).max(initial=0))
