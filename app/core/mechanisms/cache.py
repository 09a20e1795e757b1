"""The key/value cache: a model that writes one token at a time computes each key and value once, and keeps them."""

from dataclasses import dataclass

import numpy as np

from app.core.attention import attend, project
from app.core.heads import split_heads
from app.core.operations.ops import Values
from app.core.positions import BETWEEN, DEFAULT, SHARED, PositionOptions, act_between, act_on_scores, name_shared, turn_newest
from app.core.record.array import Array, given, join_rows
from app.core.record.trace import Trace
from app.core.variants import PLAIN, Form


@dataclass(frozen=True, slots=True)
class Settings:
    """What a step must know besides the numbers: how many heads, how scores become weights, and which position acts."""

    n_heads: int
    n_kv_heads: int
    form: Form = PLAIN
    position: str = "none"
    """A position that acts between queries and keys; any other has acted already, or is none."""
    position_options: PositionOptions = DEFAULT


class ShowsFuture(ValueError):
    """A mask that shows a later token, which a cache does not hold."""


def generate(t: Trace, x: Array, mask: Array, settings: Settings) -> None:
    """Feed the tokens one at a time; each asks with its own query and reads the keys and values kept so far.

    Rotary positions turn a key once, before it is kept; ALiBi, relative positions and T5 act where the newest query meets the
    keys that are kept, and count from it.
    Shapes: x (n, d_model), w_q, w_k, w_v as for project, mask (n, n) -> parts token.<t>, z (n_heads, n, d_v).
    Errors: ShowsFuture for a mask that shows the future; as the position's function.
    Source: Shazeer 2019, section 2.4 (incremental); the name KV cache: Pope et al. 2022, section 2, memory costs.
    """
    if np.triu(mask.value, 1).any():
        raise ShowsFuture("a token cannot see the future while the sentence is still being written")
    t.mask = mask
    name_shared(t, settings.position, x.shape[0], settings.n_heads, settings.position_options)
    steps: list[Trace] = []
    for token in range(x.shape[0]):
        step = t.part(f"token.{token}", *SHARED)
        project_one(step, t, x.at_row(token), settings)
        key = turn_newest(step, settings.position, token)
        step.k, step.v = kept(steps, "k", key), kept(steps, "v", step.new_v)
        act_on_scores(step, settings.position, settings.position_options)
        attend(step, t.mask.block(range(token, token + 1), range(token + 1)), settings.form)
        steps.append(step)
    t.z = join_rows(*(step.z for step in steps))


def project_one(step: Trace, t: Trace, x: Array, settings: Settings) -> None:
    """Only the newest token is multiplied with the matrices.

    Shapes: x (1, d_model) -> q (n_heads, 1, d_head), new_k (n_kv_heads, 1, d_head), new_v (n_kv_heads, 1, d_v).
    """
    step.q = split_heads(x @ t.w_q, settings.n_heads)
    step.new_k = split_heads(x @ t.w_k, settings.n_kv_heads)
    step.new_v = split_heads(x @ t.w_v, settings.n_kv_heads)


def kept(steps: list[Trace], name: str, newest: Array) -> Array:
    """What the cache held before, with the newest row under it.

    Shapes: (n_kv_heads, t, d), newest (n_kv_heads, 1, d) -> (n_kv_heads, t + 1, d).
    """
    return join_rows(*(getattr(step, name) for step in steps[-1:]), newest)


def whole_pass(t: Trace, x: Values, settings: Settings) -> Trace:
    """Compute the whole sentence at once, without the cache, with the matrices, tables and mask that the cache had."""
    whole = Trace()
    for name in ("w_q", "w_k", "w_v", *SHARED):
        if name in t:
            setattr(whole, name, given(t[name].value))
    project(whole, given(x), settings.n_heads, settings.n_kv_heads)
    if settings.position in BETWEEN:
        act_between(whole, settings.position, settings.position_options)
    attend(whole, given(t.mask.value), settings.form)
    return whole


def difference_from_whole(t: Trace, x: Array, settings: Settings) -> list[float]:
    """For each token, the largest difference between the cached step and the same row of the whole pass."""
    difference = np.abs(whole_pass(t, x.value, settings).z.value - t.z.value)
    return [float(d) for d in difference.max(axis=(0, 2))]


def change_of_the_past(t: Trace, x: Array, settings: Settings) -> list[float]:
    """For each token but the first: how much the rows before it change when all from it on are others.

    Under a causal mask this is exactly 0, to the last bit.
    """
    one, changes = whole_pass(t, x.value, settings).z.value, []
    for token in range(1, x.shape[0]):
        other = x.value.copy()
        other[token:] += 1
        two = whole_pass(t, other, settings).z.value
        changes.append(float(np.abs(one - two)[:, :token].max(initial=0)))
    return changes


def projected_rows(tokens: int) -> tuple[int, int]:
    """How many rows go through the matrices while a sentence is written: with the cache, and without it."""
    return tokens, tokens * (tokens + 1) // 2
