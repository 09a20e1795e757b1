"""Tiled attention: the same answer as the plain way, tile by tile."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.masks import causal
from app.core.mechanisms.tiled import difference_from_plain, tiled_attention
from app.core.operations.ops import NotFinite
from app.core.record.array import given as array_given
from app.core.record.trace import Edits, Trace
from tests.core.build import Numbers, Values
from tests.core.long import assert_explained, assert_no_nan, case, draw, one_head, reference, seeds
from tests.core.oracle import head
from tests.core.reference import same
from tests.support.examples import examples


def tiled(
    q: Numbers,
    k: Numbers,
    v: Numbers,
    *,
    mask: Numbers | None = None,
    tiles: tuple[int, int] = (2, 2),
    scale: str | float = "sqrt",
    edits: Edits | None = None,
) -> Trace:
    """Tiled attention over heads of q, k, v."""
    t = Trace(edits)
    t.q, t.k, t.v = array_given(q), array_given(k), array_given(v)
    shape = (t.q.shape[1], t.k.shape[1])
    tiled_attention(t, array_given(np.ones(shape, bool) if mask is None else np.asarray(mask, bool)), *tiles, scale)
    t.finish()
    return t


def from_case(name: str, tiles: tuple[int, int], scale: str | float = "sqrt") -> Trace:
    given_input, _, _ = case(name)
    return tiled(*(one_head(given_input[key]) for key in "qkv"), tiles=tiles, scale=scale)


def by_hand(edits: Edits | None = None) -> Trace:
    """Four keys with scores 0, ln 2, ln 4, 0 and values 1, 2, 3, 4, two a tile: every power of e is a power of two."""
    return tiled([[[1.0]]], [[[0], [math.log(2)], [math.log(4)], [0]]], [[[1], [2], [3], [4]]], scale="none", edits=edits)


def test_two_tiles_by_hand() -> None:
    t = by_hand()
    assert same(t["tile.0.0.powers"].value, [[[1 / 2, 1]]])
    assert same(t["tile.0.0.l"].value, [[[3 / 2]]])
    assert same(t["tile.0.0.acc"].value, [[[5 / 2]]])
    assert same(t["tile.0.1.correction"].value, [[[1 / 2]]])
    assert same(t["tile.0.1.powers"].value, [[[1, 1 / 4]]])
    assert same(t["tile.0.1.l"].value, [[[3 / 4 + 5 / 4]]])
    assert same(t["tile.0.1.acc"].value, [[[5 / 4 + 3 + 1]]])
    assert same(t.z.value, [[[21 / 8]]])


def test_the_first_tile_starts_from_nothing() -> None:
    t = by_hand()
    assert t["tile.0.start.m"].value.item() == -math.inf
    assert t["tile.0.start.l"].value.item() == t["tile.0.start.acc"].value.item() == t["tile.0.0.correction"].value.item() == 0
    assert t.explain("tile.0.0.m", (0, 0, 0)).expression == "max(−∞, 0.693) ≈ 0.693"
    assert t.explain("tile.0.0.correction", (0, 0, 0)).expression == "e^(−∞ − 0.693) ≈ 0"


def test_the_sum_is_written_with_its_correction() -> None:
    assert by_hand().explain("tile.0.1.l", (0, 0, 0)).expression == "(1.5×0.5) + (1 + 0.25) = 2"


def test_steps_are_named_tile_by_tile() -> None:
    names = [name for name in tiled(draw(1, 2, 3, 5), draw(2, 2, 7, 5), draw(3, 2, 7, 4), tiles=(2, 4)) if "." in name]
    assert [name for name in names if name.endswith(".m")] == [f"tile.{i}.{j}.m" for i in (0, 1) for j in ("start", 0, 1)]
    assert [name for name in names if name.startswith("tile.0.1.")] == [
        f"tile.0.1.{step}" for step in ("scores", "scaled", "mask", "masked", "tile_max", "m", "correction", "powers", "l", "acc")
    ]
    assert [name for name in names if name.endswith(".z")] == ["tile.0.z", "tile.1.z"]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_running_numbers_agree_after_every_tile(size: int) -> None:
    assert len(reference()["tiling"]) == 3
    for entry in reference()["tiling"]:
        q, k, v = (one_head(entry[name]) for name in "qkv")
        mask = np.ones((q.shape[1], k.shape[1])) if entry["mask"] == "none" else causal(q.shape[1], k.shape[1])
        t = tiled(q, k, v, mask=mask, tiles=(q.shape[1], size))
        assert same(t.z.value[0], entry["dense_output"])
        for number, expected in enumerate(entry["traces"][str(size)]):
            assert_tile(t, f"tile.0.{number}", expected)
            assert t[f"tile.0.{number}.scores"].shape[-1] == expected["keys"][1] - expected["keys"][0]


def assert_tile(t: Trace, name: str, expected: dict[str, Any]) -> None:
    assert same(t[f"{name}.m"].value[0, :, 0], expected["m"])
    assert same(t[f"{name}.l"].value[0, :, 0], expected["l"])
    assert same(t[f"{name}.acc"].value[0], expected["acc"])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7, 8])
def test_a_ragged_last_tile_adds_nothing(size: int) -> None:
    _, expected, _ = case("TIL-01")
    t = from_case("TIL-01", (size, size))
    assert same(t.z.value[0], expected["output"])
    if size == 3:
        whole = from_case("TIL-01", (5, 3))
        for number, tile in enumerate(expected["trace_tile_3"]):
            assert_tile(whole, f"tile.0.{number}", tile)


def test_the_accumulator_shrinks_when_the_largest_score_grows() -> None:
    _, expected, faults = case("TIL-03")
    t = from_case("TIL-03", (1, 2), scale=1.0)
    assert same(t.z.value[0], expected["output"])
    assert not same(t.z.value[0], faults["no rescale"])
    for number, tile in enumerate(expected["trace"]):
        assert_tile(t, f"tile.0.{number}", tile)


@examples(60)
@given(seeds, st.integers(1, 5), st.integers(1, 8), st.sampled_from(["none", "causal", "random"]))
def test_tiled_equals_plain_for_every_tile_size(seed: int, tile_q: int, tile_k: int, kind: str) -> None:
    masks = {"none": np.ones((3, 7)), "causal": causal(3, 7), "random": draw(seed + 3, 3, 7) < 0}
    t = tiled(draw(seed, 4, 3, 5) * 3, draw(seed + 1, 2, 7, 5), draw(seed + 2, 2, 7, 6), mask=masks[kind], tiles=(tile_q, tile_k))
    assert difference_from_plain(t, "sqrt") < 1e-13
    assert t.z.shape == (4, 3, 6)
    assert_no_nan(t)


@examples(60)
@given(seeds, st.integers(1, 4), st.integers(1, 8), st.sampled_from(["sqrt", "none", 0.5]))
def test_tiled_agrees_with_plain_loops(seed: int, tile_q: int, tile_k: int, scale: str | float) -> None:
    q, k, v = draw(seed, 2, 3, 5), draw(seed + 1, 2, 7, 5), draw(seed + 2, 2, 7, 4)
    mask = draw(seed + 3, 3, 7) < 0.5
    t = tiled(q, k, v, mask=mask, tiles=(tile_q, tile_k), scale=scale)
    factor = {"sqrt": 1 / math.sqrt(5), "none": 1.0}.get(str(scale), 0.5)
    for number in range(2):
        expected = head(q[number].tolist(), k[number].tolist(), v[number].tolist(), mask.tolist(), factor, "softmax")
        assert same(t.z.value[number], expected["z"], 1e-12)


@examples(40)
@given(seeds, st.integers(1, 4), st.integers(1, 4))
def test_the_running_numbers_are_those_of_all_keys_so_far(seed: int, tile_q: int, tile_k: int) -> None:
    """A second way to each m, l and acc: from all scores seen so far, at once."""
    q, k, v = draw(seed, 1, 3, 2) * 2, draw(seed + 1, 1, 7, 2), draw(seed + 2, 1, 7, 4)
    t = tiled(q, k, v, tiles=(tile_q, tile_k))
    scores = q[0] @ k[0].T / math.sqrt(2)
    for i, first in enumerate(range(0, 3, tile_q)):
        for j, start in enumerate(range(0, 7, tile_k)):
            seen = scores[first : first + tile_q, : start + tile_k]
            top = seen.max(axis=1, keepdims=True)
            powers = np.exp(seen - top)
            assert same(t[f"tile.{i}.{j}.m"].value[0], top, 1e-12)
            assert same(t[f"tile.{i}.{j}.l"].value[0], powers.sum(axis=1, keepdims=True), 1e-12)
            assert same(t[f"tile.{i}.{j}.acc"].value[0], powers @ v[0, : start + tile_k], 1e-12)


@examples(30)
@given(seeds, st.integers(1, 3), st.integers(1, 4), st.sampled_from(["whole", "full"]))
def test_every_cell_of_every_tile_is_explained(seed: int, tile_q: int, tile_k: int, style: str) -> None:
    q, k, v = draw(seed, 2, 3, 2) * 2, draw(seed + 1, 1, 4, 2) * 2, draw(seed + 2, 1, 4, 3)
    if style == "whole":
        q, k, v = q.round(), k.round(), v.round()
    t = tiled(q, k, v, mask=draw(seed + 3, 3, 4) < 0.3, tiles=(tile_q, tile_k))
    assert_explained(t)


@examples(30)
@given(seeds, st.integers(0, 4), st.integers(1, 5), st.integers(1, 5))
def test_the_future_cannot_change_the_past_in_tiles(seed: int, now: int, tile_q: int, tile_k: int) -> None:
    """Exactly: with the same tiles, the past is the same to the last bit."""
    q, k, v = draw(seed, 2, 5, 3), draw(seed + 1, 2, 5, 3), draw(seed + 2, 2, 5, 4)
    past = np.arange(5)[:, None] <= now
    one = tiled(q, k, v, mask=causal(5, 5), tiles=(tile_q, tile_k))
    two = tiled(*(np.where(past, a, -a + 1) for a in (q, k, v)), mask=causal(5, 5), tiles=(tile_q, tile_k))
    assert np.array_equal(one.z.value[:, : now + 1], two.z.value[:, : now + 1])


def test_a_tile_that_sees_nothing_changes_nothing() -> None:
    mask = [[1, 1, 0, 0], [1, 0, 0, 0]]
    t = tiled(draw(1, 1, 2, 3), draw(2, 1, 4, 3), draw(3, 1, 4, 5), mask=mask)
    for name in ("m", "l", "acc"):
        assert np.array_equal(t[f"tile.0.1.{name}"].value, t[f"tile.0.0.{name}"].value)
    assert (t["tile.0.1.correction"].value == 1).all()
    assert (t["tile.0.1.powers"].value == 0).all()


def test_a_query_that_sees_nothing_gets_zeros_and_not_a_nan() -> None:
    t = tiled(draw(1, 1, 3, 2), draw(2, 1, 5, 2), draw(3, 1, 5, 4), mask=np.zeros((3, 5)))
    assert (t.z.value == 0).all()
    assert (t["tile.0.2.m"].value == -np.inf).all()
    assert_no_nan(t)
    assert_explained(t)
    assert t.explain("z", (0, 0, 0)).expression == "0"
    assert t.explain("tile.0.1.powers", (0, 0, 0)).expression == "0"


def test_keys_far_down_the_row_may_be_the_first_that_are_seen() -> None:
    t = tiled(draw(1, 1, 1, 2), draw(2, 1, 5, 2), draw(3, 1, 5, 4), mask=[[0, 0, 0, 0, 1]])
    assert same(t.z.value[0, 0], draw(3, 1, 5, 4)[0, 4], 1e-15)


def test_scores_too_large_for_e_are_no_trouble() -> None:
    t = tiled([[[1000.0]]], [[[-3.0], [2.0], [1.0]]], [[[1.0], [2.0], [3.0]]], tiles=(1, 1))
    assert t.z.value.item() == 2
    assert_no_nan(t)


def test_a_visible_score_that_overflows_is_refused_and_a_hidden_one_is_not() -> None:
    q, k, v = [[[1e200]]], [[[1e200], [1.0]]], [[[1.0], [2.0]]]
    with pytest.raises(NotFinite):
        tiled(q, k, v)
    assert tiled(q, k, v, mask=[[0, 1]]).z.value.item() == 2


def test_a_largest_score_typed_by_hand_changes_the_way_but_not_the_answer() -> None:
    """Any m cancels in acc ÷ l: that is why it may be corrected later."""
    t = by_hand({"tile.0.0.m": {(0, 0, 0): 3.0}})
    assert t["tile.0.1.m"].value.item() == 3
    assert same(t.z.value, [[[21 / 8]]])
    assert difference_from_plain(t, "none") < 1e-15
    assert_explained(t)


def test_a_score_typed_by_hand_shows_as_a_difference() -> None:
    assert difference_from_plain(by_hand({"tile.0.1.scores": {(0, 0, 1): 5.0}}), "none") > 0.1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_tiles_keep_the_kind_of_number(dtype: type) -> None:
    t = tiled(*(draw(n, 2, 5, 3).astype(dtype) for n in (1, 2, 3)), mask=causal(5, 5), tiles=(2, 3))
    assert {t[name].value.dtype for name in t if not name.endswith("mask")} == {np.dtype(dtype)}


@pytest.mark.parametrize("tiles", [(0, 1), (1, 0), (-2, 2)])
def test_a_tile_of_no_tokens_is_refused(tiles: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="cannot hold"):
        tiled(draw(1, 1, 2, 3), draw(2, 1, 2, 3), draw(3, 1, 2, 3), tiles=tiles)


def test_values_keep_their_own_width() -> None:
    v: Values = draw(3, 1, 7, 4)
    assert tiled(draw(1, 1, 3, 5), draw(2, 1, 7, 5), v, tiles=(2, 3)).z.shape == (1, 3, 4)
