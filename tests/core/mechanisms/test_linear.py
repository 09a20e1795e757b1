"""Linear attention: two forms, one answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.masks import causal
from app.core.mechanisms.linear import OneState, difference_of_forms, linear_attention
from app.core.operations.ops import NotFinite
from app.core.record.array import given as array_given
from app.core.record.trace import Edits, Trace
from tests.core.build import Numbers, Values
from tests.core.long import assert_explained, assert_no_nan, case, draw, one_head, reference, seeds
from tests.core.reference import same
from tests.support.examples import examples

FORMS = ["quadratic", "recurrent"]


def linear(
    q: Numbers, k: Numbers, v: Numbers, *, mask: Numbers | None = None, form: str = "quadratic", edits: Edits | None = None
) -> Trace:
    """Linear attention over heads of q, k, v."""
    t = Trace(edits)
    t.q, t.k, t.v = array_given(q), array_given(k), array_given(v)
    linear_attention(t, array_given(bits(t, mask)), form)
    t.finish()
    return t


def bits(t: Trace, mask: Numbers | None) -> Values:
    return np.ones((t.q.shape[1], t.k.shape[1]), bool) if mask is None else np.asarray(mask, bool)


def difference(t: Trace, mask: Numbers | None = None) -> float | None:
    return difference_of_forms(t, array_given(bits(t, mask)))


def phi(x: float) -> float:
    return x + 1 if x > 0 else float(np.exp(x))


def by_hand(form: str, edits: Edits | None = None) -> Trace:
    """φ(q) = (2, 1), (1, 3); φ(k) = (1, 2), (3, 1); v = 4, 8: all whole numbers."""
    return linear([[[1, 0], [0, 2]]], [[[0, 1], [2, 0]]], [[[4], [8]]], mask=causal(2, 2), form=form, edits=edits)


def test_the_quadratic_form_by_hand() -> None:
    t = by_hand("quadratic")
    assert t.phi_q.value.tolist() == [[[2, 1], [1, 3]]]
    assert t.phi_k.value.tolist() == [[[1, 2], [3, 1]]]
    assert t.similarities.value.tolist() == [[[4, 7], [7, 6]]]
    assert t.kept.value.tolist() == [[[4, 0], [7, 6]]]
    assert t.row_sum.value.tolist() == [[[4], [13]]]
    assert same(t.weights.value, [[[1.0, 0.0], [7 / 13, 6 / 13]]], 1e-15)
    assert same(t.z.value, [[[4.0], [76 / 13]]], 1e-15)


def test_the_recurrent_form_by_hand() -> None:
    t = by_hand("recurrent")
    assert t["start.state"].value.tolist() == [[[0], [0]]]
    assert t["token.0.added"].value.tolist() == t["token.0.state"].value.tolist() == [[[4], [8]]]
    assert t["token.1.added"].value.tolist() == [[[24], [8]]]
    assert t["token.1.state"].value.tolist() == [[[28], [16]]]
    assert t["token.1.key_sum"].value.tolist() == [[[4, 3]]]
    assert t["token.1.numerator"].value.tolist() == [[[28 + 48]]]
    assert t["token.1.denominator"].value.tolist() == [[[4 + 9]]]
    assert same(t.z.value, [[[4.0], [76 / 13]]], 1e-15)
    assert t.explain("token.1.state", (0, 0, 0)).expression == "4 + 24 = 28"
    assert t.explain("token.1.denominator", (0, 0, 0)).expression == "1×4 + 3×3 = 13"


def test_without_a_mask_the_first_query_reads_the_last_state() -> None:
    t = linear([[[1, 0], [0, 2]]], [[[0, 1], [2, 0]]], [[[4], [8]]], form="recurrent")
    assert same(t.z.value, [[[(4 * 4 + 7 * 8) / 11], [76 / 13]]], 1e-15)
    assert "end.numerator" in t
    assert "token.1.z" not in t


@pytest.mark.parametrize("form", FORMS)
def test_both_forms_agree_with_another_program(form: str) -> None:
    assert len(reference()["linear_attention"]) == 6
    for entry in reference()["linear_attention"]:
        n = entry["n"]
        t = linear(*(one_head(entry[name]) for name in "qkv"), mask=causal(n, n) if entry["causal"] else None, form=form)
        assert same(t.phi_q.value[0], entry["phi_q"])
        assert same(t.phi_k.value[0], entry["phi_k"])
        assert same(t.z.value[0], entry["output"])
        if form == "quadratic":
            assert same(t.weights.value[0], entry["implied_weights"])


@pytest.mark.parametrize("form", FORMS)
def test_the_sums_run_over_the_past_only(form: str) -> None:
    given_input, expected, faults = case("LIN-01")
    t = linear(*(one_head(given_input[name]) for name in "qkv"), mask=causal(3, 3), form=form)
    assert same(t.z.value[0], expected["output"])
    assert t.z.value[0, 0].tolist() == pytest.approx(given_input["v"][0], rel=1e-15)
    for fault in faults.values():
        assert not same(t.z.value[0], fault)
    if form == "quadratic":
        assert same(t.weights.value[0], expected["implied_weights"])
        assert (t.weights.value >= 0).all()


@examples(60)
@given(seeds, st.booleans())
def test_recurrent_equals_quadratic(seed: int, looks_back: bool) -> None:
    q, k, v = draw(seed, 4, 5, 3) * 2, draw(seed + 1, 2, 5, 3) * 2, draw(seed + 2, 2, 5, 6)
    mask = causal(5, 5) if looks_back else None
    for form in FORMS:
        found = difference(linear(q, k, v, mask=mask, form=form), mask)
        assert found is not None
        assert found < 1e-12


@examples(60)
@given(seeds)
def test_both_forms_agree_with_plain_loops(seed: int) -> None:
    q, k, v = draw(seed, 2, 3, 5), draw(seed + 1, 2, 7, 5), draw(seed + 2, 2, 7, 4)
    traces = [linear(q, k, v, mask=causal(3, 7), form=form) for form in FORMS]
    for h, i in np.ndindex(2, 3):
        near = [sum(phi(q[h, i, c]) * phi(k[h, j, c]) for c in range(5)) for j in range(i + 5)]
        row = [sum(s * v[h, j, c] for j, s in enumerate(near)) / sum(near) for c in range(4)]
        assert all(same(t.z.value[h, i], row, 1e-12) for t in traces)


@examples(60)
@given(seeds)
def test_implied_weights_are_shares_of_one_under_every_mask(seed: int) -> None:
    mask = draw(seed + 3, 3, 7) < 0
    t = linear(draw(seed, 2, 3, 5) * 3, draw(seed + 1, 2, 7, 5) * 3, draw(seed + 2, 2, 7, 4), mask=mask)
    assert same(t.weights.value.sum(axis=-1), np.broadcast_to(mask.any(axis=1), (2, 3)), 1e-12)
    assert (t.weights.value >= 0).all()
    assert (t.weights.value[:, ~mask] == 0).all()
    assert_no_nan(t)


@pytest.mark.parametrize("form", FORMS)
@examples(30)
@given(seed=seeds, now=st.integers(0, 4))
def test_the_future_cannot_change_the_past_of_linear_attention(form: str, seed: int, now: int) -> None:
    """Exactly, in both forms."""
    parts = draw(seed, 2, 5, 3), draw(seed + 1, 2, 5, 3), draw(seed + 2, 2, 5, 4)
    past = np.arange(5)[:, None] <= now
    one = linear(*parts, mask=causal(5, 5), form=form)
    two = linear(*(np.where(past, a, 1 - a) for a in parts), mask=causal(5, 5), form=form)
    assert np.array_equal(one.z.value[:, : now + 1], two.z.value[:, : now + 1])


@pytest.mark.parametrize("form", FORMS)
@examples(20)
@given(seed=seeds, looks_back=st.booleans(), whole=st.booleans())
def test_every_cell_of_linear_attention_is_explained(form: str, seed: int, looks_back: bool, whole: bool) -> None:
    q, k, v = draw(seed, 2, 3, 2) * 2, draw(seed + 1, 1, 4, 2) * 2, draw(seed + 2, 1, 4, 3)
    if whole:
        q, k, v = q.round(), k.round(), v.round()
    assert_explained(linear(q, k, v, mask=causal(3, 4) if looks_back else None, form=form))


def test_the_state_does_not_grow_with_the_sentence() -> None:
    t = linear(draw(1, 4, 6, 3), draw(2, 2, 6, 3), draw(3, 2, 6, 5), mask=causal(6, 6), form="recurrent")
    assert {t[f"token.{token}.state"].shape for token in range(6)} == {(2, 3, 5)}


def test_the_order_of_the_past_does_not_matter_to_the_last_state() -> None:
    q, k, v = draw(1, 1, 4, 3), draw(2, 1, 4, 3), draw(3, 1, 4, 5)
    other = [2, 0, 3, 1]
    one, two = linear(q, k, v, form="recurrent"), linear(q, k[:, other], v[:, other], form="recurrent")
    assert same(one["token.3.state"].value, two["token.3.state"].value, 1e-14)


def test_a_query_that_sees_nothing_gets_zeros() -> None:
    t = linear(draw(1, 1, 2, 3), draw(2, 1, 3, 3), draw(3, 1, 3, 4), mask=[[0, 0, 0], [1, 0, 1]])
    assert (t.z.value[0, 0] == 0).all()
    assert (t.weights.value[0, 0] == 0).all()
    assert_explained(t)


def test_features_that_vanish_give_zeros_and_not_a_nan() -> None:
    """e^(−800) is 0 in the computer: nothing is similar to anything."""
    for form in FORMS:
        t = linear([[[-800.0]]], [[[-800.0]]], [[[5.0]]], form=form)
        assert t.z.value.item() == 0


@pytest.mark.parametrize("form", FORMS)
def test_a_sum_that_overflows_is_refused(form: str) -> None:
    with pytest.raises(NotFinite):
        linear([[[1e200]]], [[[1e200]]], [[[1.0]]], form=form)


@pytest.mark.parametrize("mask", [np.eye(3), np.tri(3)[::-1], np.zeros((3, 3)), causal(3, 2)])
def test_one_state_cannot_follow_every_mask(mask: Values) -> None:
    n_q, n_k = mask.shape
    parts = draw(1, 1, n_q, 2), draw(2, 1, n_k, 2), draw(3, 1, n_k, 4)
    with pytest.raises(OneState, match="two masks"):
        linear(*parts, mask=mask, form="recurrent")
    assert difference(linear(*parts, mask=mask), mask) is None


def test_a_state_typed_by_hand_shows_downstream_and_as_a_difference() -> None:
    t = by_hand("recurrent", {"token.0.state": {(0, 0, 0): 5.0}})
    assert t["token.1.state"].value.tolist() == [[[29], [16]]]
    assert difference(t, causal(2, 2)) == pytest.approx(2 * 1 / 4)
    assert_explained(t)


@pytest.mark.parametrize("form", FORMS)
def test_linear_attention_keeps_the_kind_of_number(form: str) -> None:
    t = linear(*(draw(n, 2, 3, 5).astype(np.float32) for n in (1, 2, 3)), mask=causal(3, 3), form=form)
    assert {t[name].value.dtype for name in t if name != "mask"} == {np.dtype(np.float32)}
