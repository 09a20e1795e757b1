"""How many numbers travel between slow and fast memory, for plain and for tiled attention."""

from dataclasses import dataclass

from app.core.operations.reshape import spans


@dataclass(frozen=True, slots=True)
class Traffic:
    """How many numbers travel between the slow, large memory and the fast, small one."""

    read: int
    written: int

    @property
    def total(self) -> int:
        """Read and written together."""
        return self.read + self.written


def plain_traffic(n_heads: int, n_q: int, n_k: int, d_head: int, d_v: int) -> Traffic:
    """The plain way reads Q and K and writes S; reads S and writes A; reads A and V and writes Z.

    The scale and the mask are worked out on the way and do not travel. Every head reads its own keys and values.
    Source: Dao et al. 2022, algorithm 0.
    """
    table = n_q * n_k
    read = n_q * d_head + n_k * d_head + 2 * table + n_k * d_v
    return Traffic(n_heads * read, n_heads * (2 * table + n_q * d_v))


def tiled_traffic(n_heads: int, n_q: int, n_k: int, d_head: int, d_v: int, tile_q: int) -> Traffic:
    """The tiled way reads Q once, all of K and V once for every tile of queries, and writes Z; S and A never travel.

    The size of the key tiles changes how much fast memory is needed, not how much travels. Every tile is read, also one
    in which the mask hides all.
    Source: Dao et al. 2022, section 3.2, theorem 2; the loop order: Dao 2023 (FlashAttention-2), section 3.2.
    """
    passes = len(spans(n_q, tile_q))
    return Traffic(n_heads * (n_q * d_head + passes * n_k * (d_head + d_v)), n_heads * n_q * d_v)
