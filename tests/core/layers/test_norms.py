"""Norms: mean, variance, root, and what they do to a row."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.layers.norms import NORMS, layer_norm, rms_norm
from app.core.operations.ops import NotFinite
from app.core.record.array import given as array_given
from app.core.record.trace import Trace
from tests.core.block_reference import case, numbers
from tests.core.build import Numbers
from tests.core.layer_oracle import check_every_cell
from tests.core.reference import same

seeds = st.integers(0, 2**32 - 1)


def normed(rows: Numbers, norm: str = "layer_norm", **learned: Any) -> Trace:
    t = Trace()
    t.x = array_given(rows)
    NORMS[norm].apply(t, t.x, learned)
    return t


def test_layer_norm_by_hand() -> None:
    t = Trace()
    t.x = array_given([[1, 3, 8], [2, 2, 5]])
    layer_norm(t, t.x, {"gamma": [1, 2, 3], "beta": [10, 0, -1]}, eps=0.0)
    assert t.mean.value.tolist() == [[4], [3]]
    assert t.centered.value.tolist() == [[-3, -1, 4], [-1, -1, 2]]
    assert same(t.variance.value, [[26 / 3], [2.0]], 1e-15)
    assert same(t.deviation.value, [[math.sqrt(26 / 3)], [math.sqrt(2)]], 1e-15)
    root = math.sqrt(2)
    assert same(t.normed.value[1], [-1 / root, -1 / root, 2 / root], 1e-15)
    assert same(t.scaled_norm.value[1], [10 - 1 / root, -2 / root, 6 / root - 1], 1e-15)


def test_rms_norm_by_hand() -> None:
    t = Trace()
    t.x = array_given([[1, 1, 5, 3], [2, 2, 2, 2]])
    rms_norm(t, t.x, {"gamma": [1, 2, 3, 4]}, eps=0.0)
    assert t.mean_square.value.tolist() == [[9], [4]]
    assert t.rms.value.tolist() == [[3], [2]]
    assert t.normed.value[1].tolist() == [1, 1, 1, 1]
    assert same(t.scaled_norm.value[0], [1 / 3, 2 / 3, 5, 4], 1e-15)


def test_the_variance_divides_by_the_width_itself() -> None:
    assert normed([[0, 2]]).variance.value.tolist() == [[1]]


def test_eps_stands_inside_the_root() -> None:
    assert normed([[5.0, 5.0]]).deviation.value.tolist() == [[math.sqrt(1e-5)]]
    assert normed([[0.0, 0.0]], "rms_norm").rms.value.tolist() == [[math.sqrt(1e-5)]]


def test_the_norm_explains_itself() -> None:
    t = normed([[1, 3, 8]], gamma=[1, 2, 3], beta=[10, 0, -1])
    assert t.explain("mean", (0, 0)).expression == "(1 + 3 + 8) ÷ 3 = 4"
    assert t.explain("centered", (0, 1)).expression == "3 − 4 = −1"
    assert t.explain("variance", (0, 0)).expression == "((−3×(−3)) + (−1×(−1)) + (4×4)) ÷ 3 ≈ 8.667"
    assert "8.667 + 1×10⁻⁵" in t.explain("deviation", (0, 0)).expression
    assert t.explain("scaled_norm", (0, 0)).expression == "(−1.019×1) + 10 ≈ 8.981"


@pytest.mark.parametrize(
    ("norm", "step", "value"),
    [("layer_norm", "deviation", 0), ("layer_norm", "variance", -2), ("rms_norm", "rms", 0), ("rms_norm", "mean_square", -1)],
)
def test_an_edit_that_makes_a_norm_divide_by_nothing_is_refused(norm: str, step: str, value: float) -> None:
    t = Trace({step: {(0, 0): value}})
    t.x = array_given([[1.0, 2.0]])
    with pytest.raises(NotFinite):
        NORMS[norm].apply(t, t.x, {})


@given(seeds)
def test_a_normed_row_has_mean_0_and_variance_1(seed: int) -> None:
    x = np.random.default_rng(seed).normal(3, 5, size=(3, 7))
    row = normed(x).normed.value
    assert np.abs(row.mean(axis=1)).max() < 1e-12
    assert same(row.var(axis=1), x.var(axis=1) / (x.var(axis=1) + 1e-5), 1e-12)


@given(seeds, st.floats(-50, 50))
def test_layer_norm_forgets_what_is_added_to_a_row_and_rms_norm_does_not(seed: int, shift: float) -> None:
    x = np.random.default_rng(seed).normal(size=(3, 7))
    assert same(normed(x + shift).normed.value, normed(x).normed.value, 1e-9)
    if abs(shift) > 0.1:
        assert not same(normed(x + shift, "rms_norm").normed.value, normed(x, "rms_norm").normed.value, 1e-4)


@pytest.mark.parametrize("norm", NORMS)
def test_a_norm_looks_at_one_token_only(norm: str) -> None:
    x = np.random.default_rng(1).normal(size=(3, 7))
    changed = np.vstack([x[:2], [[9.0] * 7]])
    assert np.array_equal(normed(x, norm).normed.value[:2], normed(changed, norm).normed.value[:2])


@pytest.mark.parametrize("norm", NORMS)
def test_squares_that_overflow_are_refused(norm: str) -> None:
    for rows in ([[1e200, 0.0]], [[1e308, 1e308, 1e308]], [[np.inf, 1.0]]):
        with pytest.raises(NotFinite):
            normed(rows, norm)


def test_layer_norm_and_rms_norm_agree_at_every_width() -> None:
    entries = numbers()["layer_norm"]
    assert [entry["d"] for entry in entries] == list(range(1, 9))
    for entry in entries:
        assert same(normed(entry["x"]).normed.value, entry["y"])
        affine = normed(entry["x"], gamma=entry["gamma"], beta=entry["beta"])
        assert same(affine.scaled_norm.value, entry["y_affine"])
        assert same(normed(entry["x"], "rms_norm").normed.value, entry["rms_norm"])


def test_rows_that_are_constant_one_wide_or_huge_give_numbers() -> None:
    asked, expected, _ = case("NRM-02")
    for name in ("rows", "width_1", "huge"):
        t = normed(asked[name])
        assert same(t.normed.value, expected[name])
        check_every_cell(t)
