"""Any number can be changed by hand; what follows it changes too, and nothing else."""

import numpy as np
import pytest
from hypothesis import given

from app.core.operations.expression import Operand
from app.core.record.array import given as array_given
from app.core.record.trace import BadEdit, Trace
from tests.core.build import Scene, attention, scenes
from tests.support.examples import examples

STEPS = ["q", "k", "v", "scores", "scaled", "mask", "masked", "weights", "z", "concat"]
Q, K, V = [[1, 0, 2], [2, 1, 0]], [[2, 1, 1], [0, 3, 0], [1, 1, 1]], [[2, 5], [0, 1], [4, 0]]


@pytest.mark.parametrize("name", STEPS)
def test_an_edited_cell_has_the_new_value_and_its_neighbours_the_old(name: str) -> None:
    plain = attention(Q, K, V, scale="none")
    index = tuple(size - 1 for size in plain[name].shape)
    edited = attention(Q, K, V, scale="none", edits={name: {index: 0}})
    expected = plain[name].value.copy()
    expected[index] = 0
    assert (edited[name].value == expected).all()
    assert edited.edited(name) == {index}
    assert edited[name].kind == plain[name].kind


@pytest.mark.parametrize("name", STEPS)
def test_what_comes_before_an_edit_is_untouched(name: str) -> None:
    plain = attention(Q, K, V)
    edited = attention(Q, K, V, edits={name: {(0,) * len(plain[name].shape): 0}})
    for before in STEPS[: STEPS.index(name)]:
        assert (edited[before].value == plain[before].value).all()


@pytest.mark.parametrize("name", STEPS[:-1])
def test_everything_downstream_follows(name: str) -> None:
    plain = attention(Q, K, V)
    edited = attention(Q, K, V, edits={name: {(0,) * len(plain[name].shape): 0 if name == "mask" else 17.5}})
    assert not np.array_equal(edited.concat.value, plain.concat.value)


def test_an_edited_score_gives_the_weights_of_that_score() -> None:
    t = attention([[0.0]], [[0.0], [0.0]], [[1.0], [2.0]], normalizer="division", edits={"scores": {(0, 0, 0): 3, (0, 0, 1): 1}})
    assert t.weights.value.tolist() == [[[0.75, 0.25]]]
    assert t.z.value.tolist() == [[[1.25]]]


def test_an_edited_mask_bit_hides_the_key_in_every_head() -> None:
    x = np.random.default_rng(5).normal(size=(3, 4))
    t = attention(x, x, x, heads=2, edits={"mask": {(1, 2): 0}})
    assert (t.masked.value[:, 1, 2] == -np.inf).all()
    assert (t.weights.value[:, 1, 2] == 0).all()
    assert (t.weights.value[:, 0, 2] > 0).all()
    assert t.explain("masked", (1, 1, 2)).expression == "mask 0 → −∞"


def test_a_hidden_cell_can_be_given_a_score() -> None:
    t = attention([[1]], [[2], [2]], [[1], [2]], [[True, False]], scale="none", edits={"masked": {(0, 0, 1): 2}})
    assert t.weights.value.tolist() == [[[0.5, 0.5]]]


def test_edited_weights_are_used_as_they_are() -> None:
    t = attention([[1]], [[2], [2]], [[1], [2]], edits={"weights": {(0, 0, 0): 1}})
    assert t.weights.value.tolist() == [[[1, 0.5]]]
    assert t.z.value.tolist() == [[[2]]]


def test_an_edited_cell_is_its_own_explanation() -> None:
    t = attention(Q, K, V, edits={"scores": {(0, 1, 2): -4.5}})
    explanation = t.explain("scores", (0, 1, 2))
    assert (explanation.parts, explanation.value, explanation.expression) == ((), -4.5, "−4.5")


def test_the_neighbour_of_an_edited_cell_keeps_its_explanation() -> None:
    plain, edited = attention(Q, K, V), attention(Q, K, V, edits={"scores": {(0, 1, 2): -4.5}})
    assert edited.explain("scores", (0, 1, 1)) == plain.explain("scores", (0, 1, 1))
    assert edited.explain("scores", (0, 1, 1)).expression == "2×0 + 1×3 + 0×0 = 3"


def test_what_uses_an_edited_cell_names_it() -> None:
    t = attention(Q, K, V, scale=2.0, edits={"scores": {(0, 1, 2): -4.5}})
    assert t.explain("scaled", (0, 1, 2)).terms == (Operand(-4.5, "scores", (0, 1, 2)),)
    assert t.inputs("scaled") == ["scores"]
    assert t.inputs("scores") == ["q", "k"]


@examples(60)
@given(scenes())
def test_the_arrays_given_from_outside_are_never_changed_by_an_edit(scene: Scene) -> None:
    before = scene.x.copy(), scene.w_q.copy(), np.array(scene.mask)
    scene.run()
    for old, now in zip(before, (scene.x, scene.w_q, scene.mask), strict=True):
        assert (old == now).all()


@pytest.mark.parametrize("index", [(0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3), (0, -1, 0), (0, 0, 0, 0), ()])
def test_an_edit_of_a_cell_that_is_not_there_is_refused(index: tuple[int, ...]) -> None:
    with pytest.raises(BadEdit) as caught:
        attention(Q, K, V, edits={"scores": {index: 1}})
    assert (caught.value.step, caught.value.index, caught.value.shape) == ("scores", index, (1, 2, 3))


def test_an_edit_of_a_name_that_never_came_is_refused() -> None:
    with pytest.raises(BadEdit) as caught:
        attention(Q, K, V, edits={"out": {(0, 0): 1}})
    assert (caught.value.step, caught.value.index, caught.value.shape) == ("out", None, None)


def test_no_edits_means_nothing_was_edited() -> None:
    assert attention(Q, K, V).edited("scores") == frozenset()


def test_a_name_is_given_once() -> None:
    t = Trace()
    t.x = array_given([[1.0]])
    with pytest.raises(ValueError, match="x has a value already"):
        t.x = array_given([[2.0]])


def test_a_recorded_value_cannot_be_changed_afterwards() -> None:
    t = attention(Q, K, V)
    for name in t:
        with pytest.raises(ValueError, match="read-only"):
            t[name].value[...] = 0


def test_a_given_array_stays_writeable_for_its_owner() -> None:
    mine = np.ones((2, 3))
    t = Trace()
    t.x = array_given(mine)
    mine[0, 0] = 5
    assert mine.flags.writeable


def test_a_name_that_is_not_there_yet_says_so() -> None:
    with pytest.raises(AttributeError, match="nothing is called scores yet"):
        _ = Trace().scores


def test_names_are_kept_in_the_order_of_computation() -> None:
    t = attention(Q, K, V)
    assert list(t) == STEPS
    assert "scores" in t
    assert "nothing" not in t


def test_inputs_look_through_what_has_no_name() -> None:
    t = attention(Q, K, V)
    expected = {"scores": ["q", "k"], "masked": ["scaled", "mask"], "z": ["weights", "v"], "concat": ["z"], "q": []}
    assert {name: t.inputs(name) for name in expected} == expected
