"""Positions that know only distances: what changes a score by how far apart query and key are."""

from app.core.operations.distances import Buckets, Clip, SlopeBias, Slopes
from app.core.operations.lookup import PickBias
from app.core.record.array import apply
from app.core.record.trace import Trace

Shapes = dict[str, tuple[int, int]]
"""The shape of each learned table of a position, by its name in the trace."""


def alibi(t: Trace) -> None:
    """Make far keys count less: each head takes off its own slope for every step of distance.

    Shapes: q (n_heads, n_q, d_head), k (n_kv_heads, n_k, d_head) -> slopes (n_heads, 1) where they have no name yet,
    bias (n_heads, n_q, n_k).
    Source: Press et al. 2022 (ALiBi), section 3.
    """
    n_heads, n_q, _ = t.q.shape
    if "slopes" not in vars(t):
        t.slopes = apply(Slopes(n_heads, str(t.q.value.dtype)))
    t.bias = apply(SlopeBias(n_q, t.k.shape[1]), t.slopes)


def alibi_slopes(t: Trace, places: int, n_heads: int, d_head: int) -> None:
    """Give each head its slope. Shapes: -> slopes (n_heads, 1)."""
    t.slopes = apply(Slopes(n_heads, str(t.w_q.value.dtype)))


def relative(t: Trace) -> None:
    """Say for each query and key which learned row of distances they share; far distances share the last row.

    Shapes: rel_k (2 · max_distance + 1, d_head), rel_v (2 · max_distance + 1, d_v), both named before -> rel_index (n_q, n_k).
    Errors: ValueError where the tables have no middle row or differ in rows.
    Source: Shaw et al. 2018, section 3.2.
    """
    rows = t.rel_k.shape[0]
    if rows % 2 == 0 or t.rel_v.shape[0] != rows:
        raise ValueError(f"rel_k and rel_v need the same odd number of rows, not {rows} and {t.rel_v.shape[0]}")
    t.rel_index = apply(Clip(t.q.shape[1], t.k.shape[1], rows // 2))


def relative_tables(n_heads: int, d_head: int, d_v: int, *, max_distance: int) -> Shapes:
    """A row for each distance, for keys and for values: as far back as ahead, and one for the token itself."""
    rows = 2 * max_distance + 1
    return {"rel_k": (rows, d_head), "rel_v": (rows, d_v)}


class BadBuckets(ValueError):
    """Buckets that distances cannot be shared out to: an odd number for two sides, or a last distance that is too near."""


def t5(t: Trace, *, causal: bool, max_distance: int) -> None:
    """Add to each score a learned number for its distance; far distances share buckets.

    Shapes: rel_table (n_buckets, n_heads), named before -> buckets (n_q, n_k), bias (n_heads, n_q, n_k).
    Errors: ValueError where the table has no column for a head; BadBuckets where the buckets cannot be shared out.
    Source: Raffel et al. 2020 (T5), section 2.1.
    """
    (n_buckets, columns), (n_heads, n_q, _) = t.rel_table.shape, t.q.shape
    sides = 1 if causal else 2
    if columns != n_heads:
        raise ValueError(f"rel_table needs a column for each of the {n_heads} heads, not {columns}")
    if n_buckets < 2 * sides or n_buckets % sides:
        raise BadBuckets(f"n_buckets must be {'2 or more' if sides == 1 else 'even, and 4 or more'}, not {n_buckets}")
    if max_distance <= n_buckets // sides // 2:
        raise BadBuckets(f"max_distance must be above {n_buckets // sides // 2}, not {max_distance}")
    t.buckets = apply(Buckets(n_q, t.k.shape[1], n_buckets, max_distance, not causal))
    t.bias = apply(PickBias(), t.rel_table, t.buckets)


def t5_table(n_heads: int, d_head: int, d_v: int, *, n_buckets: int) -> Shapes:
    """A number for each bucket and each head."""
    return {"rel_table": (n_buckets, n_heads)}
