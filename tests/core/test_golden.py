"""Numbers made by another program."""

from typing import Any

import numpy as np
import pytest

from app.core.masks import MASKS, allowed
from tests.core.build import Numbers, Scene, attention
from tests.core.reference import bits, same, vectors


def scene(entry: dict[str, Any], mask: Numbers) -> Scene:
    heads = entry["n_heads"]
    x, w_q, w_k, w_v, w_o = (entry[name] for name in ("X", "W_q", "W_k", "W_v", "W_o"))
    return Scene(x, w_q, w_k, w_v, w_o, mask, heads, entry.get("n_kv_heads", heads))


@pytest.mark.parametrize("case", ["none", "causal", "custom"])
def test_multi_head_attention_agrees(case: str) -> None:
    entries = vectors()["mha"]
    assert len(entries) == 128
    for entry in entries:
        expected, n = entry["cases"][case], entry["n"]
        allow = bits(expected["allow"])
        if case in MASKS:
            assert (allowed(case, n, n) == allow).all()
        t = scene(entry, allow).run()
        assert same(t.scaled.value, entry["scores"])
        assert same(t.weights.value, expected["weights"])
        assert same(t.out.value, expected["output"])
        assert not t.weights.value[:, ~allow.any(axis=1)].any()
        assert not t.out.value[~allow.any(axis=1)].any()


def test_the_golden_masks_hold_rows_that_see_nothing() -> None:
    assert any("1" not in row for entry in vectors()["mha"] for row in entry["cases"]["custom"]["allow"])


def test_shared_key_and_value_heads_agree() -> None:
    entries = vectors()["gqa"]
    assert len(entries) == 64
    inputs: dict[str, Any] = {}
    for entry in entries:
        inputs = entry if "X" in entry else {**inputs, **entry}
        n = inputs["n"]
        t = scene(inputs, allowed(inputs["mask"], n, n)).run()
        assert same(t.weights.value, entry["weights"])
        assert same(t.out.value, entry["output"])


@pytest.mark.parametrize(("case", "mask"), [("none", "none"), ("causal_bottom_right", "causal")])
def test_attention_to_another_sentence_agrees(case: str, mask: str) -> None:
    entries = vectors()["cross"]
    assert len(entries) == 10
    for entry in entries:
        queries, others = np.array(entry["X_q"]), np.array(entry["X_kv"])
        allow = allowed(mask, entry["n_q"], entry["n_k"])
        q, k, v = queries @ entry["W_q"], others @ entry["W_k"], others @ entry["W_v"]
        t = attention(q, k, v, allow, heads=entry["n_heads"])
        expected = entry["cases"][case]
        assert same(t.weights.value, expected["weights"])
        assert same(t.concat.value @ entry["W_o"], expected["output"])
