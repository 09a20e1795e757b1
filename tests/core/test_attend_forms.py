"""What current models add to attention: temperature, softcap, sink, QK-norm, a mask in the wrong place."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.operations.ops import NotFinite
from app.core.record.array import given as array_given
from app.core.record.trace import Trace
from app.core.variants import Form, first_named, qk_norm
from tests.core.attend_build import FormScene, draw, one_row, reference, seeds
from tests.core.evaluate import evaluate
from tests.core.reference import same

PLAIN_STEPS = ["q", "k", "v", "scores", "scaled", "mask", "masked", "weights", "z", "concat"]


def test_the_plain_way_has_the_plain_steps_and_no_more() -> None:
    assert list(one_row([1, 2])) == PLAIN_STEPS


def test_every_form_at_once_keeps_the_order_of_its_steps() -> None:
    form = {"temperature": 2.0, "softcap": 5.0, "sink": [[0.5], [1.0]], "inside": True}
    q, v = draw(1, 2, 3, 4), draw(3, 1, 7, 5)
    t = FormScene(q, draw(2, 1, 7, 4), v, position="alibi", norm=True, gamma=np.ones(4), form=form).run()
    norms = ["q_mean_square", "q_rms", "gamma_q", "q_norm", "k_mean_square", "k_rms", "gamma_k", "k_norm"]
    between = ["slopes", "bias", "scores", "scaled", "tempered", "capped", "biased", "mask", "masked", "sink"]
    inside = ["row_max", "shifted", "exponentials", "sink_exponential", "row_sum", "logsumexp"]
    assert list(t) == ["q", "k", "v", *norms, *between, *inside, "weights", "z", "concat"]
    chain = ["scores", "scaled", "tempered", "capped", "biased", "masked", "shifted", "exponentials", "weights", "z"]
    assert all(before in t.inputs(after) for before, after in pairwise(chain))


def test_a_temperature_divides_the_scores() -> None:
    t = one_row([6, 2], temperature=2)
    assert t.tempered.value.tolist() == [[[3, 1]]]
    assert t.explain("tempered", (0, 0, 0)).expression == "6 ÷ 2 = 3"
    assert one_row([6, 2], temperature=0.5).weights.value[0, 0, 0] > t.weights.value[0, 0, 0]
    assert same(one_row([6, 2], temperature=1e6).weights.value, [[[0.5, 0.5]]], 1e-5)


def test_a_softcap_bends_scores_below_the_cap() -> None:
    t = one_row([0, 50, -500], softcap=50)
    assert same(t.capped.value, [[[0, 50 * math.tanh(1), -50]]], 1e-8)
    assert t.explain("capped", (0, 0, 1)).expression == "50×tanh(50 ÷ 50) ≈ 38.080"
    assert same(one_row([0.5, -1], softcap=1e6).capped.value, [[[0.5, -1]]], 1e-9)


def test_the_cap_comes_after_the_scale_and_before_the_bias() -> None:
    q = np.full((1, 3, 4), 10.0)
    t = FormScene(q, q, q, position="alibi", form={"softcap": 2.0}).run()
    assert same(t.capped.value, 2 * np.tanh(t.scaled.value / 2), 1e-15)
    assert t.capped.value.max() <= 2
    assert same(t.biased.value, t.capped.value + t.bias.value, 1e-15)
    assert t.biased.value.min() < t.capped.value.min()


def test_a_sink_takes_a_share_and_gives_nothing() -> None:
    t = one_row([math.log(2), 0], sink=[[math.log(5)]])
    assert same(t.weights.value, [[[2 / 8, 1 / 8]]], 1e-15)
    assert same(t.z.value, [[[1 * 2 / 8 + 2 * 1 / 8]]], 1e-15)
    assert t.explain("weights", (0, 0, 1)).expression == "e^0 ÷ (e^0.693 + e^0 + e^1.609) = 1 ÷ (2 + 1 + 5) = 1 ÷ 8 ≈ 0.125"
    assert t.inputs("weights") == ["masked", "sink"]
    assert one_row([3, 4], mask=[0, 0], sink=[[1.0]]).weights.value.tolist() == [[[0, 0]]]


@given(seeds, st.booleans())
def test_a_sink_far_below_changes_nothing_and_rows_sum_to_what_it_leaves(seed: int, inside: bool) -> None:
    q, k, v = draw(seed, 2, 3, 4), draw(seed + 1, 2, 7, 4), draw(seed + 2, 2, 7, 5)
    plain = FormScene(q, k, v).run()
    low, some = (FormScene(q, k, v, form={"sink": [[s], [s]], "inside": inside}).run() for s in (-1e5, 0.5))
    assert same(low.weights.value, plain.weights.value, 1e-15)
    total = np.exp(plain.scaled.value).sum(axis=-1)
    assert same(some.weights.value.sum(axis=-1), total / (total + math.exp(0.5)), 1e-12)


def test_a_huge_sink_and_huge_scores_stay_finite() -> None:
    for inside in (False, True):
        assert one_row([1e5, 2], sink=[[1e5]], inside=inside).weights.value.tolist() == [[[0.5, 0]]]
    written = one_row([1e5, 2], sink=[[1e5]]).explain("weights", (0, 0, 0))
    assert written.expression.startswith("e^(100000 − 100000) ÷ (")
    assert evaluate(written.tree) == 0.5


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("sink", [math.inf, -math.inf, math.nan])
def test_a_sink_that_is_not_a_number_is_refused(sink: float, inside: bool) -> None:
    with pytest.raises(NotFinite):
        one_row([1, 2], sink=[[sink]], inside=inside)


def test_query_and_key_norm_by_hand() -> None:
    q, k = [[[3.0, 4.0]]], [[[1.0, 1.0], [5.0, -5.0]]]
    t = FormScene(q, k, [[[1.0], [2.0]]], norm=True, scale="none").run()
    root = math.sqrt(12.5 + 1e-6)
    assert same(t.q_rms.value, [[[root]]], 1e-15)
    assert same(t.q_norm.value, [[[3 / root, 4 / root]]], 1e-15)
    assert same(t.k_norm.value, [[[1, 1], [1, -1]]], 1e-6)
    assert t.explain("q_norm", (0, 0, 1)).expression == "4 ÷ 3.536 ≈ 1.131"
    assert t.explain("q_mean_square", (0, 0, 0)).expression == "((3×3) + (4×4)) ÷ 2 = 12.5"
    assert t.explain("q_rms", (0, 0, 0)).expression == "√((12.5 + 1×10⁻⁶)) ≈ 3.536"
    learned = FormScene(q, k, [[[1.0], [2.0]]], norm=True, gamma=[2.0, 0.5], scale="none").run()
    assert same(learned.q_norm.value, t.q_norm.value * [2, 0.5], 1e-15)


def test_the_root_mean_square_agrees() -> None:
    for entry in reference()["functions"]["rms_norm"]:
        t = Trace()
        t.q, t.k = array_given([entry["x"]]), array_given([entry["x"]])
        qk_norm(t, 1e-5)
        assert same(t.q_norm.value[0], entry["rms_norm"])


@given(seeds, st.floats(0.1, 1000))
def test_query_and_key_norm_forget_how_long_a_vector_was(seed: int, factor: float) -> None:
    q, k, v = draw(seed, 2, 3, 4) + 3, draw(seed + 1, 1, 7, 4) + 3, draw(seed + 2, 1, 7, 5)
    one, two = (FormScene(q * f, k, v, norm=True, position="rope").run() for f in (1, factor))
    assert same(one.scores.value, two.scores.value, 1e-3 if factor < 1 else 1e-5)
    assert np.abs(two.scores.value).max() <= 4 * (1 + 1e-12)
    assert two.q_rot.inputs[0] is two.q_norm


def test_a_square_that_overflows_is_refused() -> None:
    with pytest.raises(NotFinite):
        FormScene([[[1e200, 1]]], [[[1, 1]]], [[[1]]], norm=True).run()


def test_a_mask_after_softmax_leaves_rows_that_do_not_sum_to_one() -> None:
    t = one_row([0, 0, 0, 0], mask=[1, 1, 1, 0], mask_place="after")
    assert t.weights.value.tolist() == [[[0.25] * 4]]
    assert t.weights_cut.value.tolist() == [[[0.25, 0.25, 0.25, 0]]]
    assert t.z.value.tolist() == [[[1.75]]]
    assert [name for name in t if name not in PLAIN_STEPS] == ["weights_cut"]
    assert "masked" not in t
    assert t.explain("weights_cut", (0, 0, 3)).expression == "mask 0 → 0"
    assert t.explain("z", (0, 0, 0)).terms[0].step == "weights_cut"
    right = one_row([0, 0, 0, 0], mask=[1, 1, 1, 0])
    assert same(right.weights.value.sum(), 1, 1e-15)
    assert same(right.weights.value, t.weights_cut.value / t.weights_cut.value.sum(), 1e-15)


@pytest.mark.parametrize(
    "form", [{"temperature": 0}, {"temperature": -1}, {"softcap": 0.0}, {"temperature": math.nan}, {"softcap": math.inf}]
)
def test_a_temperature_or_cap_that_is_not_above_zero_is_refused_by_name(form: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(form))} must be a number above 0"):
        Form(**form)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", [{"inside": True}, {"sink": [[1.0]]}])
def test_a_sink_and_the_inside_belong_to_softmax(form: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="belong to softmax"):
        FormScene([[[1.0]]], [[[1.0]]], [[[1.0]]], form=form, normalizer="division").run()


def test_a_quantity_that_has_no_value_yet_is_named() -> None:
    with pytest.raises(AttributeError, match="q_rot, q"):
        first_named(Trace(), "q_rot", "q")
