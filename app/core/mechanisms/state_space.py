"""Diagonal state space models, fixed or selective (Mamba): a state fades, takes each token in, and is read at every step.

Each channel (column of u) has a state of its own; A is diagonal, so every number of the state fades at its own speed.
"""

from collections.abc import Callable

import numpy as np

from app.core.heads import split_heads
from app.core.record.array import Array, given, join_rows
from app.core.record.finite import finite
from app.core.record.trace import Trace


def channels(t: Trace, x: Array) -> None:
    """Make the signals that go in: every channel is one column, as if it were a head of width 1.

    Shapes: x (n, d_model), w_u (d_model, n_channels) -> u (n_channels, n, 1).
    """
    t.u = split_heads(x @ t.w_u, t.w_u.shape[-1])


def select(t: Trace, x: Array) -> None:
    """Let each token say how long it counts (delta), where it is written (b) and what is read (c).

    Shapes: x (n, d_model), w_delta (d_model, n_channels), b_delta (n_channels), w_b, w_c (d_model, d_state)
    -> delta_raw (n, n_channels), delta (n_channels, n, 1), b, c (n, d_state).
    Source: Gu & Dao 2023, section 3.2, algorithm 2.
    """
    t.delta_raw = x @ t.w_delta + t.b_delta
    t.delta = split_heads(t.delta_raw.function("softplus"), t.delta_raw.shape[-1])
    t.b = x @ t.w_b
    t.c = x @ t.w_c


@np.errstate(over="ignore", invalid="ignore")  # what grows too large is refused
def discretise(t: Trace, rule: str) -> None:
    """From continuous time to steps of length delta: how much of the state stays, how much of the token goes in.

    Shapes: delta (n_channels, 1 or n, 1), a (n_channels, 1, d_state), b (..., 1 or n, d_state)
    -> a_bar, b_bar (n_channels, 1 or n, d_state).
    Errors: NotFinite where a number grows past what numbers can hold (a above 0 lets the state grow, not fade).
    Source: Gu & Dao 2023, section 2, equation 4; the simplified rule is the one in its published code.
    """
    t.a_bar = finite((t.delta * t.a).function("exp"))
    t.b_bar = finite(RULES[rule](t.delta, t.a) * t.b)


RULES: dict[str, Callable[[Array, Array], Array]] = {"zoh": Array.hold, "simplified": lambda delta, a: delta}


@np.errstate(over="ignore", invalid="ignore")
def scan(t: Trace) -> None:
    """Token by token: fade the state, add the token, read the state.

    Shapes: u (n_channels, n, 1), a_bar, b_bar (n_channels, 1 or n, d_state), c (..., 1 or n, d_state)
    -> parts start, token.<t>: h (n_channels, 1, d_state), y (n_channels, 1, 1); y (n_channels, n, 1).
    Errors: NotFinite where the state grows past what numbers can hold.
    Source: Gu & Dao 2023, section 2, equations 2a and 2b.
    """
    n, answers = t.u.shape[-2], []
    state = t.part("start")
    state.h = given(np.zeros((len(t.u.value), 1, t.a.shape[-1]), t.u.value.dtype))
    for token in range(n):
        before, state = state, t.part(f"token.{token}")
        state.h = t.a_bar.at_row(token) * before.h + t.b_bar.at_row(token) * t.u.at_row(token)
        state.y = state.h @ t.c.at_row(token).T
        answers.append(state.y)
    t.y = finite(join_rows(*answers))


@np.errstate(over="ignore", invalid="ignore")
def convolution(t: Trace) -> None:
    """All tokens at once: y_i adds up what each token j up to i still says after i − j steps.

    This works only where the system is the same at every token.

    Shapes: u (n_channels, n, 1), a_bar, b_bar (n_channels, 1, d_state), c (..., 1, d_state)
    -> decay (n_channels, n, d_state), kernel (n_channels, n, 1), toeplitz (n_channels, n, n), y (n_channels, n, 1).
    Errors: ValueError where delta, b or c depends on the token.
    Source: Gu et al. 2022, section 2.4, equations 4 and 5; Gu & Dao 2023, section 2, equations 3a and 3b.
    """
    if depends_on_the_token(t):
        raise ValueError("a state space that depends on the token has no convolution form")
    t.decay = t.a_bar.powers(t.u.shape[-2])
    t.kernel = (t.decay * t.b_bar) @ t.c.T
    t.toeplitz = t.kernel.toeplitz()
    t.y = finite(t.toeplitz @ t.u)


FORMS: dict[str, Callable[[Trace], None]] = {"scan": scan, "convolution": convolution}


@np.errstate(over="ignore", invalid="ignore")
def contribute(t: Trace) -> None:
    """What each token leaves in the state at the end: what it put in, faded by all tokens that followed.

    The sum over the tokens is the last state.
    Shapes: a_bar, b_bar (n_channels, 1 or n, d_state), u (n_channels, n, 1) -> remaining, contributions (n_channels, n, d_state).
    Source: Gu & Dao 2023, section 2, equations 2a and 3a, written out for the last step.
    """
    t.remaining = t.a_bar.remaining(t.u.shape[-2])
    t.contributions = finite(t.remaining * t.b_bar * t.u)


def depends_on_the_token(t: Trace) -> bool:
    """True for the selective form: delta, b or c has a row for each token."""
    return any(array.shape[-2] > 1 for array in (t.a_bar, t.b_bar, t.c))


def difference_of_forms(t: Trace) -> float | None:
    """The largest difference between y and the y of the other form; None where there is no other form."""
    if depends_on_the_token(t):
        return None
    other = Trace()
    for name in ("u", "a", "a_bar", "b_bar", "c"):
        setattr(other, name, given(t[name].value))
    FORMS["scan" if "kernel" in t else "convolution"](other)
    return float(np.abs(other.y.value - t.y.value).max(initial=0))


def difference_from_the_state(t: Trace) -> float:
    """The largest difference between the contributions, added up, and the last state of the scan."""
    last = t[f"token.{t.u.shape[-2] - 1}.h"].value[:, 0]
    return float(np.abs(t.contributions.value.sum(axis=-2) - last).max(initial=0))
