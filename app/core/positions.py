"""Position encodings: what tells the first word from the last.

A position can enter in two places, and its row of ``POSITIONS`` says in which: added to the vectors (``Added``, ``LookedUp``),
or between, where it turns queries and keys or changes scores by distance (``Between``: after q, k and v, before ``attend``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from app.core.distances import Shapes, alibi, alibi_slopes, relative, relative_tables, t5, t5_table
from app.core.operations import ops
from app.core.options import call, options_of
from app.core.record.array import Array, apply
from app.core.record.trace import Trace
from app.core.rotary import name_angles, rotate, rotate_newest


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
    """What the positions can be told, and what holds where nothing is said; each names in its signature what it reads."""

    max_positions: int = 16
    """Learned: how many rows the table has."""
    rope_base: float = 10000.0
    """Rotary: the slowest pair turns about once in 2π · base tokens."""
    start: int = 0
    """Rotary: the position of the first token."""
    causal: bool = False
    """T5: all buckets are for what came before."""
    max_distance: int = 4
    """Relative: from here on all distances share the last row. T5: the last bucket (128 in the trained models)."""
    n_buckets: int = 4
    """T5: how many rows the table has (32 in the trained models)."""


DEFAULT = PositionOptions()


def rope(t: Trace, *, rope_base: float, start: int) -> None:
    """Turn queries and keys; column c is paired with column c + d_head/2. See ``rotate``."""
    rotate(t, "half_split", rope_base, start)


def rope_interleaved(t: Trace, *, rope_base: float, start: int) -> None:
    """Turn queries and keys; each even column is paired with its neighbour. See ``rotate``."""
    rotate(t, "interleaved", rope_base, start)


def rope_angles(t: Trace, places: int, n_heads: int, d_head: int, *, rope_base: float, start: int) -> None:
    """Name the angles of all places of a text. See ``name_angles``."""
    name_angles(t, places, d_head, rope_base, start)


def rope_newest(t: Trace, place: int) -> None:
    """Turn the query and the key of one new token as ``rope`` does. See ``rotate_newest``."""
    rotate_newest(t, "half_split", place)


def rope_interleaved_newest(t: Trace, place: int) -> None:
    """Turn the query and the key of one new token as ``rope_interleaved`` does. See ``rotate_newest``."""
    rotate_newest(t, "interleaved", place)


def nothing_shared(t: Trace, places: int, n_heads: int, d_head: int) -> None:
    """Name nothing that all tokens share."""


def nothing_learned(n_heads: int, d_head: int, d_v: int) -> Shapes:
    """No table: the position is a rule."""
    return {}


@dataclass(frozen=True, slots=True)
class Added:
    """A position that is added to each token's vector: ``make(n, d_model)``. It cannot act where q, k and v are given."""

    make: Callable[[int, int], Array]


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A position that is added to each token's vector, from a learned table: ``take(table, n)``."""

    take: Callable[[Array, int], Array]


@dataclass(frozen=True, slots=True)
class Between:
    """A position that acts on queries, keys and scores: ``act(t)`` with the options it names, after its tables are named.

    It needs scores as plain attention makes them, so it cannot act in other mechanisms.
    """

    act: Callable[..., None]
    learns: Callable[..., Shapes] = nothing_learned
    """The tables that are needed: from n_heads, d_head, d_v and the options it names."""
    share: Callable[..., None] = nothing_shared
    """``share(t, places, n_heads, d_head)`` with the options it names: name what is the same for all tokens of a text."""
    newest: Callable[[Trace, int], None] | None = None
    """``newest(t, place)``: what it does to a new token's own query and key, before the key is kept in a cache.

    None: it leaves them as they are, and acts where the query meets the keys."""


POSITIONS: dict[str, Added | LookedUp | Between] = {
    "sinusoidal": Added(sinusoidal),
    "learned": LookedUp(learned),
    "rope": Between(rope, share=rope_angles, newest=rope_newest),
    "rope_interleaved": Between(rope_interleaved, share=rope_angles, newest=rope_interleaved_newest),
    "alibi": Between(alibi, share=alibi_slopes),
    "relative": Between(relative, relative_tables),
    "t5": Between(t5, t5_table),
}
SHARED = ("angles", "slopes", "rel_k", "rel_v", "rel_table")
"""What a position names once, for all tokens of a text."""
BETWEEN: dict[str, Between] = {name: row for name, row in POSITIONS.items() if isinstance(row, Between)}


def act_between(t: Trace, name: str, options: PositionOptions = DEFAULT) -> None:
    """Let a position act on the q, k and v of a trace. Errors: KeyError for one that does not act there; as its function."""
    call(BETWEEN[name].act, t, options=options)


def name_shared(t: Trace, name: str, places: int, n_heads: int, options: PositionOptions = DEFAULT) -> None:
    """Name what a position needs once for a whole text, before its first token comes.

    Shapes: w_q (d_model, n_heads · d_head). Errors: as the position's function.
    """
    if name in BETWEEN:
        call(BETWEEN[name].share, t, places, n_heads, t.w_q.shape[1] // n_heads, options=options)


def turn_newest(t: Trace, name: str, place: int) -> Array:
    """Let a position act on the query and the key of one new token, and say which key is to be kept.

    Shapes: q (n_heads, 1, d_head), new_k (n_kv_heads, 1, d_head) -> new_k or what became of it.
    """
    row = BETWEEN.get(name)
    if row is None or row.newest is None:
        return t.new_k
    row.newest(t, place)
    return t.new_k_rot


def act_on_scores(t: Trace, name: str, options: PositionOptions = DEFAULT) -> None:
    """Let a position that knows distances act where the newest query meets the keys that are kept."""
    row = BETWEEN.get(name)
    if row is not None and row.newest is None:
        call(row.act, t, options=options)


def tables_of(name: str, n_heads: int, d_head: int, d_v: int, options: PositionOptions = DEFAULT) -> Shapes:
    """The learned tables that must be named before a position acts on q, k and v."""
    return call(BETWEEN[name].learns, n_heads, d_head, d_v, options=options)


def positions_with(option: str) -> tuple[str, ...]:
    """The names of the positions that read an option: ``positions_with("max_distance")``."""
    return tuple(name for name, row in POSITIONS.items() if option in _options_of(row))


def _options_of(row: Added | LookedUp | Between) -> tuple[str, ...]:
    if isinstance(row, Between):
        return options_of(row.act) + options_of(row.learns)
    return ("max_positions",) if isinstance(row, LookedUp) else ()
