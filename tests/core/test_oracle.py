"""The same numbers, computed by plain loops."""

from fractions import Fraction

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.core import oracle
from tests.core.build import Scene, attention, scenes
from tests.core.reference import same
from tests.support.examples import examples


@examples(300)
@given(scenes(edited=False, styles=["whole", "tenths", "full"]))
def test_whole_attention_agrees_with_plain_loops(scene: Scene) -> None:
    t = scene.run()
    assume(np.abs(t.weights.value).max() < 1e4)
    x = (t.x_pos if scene.position else t.x).value.tolist()
    q, k, v = (oracle.product(x, w.tolist()) for w in (scene.w_q, scene.w_k, scene.w_v))
    d_head, d_v = scene.w_q.shape[1] // scene.heads, scene.w_v.shape[1] // scene.kv_heads
    concat: list[list[float]] = [[] for _ in x]
    for a in range(scene.heads):
        shared = a // (scene.heads // scene.kv_heads)
        parts = (
            oracle.columns(q, a * d_head, d_head),
            oracle.columns(k, shared * d_head, d_head),
            oracle.columns(v, shared * d_v, d_v),
        )
        expected = oracle.head(*parts, scene.mask.astype(bool).tolist(), oracle.factor(scene.scale, d_head), scene.normalizer)
        for name, value in expected.items():
            assert same(t[name].value[a], value), name
        hidden = ~scene.mask.astype(bool)
        assert (t.masked.value[a][hidden] == -np.inf).all()
        assert (t.masked.value[a][~hidden] == t.scaled.value[a][~hidden]).all()
        concat = [left + right for left, right in zip(concat, expected["z"], strict=True)]
    assert same(t.concat.value, concat)
    assert same(t.out.value, oracle.product(concat, scene.w_o.tolist()))


whole = st.integers(-5, 5)


@st.composite
def whole_vectors(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """3 queries and 7 keys, 5 wide; values 2 wide."""

    def rows(count: int, width: int) -> list[list[int]]:
        return draw(st.lists(st.lists(whole, min_size=width, max_size=width), min_size=count, max_size=count))

    return rows(3, 5), rows(7, 5), rows(7, 2)


@given(whole_vectors())
def test_weights_by_division_are_the_fractions(vectors: tuple[list[list[int]], list[list[int]], list[list[int]]]) -> None:
    q, k, v = vectors
    t = attention(q, k, v, scale="none", normalizer="division")
    for i, query in enumerate(q):
        scores = [sum(a * b for a, b in zip(query, key, strict=True)) for key in k]
        total = sum(scores)
        weights = [Fraction(score, total) if total else Fraction() for score in scores]
        z = [sum((weight * row[c] for weight, row in zip(weights, v, strict=True)), Fraction()) for c in range(2)]
        assert t.scores.value[0, i].tolist() == scores
        assert same(t.weights.value[0, i], [float(n) for n in weights], 1e-12)
        assert same(t.z.value[0, i], [float(n) for n in z], 1e-11)
