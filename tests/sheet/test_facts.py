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
            {4: "2×1×4×2×3 = 48", 2: "2×1×2×2×3 = 24", 1: "2×1×1×2×3 = 12"},
        ),
        ("text=the dog runs&d_model=8&n_heads=4&n_kv_heads=1", {4: "2×1×4×2×3 = 48", 1: "2×1×1×2×3 = 12"}),
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


def test_the_cache_is_said_in_bytes_too_and_wide_values_are_counted_as_they_are() -> None:
    assert [fact["bytes"] for fact in told("text=the dog runs&d_model=8&n_heads=4&n_kv_heads=2", "cache_size")] == [96, 48, 24]
    wide = "q=1,1,1,1&k=1,1;1,1;1,1&v=1,1,1;1,1,1;1,1,1&n_heads=2&n_kv_heads=1"
    found = [(fact["written"], fact["bytes"]) for fact in told(wide, "cache_size_wide")]
    assert found == [("1×2×2×3 + 1×2×3×3 = 30", 60), ("1×1×2×3 + 1×1×3×3 = 15", 30)]


def test_induction_is_said_of_causal_stacks_from_their_second_layer_on_beside_what_equal_shares_give() -> None:
    """a b a c: the second a (number 3) sees three words, one of them b; equal shares give a third."""
    deep = "text=a b a c&split=spaces&n_layers=3&mask=causal&d_model=4&n_heads=2"
    found = told(deep, "induction")
    assert [(fact["layer"], fact["even"]) for fact in found] == [(2, "0.333"), (3, "0.333")]
    weights = computed(deep).trace["layer.1.weights"].value[:, 2, 1]
    assert found[0]["scores"] == ", ".join(f"{weight:.3f}" for weight in weights)
    for silent in (
        "text=a b a c&split=spaces",
        "text=a b a c&split=spaces&mask=causal",
        "text=a b a c&split=spaces&mask=causal&n_layers=1",
        "text=a b a c&split=spaces&n_layers=2",
        "text=a b a c&split=spaces&n_layers=2&mask=causal&padding=1101",
        "text=a b a c&split=spaces&n_layers=2&mask=causal&padding=1011",
        "text=a b c&n_layers=2&mask=causal",
    ):
        assert told(silent, "induction") == []


def test_what_is_said_of_masks_holds_for_each_layer_after_edits() -> None:
    deep = "text=a b&n_layers=2&mask=causal"
    assert told(deep, "mask_cells") == [{"allowed": 3, "hidden": 1}]
    edited = f"{deep}&edits=layer.1.mask[0,0]=0"
    assert told(edited, "mask_cells") == []
    assert told(edited, "mask_cells_layer") == [
        {"layer": 1, "allowed": 3, "hidden": 1},
        {"layer": 2, "allowed": 2, "hidden": 2},
    ]
    assert [(n.code, n.details) for n in computed(edited).notices] == [("empty_row_layer", {"layer": 2, "rows": "a"})]
    assert [n.code for n in computed("text=a b&n_layers=2&allow=00;11").notices] == ["empty_row"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("text=a b c&mechanism=cached&mask=causal&edits=token.1.v[0,0,0]=5", "cache_difference"),
        ("text=a b c&mechanism=cached&mask=causal&edits=mask[0,2]=1", "cache_past"),
        ("text=a b c&mechanism=state_space&edits=token.1.h[0,0,0]=5", "ssm_left"),
    ],
)
def test_nothing_is_said_to_be_equal_that_an_edit_has_made_different(query: str, code: str) -> None:
    assert told(query.partition("&edits")[0], code)
    assert told(query, code) == []
    assert told(query, f"{code}_edited")
