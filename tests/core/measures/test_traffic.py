"""Numbers that travel: counted by formula and by a walk over the tiles."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.measures.traffic import Traffic, plain_traffic, tiled_traffic


def test_traffic_by_hand() -> None:
    """2 heads, 3 queries, 7 keys, keys 5 wide, values 4 wide; one by one."""
    assert plain_traffic(2, 3, 7, 5, 4) == Traffic(2 * (15 + 35 + 21 + 21 + 28), 2 * (21 + 21 + 12))
    assert tiled_traffic(2, 3, 7, 5, 4, tile_q=2) == Traffic(2 * (15 + 2 * (35 + 28)), 2 * 12)
    assert tiled_traffic(2, 3, 7, 5, 4, tile_q=3).total == 2 * (15 + 35 + 28 + 12)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 4), st.integers(1, 4), st.integers(1, 9), st.integers(1, 9))
def test_traffic_is_what_a_walk_over_the_tiles_counts(
    n_q: int, n_k: int, d_head: int, d_v: int, tile_q: int, tile_k: int
) -> None:
    read = written = 0
    for first in range(0, n_q, tile_q):
        queries = min(tile_q, n_q - first)
        read += queries * d_head
        for start in range(0, n_k, tile_k):
            read += min(tile_k, n_k - start) * (d_head + d_v)
        written += queries * d_v
    assert tiled_traffic(1, n_q, n_k, d_head, d_v, tile_q) == Traffic(read, written)
    assert tiled_traffic(3, n_q, n_k, d_head, d_v, tile_q).total == 3 * (read + written)


def test_one_tile_of_queries_always_travels_less_and_tiny_tiles_may_travel_more() -> None:
    plain = plain_traffic(1, 16, 16, 4, 4)
    assert tiled_traffic(1, 16, 16, 4, 4, 16).total == plain.total - 4 * 16 * 16
    assert tiled_traffic(1, 16, 16, 4, 4, 1).total > plain.total
