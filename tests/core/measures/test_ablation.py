"""Switching a head off."""

import numpy as np

from app.core.layers.layer import LayerForm
from app.core.measures.ablation import brought, without_heads
from tests.core.layer_oracle import make
from tests.core.reference import same

TWO = LayerForm(n_heads=2, n_kv_heads=1)


def test_a_head_that_is_off_takes_away_exactly_what_it_brought() -> None:
    made = make(9, LayerForm(4, 2), n=3)
    t, before = made.run()
    made.edits = without_heads({}, [2], n_q=3, d_v=5, step="layer.0.z")
    off, after = made.run()
    assert (off["layer.0.z"].value[2] == 0).all()
    assert (off["layer.0.z"].value[[0, 1, 3]] == t["layer.0.z"].value[[0, 1, 3]]).all()
    assert (off["layer.0.weights"].value == t["layer.0.weights"].value).all()
    lost = brought(t["layer.0.z"], t["layer.0.w_o"], 2)
    assert same(t["layer.0.out"].value - off["layer.0.out"].value, lost, 1e-12)
    assert not np.allclose(before, after)


def test_all_heads_together_bring_the_output() -> None:
    t, _ = make(10, LayerForm(4, 2)).run()
    assert same(sum(brought(t["layer.0.z"], t["layer.0.w_o"], head) for head in range(4)), t["layer.0.out"].value, 1e-12)


def test_with_every_head_off_attention_adds_nothing() -> None:
    made = make(11, TWO)
    made.edits = without_heads({}, [0, 1], 3, 5, "layer.0.z")
    t, _ = made.run()
    assert (t["layer.0.after_attention"].value == made.x).all()


def test_switching_heads_off_keeps_the_other_edits() -> None:
    edits: dict[str, dict[tuple[int, ...], float]] = {"x": {(0, 1): 5.0}, "z": {(0, 0, 0): 1.0, (1, 0, 1): 7.0}}
    off = without_heads(edits, [1], n_q=1, d_v=2)
    assert off == {"x": {(0, 1): 5.0}, "z": {(0, 0, 0): 1.0, (1, 0, 0): 0.0, (1, 0, 1): 0.0}}
    assert without_heads(edits, [], 1, 2) == edits
    assert edits["z"][1, 0, 1] == 7
