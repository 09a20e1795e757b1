"""Position encodings: what tells the first word from the last.

Three places where a position can enter: added to the vectors (``POSITIONS``, ``learned``), turning queries and keys, or
changing scores by distance (``BETWEEN``: called after q, k and v are there and before ``attend``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from app.core.operations import ops
from app.core.operations.distances import Buckets, Clip, SlopeBias, Slopes
from app.core.operations.lookup import PickBias
from app.core.record.array import Array, apply
from app.core.record.trace import Trace
from app.core.rotary import rotate


class TooLong(ValueError):
    """A text with more tokens than the table of positions has rows."""

    def __init__(self, n: int, max_positions: int) -> None:
        super().__init__(f"the text has {n} tokens, the table of positions only {max_positions} rows")
        self.n, self.max_positions = n, max_positions


def sinusoidal(n: int, d_model: int) -> Array:
    """Give each position a fingerprint of waves, from fast to slow.

    Shapes: (n, d_model). Even columns are sines, odd columns cosines; position 0 comes first.
    Source: Vaswani et al. 2017, section 3.5.
    """
    return apply(ops.Sinusoid(n, d_model))


POSITIONS: dict[str, Callable[[int, int], Array]] = {"sinusoidal": sinusoidal}


def learned(table: Array, n: int) -> Array:
    """Look up each position's learned row: the first n rows of the table.

    Shapes: table (max_positions, d_model) -> (n, d_model).
    Errors: TooLong where the text has more tokens than the table has rows.
    Source: Gehring et al. 2017, section 3.1; Devlin et al. 2019 (BERT), section 3.
    """
    if n > table.shape[0]:
        raise TooLong(n, table.shape[0])
    return table.take_rows(range(n))


def count_real(real: Sequence[bool]) -> list[int]:
    """Positions that count only real tokens, so that padding on the left moves nothing. Padding gets position 0."""
    return [int(place) for place in np.maximum(np.cumsum(np.asarray(real, dtype=bool)) - 1, 0)]


@dataclass(frozen=True, slots=True)
class PositionOptions:
    """What the positions can be told; each reads what it needs."""

    base: float = 10000.0
    """Rotary: the slowest pair turns about once in 2π · base tokens."""
    start: int = 0
    """Rotary: the position of the first token."""
    causal: bool = False
    """ALiBi: distance is i − j, not its size. T5: all buckets are for what came before."""
    max_distance: int = 128
    """T5: from here on all distances share the last bucket."""


DEFAULT = PositionOptions()


def rope(t: Trace, options: PositionOptions = DEFAULT) -> None:
    """Turn queries and keys; column c is paired with column c + d_head/2. See ``rotate``."""
    rotate(t, "half_split", options.base, options.start)


def rope_interleaved(t: Trace, options: PositionOptions = DEFAULT) -> None:
    """Turn queries and keys; each even column is paired with its neighbour. See ``rotate``."""
    rotate(t, "interleaved", options.base, options.start)


def alibi(t: Trace, options: PositionOptions = DEFAULT) -> None:
    """Make far keys count less: each head takes off its own slope for every step of distance.

    Shapes: q (n_heads, n_q, d_head), k (n_kv_heads, n_k, d_head) -> slopes (n_heads, 1), bias (n_heads, n_q, n_k).
    Source: Press et al. 2022 (ALiBi), section 3.
    """
    n_heads, n_q, _ = t.q.shape
    t.slopes = apply(Slopes(n_heads, str(t.q.value.dtype)))
    t.bias = apply(SlopeBias(n_q, t.k.shape[1], options.causal), t.slopes)


def relative(t: Trace, options: PositionOptions = DEFAULT) -> None:
    """Say for each query and key which learned row of distances they share; far distances share the last row.

    Shapes: rel_k (2 · max_distance + 1, d_head), rel_v (2 · max_distance + 1, d_v), both named before -> rel_index (n_q, n_k).
    Errors: ValueError where the tables have no middle row or differ in rows.
    Source: Shaw et al. 2018, section 3.2.
    """
    rows = t.rel_k.shape[0]
    if rows % 2 == 0 or t.rel_v.shape[0] != rows:
        raise ValueError(f"rel_k and rel_v need the same odd number of rows, not {rows} and {t.rel_v.shape[0]}")
    t.rel_index = apply(Clip(t.q.shape[1], t.k.shape[1], rows // 2))


def t5(t: Trace, options: PositionOptions = DEFAULT) -> None:
    """Add to each score a learned number for its distance; far distances share buckets.

    Shapes: rel_table (n_buckets, n_heads), named before -> buckets (n_q, n_k), bias (n_heads, n_q, n_k).
    Errors: ValueError where the table has no column for a head, or the buckets cannot be shared out.
    Source: Raffel et al. 2020 (T5), section 2.1.
    """
    (n_buckets, columns), (n_heads, n_q, _) = t.rel_table.shape, t.q.shape
    sides = 1 if options.causal else 2
    if columns != n_heads:
        raise ValueError(f"rel_table needs a column for each of the {n_heads} heads, not {columns}")
    if n_buckets < 2 * sides or n_buckets % sides:
        raise ValueError(f"n_buckets must be {'2 or more' if sides == 1 else 'even, and 4 or more'}, not {n_buckets}")
    if options.max_distance <= n_buckets // sides // 2:
        raise ValueError(f"max_distance must be above {n_buckets // sides // 2}, not {options.max_distance}")
    t.buckets = apply(Buckets(n_q, t.k.shape[1], n_buckets, options.max_distance, not options.causal))
    t.bias = apply(PickBias(), t.rel_table, t.buckets)


BETWEEN: dict[str, Callable[[Trace, PositionOptions], None]] = {
    "rope": rope,
    "rope_interleaved": rope_interleaved,
    "alibi": alibi,
    "relative": relative,
    "t5": t5,
}
