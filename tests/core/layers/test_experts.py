"""Mixture of experts: each token asks its best experts and adds up what they say."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.layers.experts import expert_shapes, experts, gates_another_way, route, sent
from app.core.layers.layer import LayerForm
from app.core.layers.parameters import inside
from app.core.operations.ops import NotFinite
from app.core.operations.routing import EachRow, GatedSum, TopK
from app.core.record import checks
from app.core.record.array import apply
from app.core.record.array import given as array_given
from app.core.record.trace import Edits, Trace
from tests.core.block_reference import case, numbers
from tests.core.build import Numbers, Values
from tests.core.evaluate import evaluate
from tests.core.layer_oracle import ACTIVATIONS, plain_experts, plain_gates
from tests.core.reference import same
from tests.support.examples import examples

seeds = st.integers(0, 2**32 - 1)


def routed(logits: Numbers, top_k: int, *, renormalise: bool = True, edits: Edits | None = None) -> Trace:
    """The route of tokens whose logits are these."""
    t = Trace(edits)
    t.x = array_given(logits)
    n_experts = t.x.shape[-1]
    route(t, t.x, {"w_router": np.eye(n_experts)}, n_experts, top_k, renormalise=renormalise)
    return t


Mixture = tuple[Trace, Values, dict[str, Any]]


def mixture(seed: int, top_k: int, activation: str = "relu", *, n: int = 3, **options: Any) -> Mixture:
    """Five experts, tokens 4 wide, networks 2 wide: the trace, the tokens, the learned numbers."""
    rng = np.random.default_rng(seed)
    learned = {name: rng.normal(size=shape) for name, shape in expert_shapes(activation, 4, 2, 5).items()}
    t = Trace(options.pop("edits", None))
    t.x = array_given(rng.normal(size=(n, 4)))
    experts(t, t.x, learned, 5, top_k, activation, **{"renormalise": True, **options})
    t.finish()
    return t, t.x.value, learned


TWO_EXPERTS: dict[str, Any] = {
    "w_router": [[1, 0], [0, 1]],
    "expert.0.w_1": [[1], [1]],
    "expert.0.b_1": [0],
    "expert.0.w_2": [[2, 0]],
    "expert.0.b_2": [0, 1],
    "expert.1.w_1": [[1], [-1]],
    "expert.1.b_1": [9],
    "expert.1.w_2": [[0, 1]],
    "expert.1.b_2": [5, 0],
}


def test_each_token_goes_to_its_best_expert_by_hand() -> None:
    t = Trace()
    t.x = array_given([[3, 1], [0, 2], [5, 4]])
    experts(t, t.x, TWO_EXPERTS, 2, 1, "relu", renormalise=True)
    assert t.router_logits.value.tolist() == [[3, 1], [0, 2], [5, 4]]
    assert t.chosen.value.tolist() == [[1, 0], [0, 1], [1, 0]]
    assert t.gates.value.tolist() == [[1, 0], [0, 1], [1, 0]]
    assert t.load.value.tolist() == [[2], [1]]
    assert t["expert.0.routed"].value.tolist() == [[3, 1], [5, 4]]
    assert t["expert.1.routed"].value.tolist() == [[0, 2]]
    assert t["expert.0.ffn_out"].value.tolist() == [[8, 1], [18, 1]]
    assert t["expert.1.ffn_out"].value.tolist() == [[5, 7]]
    assert t.ffn_out.value.tolist() == [[8, 1], [5, 7], [18, 1]]


def test_gates_by_hand() -> None:
    logits = [[math.log(5), math.log(3), math.log(2)]]
    assert same(routed(logits, 2).router_probs.value, [[0.5, 0.3, 0.2]], 1e-15)
    assert same(routed(logits, 2).gates.value, [[5 / 8, 3 / 8, 0]], 1e-15)
    assert same(routed(logits, 2, renormalise=False).gates.value, [[0.5, 0.3, 0]], 1e-15)


def test_a_gated_sum_by_hand() -> None:
    operation = GatedSum(((0, (1,)), (2, (0, 1))))
    gates = np.array([[9.0, 9.0, 2.0], [3.0, 9.0, 4.0], [9.0, 9.0, 9.0]])
    total = operation.forward(gates, np.array([[1.0, 10.0]]), np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert total.tolist() == [[2, 4], [3 + 12, 30 + 16], [0, 0]]


def test_of_equal_experts_the_one_further_left_is_chosen() -> None:
    assert routed([[1, 2, 2, 2], [0, 0, 0, 0], [7, 1, 1, 7]], 2).chosen.value.tolist() == [
        [0, 1, 1, 0],
        [1, 1, 0, 0],
        [1, 0, 0, 1],
    ]
    assert TopK(1).forward(np.array([[-0.0, 0.0]])).tolist() == [[1, 0]]


@given(seeds, st.integers(1, 5), st.booleans())
def test_gates_agree_with_plain_loops(seed: int, top_k: int, renormalise: bool) -> None:
    logits = np.random.default_rng(seed).integers(-3, 4, size=(3, 5)) / 2
    t = routed(logits, top_k, renormalise=renormalise)
    for row in range(3):
        expected = plain_gates(logits[row].tolist(), top_k, renormalise)
        assert np.flatnonzero(t.chosen.value[row]).tolist() == sorted(expected)
        assert same(t.gates.value[row], [expected.get(expert, 0.0) for expert in range(5)], 1e-12)


@examples(60)
@given(seeds, st.integers(1, 5), st.sampled_from(ACTIVATIONS), st.booleans())
def test_a_mixture_agrees_with_plain_loops(seed: int, top_k: int, activation: str, renormalise: bool) -> None:
    t, x, learned = mixture(seed, top_k, activation, renormalise=renormalise)
    form = LayerForm(1, 1, activation=activation, n_experts=5, top_k=top_k, renormalise=renormalise)
    assert same(t.ffn_out.value, [plain_experts(row, learned, form) for row in x.tolist()])


@given(seeds, st.integers(1, 5))
def test_every_token_is_sent_to_k_experts_and_renormalised_gates_sum_to_one(seed: int, top_k: int) -> None:
    t, _, _ = mixture(seed, top_k)
    assert (t.chosen.value.sum(axis=1) == top_k).all()
    assert t.load.value.sum() == 3 * top_k
    assert same(t.gates.value.sum(axis=1), np.ones(3), 1e-12)
    assert ((t.gates.value > 0) == (t.chosen.value == 1)).all()
    assert gates_another_way(t.router_logits, t.chosen, t.gates) < 1e-12


def test_the_check_of_the_gates_notices_gates_that_are_not_renormalised() -> None:
    t, _, _ = mixture(1, 2, renormalise=False)
    assert gates_another_way(t.router_logits, t.chosen, t.gates) > 0.01


@given(seeds)
def test_with_all_experts_renormalising_changes_nothing(seed: int) -> None:
    one, two = (mixture(seed, 5, renormalise=renormalise)[0] for renormalise in (True, False))
    assert same(one.gates.value, two.gates.value, 1e-14)
    assert same(one.gates.value, one.router_probs.value, 1e-14)


@given(seeds)
def test_one_expert_alone_is_a_plain_network(seed: int) -> None:
    t, x, learned = mixture(seed, 1)
    for row, expert in enumerate(t.chosen.value.argmax(axis=1)):
        alone = inside(learned, f"expert.{expert}")
        hidden = np.maximum(x[row] @ alone["w_1"] + alone["b_1"], 0)
        assert same(t.ffn_out.value[row], hidden @ alone["w_2"] + alone["b_2"], 1e-12)


@given(seeds, st.permutations(range(5)))
def test_the_names_of_the_experts_do_not_matter(seed: int, order: list[int]) -> None:
    t, x, learned = mixture(seed, 2)
    renamed = {"w_router": learned["w_router"][:, order]}
    for new, old in enumerate(order):
        renamed |= {f"expert.{new}.{name}": array for name, array in inside(learned, f"expert.{old}").items()}
    other = Trace()
    other.x = array_given(x)
    experts(other, other.x, renamed, 5, 2, "relu", renormalise=True)
    assert same(other.ffn_out.value, t.ffn_out.value, 1e-12)


def test_an_expert_that_nobody_chose_does_no_work() -> None:
    t = Trace()
    t.x = array_given([[3, 1], [5, 4]])
    experts(t, t.x, TWO_EXPERTS, 2, 1, "relu", renormalise=True)
    assert sent(t.chosen, t.gates) == [(0, 1), ()]
    assert not any(name.startswith("expert.1") for name in t)


def test_a_chosen_expert_works_even_where_its_share_is_too_small_for_a_number() -> None:
    t = routed([[0.0, -800.0, -900.0]], 2)
    assert t.gates.value.tolist() == [[1, 0, 0]]
    assert sent(t.chosen, t.gates) == [(0,), (0,), ()]
    assert t.load.value.tolist() == [[1], [1], [0]]


def test_other_tokens_change_nothing_in_the_last_bit() -> None:
    w, x = np.random.default_rng(0).normal(size=(6, 7)), np.random.default_rng(1).normal(size=(9, 6))
    whole = EachRow().forward(x, w)
    for start in range(9):
        for stop in range(start + 1, 10):
            assert np.array_equal(EachRow().forward(x[start:stop], w), whole[start:stop])


# edits


def test_a_token_can_be_sent_elsewhere_by_hand() -> None:
    t = Trace({"chosen": {(0, 0): 0.0, (0, 1): 1.0}})
    t.x = array_given([[3, 1], [0, 2]])
    experts(t, t.x, TWO_EXPERTS, 2, 1, "relu", renormalise=True)
    assert sent(t.chosen, t.gates) == [(), (0, 1)]
    assert t.load.value.tolist() == [[0], [2]]
    assert t.ffn_out.value[0].tolist() == [5, 11]


def test_a_gate_given_by_hand_asks_that_expert() -> None:
    plain, _, learned = mixture(3, 1)
    idle = int(np.flatnonzero(plain.chosen.value[0] == 0)[0])
    t, x, _ = mixture(3, 1, edits={"gates": {(0, idle): 0.5}})
    alone = inside(learned, f"expert.{idle}")
    answer = np.maximum(x[0] @ alone["w_1"] + alone["b_1"], 0) @ alone["w_2"] + alone["b_2"]
    assert same(t.ffn_out.value[0] - plain.ffn_out.value[0], 0.5 * answer, 1e-12)


@pytest.mark.parametrize("n", [1, 3])
def test_a_token_sent_nowhere_gives_zeros(n: int) -> None:
    t, _, _ = mixture(4, 2, n=n, edits={"chosen": {(0, expert): 0.0 for expert in range(5)}})
    assert t.gates.value[0].tolist() == [0] * 5
    assert t.ffn_out.value[0].tolist() == [0] * 4
    assert t.explain("ffn_out", (0, 1)).value == 0
    assert evaluate(t.explain("ffn_out", (0, 1)).tree) == 0


# explaining


@examples(40)
@given(seeds, st.integers(1, 5), st.sampled_from(ACTIVATIONS), st.booleans())
def test_every_explanation_of_a_mixture_evaluates_to_its_value(seed: int, top_k: int, activation: str, renormalise: bool) -> None:
    t, _, _ = mixture(seed, top_k, activation, renormalise=renormalise)
    for name in t:
        assert (checks.second_way(t, name) or 0) < 1e-12
        for index in np.ndindex(t[name].shape):
            explanation = t.explain(name, index)
            if explanation.parts:
                assert evaluate(explanation.tree) == pytest.approx(explanation.value, rel=1e-9, abs=1e-12), (name, index)
            else:
                assert t[name].kind != "computed"


def test_a_mixture_explains_itself() -> None:
    t = Trace()
    t.x = array_given([[3, 1], [0, 2]])
    experts(t, t.x, TWO_EXPERTS, 2, 2, "relu", renormalise=True)
    assert t.explain("chosen", (0, 1)).expression == "1 ∈ top 2 {3, 1} → 1"
    assert t.explain("load", (0, 0)).expression == "1 + 1 = 2"
    assert t.explain("gates", (0, 0)).expression == "0.881 ÷ (0.881 + 0.119) ≈ 0.881"
    assert t.explain("ffn_out", (1, 0)).expression == "0.119×4 + 0.881×5 ≈ 4.881"
    assert t.explain("expert.1.routed", (1, 1)).is_copy
    assert t.inputs("ffn_out") == ["gates", "expert.0.ffn_out", "expert.1.ffn_out"]


@given(seeds, st.integers(1, 5))
def test_what_is_written_about_a_choice_is_true(seed: int, top_k: int) -> None:
    t = routed(np.random.default_rng(seed).integers(-3, 4, size=(3, 5)), top_k)
    for index in np.ndindex(3, 5):
        explanation = t.explain("chosen", index)
        mine, *row = explanation.terms
        ahead = [other for other in row if (-other.value, other.index) < (-mine.value, mine.index)]
        assert (len(ahead) < top_k) == (explanation.value == 1)
        assert ("∈" in explanation.expression) == (explanation.value == 1)


def test_the_renormalised_sum_is_not_taken_twice() -> None:
    t = routed([[2.0, 1.0, 0.5, -1.0]], 2)
    assert t.inputs("gates") == ["kept_probs"]
    assert t.inputs("kept_probs") == ["router_probs", "chosen"]
    assert "kept_probs" not in routed([[2.0, 1.0]], 1, renormalise=False)


# refusals


@pytest.mark.parametrize("top_k", [0, -1, 6])
def test_more_experts_than_there_are_and_none_are_refused_with_both_numbers(top_k: int) -> None:
    with pytest.raises(ValueError, match=f"{top_k} of 5 experts"):
        routed(np.zeros((3, 5)), top_k)


def test_logits_that_overflow_are_refused() -> None:
    with pytest.raises(NotFinite):
        routed([[1e308, np.inf]], 1)


# numbers made by another program


def test_routing_agrees() -> None:
    entries = numbers()["moe"]
    assert len(entries) == 13
    for entry in entries:
        logits, top_k, chosen = [entry["router_logits"]], entry["k"], entry["chosen"]
        one, two = (routed(logits, top_k, renormalise=renormalise) for renormalise in (True, False))
        assert same(one.router_probs.value[0], entry["all_probabilities"])
        assert np.flatnonzero(one.chosen.value[0]).tolist() == sorted(chosen)
        assert same(one.gates.value[0, chosen], entry["renormalised"])
        assert same(two.gates.value[0, chosen], entry["not_renormalised"])
        assert gates_another_way(one.router_logits, one.chosen, one.gates) < 1e-12


def test_softmax_comes_before_the_choice() -> None:
    asked, expected, faults = case("MOE-01")
    chosen = expected["chosen"]
    one, two = (routed([asked["router_logits"]], asked["k"], renormalise=renormalise) for renormalise in (True, False))
    assert same(one.gates.value[0, chosen], expected["renormalised"])
    assert same(one.gates.value[0, chosen], expected["softmax_of_top_k_logits"])
    assert same(two.gates.value[0, chosen], expected["not_renormalised"])
    assert not same(two.gates.value[0, chosen], faults["raw logits"], 1e-3)


def test_two_equal_answers_by_different_gates_add_up() -> None:
    answer = array_given([[4.0]])
    answer.name = "answer"
    gates = array_given([[0.25, 0.75]])
    gates.name = "gates"
    total = apply(GatedSum(((0, (0,)), (1, (0,)))), gates, answer, answer)
    assert total.value.tolist() == [[4]]
