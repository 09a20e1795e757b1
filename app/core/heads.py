"""Heads: cut the width into heads, put heads side by side, share key/value heads."""

from app.core.operations import reshape as moves
from app.core.record.array import Array, apply


def split_heads(rows: Array, n_heads: int) -> Array:
    """Give each head its own columns.

    Shapes: (n, n_heads · d_head) -> (n_heads, n, d_head).
    Errors: ValueError where the width is not a multiple of n_heads.
    """
    width = rows.shape[-1]
    if n_heads < 1 or width % n_heads:
        raise ValueError(f"{n_heads} heads do not divide a width of {width}")
    return apply(moves.SplitHeads(n_heads, width // n_heads), rows)


def merge_heads(heads: Array) -> Array:
    """Put the heads' answers side by side, head 0 first. Shapes: (n_heads, n, d_v) -> (n, n_heads · d_v)."""
    return apply(moves.MergeHeads(heads.shape[-1]), heads)


def share_heads(heads: Array, n_heads: int) -> Array:
    """Let n_heads query heads read these key/value heads, neighbours sharing one.

    Shapes: (n_kv_heads, n, d) -> (n_heads, n, d).
    Errors: ValueError where n_heads is not a multiple of n_kv_heads, or there are none.
    Source: Shazeer 2019 (multi-query); Ainslie et al. 2023 (grouped-query), section 2.2.
    """
    return apply(moves.ShareHeads(group_size(n_heads, heads.shape[0])), heads)


def group_size(n_heads: int, n_kv_heads: int) -> int:
    """How many query heads read one key/value head. Errors: ValueError where they cannot share evenly."""
    if n_kv_heads < 1 or n_heads % n_kv_heads:
        raise ValueError(f"{n_heads} query heads cannot share {n_kv_heads} key/value heads evenly")
    return n_heads // n_kv_heads


def kv_head_of(head: int, n_heads: int, n_kv_heads: int) -> int:
    """The key/value head that a query head reads."""
    return head // group_size(n_heads, n_kv_heads)


def readers_of(kv_head: int, n_heads: int, n_kv_heads: int) -> range:
    """The query heads that read a key/value head."""
    group = group_size(n_heads, n_kv_heads)
    return range(kv_head * group, (kv_head + 1) * group)
