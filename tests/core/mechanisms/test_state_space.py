"""State space models: the scan and the convolution form."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.mechanisms import state_space
from app.core.operations.ops import NotFinite
from app.core.record.array import given as array_given
from app.core.record.array import parameter
from app.core.record.trace import Edits, Trace
from tests.core.build import Numbers
from tests.core.long import assert_explained, case, draw, reference, seeds
from tests.core.reference import same
from tests.support.examples import examples

FORMS, RULES = ["scan", "convolution"], ["zoh", "simplified"]


def fixed(
    u: Numbers,
    a: Numbers,
    b: Numbers,
    c: Numbers,
    delta: Numbers,
    *,
    rule: str = "zoh",
    form: str = "scan",
    edits: Edits | None = None,
) -> Trace:
    """The same system at every token: u is one column a channel; a, b, c one row a channel; delta one number a channel."""
    t = Trace(edits)
    t.u = array_given(np.asarray(u, dtype=getattr(u, "dtype", float)).T[:, :, None])
    for name, rows in (("a", a), ("b", b), ("c", c)):
        setattr(t, name, parameter(np.asarray(rows, dtype=t.u.value.dtype)[:, None, :]))
    t.delta = parameter(np.asarray(delta, dtype=t.u.value.dtype)[:, None, None])
    state_space.discretise(t, rule)
    state_space.FORMS[form](t)
    state_space.contribute(t)
    t.finish()
    return t


def one_channel(u: list[float], a: float, b: float, c: float, delta: float, *, rule: str, form: str = "scan") -> Trace:
    return fixed([[number] for number in u], [[a]], [[b]], [[c]], [delta], rule=rule, form=form)


def random_system(seed: int, n: int, form: str, rule: str = "zoh") -> Trace:
    a = -np.abs(draw(seed, 2, 3))
    return fixed(
        draw(seed + 1, n, 2), a, draw(seed + 2, 2, 3), draw(seed + 3, 2, 3), np.abs(draw(seed + 4, 2)), rule=rule, form=form
    )


def test_the_scan_by_hand() -> None:
    """e^(−ln 2) = 1/2: half of the state stays; the simplified step puts in ln 2 × b, so b = 2 ÷ ln 2 puts in twice u."""
    t = one_channel([4, 0, 8], -1, 2 / math.log(2), 3, math.log(2), rule="simplified")
    assert same(t.a_bar.value, [[[1 / 2]]], 1e-15)
    assert same(t.b_bar.value, [[[2]]], 1e-15)
    assert same([t[f"token.{token}.h"].value.item() for token in range(3)], [8, 4, 18], 1e-15)
    assert same(t.y.value, [[[24], [12], [54]]], 1e-15)
    assert same(t.remaining.value, [[[1 / 4], [1 / 2], [1.0]]], 1e-15)
    assert same(t.contributions.value, [[[2], [0], [16]]], 1e-15)


def test_the_convolution_by_hand() -> None:
    t = one_channel([4, 0, 8], -1, 2 / math.log(2), 3, math.log(2), rule="simplified", form="convolution")
    assert same(t.decay.value, [[[1.0], [1 / 2], [1 / 4]]], 1e-15)
    assert same(t.kernel.value, [[[6.0], [3.0], [3 / 2]]], 1e-15)
    assert same(t.toeplitz.value, [[[6.0, 0.0, 0.0], [3.0, 6.0, 0.0], [3 / 2, 3.0, 6.0]]], 1e-15)
    assert same(t.y.value, [[[24], [12], [54]]], 1e-15)


def test_holding_the_input_by_hand() -> None:
    """(e^(−ln 2) − 1) ÷ (−1) = 1/2."""
    t = one_channel([1], -1, 6, 1, math.log(2), rule="zoh")
    assert same(t.b_bar.value, [[[3]]], 1e-15)
    assert t.explain("b_bar", (0, 0, 0)).expression == "((e^(0.693×(−1)) − 1) ÷ (−1))×6 ≈ 3"


def test_a_state_that_does_not_fade_adds_up() -> None:
    for rule in RULES:
        t = one_channel([1, 2, 3], 0, 2, 1, 0.5, rule=rule)
        assert t.y.value.tolist() == [[[1], [3], [6]]]
        assert t.explain("b_bar", (0, 0, 0)).expression == "0.5×2 = 1" if rule == "simplified" else "(0.5)×2 = 1"


def test_a_state_that_hardly_fades_keeps_its_digits() -> None:
    t = one_channel([1], -1e-12, 1, 1, 0.5, rule="zoh")
    assert t.b_bar.value.item() == pytest.approx(0.5 * (1 - 0.25e-12), rel=1e-15)
    assert_explained(t)


@pytest.mark.parametrize("form", FORMS)
def test_both_forms_agree_with_another_program(form: str) -> None:
    assert len(reference()["ssm"]) == 8
    for entry in reference()["ssm"]:
        t = one_channel(entry["u"], entry["A"], entry["B"], entry["C"], entry["dt"], rule=entry["rule"], form=form)
        assert same(t.a_bar.value.item(), entry["A_bar"])
        assert same(t.b_bar.value.item(), entry["B_bar"])
        assert same(t.y.value[0, :, 0], entry["y"])
        if form == "scan":
            assert same([t[f"token.{token}.h"].value.item() for token in range(len(entry["u"]))], entry["states"])
        else:
            assert same(t.kernel.value[0, :, 0], entry["convolution_kernel"])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rule", RULES)
def test_the_rule_decides_what_goes_in_and_the_token_goes_in_at_once(rule: str, form: str) -> None:
    given_input, expected, faults = case("SSM-01")
    t = one_channel(*(given_input[name] for name in ("u", "A", "B", "C", "dt")), rule=rule, form=form)
    assert same(t.a_bar.value.item(), expected["A_bar"])
    assert same(t.b_bar.value.item(), expected[rule]["B_bar"])
    assert same(t.y.value[0, :, 0], expected[rule]["y"])
    assert t.y.value[0, 0, 0] != 0
    for fault in faults.values():
        assert not same(t.y.value[0, :, 0], fault)


@examples(60)
@given(seeds, st.integers(1, 7), st.sampled_from(RULES))
def test_scan_equals_convolution(seed: int, n: int, rule: str) -> None:
    for form in FORMS:
        found = state_space.difference_of_forms(random_system(seed, n, form, rule))
        assert found is not None
        assert found < 1e-12


@examples(60)
@given(seeds, st.integers(1, 5))
def test_both_forms_agree_with_plain_loops(seed: int, n: int) -> None:
    traces = [random_system(seed, n, form) for form in FORMS]
    a, b, c, delta, u = (traces[0][name].value for name in ("a", "b", "c", "delta", "u"))
    for channel in range(2):
        state = [0.0] * 3
        for token in range(n):
            for s in range(3):
                step, slope = delta[channel, 0, 0], a[channel, 0, s]
                enters = (math.exp(step * slope) - 1) / slope * b[channel, 0, s]
                state[s] = math.exp(step * slope) * state[s] + enters * u[channel, token, 0]
            y = sum(c[channel, 0, s] * state[s] for s in range(3))
            assert all(same(t.y.value[channel, token, 0], y, 1e-10) for t in traces)


@examples(60)
@given(seeds, st.integers(1, 6))
def test_what_the_tokens_leave_adds_up_to_the_last_state(seed: int, n: int) -> None:
    t = random_system(seed, n, "scan")
    assert t.contributions.shape == (2, n, 3)
    assert state_space.difference_from_the_state(t) < 1e-12


@examples(30)
@given(seeds, st.integers(0, 2))
def test_what_a_token_leaves_is_what_goes_missing_without_it(seed: int, token: int) -> None:
    t = random_system(seed, 4, "scan")
    without = t.u.value[:, :, 0].T.copy()
    without[token] = 0
    a, b, c = (t[name].value[:, 0] for name in "abc")
    other = fixed(without, a, b, c, t.delta.value[:, 0, 0])
    assert same(t["token.3.h"].value - other["token.3.h"].value, t.contributions.value[:, token : token + 1], 1e-12)


@examples(20)
@given(seeds, st.sampled_from(FORMS), st.sampled_from(RULES))
def test_every_cell_of_a_state_space_is_explained(seed: int, form: str, rule: str) -> None:
    assert_explained(random_system(seed, 4, form, rule))


@examples(30)
@given(seeds, st.integers(0, 4))
def test_the_future_cannot_change_the_past_of_a_state(seed: int, now: int) -> None:
    """Exactly, in both forms."""
    u = draw(seed, 5, 2)
    later = np.where(np.arange(5)[:, None] > now, u + 1, u)
    a, b, c, delta = -np.abs(draw(1, 2, 3)), draw(2, 2, 3), draw(3, 2, 3), [0.5, 2]
    for form in FORMS:
        one, two = (fixed(signal, a, b, c, delta, form=form) for signal in (u, later))
        assert np.array_equal(one.y.value[:, : now + 1], two.y.value[:, : now + 1])


@pytest.mark.parametrize("form", FORMS)
def test_a_state_that_grows_without_end_is_refused(form: str) -> None:
    with pytest.raises(NotFinite):
        one_channel([1, 1, 1], 150, 1, 1, 6, rule="zoh", form=form)
    with pytest.raises(NotFinite):
        one_channel([1] * 9, 100, 1, 1, 1, rule="zoh", form=form)


def test_the_state_is_as_wide_at_the_end_as_at_the_start() -> None:
    t = random_system(1, 6, "scan")
    assert {t[f"token.{token}.h"].shape for token in range(6)} == {t["start.h"].shape} == {(2, 1, 3)}


@pytest.mark.parametrize("form", FORMS)
def test_state_spaces_keep_the_kind_of_number(form: str) -> None:
    a, b, c = -np.abs(draw(2, 2, 3)), draw(3, 2, 3), draw(4, 2, 3)
    t = fixed(draw(1, 5, 2).astype(np.float32), a, b, c, [0.5, 1], form=form)
    assert {t[name].value.dtype for name in t} == {np.dtype(np.float32)}
