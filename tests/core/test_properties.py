"""What must hold for every attention, whatever the numbers."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.core import positions
from app.core.heads import merge_heads, share_heads, split_heads
from app.core.masks import causal
from app.core.record import checks
from app.core.record.array import given as array_given
from tests.core.build import Numbers, Scene, Values, attention, scenes
from tests.core.reference import same
from tests.support.examples import examples

seeds = st.integers(0, 2**32 - 1)


def draw(seed: int, *shape: int) -> Values:
    return np.random.default_rng(seed).normal(size=shape)


@given(seeds)
def test_one_key_value_head_for_each_query_head_is_plain_attention(seed: int) -> None:
    q, k, v = draw(seed, 3, 10), draw(seed + 1, 7, 10), draw(seed + 2, 7, 6)
    shared, plain = attention(q, k, v, heads=2, kv_heads=2), attention(q, k, v, heads=2)
    assert (shared.z.value == plain.z.value).all()


@given(seeds)
def test_shared_heads_equal_heads_written_out(seed: int) -> None:
    q, k, v = draw(seed, 3, 20), draw(seed + 1, 7, 10), draw(seed + 2, 7, 6)
    shared = attention(q, k, v, heads=4, kv_heads=2)
    written_k = np.concatenate([k[:, :5], k[:, :5], k[:, 5:], k[:, 5:]], axis=1)
    written_v = np.concatenate([v[:, :3], v[:, :3], v[:, 3:], v[:, 3:]], axis=1)
    assert same(shared.z.value, attention(q, written_k, written_v, heads=4).z.value, 1e-14)


@examples(60)
@given(seeds, st.integers(0, 5), st.sampled_from(["softmax", "division"]))
def test_the_future_cannot_change_the_past(seed: int, now: int, normalizer: str) -> None:
    """Exactly, not nearly: the past of a causal trace is the same to the last bit."""
    x, later = draw(seed, 6, 5), draw(seed + 1, 6, 5)
    changed = np.where(np.arange(6)[:, None] > now, later, x)
    w_q, w_k, w_v = (draw(seed + n, 5, 4) for n in range(2, 5))
    one, two = (Scene(a, w_q, w_k, w_v, np.eye(4), causal(6, 6), 2, 2, normalizer=normalizer).run() for a in (x, changed))
    for name in ("weights", "z"):
        assert np.array_equal(one[name].value[:, : now + 1], two[name].value[:, : now + 1])
    assert np.array_equal(one.out.value[: now + 1], two.out.value[: now + 1])


@examples(60)
@given(seeds, st.permutations(range(5)))
def test_without_positions_the_order_of_words_does_not_matter(seed: int, order: list[int]) -> None:
    x, w_q, w_k, w_v = draw(seed, 5, 3), *(draw(seed + n, 3, 6) for n in range(1, 4))
    one, two = (Scene(a, w_q, w_k, w_v, draw(seed, 6, 3), np.ones((5, 5)), 2, 2).run() for a in (x, x[order]))
    assert same(two.out.value, one.out.value[order])
    assert same(two.weights.value, one.weights.value[:, order][:, :, order])


def test_with_positions_the_order_of_words_matters() -> None:
    x, eye = draw(1, 5, 4), np.eye(4)
    order = [1, 0, 2, 3, 4]
    one, two = (Scene(a, eye, eye, eye, eye, np.ones((5, 5)), 2, 2, position=True).run() for a in (x, x[order]))
    assert not np.allclose(two.out.value, one.out.value[order])


@examples(100)
@given(scenes(edited=False))
def test_every_row_of_weights_sums_to_one_or_sees_nothing(scene: Scene) -> None:
    t = scene.run()
    sums = checks.row_sums(t, "weights")
    empty = ~np.asarray(scene.mask, dtype=bool).any(axis=1)
    assert checks.empty_rows(t) == np.flatnonzero(empty).tolist()
    assert (sums[:, empty] == 0).all()
    if scene.normalizer == "softmax":
        assert np.abs(sums[:, ~empty] - 1).max(initial=0) < 1e-12
        assert t.weights.value.min() >= 0
    assert np.isfinite(t.weights.value).all()
    assert np.isfinite(t.out.value).all()


@examples(100)
@given(scenes(edited=False))
def test_hidden_keys_weigh_exactly_nothing(scene: Scene) -> None:
    t = scene.run()
    assert (t.weights.value[:, ~np.asarray(scene.mask, dtype=bool)] == 0).all()


@examples(100)
@given(scenes())
def test_a_second_way_gives_the_same_numbers(scene: Scene) -> None:
    t = scene.run()
    assume(np.abs(t.weights.value).max() < 1e4)
    for name in t:
        difference = checks.second_way(t, name)
        assert difference is None or difference < 1e-7
    if not scene.edits:
        computed = {name for name in t if checks.second_way(t, name) is not None}
        assert {"q", "k", "v", "scores", "z", "out"} <= computed
        assert ("weights" in computed) == (scene.normalizer == "softmax")


def test_a_second_way_notices_a_wrong_number() -> None:
    t = attention(draw(1, 3, 5), draw(2, 7, 5), draw(3, 7, 2))
    t.scores.value.flags.writeable = True
    t.scores.value[0, 1, 2] += 0.25
    assert checks.second_way(t, "scores") == pytest.approx(0.25)


@given(seeds, st.floats(-50, 50))
def test_softmax_does_not_change_when_every_score_of_a_row_grows_alike(seed: int, shift: float) -> None:
    scores = draw(seed, 2, 3, 7)
    assert same(array_given(scores + shift).softmax().value, array_given(scores).softmax().value, 1e-12)


@given(seeds)
def test_the_largest_score_gets_the_largest_weight(seed: int) -> None:
    t = attention(draw(seed, 3, 5), draw(seed + 1, 7, 5), draw(seed + 2, 7, 2))
    assert (t.scores.value.argsort() == t.weights.value.argsort()).all()


@given(seeds)
def test_an_answer_lies_between_the_smallest_and_the_largest_value(seed: int) -> None:
    v = draw(seed + 2, 7, 2)
    z = attention(draw(seed, 3, 5), draw(seed + 1, 7, 5), v).z.value[0]
    assert (z <= v.max(axis=0) + 1e-12).all()
    assert (z >= v.min(axis=0) - 1e-12).all()


def test_scores_that_cancel_give_weights_of_zero_and_not_a_number() -> None:
    t = attention([[1.0]], [[0.1], [0.2], [-0.3]], [[1], [1], [1]], scale="none", normalizer="division")
    assert t.weights.value.tolist() == [[[0, 0, 0]]]


def test_scores_that_are_only_float_noise_count_as_zero() -> None:
    t = attention([[0.1, 0.2, -0.3]], [[1, 1, 1], [2, 2, 2]], [[1], [1]], scale="none", normalizer="division")
    assert np.abs(t.scores.value).max() < 1e-15
    assert t.weights.value.tolist() == [[[0, 0]]]
    assert t.explain("weights", (0, 0, 1)).expression == "0"


def test_weights_by_division_may_be_negative_and_still_sum_to_one() -> None:
    t = attention([[1]], [[-1], [3]], [[1], [1]], scale="none", normalizer="division")
    assert t.weights.value.tolist() == [[[-0.5, 1.5]]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_kind_of_number_is_kept(dtype: type) -> None:
    q, k, v = draw(1, 3, 10), draw(2, 7, 10), draw(3, 7, 4)
    t = attention(q.astype(dtype), k.astype(dtype), v.astype(dtype), causal(3, 7), heads=2)
    for name in t:
        assert t[name].value.dtype == (bool if name == "mask" else dtype)


@pytest.mark.parametrize("heads", [1, 2, 3, 6])
def test_splitting_and_merging_heads_undo_each_other(heads: int) -> None:
    rows = np.arange(30.0).reshape(5, 6)
    split = split_heads(array_given(rows), heads)
    assert split.shape == (heads, 5, 6 // heads)
    assert (merge_heads(split).value == rows).all()


def test_sharing_among_no_more_heads_copies_nothing() -> None:
    heads = array_given(draw(0, 2, 7, 5))
    assert share_heads(heads, 2).value is heads.value


def test_steps_that_change_nothing_copy_nothing() -> None:
    t = attention(draw(1, 3, 5), draw(2, 7, 5), draw(3, 7, 2), scale="none")
    assert t.masked.value is t.scaled.value is t.scores.value


@pytest.mark.parametrize(
    ("d_model", "row_1"),
    [
        (1, [np.sin(1)]),
        (2, [np.sin(1), np.cos(1)]),
        (3, [np.sin(1), np.cos(1), np.sin(1 / 10000 ** (2 / 3))]),
        (4, [np.sin(1), np.cos(1), np.sin(0.01), np.cos(0.01)]),
        (5, [np.sin(1), np.cos(1), np.sin(10000**-0.4), np.cos(10000**-0.4), np.sin(10000**-0.8)]),
    ],
)
def test_positions_by_hand(d_model: int, row_1: Numbers) -> None:
    table = positions.sinusoidal(3, d_model).value
    assert table.shape == (3, d_model)
    assert table[0].tolist() == [column % 2 for column in range(d_model)]
    assert same(table[1], row_1, 1e-15)


def test_an_odd_width_ends_on_a_sine() -> None:
    assert positions.sinusoidal(4, 7).value[0, -1] == 0
