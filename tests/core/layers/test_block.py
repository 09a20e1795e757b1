"""The block around attention: what is added to what, and where the norms stand."""

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.core.layers.block import ORDERS
from app.core.layers.feed_forward import ACTIVATIONS
from app.core.layers.layer import LayerForm, layer_shapes
from app.core.layers.norms import NORMS
from app.core.layers.parameters import inside
from app.core.operations.ops import NotFinite
from app.core.record import checks
from app.core.record.array import given as array_given
from app.core.record.finite import finite
from app.core.record.trace import Trace
from tests.core.block_reference import case, numbers
from tests.core.build import Values
from tests.core.layer_oracle import Stack, check_every_cell, make, plain_layer, stacks
from tests.core.reference import bits, same, vectors
from tests.support.examples import examples

TWO = LayerForm(n_heads=2, n_kv_heads=1)
seeds = st.integers(0, 2**32 - 1)


def half(order: str) -> Trace:
    """A block whose attention takes half, whose network adds one, and whose norms double and take away three."""
    t = Trace()
    t.x = array_given([[2, 4, 8]])
    changes: list[Callable[[Any], Any]] = [lambda x: x * 0.5, lambda x: x + 1.0, lambda x: x * 2.0, lambda x: x + -3.0]
    t.handed_on = ORDERS[order](t, t.x, *changes) * 1.0
    return t


def test_pre_norm_adds_to_the_tokens_as_they_came() -> None:
    t = half("pre")
    assert t.after_attention.value.tolist() == [[2 + 2, 4 + 4, 8 + 8]]
    assert t.after_ffn.value.tolist() == t.handed_on.value.tolist() == [[4 + 2, 8 + 6, 16 + 14]]


def test_post_norm_norms_the_sum() -> None:
    t = half("post")
    assert t.after_attention.value.tolist() == [[2 + 1, 4 + 2, 8 + 4]]
    assert t.after_ffn.value.tolist() == [[6 + 7, 12 + 13, 24 + 25]]
    assert t.handed_on.value.tolist() == [[10, 22, 46]]


@examples(200)
@given(stacks())
def test_a_layer_agrees_with_plain_loops(made: Stack) -> None:
    _, out = made.run()
    assert same(out, plain_layer(made.x.tolist(), made, made.layers[0]))


@examples(40)
@given(stacks(n_layers=3))
def test_a_stack_agrees_with_plain_loops(made: Stack) -> None:
    rows: Any = made.x.tolist()
    for learned in made.layers:
        rows = plain_layer(rows, made, learned)
    assert same(made.run()[1], rows, 1e-7)


@examples(60)
@given(stacks())
def test_every_explanation_of_a_layer_evaluates_to_its_value(made: Stack) -> None:
    check_every_cell(made.run()[0])


@examples(10)
@given(stacks(n_layers=2))
def test_every_explanation_of_a_stack_evaluates_to_its_value(made: Stack) -> None:
    check_every_cell(made.run()[0])


@examples(30)
@given(stacks(), seeds)
def test_edits_anywhere_keep_every_explanation_true(made: Stack, seed: int) -> None:
    rng = np.random.default_rng(seed)
    plain = made.run()[0]
    names = [name for name in plain if not name.startswith("layer.0.expert.")]
    for name in rng.choice(names, size=3):
        shape = plain[name].shape
        value = float(rng.integers(2)) if name.endswith(("mask", "chosen")) else float(rng.choice([0, 2, 0.5]))
        made.edits = {**made.edits, str(name): {tuple(int(rng.integers(size)) for size in shape): value}}
    with contextlib.suppress(NotFinite):
        t, _ = made.run()
        largest = max(np.abs(t[name].value).max() for name in t if not name.endswith("masked"))
        assume(largest < 700)  # e^700 is about all that a float holds
        check_every_cell(t)


@examples(60)
@given(stacks())
def test_a_second_way_gives_the_same_numbers(made: Stack) -> None:
    t, _ = made.run()
    differences = {name: checks.second_way(t, name) for name in t}
    assert {"layer.0.q", "layer.0.out"} <= {name for name, difference in differences.items() if difference is not None}
    assert all(difference is None or difference < 1e-9 for difference in differences.values())


@examples(150)
@given(stacks(n_layers=2), seeds)
def test_the_future_cannot_change_the_past_in_any_block(made: Stack, seed: int) -> None:
    """Exactly, through two layers, norms, networks and experts."""
    if made.x_k is not None:
        return
    n = len(made.x)
    made.mask = np.tri(n, dtype=bool)
    now = seed % n
    before = made.run()[1]
    made.x = np.where(np.arange(n)[:, None] > now, np.random.default_rng(seed).normal(size=made.x.shape), made.x)
    assert np.array_equal(made.run()[1][: now + 1], before[: now + 1])


@pytest.mark.parametrize("order", ORDERS)
def test_without_positions_the_order_of_words_does_not_matter(order: str) -> None:
    made = make(3, TWO, n=5, n_layers=2).with_form(norm_place=order)
    before = made.run()[1]
    places = [3, 0, 4, 1, 2]
    made.x = made.x[places]
    assert same(made.run()[1], before[places])


@pytest.mark.parametrize("activation", ["relu", "swiglu"])
def test_a_pre_norm_block_that_says_nothing_hands_on_its_tokens(activation: str) -> None:
    made = make(1, LayerForm(2, 1, activation=activation))
    made.layers = [{name: np.zeros_like(array) for name, array in made.layers[0].items()}]
    t, out = made.run()
    assert (out == made.x).all()
    assert t["layer.0.after_attention"].value.tolist() == made.x.tolist()


def test_the_two_orders_and_the_two_norms_differ() -> None:
    made, norms = make(2, TWO), ("layer_norm", "rms_norm")
    results = [made.with_form(norm_place=order, norm=norm).run()[1] for order in ORDERS for norm in norms]
    assert all(not same(a, b, 1e-3) for n, a in enumerate(results) for b in results[:n])


@pytest.mark.parametrize("order", ORDERS)
def test_a_layer_takes_in_what_the_one_before_hands_on(order: str) -> None:
    made = make(4, TWO, n_layers=4).with_form(norm_place=order)
    t, out = made.run()
    last = "norm_2.scaled_norm" if order == "post" else "after_ffn"
    assert (out == t[f"layer.3.{last}"].value).all()
    for number in range(1, 4):
        assert t.inputs(f"layer.{number}.after_attention")[0] == f"layer.{number - 1}.{last}"
        entered = f"layer.{number}.norm_1.mean" if order == "pre" else f"layer.{number}.q"
        assert f"layer.{number - 1}.{last}" in t.inputs(entered)


def test_every_layer_has_a_mask_and_matrices_of_its_own() -> None:
    t, _ = make(4, TWO, n_layers=2).run()
    assert t.inputs("layer.0.masked") == ["layer.0.scaled", "layer.0.mask"]
    assert t.inputs("layer.1.masked") == ["layer.1.scaled", "layer.1.mask"]
    assert not np.array_equal(t["layer.0.w_q"].value, t["layer.1.w_q"].value)


def test_keys_and_values_may_come_from_another_sentence() -> None:
    made = make(5, TWO, n=3, n_k=7)
    t, out = made.run()
    assert t["layer.0.weights"].shape == (2, 3, 7)
    assert out.shape == (3, 6)
    assert "x_k" in t.inputs("layer.0.k")
    assert "x_k" in t.inputs("layer.0.v")
    assert t.inputs("layer.0.q") == ["layer.0.norm_1.scaled_norm", "layer.0.w_q"]
    assert "x" in t.inputs("layer.0.after_attention")


@pytest.mark.parametrize("n_experts", [0, 3])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("activation", [*ACTIVATIONS, "swiglu"])
def test_the_kind_of_number_is_kept(activation: str, norm: str, n_experts: int) -> None:
    made = make(7, LayerForm(2, 1, norm=norm, activation=activation, n_experts=n_experts))
    made.x = made.x.astype(np.float32)
    made.layers = [{name: array.astype(np.float32) for name, array in made.layers[0].items()}]
    t, _ = made.run()
    assert {t[name].value.dtype for name in t if not name.endswith("mask")} == {np.dtype(np.float32)}


def test_what_a_layer_learns_is_what_it_asks_for() -> None:
    for form in (TWO, LayerForm(4, 2, "post", "rms_norm", "swiglu"), LayerForm(2, 2, n_experts=3)):
        made = make(8, form, n=5)
        shapes = layer_shapes(form, 6, 2, 7, 5)
        t, _ = made.run()
        used = {name.removeprefix("layer.0."): t[name].shape for name in t if t[name].kind == "parameter"}
        assert used.items() <= shapes.items()
        assert form.n_experts or used == shapes


def test_a_sum_that_overflows_is_refused() -> None:
    with pytest.raises(NotFinite):
        finite(array_given([[1.0, np.nan]]))
    for order in ORDERS.values():
        t = Trace()
        t.x = array_given([[1e308]])
        with pytest.raises(NotFinite):
            order(t, t.x, *[lambda x: x] * 4)


def block_inputs(entry: dict[str, Any]) -> tuple[Values, dict[str, Any]]:
    """A reference block's tokens, and its learned arrays by our names."""
    learned = {name.lower(): entry[name] for name in ("W_q", "W_k", "W_v", "W_o", "W_1", "b_1", "W_2", "b_2")}
    norms = {f"norm_{n}.{name}": entry[f"{name}_{n}"] for n in (1, 2) for name in ("gamma", "beta")}
    return np.array(entry["X"]), learned | norms


@pytest.mark.parametrize("order", ORDERS)
def test_blocks_agree(order: str) -> None:
    entries = numbers()["blocks"]
    inputs: dict[str, Any] = {}
    assert len(entries) == 16
    for entry in entries:
        inputs = entry if "X" in entry else inputs
        x, learned = block_inputs(inputs)
        n, heads = entry["n"], entry["n_heads"]
        mask = np.tri(n, dtype=bool) if entry["mask"] == "causal" else np.ones((n, n), dtype=bool)
        form = LayerForm(heads, heads, order, activation=entry["activation"].partition(" ")[0])
        t, out = Stack(x, mask, form, [learned]).run()
        expected = entry[f"{order}_ln"]
        first = "after_attention" if order == "pre" else "norm_1.scaled_norm"
        assert same(t["layer.0.out"].value, expected["attention_out"])
        assert same(t[f"layer.0.{first}"].value, expected["after_first_residual"])
        assert same(t["layer.0.ffn_out"].value, expected["ffn_out"])
        assert same(out, expected["output"])


def test_cross_attention_in_a_block_agrees() -> None:
    entries = vectors()["cross"]
    for entry in entries:
        d, heads = entry["d_model"], entry["n_heads"]
        learned = {name.lower(): entry[name] for name in ("W_q", "W_k", "W_v", "W_o")}
        zeros = {"w_1": np.zeros((d, 1)), "b_1": [0.0], "w_2": np.zeros((1, d)), "b_2": np.zeros(d)}
        mask = np.ones((entry["n_q"], entry["n_k"]), dtype=bool)
        made = Stack(np.array(entry["X_q"]), mask, LayerForm(heads, heads, "post"), [learned | zeros], np.array(entry["X_kv"]))
        t, _ = made.run()
        assert same(t["layer.0.weights"].value, entry["cases"]["none"]["weights"])
        assert same(t["layer.0.out"].value, entry["cases"]["none"]["output"])


@pytest.mark.parametrize("order", ORDERS)
def test_norms_and_residuals_stand_where_the_order_says(order: str) -> None:
    asked, expected, faults = case("BLK-01")
    ones, zeros = np.ones(4), np.zeros(4)
    norms = {"gamma_1": ones, "gamma_2": ones, "beta_1": zeros, "beta_2": zeros}
    x, learned = block_inputs({**asked, **norms, "b_1": np.zeros(8), "b_2": zeros})
    _, out = Stack(x, np.ones((2, 2), dtype=bool), LayerForm(2, 2, order, activation="relu"), [learned]).run()
    assert same(out, expected[f"{order}_ln"])
    assert not any(same(out, fault, 1e-3) for fault in faults.values())
    if order == "post":
        assert np.abs(out.mean(axis=1)).max() < 1e-12


def test_parts_find_their_own_learned_arrays() -> None:
    assert inside({"norm_1.gamma": 1.0, "norm_2.gamma": 2.0, "expert.1.w_1": 3.0}, "norm_2") == {"gamma": 2.0}
    assert inside({"expert.1.w_1": 3.0, "expert.10.w_1": 4.0}, "expert.1") == {"w_1": 3.0}


def test_a_custom_mask_reaches_every_layer() -> None:
    made = make(12, TWO, n_layers=2)
    made.mask = bits(["100", "110", "011"])
    t, _ = made.run()
    for number in (0, 1):
        assert (t[f"layer.{number}.weights"].value[:, ~made.mask] == 0).all()


def test_a_row_that_sees_nothing_keeps_its_tokens_after_attention() -> None:
    made = make(6, TWO)
    made.mask = np.array([[False] * 3, [True] * 3, [True] * 3])
    t, out = made.run()
    assert t["layer.0.after_attention"].value[0].tolist() == made.x[0].tolist()
    assert np.isfinite(out).all()
