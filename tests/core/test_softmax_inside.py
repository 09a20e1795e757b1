"""Softmax one step at a time."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from app.core.operations.ops import NotFinite
from app.core.record.array import given as array_given
from app.core.record.trace import Trace
from app.core.variants import softmax_inside
from tests.core.attend_build import INSIDE, FormScene, form_scenes, one_row, reference
from tests.core.reference import bits, same
from tests.support.examples import examples


@examples(100)
@given(form_scenes())
def test_softmax_from_the_inside_is_softmax(scene: FormScene) -> None:
    assume(scene.normalizer == "softmax")
    one, two = (FormScene(**{**vars(scene), "form": {**scene.form, "inside": inside}}).run() for inside in (False, True))
    assert same(two.weights.value, one.weights.value, 1e-15)
    assert set(two) - set(one) - {"sink_exponential"} == set(INSIDE)
    assert two.exponentials.value.max() <= 1


def test_softmax_from_the_inside_reads_step_by_step() -> None:
    t = one_row([1, 3, 2], mask=[1, 1, 0], inside=True)
    assert t.explain("row_max", (0, 0, 0)).expression == "max(1, 3) = 3"
    assert t.explain("shifted", (0, 0, 0)).expression == "1 − 3 = −2"
    assert t.explain("shifted", (0, 0, 2)).expression == "−∞ − 3 = −∞"
    assert t.explain("exponentials", (0, 0, 0)).expression == "e^(−2) ≈ 0.135"
    assert t.explain("exponentials", (0, 0, 2)).expression == "e^(−∞) = 0"
    assert t.explain("row_sum", (0, 0, 0)).expression == "0.135 + 1 + 0 ≈ 1.135"
    assert t.explain("weights", (0, 0, 1)).expression == "1 ÷ 1.135 ≈ 0.881"
    assert t.explain("logsumexp", (0, 0, 0)).expression == "3 + ln(1.135) ≈ 3.127"


def test_a_row_that_sees_nothing_is_zero_inside_too() -> None:
    t = one_row([1, 3], mask=[0, 0], inside=True)
    assert t.weights.value.tolist() == t.exponentials.value.tolist() == [[[0, 0]]]
    assert t.row_max.value.item() == t.row_sum.value.item() == 0
    assert t.logsumexp.value.item() == -math.inf
    assert [t.explain(name, (0, 0, 0)).expression for name in ("row_max", "weights", "logsumexp")] == ["0", "0", "−∞"]


@np.errstate(over="ignore")
def test_softmax_agrees_from_outside_and_inside() -> None:
    for entry in reference()["functions"]["softmax"]:
        t = Trace()
        t.masked = array_given([[entry["scores"]]])
        t.weights = softmax_inside(t, t.masked)
        assert same(t.weights.value[0, 0], entry["weights"])
        assert same(t.masked.softmax().value[0, 0], entry["weights"])
        assert same(t.logsumexp.value.item(), entry["logsumexp"])


@pytest.mark.parametrize("inside", [False, True])
def test_masked_softmax_agrees(inside: bool) -> None:
    entries = reference()["functions"]["masked_softmax"]
    assert len(entries) == 8
    for entry in entries:
        mask = bits([entry["allow"]])[0].astype(int).tolist()
        assert same(one_row(entry["scores"], mask, inside=inside).weights.value[0, 0], entry["weights"])


def test_which_number_is_taken_off_first_changes_no_weight() -> None:
    plain = one_row([1, 3, 2], inside=True)
    t = FormScene(
        [[[1.0]]], [[[1.0], [3.0], [2.0]]], [[[1.0]] * 3], form={"inside": True}, edits={"row_max": {(0, 0, 0): 0.5}}
    ).run()
    assert not np.allclose(t.exponentials.value, plain.exponentials.value)
    assert same(t.weights.value, plain.weights.value, 1e-15)
    assert same(t.logsumexp.value, plain.logsumexp.value, 1e-15)


@pytest.mark.parametrize("edits", [{"q_rms": {(0, 0, 0): 0.0}}, {"row_max": {(0, 0, 0): -1e5}}])
def test_an_edit_after_which_nothing_is_a_number_is_refused(edits: Any) -> None:
    with pytest.raises(NotFinite):
        FormScene([[[1.0]]], [[[1.0]]], [[[1.0]]], norm=True, form={"inside": True}, edits=edits).run()
