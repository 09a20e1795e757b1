"""Rotary positions: queries and keys are turned, pair by pair, by an angle that grows with the position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.core.heads import share_heads
from app.core.operations.explain import Index, read
from app.core.operations.expression import Call, Expression, Group, Number, Quotient, constant, less, plus, power, times
from app.core.operations.operation import Inputs, Linear, Source, Values, summed_to
from app.core.record.array import Array, apply
from app.core.record.trace import Trace
from app.core.variants import first_named

PAIRINGS = ("half_split", "interleaved")


class OddWidth(ValueError):
    """A head of odd width: one number is left without a partner."""


@dataclass(frozen=True, slots=True)
class Angles(Source):
    """How far each pair is turned at each position: fast pairs first; no inputs. Shape: (n, d_head / 2).

    Source: Su et al. 2021 (RoFormer), section 3.2.2, equation 15.
    """

    tex = r"\frac{i}{b^{2c/d_{head}}}"
    cell = "i,c"
    sign = ""

    n: int
    d_head: int
    base: float
    start: int = 0

    @property
    def code(self) -> str:
        return f"turning_angles({self.n}, {self.d_head}, {self.base!r}, {self.start!r})"

    def forward(self, *values: Values) -> Values:
        pair = np.arange(self.d_head // 2)
        place = np.arange(self.start, self.start + self.n)
        return np.asarray(place[:, None] / self.base ** (2 * pair / self.d_head))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        row, pair = index
        base = constant(self.base)
        base = Group(base) if isinstance(base, Number) and "×" in base.text else base
        exponent = Quotient(constant(2 * pair), constant(self.d_head), slash=True)
        return Quotient(constant(self.start + row), power(base, exponent))


@dataclass(frozen=True, slots=True)
class Rotate(Linear):
    """Turn each pair (a, b) to (a·cos θ − b·sin θ, a·sin θ + b·cos θ).

    The pairs are columns (c, c + d_head/2) in ``half_split``, columns (2c, 2c + 1) in ``interleaved``.
    Shapes: (n_heads, n, d_head), angles (n, d_head / 2) -> (n_heads, n, d_head).
    Source: Su et al. 2021 (RoFormer), section 3.4.2, equation 34.
    """

    tex = r"#0:\quad (a, b) \mapsto (a\cos\theta - b\sin\theta,\; a\sin\theta + b\cos\theta)"
    sign = ""

    pairing: str

    @property
    def code(self) -> str:
        return f"{'rotate_halves' if self.pairing == 'half_split' else 'rotate_neighbours'}(#*)"

    def columns(self, d_head: int) -> tuple[Values, Values]:
        """The columns of the first and of the second halves of the pairs."""
        pair = np.arange(d_head // 2)
        return (pair, pair + d_head // 2) if self.pairing == "half_split" else (2 * pair, 2 * pair + 1)

    def forward(self, *values: Values) -> Values:
        x, angles = values
        cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
        first, second = self.columns(x.shape[-1])
        a, b = x[..., first], x[..., second]
        turned = np.empty_like(x)
        turned[..., first] = a * cos - b * sin
        turned[..., second] = a * sin + b * cos
        return turned

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        x, angles = inputs
        *lead, row, column = index
        first, second = (list(columns) for columns in self.columns(x.shape[-1]))
        is_first = column in first
        pair = (first if is_first else second).index(column)
        a = read(x, (*lead, row, int(first[pair])))
        b = read(x, (*lead, row, int(second[pair])), brackets=True)
        cos, sin = (Call(wave, (read(angles, (row, pair)),)) for wave in ("cos", "sin"))
        return less(times(a, cos), times(b, sin)) if is_first else plus(times(a, sin), times(b, cos))

    def second_way(self, *values: Values) -> Values | None:
        """A pair is one complex number, and turning it is one product."""
        x, angles = values
        first, second = self.columns(x.shape[-1])
        turned = (x[..., first] + 1j * x[..., second]) * np.exp(1j * angles)
        order = np.argsort(np.concatenate([first, second]))
        return np.asarray(np.concatenate([turned.real, turned.imag], axis=-1)[..., order])

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        """What was turned forth is turned back; an angle moves each pair at right angles to where it points."""
        x, angles = inputs
        first, second = self.columns(x.shape[-1])
        moved = upstream * self._quarter(result)
        return self.forward(upstream, -angles), summed_to(moved[..., first] + moved[..., second], angles.shape)

    def push(self, inputs: Sequence[Values], result: Values, place: int, change: Values) -> Values:
        if place == 0:
            return super(Rotate, self).push(inputs, result, place, change)
        moved = self._quarter(result)
        for half in self.columns(result.shape[-1]):
            moved[..., half] *= change
        return moved

    def _quarter(self, turned: Values) -> Values:
        """Each pair (a, b) a quarter turn further: (−b, a)."""
        first, second = self.columns(turned.shape[-1])
        further = np.empty_like(turned)
        further[..., first], further[..., second] = -turned[..., second], turned[..., first]
        return further


def rotate(t: Trace, pairing: str, base: float, start: int) -> None:
    """Turn queries and keys by their positions, so that a score knows only how far apart they are. Values stay.

    Where there are more keys than queries, the last query stands where the last key stands.
    Shapes: q (n_heads, n_q, d_head), k (n_kv_heads, n_k, d_head)
    -> angles (max(n_q, n_k), d_head / 2), q_rot and k_rot as q and k.
    Errors: OddWidth for an odd d_head; ValueError for an unknown pairing.
    Source: Su et al. 2021 (RoFormer), section 3.2.2; half-split pairs: GPT-NeoX (Black et al. 2022)
    and LLaMA in Hugging Face's form, both in published code; interleaved pairs: GPT-J (Wang & Komatsuzaki 2021), in its code.
    """
    (_, n_q, d_head), n_k = t.q.shape, t.k.shape[1]
    if pairing not in PAIRINGS:
        raise ValueError(f"pairing must be one of {', '.join(PAIRINGS)}, not {pairing}")
    q, k = first_named(t, "q_norm", "q"), first_named(t, "k_norm", "k")
    if "angles" not in vars(t):
        name_angles(t, max(n_q, n_k), d_head, base, start)
    t.q_rot = apply(Rotate(pairing), q, t.angles.last_rows(n_q))
    t.k_rot = apply(Rotate(pairing), k, t.angles.last_rows(n_k))


def name_angles(t: Trace, places: int, d_head: int, base: float, start: int) -> None:
    """Say by how much each pair is turned at each place of a text.

    Shapes: -> angles (places, d_head / 2). Errors: OddWidth for an odd d_head.
    """
    if d_head % 2:
        raise OddWidth(f"rotary positions turn pairs of numbers: d_head must be even, not {d_head}")
    t.angles = apply(Angles(places, d_head, base, start))


def rotate_newest(t: Trace, pairing: str, place: int) -> None:
    """Turn the query and the key of one new token; the keys before it have been turned already, and stay as they are.

    Shapes: q (n_heads, 1, d_head), new_k (n_kv_heads, 1, d_head), angles (n, d_head / 2) -> q_rot as q, new_k_rot as new_k.
    Source: as ``rotate``; that keys are turned before they are kept: the published code of LLaMA and Qwen3 (Hugging Face).
    """
    here = t.angles.at_row(place)
    t.q_rot, t.new_k_rot = apply(Rotate(pairing), t.q, here), apply(Rotate(pairing), t.new_k, here)


def difference_when_moved(t: Trace, steps: int) -> float | None:
    """The largest change of a raw score when queries and keys all stand so many tokens later.

    The angles, the pairs and what is turned are those of the record; None where nothing was turned, or the angles or what was
    turned were edited: then there is no rule to move on by.
    """
    if "angles" not in vars(t) or "q_rot" not in vars(t) or not isinstance(rule := t.angles.operation, Angles):
        return None
    later = apply(replace(rule, start=rule.start + steps))
    turned = [t.q_rot, t.k_rot]
    moved = []
    for array in turned:
        if not isinstance(array.operation, Rotate):
            return None
        moved.append(apply(array.operation, array.inputs[0], later.last_rows(array.shape[-2])))
    here, there = (_meet(*pair) for pair in (turned, moved))
    return float(np.abs(here - there).max())


def _meet(q: Array, k: Array) -> Values:
    """The raw scores of turned queries and keys. Shape: (n_heads, n_q, n_k)."""
    return np.asarray(np.einsum("hqd,hkd->hqk", q.value, np.ascontiguousarray(share_heads(k, q.shape[0]).value)))
