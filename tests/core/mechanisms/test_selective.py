"""The selective state space: each token says how long it counts, where it is written and what is read."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.mechanisms import state_space
from app.core.record.array import given as array_given
from app.core.record.array import parameter
from app.core.record.trace import Edits, Trace
from tests.core.build import Values
from tests.core.long import assert_explained, draw, seeds
from tests.core.reference import same
from tests.support.examples import examples


def selective(
    seed: int, n: int = 4, channels: int = 2, d_state: int = 3, edits: Edits | None = None, x: Values | None = None
) -> Trace:
    """A system that depends on the token, from vectors x five wide."""
    t = Trace(edits)
    t.x = array_given(draw(seed, n, 5) if x is None else x)
    shapes = {"w_u": (5, channels), "w_delta": (5, channels), "b_delta": (channels,), "w_b": (5, d_state), "w_c": (5, d_state)}
    for number, (name, shape) in enumerate(shapes.items()):
        setattr(t, name, parameter(draw(seed + number + 1, *shape).astype(t.x.value.dtype)))
    t.a = parameter(-np.arange(1, d_state + 1, dtype=t.x.value.dtype)[None, None].repeat(channels, axis=0))
    state_space.channels(t, t.x)
    state_space.select(t, t.x)
    state_space.discretise(t, "zoh")
    state_space.scan(t)
    state_space.contribute(t)
    t.finish()
    return t


def test_the_selective_form_by_hand() -> None:
    """Steps of ln 2 and ln 4 with a = −1: one half stays, then a quarter; what goes in is one half, then three quarters."""
    t = Trace()
    t.x = array_given([[1], [3]])
    t.w_u, t.w_b, t.w_c = parameter([[1]]), parameter([[2]]), parameter([[1]])
    t.w_delta, t.b_delta = parameter([[math.log(3) / 2]]), parameter([-math.log(3) / 2])
    t.a = parameter([[[-1]]])
    state_space.channels(t, t.x)
    state_space.select(t, t.x)
    state_space.discretise(t, "zoh")
    state_space.scan(t)
    state_space.contribute(t)
    assert same(t.delta.value, [[[math.log(2)], [math.log(4)]]], 1e-15)
    assert same(t.a_bar.value, [[[1 / 2], [1 / 4]]], 1e-15)
    assert same(t.b_bar.value, [[[1 / 2 * 2], [3 / 4 * 6]]], 1e-15)
    assert same([t[f"token.{token}.h"].value.item() for token in (0, 1)], [1, 1 / 4 + 9 / 2 * 3], 1e-15)
    assert same(t.y.value, [[[1.0], [(1 / 4 + 27 / 2) * 3]]], 1e-15)
    assert same(t.contributions.value, [[[1 / 4], [27 / 2]]], 1e-15)
    assert t.explain("delta", (0, 0, 0)).expression == "ln(1 + e^0) ≈ 0.693"


@examples(60)
@given(seeds, st.integers(1, 5))
def test_the_selective_form_agrees_with_plain_loops(seed: int, n: int) -> None:
    t = selective(seed, n)
    x = t.x.value
    b, c, raw = x @ t.w_b.value, x @ t.w_c.value, x @ t.w_delta.value + t.b_delta.value
    for channel in range(2):
        state = [0.0] * 3
        for token in range(n):
            delta = math.log(1 + math.exp(raw[token, channel]))
            signal = sum(x[token, m] * t.w_u.value[m, channel] for m in range(5))
            for s in range(3):
                slope = -(s + 1)
                state[s] = math.exp(delta * slope) * state[s] + (math.exp(delta * slope) - 1) / slope * b[token, s] * signal
            assert same(t[f"token.{token}.h"].value[channel, 0], state, 1e-10)
            assert same(t.y.value[channel, token, 0], sum(c[token, s] * state[s] for s in range(3)), 1e-10)


@examples(60)
@given(seeds, st.integers(1, 6))
def test_what_the_tokens_leave_adds_up_to_the_last_state(seed: int, n: int) -> None:
    t = selective(seed, n)
    assert t.contributions.shape == (2, n, 3)
    assert state_space.difference_from_the_state(t) < 1e-12


@examples(30)
@given(seeds, st.integers(0, 4))
def test_the_future_cannot_change_the_past_of_a_selective_state(seed: int, now: int) -> None:
    """Exactly, not nearly."""
    x = draw(seed, 5, 5)
    later = np.where(np.arange(5)[:, None] > now, x + 1, x)
    one, two = selective(seed, x=x), selective(seed, x=later)
    assert np.array_equal(one.y.value[:, : now + 1], two.y.value[:, : now + 1])


@examples(15)
@given(seeds)
def test_every_cell_of_the_selective_form_is_explained(seed: int) -> None:
    assert_explained(selective(seed, 3))


def test_a_long_step_forgets_and_a_short_step_ignores_the_token() -> None:
    """What selection is for: delta decides whether a token replaces the state or leaves it alone."""
    reset = selective(3, 3, edits={"delta": {(0, 1, 0): 60.0}})
    assert (np.abs(reset.contributions.value[0, 0]) < 1e-20).all()
    skipped = selective(3, 3, edits={"delta": {(0, 1, 0): 0.0}})
    assert np.array_equal(skipped["token.1.h"].value[0], skipped["token.0.h"].value[0])
    assert (skipped.contributions.value[0, 1] == 0).all()
    assert_explained(reset)
    assert_explained(skipped)


def test_the_selective_form_has_no_convolution() -> None:
    t = selective(1)
    assert state_space.depends_on_the_token(t)
    assert state_space.difference_of_forms(t) is None
    with pytest.raises(ValueError, match="no convolution"):
        state_space.convolution(t)


def test_steps_are_positive_whatever_the_token_says() -> None:
    t = selective(1, edits={"delta_raw": {(0, 0): -150.0, (1, 0): 150.0, (2, 1): 1e6}})
    assert (t.delta.value > 0).all()
    assert t.delta.value[0, 1, 0] == 150
    assert_explained(t)


def test_a_decay_typed_by_hand_shows_downstream() -> None:
    t = selective(2, edits={"a_bar": {(1, 2, 0): 0.0}})
    assert (t.contributions.value[1, :2, 0] == 0).all()
    assert state_space.difference_from_the_state(t) < 1e-14


def test_the_selective_form_keeps_the_kind_of_number() -> None:
    t = selective(1, x=draw(1, 4, 5).astype(np.float32))
    assert {t[name].value.dtype for name in t} == {np.dtype(np.float32)}
