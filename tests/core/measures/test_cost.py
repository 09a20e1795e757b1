"""What attention costs in memory, learned numbers and multiplications."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.heads import share_heads
from app.core.layers.experts import expert_shapes
from app.core.layers.feed_forward import ACTIVATIONS, feed_forward_shapes
from app.core.layers.layer import LayerForm, layer_shapes
from app.core.layers.widths import Widths
from app.core.measures import cost
from app.core.record.array import given as array_given
from tests.core.block_reference import case, numbers
from tests.core.layer_oracle import make

UNEVEN = Widths(d_model=6, n_heads=4, n_kv_heads=2, d_head=3, d_v=5)
counts = st.integers(1, 9)


def test_the_cache_agrees() -> None:
    entries = numbers()["kv_cache"]
    assert len(entries) == 7
    for entry in entries:
        sizes = {name: entry[name] for name in ("layers", "n_kv_heads", "d_head", "tokens")}
        numbers_kept = cost.cache_numbers(**sizes)
        assert cost.in_bytes(numbers_kept, entry["bytes_per_number"], entry["batch"]).value == entry["bytes"]


def test_the_cache_writes_out_its_product() -> None:
    """The published sizes of Llama 3 8B: 32 layers, 32 query and 8 key/value heads, heads 128 wide, 8192 tokens."""
    kept = cost.cache_numbers(32, 8, 128, 8192)
    assert kept.written == "2×32×8×128×8192 = 536870912"
    assert cost.in_bytes(kept, 2).written == "2×32×8×128×8192×2 = 1073741824"
    assert cost.in_bytes(kept, 2, batch=3).written == "2×32×8×128×8192×2×3 = 3221225472"


def test_values_that_are_wider_than_keys_are_counted_by_themselves() -> None:
    assert cost.cache_numbers(1, 2, 2, 3, d_v=3).written == "1×2×2×3 + 1×2×3×3 = 30"
    assert cost.cache_numbers(1, 1, 2, 3, d_v=3).value == 15
    assert cost.cache_numbers(1, 2, 2, 3, d_v=2) == cost.cache_numbers(1, 2, 2, 3)


def test_with_a_window_the_cache_stops_growing() -> None:
    asked, expected, _ = case("KVC-02")
    sizes = asked["layers"], asked["n_kv_heads"], asked["head_dim"]
    kept = [cost.cache_numbers(*sizes, tokens, window=asked["window"]) for tokens in asked["tokens"]]
    got = [cost.in_bytes(numbers_kept, asked["bytes"]).value for numbers_kept in kept]
    assert got == expected["bytes"]


def test_key_value_heads_are_counted_and_are_no_group_size() -> None:
    asked, expected, faults = case("KVC-03")
    groups = cost.readers(**asked)
    assert len(groups) == asked["n_kv_heads"] != faults["read as group size"]["n_kv"]
    assert {len(group) for group in groups} == {expected["query_heads_per_kv_head"]}
    assert [next(kv for kv, group in enumerate(groups) if a in group) for a in range(12)] == expected["kv_head_of_query_head"]
    assert cost.cache_share(**asked) == expected["cache_ratio_to_mha"] != faults["read as group size"]["ratio"]


@pytest.mark.parametrize(("n_heads", "n_kv_heads"), [(1, 1), (4, 4), (4, 2), (6, 2), (6, 1)])
def test_who_reads_which_head_is_what_attention_does(n_heads: int, n_kv_heads: int) -> None:
    shared = share_heads(array_given(np.arange(float(n_kv_heads))[:, None, None]), n_heads).value[:, 0, 0]
    assert cost.readers(n_heads, n_kv_heads) == [np.flatnonzero(shared == kv).tolist() for kv in range(n_kv_heads)]


@pytest.mark.parametrize(("n_heads", "n_kv_heads"), [(4, 3), (2, 4), (4, 0)])
def test_heads_that_cannot_share_evenly_are_refused_with_both_numbers(n_heads: int, n_kv_heads: int) -> None:
    with pytest.raises(ValueError, match=f"{n_heads} query heads .* {n_kv_heads} key/value"):
        cost.cache_share(n_heads, n_kv_heads)


def test_learned_numbers_of_attention_by_hand() -> None:
    count = cost.attention_parameters(UNEVEN)
    assert count.written == "6×12 + 6×6 + 6×10 + 20×6 = 288"
    assert [term.name for term in count.terms] == ["w_q", "w_k", "w_v", "w_o"]
    assert cost.attention_parameters(Widths(512, 8, 8, 64, 64)).value == 4 * 512 * 512


def test_multiplications_of_attention_by_hand() -> None:
    count = cost.attention_multiplications(UNEVEN, n_q=2, n_k=7)
    assert count.written == "2×6×12 + 7×6×6 + 7×6×10 + 4×2×7×3 + 4×2×7×5 + 2×20×6 = 1504"
    assert [term.name for term in count.terms] == ["w_q", "w_k", "w_v", "scores", "z", "w_o"]


@given(counts, counts, counts, counts, counts, counts, counts)
def test_multiplications_are_those_of_plain_loops(
    d_model: int, kv_heads: int, group: int, d_head: int, d_v: int, n_q: int, n_k: int
) -> None:
    """Each cell of a product costs as many multiplications as the row is long."""
    heads = kv_heads * group
    widths = Widths(d_model, heads, kv_heads, d_head, d_v)
    expected = {
        "w_q": n_q * heads * d_head * d_model,
        "w_k": n_k * kv_heads * d_head * d_model,
        "w_v": n_k * kv_heads * d_v * d_model,
        "scores": heads * n_q * n_k * d_head,
        "z": heads * n_q * d_v * n_k,
        "w_o": n_q * d_model * heads * d_v,
    }
    assert {term.name: term.value for term in cost.attention_multiplications(widths, n_q, n_k).terms} == expected


@pytest.mark.parametrize("activation", [*ACTIVATIONS, "swiglu"])
def test_learned_numbers_are_the_cells_of_the_learned_arrays(activation: str) -> None:
    form = LayerForm(4, 2, activation=activation)
    t, _ = make(0, form).run()
    cells = {name.removeprefix("layer.0."): t[name].value.size for name in t if t[name].kind == "parameter"}
    attention = cost.attention_parameters(Widths(6, 4, 2, 2, 5))
    network = cost.feed_forward_parameters(activation, 6, 7)
    assert all(cells[term.name] == term.value for term in (*attention.terms, *network.terms))
    assert set(cells) == set(layer_shapes(form, 6, 2, 7, 5))
    assert {term.name for term in network.terms} == set(feed_forward_shapes(activation, 6, 7))


def test_a_mixture_holds_many_numbers_and_uses_few() -> None:
    total, active = (cost.expert_parameters("swiglu", 4, 2, used, 5) for used in (5, 2))
    assert total.written == "4×5 + 5×4×2 + 5×4×2 + 5×2×4 = 140"
    assert active.written == "4×5 + 2×4×2 + 2×4×2 + 2×2×4 = 68"


@pytest.mark.parametrize("activation", ["relu", "swiglu"])
def test_the_total_of_a_mixture_is_every_array_it_learns(activation: str) -> None:
    shapes = expert_shapes(activation, 4, 2, 5)
    assert cost.expert_parameters(activation, 4, 2, 5, 5).value == sum(int(np.prod(shape)) for shape in shapes.values())
