"""Worked examples, small enough to follow with a pencil."""

import math
from fractions import Fraction

import numpy as np
import pytest

from app.core.masks import causal
from tests.core.build import Scene, attention
from tests.core.reference import same

K = [[2, 1, 1], [0, 3, 0], [1, 1, 1]]
V = [[2, 5, 1], [0, 1, 3], [4, 0, 2]]


def test_example_1_by_fractions() -> None:
    t = attention([[1, 0, 2]], K, V, scale="none", normalizer="division")
    scores = [Fraction(1 * k[0] + 0 * k[1] + 2 * k[2]) for k in K]
    weights = [score / sum(scores) for score in scores]
    z = [sum((weight * row[column] for weight, row in zip(weights, V, strict=True)), Fraction()) for column in range(3)]
    assert scores == [4, 0, 3]
    assert weights == [Fraction(4, 7), 0, Fraction(3, 7)]
    assert z == [Fraction(20, 7), Fraction(20, 7), Fraction(10, 7)]
    assert same(t.scores.value, [[[float(n) for n in scores]]], 1e-12)
    assert same(t.weights.value, [[[float(n) for n in weights]]], 1e-12)
    assert same(t.z.value, [[[float(n) for n in z]]], 1e-12)


def test_example_1_in_words() -> None:
    t = attention([[1, 0, 2]], K, V, scale="none", normalizer="division")
    assert t.explain("scores", (0, 0, 0)).expression == "1×2 + 0×1 + 2×1 = 4"
    assert t.explain("weights", (0, 0, 0)).expression == "4 ÷ (4 + 0 + 3) ≈ 0.571"
    assert t.explain("z", (0, 0, 2)).expression == "0.571×1 + 0×3 + 0.429×2 ≈ 1.429"


def example_2(normalizer: str = "softmax") -> Scene:
    return Scene(
        x=[[1, 2, 0], [0, 1, 1], [2, 0, 1]],
        w_q=[[0, 0, 1], [0, 1, 0], [1, 0, 0]],
        w_k=[[0.8, -0.6, 0.6], [0.6, 0.8, 0.2], [-0.6, 2.2, -0.2]],
        w_v=[[2, 0.6, -0.2], [0, 2.2, 0.6], [0, -1.2, 2.4]],
        w_o=np.eye(3),
        mask=np.ones((3, 3)),
        heads=1,
        kv_heads=1,
        normalizer=normalizer,
    )


def test_example_2_from_vectors_to_output() -> None:
    t = example_2().run()
    assert same(t.q.value[0, 2], [1, 0, 2], 1e-12)
    assert same(t.k.value[0], K, 1e-12)
    assert same(t.v.value[0], V, 1e-12)
    assert same(t.scores.value, [[[3, 6, 3], [3, 3, 2], [4, 0, 3]]], 1e-12)
    weights = [0.6021540375738508, 0.05980637210311418, 0.3380395903230351]
    assert same(t.weights.value[0, 2], weights, 1e-12)
    assert same(t.out.value[2], np.array(weights) @ V, 1e-12)


def test_example_2_prints_without_a_trace_of_float_noise() -> None:
    t = example_2().run()
    assert t.explain("k", (0, 0, 1)).expression == "1×(−0.6) + 2×0.8 + 0×2.2 = 1"
    assert t.explain("scores", (0, 2, 1)).expression == "1×0 + 0×3 + 2×0 = 0"


def test_example_3_scores_far_apart() -> None:
    t = attention([[7, 4, 2]], [[8, 3, 2], [6, 8, 3], [3, 9, 1]], [[4.5], [4.2], [4]], scale="none")
    assert t.scores.value.tolist() == [[[72, 80, 59]]]
    weights = t.weights.value[0, 0]
    assert f"{weights[0]:.8e}" == "3.35350130e-04"
    assert f"{weights[1]:.8e}" == "9.99664649e-01"
    assert f"{weights[2]:.8e}" == "7.58001761e-10"
    assert math.isclose(float(t.z.value[0, 0, 0]), 4.2001006048874645, rel_tol=1e-12)
    assert t.explain("weights", (0, 0, 1)).expression.endswith("≈ 1.000")


def test_example_4_causal() -> None:
    scores = [[0.3, 0.9, -0.7], [0.1, 0.5, 2.0], [0.2, 0.1, 0.4]]
    t = attention(scores, np.eye(3), np.eye(3), causal(3, 3), scale="none")
    above = np.triu_indices(3, 1)
    assert (t.masked.value[0][above] == -np.inf).all()
    assert (t.weights.value[0][above] == 0).all()
    assert t.weights.value[0, 0].tolist() == [1, 0, 0]
    assert np.abs(t.weights.value.sum(axis=-1) - 1).max() <= 1e-15
    first = math.exp(0.1) / (math.exp(0.1) + math.exp(0.5))
    assert same(t.weights.value[0, 1], [first, 1 - first, 0], 1e-15)


@pytest.mark.parametrize("n_q", [2, 3, 5])
def test_equal_scores_give_equal_weights(n_q: int) -> None:
    t = attention(np.zeros((n_q, 5)), np.zeros((7, 5)), np.arange(7)[:, None])
    assert same(t.weights.value, np.full((1, n_q, 7), 1 / 7), 1e-15)
    assert same(t.z.value, np.full((1, n_q, 1), 3), 1e-15)
