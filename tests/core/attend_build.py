"""Attention in every form, for the tests: given q, k, v of each head, a position and what the form asks for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from app.core.attention import attend, combine
from app.core.masks import MASKS, MaskOptions, allowed
from app.core.positions import BETWEEN, DEFAULT, PositionOptions, act_between
from app.core.record.array import given, parameter
from app.core.record.trace import Trace
from app.core.variants import Form, qk_norm
from tests.core.build import SCALES, Numbers, Values

seeds = st.integers(0, 2**32 - 1)
INSIDE = ["row_max", "shifted", "exponentials", "row_sum", "logsumexp"]
"""The steps inside softmax."""
EVERYTHING = {"temperature": 1.5, "softcap": 3.0, "sink": [[0.3], [-0.2]]}
"""All of a form at once, for two heads."""
REFERENCE = Path(__file__).parents[1] / "reference" / "attend.json"


@cache
def reference() -> dict[str, Any]:
    """Numbers made by another program, and what other programs got wrong."""
    loaded: dict[str, Any] = json.loads(REFERENCE.read_text("utf-8"))
    return loaded


def case(name: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """A case's input, what is expected of it, and what the usual wrong code gives."""
    found = reference()["cases"][name]
    return found["input"], found["expected"], found.get("values_of_known_bugs", {})


def draw(seed: int, *shape: int) -> Values:
    """Numbers that are the same for the same seed."""
    return np.random.default_rng(seed).normal(size=shape)


def heads_of(entry: dict[str, Any], matrix: str, heads: int) -> Values:
    """X times a matrix, cut into heads."""
    rows = np.array(entry["X"]) @ entry[matrix]
    return np.asarray(rows.reshape(len(rows), heads, -1).transpose(1, 0, 2))


@dataclass
class FormScene:
    """Everything that decides the numbers. q (n_heads, n_q, d_head), k, v (n_kv_heads, n_k, ...)."""

    q: Numbers
    k: Numbers
    v: Numbers
    mask: Numbers = None
    position: str = "none"
    options: PositionOptions = DEFAULT
    tables: Mapping[str, Numbers] = field(default_factory=dict)
    norm: bool = False
    gamma: Numbers = None
    form: Mapping[str, Any] = field(default_factory=dict)
    scale: str | float = "sqrt"
    normalizer: str = "softmax"
    edits: Mapping[str, Mapping[tuple[int, ...], float]] = field(default_factory=dict)

    def run(self) -> Trace:
        t = Trace(self.edits)
        for name in "qkv":
            setattr(t, name, given(getattr(self, name)))
        for name, table in self.tables.items():
            setattr(t, name, parameter(table))
        if self.norm:
            gammas = [] if self.gamma is None else [parameter(self.gamma), parameter(self.gamma)]
            qk_norm(t, 1e-6, *gammas)
        if self.position != "none":
            act_between(t, self.position, self.options)
        shape = (t.q.shape[1], t.k.shape[1])
        mask = np.ones(shape, dtype=bool) if self.mask is None else np.asarray(self.mask, dtype=bool)
        sink = self.form.get("sink")
        form = Form(self.scale, self.normalizer, **{**self.form, "sink": None if sink is None else parameter(sink)})
        attend(t, given(mask), form)
        combine(t)
        t.finish()
        return t


def one_row(scores: list[float], mask: list[int] | None = None, **form: Any) -> Trace:
    """One head, one query 1, keys that are the scores, values 1, 2, 4, ..."""
    keys = [[[score] for score in scores]]
    values = [[[2.0**n] for n in range(len(scores))]]
    return FormScene([[[1.0]]], keys, values, None if mask is None else [mask], form=form, scale="none").run()


def tables_for(position: str, rng: np.random.Generator, heads: int, d_head: int, d_v: int) -> dict[str, Values]:
    """The learned tables a position needs, with 2 steps of distance or 8 buckets."""
    if position == "relative":
        return {"rel_k": rng.normal(size=(5, d_head)), "rel_v": rng.normal(size=(5, d_v))}
    return {"rel_table": rng.normal(size=(8, heads))} if position == "t5" else {}


@st.composite
def form_scenes(draw: st.DrawFn, *, edited: bool = False) -> FormScene:
    """Small computations of every form; the numbers come from a drawn seed."""
    kv_heads, group, n_q, n_k, pairs, d_v = (draw(st.integers(1, top)) for top in (2, 2, 4, 5, 2, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    heads, d_head = kv_heads * group, 2 * pairs
    size = draw(st.sampled_from([1, 3, 30]))
    position = draw(st.sampled_from(["none", *BETWEEN]))
    form: dict[str, Any] = {"mask_place": draw(st.sampled_from(["before", "before", "after"]))}
    form |= {"temperature": draw(st.sampled_from([1.0, 0.7, 2.0])), "softcap": draw(st.sampled_from([None, 1.5, 20.0]))}
    normalizer = draw(st.sampled_from(["softmax", "softmax", "division"]))
    if normalizer == "softmax":
        form["inside"] = draw(st.booleans())
        form["sink"] = rng.normal(size=(heads, 1)) * size if draw(st.booleans()) else None
    scene = FormScene(
        rng.normal(size=(heads, n_q, d_head)) * size,
        rng.normal(size=(kv_heads, n_k, d_head)),
        rng.normal(size=(kv_heads, n_k, d_v)),
        allowed(draw(st.sampled_from(list(MASKS))), n_q, n_k, MaskOptions(real=tuple(rng.random(n_k) < 0.6))),
        position,
        PositionOptions(start=draw(st.integers(0, 9)), causal=draw(st.booleans()), max_distance=5),
        tables_for(position, rng, heads, d_head, d_v),
        draw(st.booleans()),
        rng.normal(size=d_head) if draw(st.booleans()) else None,
        form,
        draw(st.sampled_from(SCALES)),
        normalizer,
    )
    if edited:
        scene.edits = _edits(rng, scene.run())
    return scene


def _edits(rng: np.random.Generator, trace: Trace) -> dict[str, dict[tuple[int, ...], float]]:
    edits: dict[str, dict[tuple[int, ...], float]] = {}
    for name in rng.choice(list(trace), size=3):
        index = tuple(int(rng.integers(size)) for size in trace[name].shape)
        bits = name == "mask"
        edits.setdefault(str(name), {})[index] = float(rng.integers(2)) if bits else float(rng.choice([0, 5, -1.5, 0.123456]))
    return edits
