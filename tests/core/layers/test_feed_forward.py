"""The feed-forward network and its activations."""

import math
from typing import Any

import numpy as np
import pytest

from app.core.layers.feed_forward import ACTIVATIONS, feed_forward
from app.core.operations.ops import NotFinite
from app.core.record.array import given as array_given
from app.core.record.trace import Trace
from tests.core.block_reference import case, numbers
from tests.core.build import Numbers
from tests.core.reference import same


def ffn(x: Numbers, activation: str, **learned: Any) -> Trace:
    t = Trace()
    t.x = array_given(x)
    feed_forward(t, t.x, learned, activation)
    return t


def test_the_feed_forward_network_by_hand() -> None:
    t = ffn([[1, 2]], "relu", w_1=[[1, -1, 0], [1, 0, -2]], b_1=[0, 0, 5], w_2=[[2, 1], [7, 7], [-1, 3]], b_2=[10, 20])
    assert t.hidden.value.tolist() == [[3, -1, 1]]
    assert t.activated.value.tolist() == [[3, 0, 1]]
    assert t.ffn_out.value.tolist() == [[15, 26]]
    assert t.explain("hidden", (0, 2)).expression == "(1×0 + 2×(−2)) + 5 = 1"
    assert [term.step for term in t.explain("activated", (0, 1)).terms] == ["hidden"]


def test_swiglu_by_hand() -> None:
    t = ffn([[1, 2]], "swiglu", w_gate=[[0, 1, 0], [0, 0, 1]], w_up=[[1, 2, 3], [1, 0, 0]], w_down=[[1, 0], [0, 1], [1, 1]])
    silu = [0.0, 1 / (1 + math.exp(-1)), 2 / (1 + math.exp(-2))]
    assert t.gate.value.tolist() == [[0, 1, 2]]
    assert same(t.activated.value, [silu], 1e-15)
    assert t.up.value.tolist() == [[3, 2, 3]]
    assert same(t.gated.value, [[0, 2 * silu[1], 3 * silu[2]]], 1e-15)
    assert same(t.ffn_out.value, [[3 * silu[2], 2 * silu[1] + 3 * silu[2]]], 1e-15)


@pytest.mark.parametrize("activation", [*ACTIVATIONS, "swiglu"])
def test_a_network_that_overflows_is_refused(activation: str) -> None:
    huge = np.full((2, 2), 1e300)
    names = ("w_gate", "w_up", "w_down") if activation == "swiglu" else ("w_1", "w_2")
    learned = dict.fromkeys(names, huge) | {"b_1": [0, 0], "b_2": [0, 0]}
    for sign in (1, -1):
        with pytest.raises(NotFinite):
            ffn([[sign * 1e10, sign * 1e10]], activation, **learned)


@pytest.mark.parametrize(("ours", "theirs"), [("gelu", "exact"), ("gelu_tanh", "tanh"), ("silu", "silu"), ("relu", "relu")])
def test_activations_agree(ours: str, theirs: str) -> None:
    table = numbers()["gelu"]
    assert len(table["x"]) == 49
    assert same(ACTIVATIONS[ours](array_given(table["x"])).value, table[theirs], 1e-12)


def test_the_two_forms_of_gelu_are_not_mixed_up() -> None:
    asked, expected, faults = case("FFN-01")
    exact, tanh = (ACTIVATIONS[name](array_given(asked["x"])).value for name in ("gelu", "gelu_tanh"))
    assert same(exact, expected["exact"], 1e-12)
    assert same(tanh, expected["tanh"], 1e-12)
    assert 1e-5 < np.abs(exact - tanh).max() < 5e-4
    assert not same(tanh, faults["factor x forgotten"], 1e-3)


@pytest.mark.parametrize("activation", ["relu", "swiglu"])
def test_a_network_that_overflows_on_its_way_back_is_refused(activation: str) -> None:
    one, huge = [[1.0]], [[1e200]]
    learned = {"w_1": huge, "b_1": [0.0], "w_2": huge, "b_2": [0.0], "w_gate": one, "w_up": huge, "w_down": huge}
    with pytest.raises(NotFinite):
        ffn(one, activation, **learned)
