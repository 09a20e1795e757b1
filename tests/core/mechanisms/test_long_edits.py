"""Any number of any tile, state or cache may be typed over: all that follows is still explained, or refused, and never NaN."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given

from app.core.masks import causal
from app.core.operations.ops import NotFinite
from app.core.record.trace import Edits, Trace
from tests.core.long import assert_explained, assert_no_nan, draw, seeds
from tests.core.mechanisms.test_cache import generated
from tests.core.mechanisms.test_linear import linear
from tests.core.mechanisms.test_selective import selective
from tests.core.mechanisms.test_state_space import fixed
from tests.core.mechanisms.test_tiled import tiled
from tests.support.examples import examples

Maker = Callable[[int, Edits], Trace]


def linear_in(form: str) -> Maker:
    return lambda seed, edits: linear(
        draw(seed, 2, 3, 2), draw(seed + 1, 1, 3, 2), draw(seed + 2, 1, 3, 3), mask=causal(3, 3), form=form, edits=edits
    )


def state_space_in(form: str) -> Maker:
    a, b, c = -np.abs(draw(1, 2, 2)), draw(2, 2, 2), draw(3, 2, 2)
    return lambda seed, edits: fixed(draw(seed, 3, 2), a, b, c, [0.5, 1.25], form=form, edits=edits)


MAKERS: dict[str, Maker] = {
    "tiled": lambda seed, edits: tiled(
        draw(seed, 2, 3, 2), draw(seed + 1, 1, 4, 2), draw(seed + 2, 1, 4, 3), mask=causal(3, 4), tiles=(2, 3), edits=edits
    ),
    "quadratic": linear_in("quadratic"),
    "recurrent": linear_in("recurrent"),
    "scan": state_space_in("scan"),
    "convolution": state_space_in("convolution"),
    "selective": lambda seed, edits: selective(seed, 3, edits=edits),
    "cache": lambda seed, edits: generated(draw(seed, 3, 2), edits=edits),
}


def drawn_edits(rng: np.random.Generator, trace: Trace) -> Edits:
    edits: dict[str, dict[tuple[int, ...], float]] = {}
    for name in rng.choice(list(trace), 3):
        index = tuple(int(rng.integers(size)) for size in trace[name].shape)
        bit = name.endswith("mask")
        edits.setdefault(str(name), {})[index] = float(
            rng.integers(2) if bit else rng.choice([0, 5, -1.5, 0.123456, 150, -1e-6, 1e6])
        )
    return edits


@pytest.mark.parametrize("name", MAKERS)
@examples(25)
@given(seed=seeds)
def test_any_number_may_be_typed_over(name: str, seed: int) -> None:
    edits = drawn_edits(np.random.default_rng(seed), MAKERS[name](seed, {}))
    try:
        trace = MAKERS[name](seed, edits)
    except NotFinite:
        assume(False)
    assert_no_nan(trace)
    assert_explained(trace)


@pytest.mark.parametrize("name", MAKERS)
def test_one_token_alone_is_explained(name: str) -> None:
    one = {
        "tiled": lambda: tiled([[[1.0]]], [[[2.0]]], [[[3.0]]], tiles=(9, 9)),
        "quadratic": lambda: linear([[[1.0]]], [[[2.0]]], [[[3.0]]], mask=[[1]]),
        "recurrent": lambda: linear([[[1.0]]], [[[2.0]]], [[[3.0]]], mask=[[1]], form="recurrent"),
        "scan": lambda: fixed([[2.0]], [[-1.0]], [[3.0]], [[0.5]], [0.25]),
        "convolution": lambda: fixed([[2.0]], [[-1.0]], [[3.0]], [[0.5]], [0.25], form="convolution"),
        "selective": lambda: selective(1, 1, 1, 1),
        "cache": lambda: generated(draw(1, 1, 1)),
    }
    assert_explained(one[name]())
