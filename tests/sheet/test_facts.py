"""Facts: what is said of a form in numbers."""

import pytest

from app.sheet.facts import facts
from tests.support.computing import computed


def told(query: str, code: str) -> list[dict[str, object]]:
    return [dict(fact.details) for fact in facts(computed(query)) if fact.code == code]


@pytest.mark.parametrize(
    ("query", "sizes"),
    [
        (
            "text=the dog runs&d_model=8&n_heads=4&n_kv_heads=2",
            {4: "2×1×4×2×3×1×1 = 48", 2: "2×1×2×2×3×1×1 = 24", 1: "2×1×1×2×3×1×1 = 12"},
        ),
        ("text=the dog runs&d_model=8&n_heads=4&n_kv_heads=1", {4: "2×1×4×2×3×1×1 = 48", 1: "2×1×1×2×3×1×1 = 12"}),
        ("text=the dog runs", {}),
    ],
)
def test_the_cache_is_sized_for_all_heads_for_those_chosen_and_for_one(query: str, sizes: dict[int, str]) -> None:
    found = told(query, "cache_size")
    assert [(fact["kv"], fact["written"]) for fact in found] == list(sizes.items())


def test_who_reads_which_head_is_said() -> None:
    found = told("text=a b&d_model=8&n_heads=4&n_kv_heads=2", "readers")
    assert found == [{"kv": 1, "heads": "1, 2"}, {"kv": 2, "heads": "3, 4"}]


@pytest.mark.parametrize(("tile", "times"), [(1, 3), (2, 2), (3, None)])
def test_tiles_are_too_small_where_they_read_and_write_more_than_the_plain_way(tile: int, times: int | None) -> None:
    query = f"text=the dog runs&mechanism=tiled&d_model=16&n_heads=1&tile_q={tile}&tile_k={tile}"
    (plain,), (tiled,) = told(query, "traffic_plain"), told(query, "traffic_tiled")
    assert plain["total"] == 4 * 3 * 16 + 4 * 9  # q, k, v and the mix; scores and weights, written and read again
    assert (int(str(tiled["total"])) > int(str(plain["total"]))) == (times is not None)
    assert told(query, "tiles_small") == ([{"times": times}] if times else [])


def test_hidden_cells_are_counted() -> None:
    assert told("text=the dog runs&mask=causal", "mask_cells") == [{"allowed": 6, "hidden": 3}]
    assert told("text=the dog runs", "mask_cells") == []


def test_where_queries_and_keys_differ_in_number_the_page_says_from_where_places_are_counted() -> None:
    given = "q=1&k=1;1;1;1;1&v=1;2;3;4;5"
    for more in ("&position=t5&n_buckets=8&max_distance=16", "&position=alibi", "&position=relative", "&mask=causal"):
        assert told(given + more, "places_end") == [{"queries": 1, "keys": 5}]
    for silent in (given, "text=a b&position=alibi&mask=causal"):
        assert told(silent, "places_end") == []


@pytest.mark.parametrize(
    ("mask", "told_of"),
    [
        ("", "both"),
        ("&mask=causal", "back"),
        ("&mask=causal&two_sided=yes", "back"),
        ("&mask=sliding_window", "back"),
        ("&mask=sliding_window&two_sided=yes", "both"),
        ("&mask=dilated", "back"),
        ("&mask=prefix", "both"),
        ("&allow=10;11", "both"),
    ],
)
def test_the_direction_of_t5_is_told_by_the_masks_name(mask: str, told_of: str) -> None:
    query = f"text=a b&position=t5&n_buckets=4{mask}"
    assert (told(query, "buckets_back"), told(query, "buckets_both")) == (([{}], []) if told_of == "back" else ([], [{}]))
    later = computed(query).trace["buckets"].value[0, 1]
    assert later == (0 if told_of == "back" else 3)


def test_hiding_a_cell_changes_no_row_that_was_not_touched() -> None:
    query = "text=a b c d&position=t5&n_buckets=8&max_distance=16&n_heads=1&allow="
    one, two = (computed(query + allow).trace.weights.value[0, 3] for allow in ("1100;1100;1110;1111", "1000;1100;1110;1111"))
    assert (one == two).all()
    assert one == pytest.approx([0.5244582888, 0.1217373552, 0.0304768049, 0.3233275510], abs=1e-9)


def test_one_query_stands_where_the_last_of_many_stands() -> None:
    query = "q=1&k=1;1;1;1;1&v=1;2;3;4;5&position=t5&n_buckets=8&max_distance=16"
    assert computed(query).trace["buckets"].value.tolist() == [[2, 2, 2, 1, 0]]
