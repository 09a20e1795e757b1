"""What other programs got wrong, each as a small input with the right answer."""

from typing import Any

import numpy as np
import pytest

from app.core.heads import share_heads, split_heads
from app.core.masks import causal
from app.core.operations.ops import NotFinite, Softmax, Where
from app.core.record import checks
from app.core.record.array import given
from tests.core.build import Numbers, Scene, attention, identity
from tests.core.reference import cases, known_faults, same, wanted


def from_vectors(name: str, mask: Numbers | None = None) -> Any:
    """The trace of a case that gives q, k and v."""
    given_input, _ = wanted(name)
    return attention(given_input["q"], given_input["k"], given_input["v"], mask)


def test_the_scale_is_one_over_the_root_of_the_head_width() -> None:
    given_input, expected = wanted("ATT-01")
    t = identity(given_input["X"], np.ones((3, 3)), heads=2).run()
    assert same(t.weights.value, expected["weights"])
    assert same(t.out.value, expected["output"])
    assert same(t.scaled.value, t.scores.value * expected["scale"])
    for fault in known_faults("ATT-01").values():
        assert not same(t.weights.value, fault)


def test_softmax_runs_over_the_keys_of_each_query() -> None:
    _, expected = wanted("ATT-02")
    t = from_vectors("ATT-02")
    assert same(t.scaled.value[0], expected["scores"])
    assert same(t.weights.value[0], expected["weights"])
    assert same(t.z.value[0], expected["output"])
    assert not np.allclose(t.weights.value[0].sum(axis=0), 1)
    assert not same(t.weights.value[0], known_faults("ATT-02")["softmax over queries (columns)"])


def test_softmax_is_stable_on_huge_tiny_and_equal_scores() -> None:
    given_input, expected = wanted("ATT-03")
    with np.errstate(over="ignore"):
        weights = Softmax().forward(np.array(given_input["scores"], dtype=float))
    assert same(weights, expected["weights"])
    assert same(weights.sum(axis=-1), np.ones(6), 1e-15)


def test_a_hidden_score_that_overflows_does_not_leak() -> None:
    given_input, expected = wanted("ATT-05")
    t = from_vectors("ATT-05", given_input["allow"])
    assert np.isinf(t.scores.value).any()
    assert t.weights.value[0].tolist() == expected["weights"]
    assert t.z.value[0].tolist() == expected["output"]
    assert checks.second_way(t, "scores") == 0
    assert t.explain("scores", (0, 0, 1)).expression.endswith(" ∞")


def test_a_visible_score_that_overflows_is_refused() -> None:
    with pytest.raises(NotFinite, match="visible score"):
        from_vectors("ATT-06")


@pytest.mark.parametrize("normalizer", ["softmax", "division"])
@pytest.mark.parametrize("sign", [1, -1])
def test_overflow_is_refused_in_both_directions_and_by_every_normalizer(sign: int, normalizer: str) -> None:
    with pytest.raises(NotFinite):
        attention([[1e200]], [[sign * 1e200], [1.0]], [[1], [2]], normalizer=normalizer)


def test_a_score_that_is_not_a_number_is_refused_even_when_hidden() -> None:
    for mask in ([[True, True]], [[False, True]]):
        with pytest.raises(NotFinite):
            Where(-np.inf).forward(np.array([[np.nan, 1.0]]), np.array(mask))


def test_the_causal_mask_acts_before_softmax() -> None:
    _, expected = wanted("ATT-08")
    t = from_vectors("ATT-08", causal(3, 3))
    assert same(t.weights.value[0], expected["weights"])
    assert same(t.z.value[0], expected["output"])
    assert (t.weights.value[0][np.triu_indices(3, 1)] == 0).all()
    for fault in known_faults("ATT-08").values():
        assert not same(t.weights.value[0], fault)


def test_true_in_a_mask_means_may_attend() -> None:
    given_input, expected = wanted("ATT-09")
    t = from_vectors("ATT-09", given_input["custom_mask_visible"])
    assert same(t.weights.value[0], expected["weights"])
    assert same(t.z.value[0], expected["output"])
    assert not same(t.weights.value[0], known_faults("ATT-09")["inverted meaning"])
    assert ((t.weights.value[0] == 0) == ~t.mask.value).all()


def test_causal_with_more_queries_than_keys_leaves_the_first_rows_empty() -> None:
    _, expected = wanted("ATT-11")
    t = attention(np.zeros((5, 2)), np.zeros((2, 2)), np.eye(2), causal(5, 2))
    assert t.weights.value[0].tolist() == expected["bottom_right"] != expected["top_left"]
    assert t.z.value[0].tolist() == expected["bottom_right"]
    assert checks.empty_rows(t) == [0, 1, 2]


@pytest.mark.parametrize("n", range(1, 9))
def test_the_causal_mask_keeps_the_diagonal(n: int) -> None:
    x = np.random.default_rng(n).normal(size=(n, 2))
    t = attention(x, x, x, causal(n, n))
    assert t.weights.value[0, 0].tolist() == [1] + [0] * (n - 1)
    assert (t.z.value[0, 0] == x[0]).all()


def test_one_token_reads_itself() -> None:
    given_input, expected = wanted("ATT-13")
    t = from_vectors("ATT-13", causal(1, 1))
    assert t.weights.value[0].tolist() == expected["weights"]
    assert t.z.value[0].tolist() == expected["output"] == given_input["v"]


def test_weights_are_kept_for_each_head() -> None:
    given_input, expected = wanted("ATT-16")
    x, w_q, w_k, w_v, w_o = (given_input[name] for name in ("X", "W_q", "W_k", "W_v", "W_o"))
    t = Scene(x, w_q, w_k, w_v, w_o, np.ones((2, 2)), 2, 2).run()
    assert same(t.weights.value[0], expected["weights_head_0"])
    assert same(t.weights.value[1], expected["weights_head_1"])


def test_rows_are_queries_and_columns_are_keys() -> None:
    _, expected = wanted("ATT-17")
    weights = from_vectors("ATT-17").weights.value[0]
    assert same(weights, expected["weights"])
    assert np.unravel_index(weights.argmax(), weights.shape) == (0, 2)
    assert not same(weights, known_faults("ATT-17")["transposed"])


@pytest.mark.parametrize("name", ["ATT-18", "ATT-19", "ATT-20"])
def test_padding_hides_key_columns(name: str) -> None:
    given_input, expected = wanted(name)
    allow = np.tile(given_input["padding_is_real"], (4, 1))
    if given_input.get("mask") == "causal":
        allow &= causal(4, 4)
    t = identity(given_input["X"], allow).run()
    assert same(t.weights.value, expected["weights"])
    assert same(t.out.value, expected["output"])
    assert (t.weights.value[0][~allow] == 0).all()


def test_padding_does_not_change_the_real_tokens() -> None:
    given_input, _ = wanted("ATT-18")
    x = np.array(given_input["X"])
    padded = identity(x, np.tile([True, True, False, False], (4, 1))).run()
    assert same(padded.out.value[:2], identity(x[:2], np.ones((2, 2))).run().out.value, 1e-15)


def test_heads_are_put_side_by_side_for_each_token() -> None:
    given_input, expected = wanted("MHA-01")
    zeros = np.zeros((4, 4))
    t = Scene(given_input["X"], zeros, zeros, given_input["W_v"], np.eye(4), given_input["allow"], 2, 2).run()
    assert same(t.z.value[0], expected["head_0"])
    assert same(t.z.value[1], expected["head_1"])
    assert same(t.concat.value, expected["concat"])
    assert same(t.out.value, expected["output"])
    assert not same(t.concat.value, known_faults("MHA-01")["reshape without transpose"])


def test_heads_are_slices_of_the_width() -> None:
    given_input, expected = wanted("MHA-02")
    heads = split_heads(given(given_input["X"]), 2).value
    assert heads[0].tolist() == expected["q_head_0"]
    assert heads[1].tolist() == expected["q_head_1"]
    assert not same(heads[0], known_faults("MHA-02")["q_head_0 by direct view"])


@pytest.mark.parametrize("sizes", cases()["MHA-03"]["input"]["try_each"][:4])
def test_heads_that_do_not_divide_the_width_are_refused_with_both_numbers(sizes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"{sizes['n_heads']} heads .* {sizes['d_model']}"):
        split_heads(given(np.ones((3, sizes["d_model"]))), sizes["n_heads"])


def test_neighbouring_query_heads_share_a_key_value_head() -> None:
    given_input, expected = wanted("MHA-04")
    t = Scene(given_input["X"], np.zeros((2, 4)), np.zeros((2, 2)), given_input["W_v"], np.eye(4), [[True]], 4, 2).run()
    assert t.concat.value.tolist() == expected["concat"]
    assert t.out.value.tolist() == expected["output"]
    assert t.concat.value.tolist() != known_faults("MHA-04")["tiled"]
    readers = [t.explain("z", (a, 0, 0)).terms[1].index[0] for a in range(4)]
    assert readers == expected["kv_head_of_query_head"]


@pytest.mark.parametrize("sizes", cases()["MHA-06"]["input"]["try_each"])
def test_query_heads_that_cannot_share_evenly_are_refused_with_both_numbers(sizes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"{sizes['n_heads']} query heads .* {sizes['n_kv_heads']} key/value"):
        share_heads(given(np.ones((sizes["n_kv_heads"], 3, 5))), sizes["n_heads"])


def test_equal_tokens_have_equal_rows_and_columns() -> None:
    given_input, expected = wanted("TXT-09")
    t = identity(given_input["X"], np.ones((3, 3))).run()
    weights = t.weights.value[0]
    assert same(weights, expected["weights"], 1e-12)
    assert same(t.out.value, expected["output"], 1e-12)
    assert (weights[0] == weights[2]).all()
    assert (weights[:, 0] == weights[:, 2]).all()


def test_positions_tell_equal_tokens_apart() -> None:
    scene = identity(wanted("TXT-09")[0]["X"], np.ones((3, 3)))
    scene.position = True
    weights = scene.run().weights.value[0]
    assert not np.allclose(weights[0], weights[2])
