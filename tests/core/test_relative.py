"""Positions that look up a distance: clipped relative positions and buckets."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.operations.distances import Buckets, Clip
from app.core.positions import PositionOptions
from app.core.record.array import apply
from app.core.record.explanation import explain
from tests.core.attend_build import FormScene, case, draw, reference
from tests.core.evaluate import evaluate
from tests.core.reference import same
from tests.support.examples import examples

CAUSAL = PositionOptions(causal=True)


def test_relative_positions_clip_key_minus_query() -> None:
    given_input, expected, faults = case("POS-13")
    index = Clip(given_input["n"], given_input["n"], given_input["max_distance"]).forward()
    assert index.tolist() == expected["index_matrix"] != faults["i - j"]
    for entry in reference()["positions"]["relative_clip"]:
        assert Clip(entry["n"], entry["n"], entry["max_distance"]).forward().tolist() == entry["index"]


def test_relative_attention_agrees() -> None:
    entry = reference()["positions"]["shaw_attention"]
    x = np.array([entry["X"]])
    t = FormScene(x, x, x, position="relative", tables={"rel_k": entry["a_K"], "rel_v": entry["a_V"]}).run()
    assert same(t.scaled.value[0], entry["scores"])
    assert same(t.weights.value[0], entry["weights"])
    assert same(t.z.value[0], entry["output"])
    assert same(t.z_content.value + t.z_rel.value, t.z.value, 1e-15)
    assert same(t.weights_rel.value.sum(axis=-1), np.ones((1, 4)), 1e-15)


def test_relative_positions_read_as_they_are_taught() -> None:
    tables = {"rel_k": [[1, 0], [0, 1], [2, 2]], "rel_v": [[1], [2], [-3]]}
    t = FormScene(
        np.ones((1, 3, 2)), np.ones((1, 3, 2)), np.ones((1, 3, 1)), position="relative", tables=tables, scale="none"
    ).run()
    assert t.explain("rel_index", (0, 2)).expression == "max(−1, min(1, 2 − 0)) + 1 = 2"
    assert t.explain("rel_scores", (0, 0, 2)).expression == "1×2 + 1×2 = 4"
    assert [(term.step, term.index) for term in t.explain("rel_scores", (0, 2, 0)).terms][1] == ("rel_k", (0, 0))
    assert t.explain("scaled", (0, 0, 2)).expression == "(2 + 4)×1 = 6"
    assert t.explain("weights_rel", (0, 0, 0)).expression == "0"
    assert t.explain("z", (0, 1, 0)).terms[0].step == "z_content"
    assert [term.index for term in t.explain("weights_rel", (0, 0, 2)).terms] == [(0, 0, 1), (0, 0, 2)]


def test_rows_for_every_distance_need_no_shift_trick() -> None:
    given_input, expected, faults = case("POS-15")
    rows = [given_input["r_by_distance"][str(-distance)] for distance in range(-3, 4)]
    q = np.array([given_input["q"]])
    t = FormScene(q, q, q, position="relative", tables={"rel_k": rows, "rel_v": np.zeros((7, 2))}).run()
    assert same(t.rel_scores.value[0], expected["B"])
    assert not any(same(t.rel_scores.value[0], fault) for fault in faults.values())


@pytest.mark.parametrize(("rows_k", "rows_v"), [(4, 4), (5, 3), (5, 4)])
def test_relative_tables_need_a_middle_row_and_equal_rows(rows_k: int, rows_v: int) -> None:
    x = draw(1, 1, 3, 2)
    with pytest.raises(ValueError, match=f"not {rows_k} and {rows_v}"):
        FormScene(x, x, x, position="relative", tables={"rel_k": draw(2, rows_k, 2), "rel_v": draw(3, rows_v, 2)}).run()


def test_buckets_agree() -> None:
    _, expected, _ = case("POS-14")
    for both, name in ((True, "bidirectional"), (False, "causal")):
        buckets = Buckets(1, 1, 8, 16, both)
        assert [buckets.bucket(-step) for step in range(-20, 21)] == expected[name]
    for entry in reference()["positions"]["t5_buckets"]:
        buckets = Buckets(1, 1, entry["num_buckets"], entry["max_distance"], entry["bidirectional"])
        first, last = entry["relative_position"]
        assert [buckets.bucket(-step) for step in range(first, last + 1)] == entry["bucket"]


@examples(200)
@given(st.integers(1, 16), st.integers(1, 200), st.booleans(), st.integers(-300, 300))
def test_buckets_are_the_authors_rule_in_whole_numbers(half: int, more: int, both: bool, step: int) -> None:
    """The share of logarithms is compared as powers, so that no rounding can move a border."""
    size, near = 2 * half, half
    most = near + more
    distance = abs(step) if both else max(0, step)
    bucket = distance
    if distance >= near:
        far = size - near
        bucket = near + max(n for n in range(far) if distance**far * near**n >= most**n * near**far)
    expected = bucket + (size if both and step < 0 else 0)
    assert Buckets(1, 1, size * (2 if both else 1), most, both).bucket(step) == expected


def test_a_distance_on_a_border_belongs_to_the_bucket_after_it() -> None:
    """By hand: ln(8 ÷ 4) ÷ ln(128 ÷ 4) × 5 is ln 2 ÷ (5 ln 2) × 5 = 1, so the bucket is 4 + 1; rounded logarithms give 0.999…"""
    buckets = Buckets(9, 9, 9, 128, bidirectional=False)
    assert [buckets.bucket(distance) for distance in range(9)] == [0, 1, 2, 3, 4, 4, 4, 4, 5]
    said = explain(apply(buckets), (8, 0))
    assert said.expression == "min(8, 4 + ln(8 ÷ 4) ÷ ln(128 ÷ 4)×5) = 5"
    assert evaluate(said.tree) == pytest.approx(5, abs=1e-12)


def test_written_logarithms_come_out_right_for_every_table_that_can_be_asked_for() -> None:
    """Every count of buckets, every largest distance, every distance of a text: floor of the printed logarithms is the bucket."""
    for size in range(2, 33):
        near, far = size // 2, size - size // 2
        for most in range(near + 1, 129):
            buckets = Buckets(1, 1, size, most, bidirectional=False)
            for distance in range(near, 129):
                passed, whole = buckets._passed(distance, near, far)
                share = math.log(distance / near) / math.log(most / near) * far
                assert abs(share - passed) < 1e-9 if whole else min(far, math.floor(share)) == passed


def test_a_bucket_is_looked_up_for_each_head() -> None:
    table = np.arange(16.0).reshape(8, 2)
    q = np.zeros((2, 3, 2))
    t = FormScene(q, q, q, position="t5", options=PositionOptions(max_distance=16), tables={"rel_table": table}).run()
    assert t.buckets.value.tolist() == [[0, 5, 6], [1, 0, 5], [2, 1, 0]]
    assert t.bias.value[1].tolist() == [[1, 11, 13], [3, 1, 11], [5, 3, 1]]
    explanation = t.explain("bias", (1, 0, 2))
    assert explanation.is_copy
    assert explanation.terms[0].index == (6, 1)
    assert t.inputs("bias") == ["rel_table", "buckets"]
    assert t.explain("buckets", (0, 2)).expression == "4 + min(3, 2 + ln(2 ÷ 2) ÷ ln(16 ÷ 2)×2) = 6"


@pytest.mark.parametrize(
    ("rows", "columns", "options", "message"),
    [
        (8, 3, PositionOptions(), "each of the 2 heads, not 3"),
        (2, 2, PositionOptions(), "even, and 4 or more, not 2"),
        (7, 2, PositionOptions(), "even, and 4 or more, not 7"),
        (1, 2, CAUSAL, "2 or more, not 1"),
        (8, 2, PositionOptions(max_distance=2), "above 2, not 2"),
    ],
)
def test_buckets_that_cannot_be_shared_out_are_refused(rows: int, columns: int, options: PositionOptions, message: str) -> None:
    x = draw(1, 2, 3, 2)
    with pytest.raises(ValueError, match=message):
        FormScene(x, x, x, position="t5", options=options, tables={"rel_table": draw(2, rows, columns)}).run()


def test_a_row_number_past_the_table_reads_its_last_row() -> None:
    q = np.zeros((1, 2, 2))
    tables = {"rel_table": np.arange(4.0)[:, None]}
    edits: dict[str, dict[tuple[int, ...], float]] = {"buckets": {(0, 0): 99.0, (0, 1): -5.0, (1, 0): 1.6}}
    t = FormScene(q, q, q, position="t5", tables=tables, edits=edits).run()
    assert t.bias.value.tolist() == [[[3, 0], [2, 0]]]
