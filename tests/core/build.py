"""Traces for the tests, made from plain matrices."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from app.core import positions
from app.core.attention import attend, combine, project
from app.core.heads import split_heads
from app.core.record.array import given, parameter
from app.core.record.trace import Edits, Trace
from app.core.variants import Form

Numbers = Any  # nested lists or an array
Values = npt.NDArray[Any]


def attention(
    q: Numbers,
    k: Numbers,
    v: Numbers,
    mask: Numbers | None = None,
    *,
    heads: int = 1,
    kv_heads: int | None = None,
    scale: str | float = "sqrt",
    normalizer: str = "softmax",
    edits: Edits | None = None,
) -> Trace:
    """Attention over given q, k, v: rows are tokens, columns are cut into heads."""
    t = Trace(edits)
    for name, rows, count in (("q", q, heads), ("k", k, kv_heads or heads), ("v", v, kv_heads or heads)):
        setattr(t, name, given(split_heads(given(rows), count).value))
    shape = (t.q.shape[1], t.k.shape[1])
    attend(t, given(np.ones(shape, dtype=bool) if mask is None else np.asarray(mask)), Form(scale, normalizer))
    combine(t)
    t.finish()
    return t


@dataclass
class Scene:
    """Everything that decides the numbers of one whole computation."""

    x: Numbers
    w_q: Numbers
    w_k: Numbers
    w_v: Numbers
    w_o: Numbers
    mask: Numbers
    heads: int
    kv_heads: int
    position: bool = False
    scale: str | float = "sqrt"
    normalizer: str = "softmax"
    edits: Mapping[str, Mapping[tuple[int, ...], float]] = field(default_factory=dict)

    def run(self) -> Trace:
        t = Trace(self.edits)
        t.x = given(self.x)
        if self.position:
            t.pos = positions.sinusoidal(*t.x.shape)
            t.x_pos = t.x + t.pos
        for name in ("w_q", "w_k", "w_v"):
            setattr(t, name, parameter(getattr(self, name)))
        project(t, t.x_pos if self.position else t.x, self.heads, self.kv_heads)
        attend(t, given(np.asarray(self.mask, dtype=bool)), Form(self.scale, self.normalizer))
        combine(t, parameter(self.w_o))
        t.finish()
        return t


def identity(x: Numbers, mask: Numbers, heads: int = 1) -> Scene:
    """Every matrix the identity."""
    eye = np.eye(len(x[0]))
    return Scene(x, eye, eye, eye, eye, mask, heads, heads)


@st.composite
def scenes(draw: st.DrawFn, *, edited: bool = True, styles: Sequence[str] = ("whole", "tenths", "full", "large")) -> Scene:
    """Small computations of every kind; the numbers come from a drawn seed."""
    kv_heads, group, d_head, d_v = (draw(st.integers(1, top)) for top in (2, 3, 3, 3))
    heads, n, d_model = kv_heads * group, draw(st.integers(1, 4)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    numbers = STYLES[draw(st.sampled_from(styles))]
    scene = Scene(
        numbers(rng, (n, d_model)),
        numbers(rng, (d_model, heads * d_head)),
        numbers(rng, (d_model, kv_heads * d_head)),
        numbers(rng, (d_model, kv_heads * d_v)),
        numbers(rng, (heads * d_v, d_model)),
        draw(st.sampled_from([np.ones((n, n)), np.tri(n), rng.random((n, n)) < 0.5])),
        heads,
        kv_heads,
        draw(st.booleans()),
        draw(st.sampled_from(SCALES)),
        draw(st.sampled_from(["softmax", "division"])),
    )
    if edited and draw(st.booleans()):
        scene.edits = _edits(rng, scene.run())
    return scene


def _edits(rng: np.random.Generator, trace: Trace) -> dict[str, dict[tuple[int, ...], float]]:
    edits: dict[str, dict[tuple[int, ...], float]] = {}
    for name in rng.choice(list(trace), size=3):
        index = tuple(int(rng.integers(size)) for size in trace[name].shape)
        value = float(rng.integers(2)) if name == "mask" else float(rng.choice([0, 5, -1.5, 0.123456, 150]))
        edits.setdefault(str(name), {})[index] = value
    return edits


SCALES: tuple[str | float, ...] = ("sqrt", "none", 0.5, -2.0, 1.0, 0.0, 1 / 3, 1.25e-8)

STYLES: dict[str, Callable[[np.random.Generator, tuple[int, int]], Values]] = {
    "whole": lambda rng, shape: rng.integers(-3, 4, shape).astype(float),
    "tenths": lambda rng, shape: np.asarray(rng.integers(-20, 21, shape) / 10),
    "full": lambda rng, shape: rng.normal(size=shape),
    "large": lambda rng, shape: rng.normal(size=shape) * 30,
}
