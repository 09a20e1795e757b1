"""What the tests of tiles, states and caches share: reference numbers, drawn numbers, and the promise of every explanation."""

import json
import math
import re
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from app.core.record.trace import Trace
from tests.core.build import Numbers, Values
from tests.core.evaluate import evaluate
from tests.core.reference import FOLDER

seeds = st.integers(0, 2**32 - 1)


@cache
def reference() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FOLDER / "long.json").read_text("utf-8"))
    return loaded


def case(name: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """A case's input, what is expected of it, and what the usual wrong code gives."""
    found = reference()["cases"][name]
    return found["input"], found["expected"], found.get("values_of_known_bugs", {})


def draw(seed: int, *shape: int) -> Values:
    return np.random.default_rng(seed).normal(size=shape)


def one_head(rows: Numbers) -> Values:
    """Rows of numbers as the only head. Shapes: (n, d) -> (1, n, d)."""
    return np.asarray(rows, dtype=float)[None]


def assert_explained(trace: Trace) -> None:
    """Every cell of every computed step: what is written out gives the value, and every term is the cell it points at."""
    for name in trace:
        for index in np.ndindex(trace[name].shape):
            found = trace.explain(name, index)
            if not found.parts:
                assert trace[name].kind != "computed" or index in trace.edited(name), (name, index)
                continue
            got = evaluate(found.tree)
            assert got == found.value or math.isclose(got, found.value, rel_tol=1e-9, abs_tol=1e-9), (
                name,
                index,
                found.expression,
            )
            assert not re.search(r"[×÷+−^] ?−", re.split(" [=≈] ", found.expression)[0]), (name, index, found.expression)
            for term in found.terms:
                assert term.value == trace[term.step].value[term.index]
                assert term.step in trace.inputs(name)


def assert_no_nan(trace: Trace) -> None:
    for name in trace:
        assert not np.isnan(trace[name].value.astype(float)).any(), name
