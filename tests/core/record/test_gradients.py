"""Gradients: by hand, against small steps of every input, and backwards against forwards."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from app.core.operations import operation, ops
from app.core.operations.ops import NotFinite
from app.core.operations.softmax import Divide, Softmax
from app.core.record.array import Array, apply
from app.core.record.array import given as array_given
from app.core.record.gradients import gradients, pushed
from app.core.record.trace import Trace
from tests.core.build import Values, attention
from tests.core.examples import EXAMPLES
from tests.core.reference import same

STEP = 1e-6
BASES = {operation.Source, operation.Linear, operation.Cellwise}
example = pytest.mark.parametrize(("made", "values", "shape"), EXAMPLES, ids=lambda value: type(value).__name__)


def below(kind: type[ops.Operation]) -> Iterator[type[ops.Operation]]:
    for child in kind.__subclasses__():
        yield child
        yield from below(child)


def test_every_operation_says_how_its_result_grows_in_both_directions() -> None:
    found = {kind for kind in below(ops.Operation) if kind.__module__.startswith("app.") and kind not in BASES}
    assert len(found) > 30
    for kind in found:
        assert kind.gradient is not ops.Operation.gradient, kind
        assert kind.push is not ops.Operation.push, kind
        if issubclass(kind, operation.Cellwise):
            assert kind.slopes is not operation.Cellwise.slopes, kind


def drawn(*shape: int) -> Values:
    return np.random.default_rng(7).normal(size=shape)


def backwards(made: ops.Operation, values: list[Values], upstream: Values) -> tuple[Values | None, ...]:
    with np.errstate(all="ignore"):
        result: Any = made.forward(*values)
        return made.gradient(values, result, upstream)


def share(made: ops.Operation | None, values: Any, upstream: Any) -> Values:
    """The gradient of the first input."""
    assert made is not None
    first = backwards(made, [np.asarray(value, dtype=float) for value in values], np.asarray(upstream, dtype=float))[0]
    assert first is not None
    return first


@example
def test_a_gradient_has_the_shape_of_its_input_and_a_switch_has_none(
    made: ops.Operation, values: list[Values], shape: tuple[int, ...]
) -> None:
    shares = backwards(made, values, drawn(*shape))
    assert len(shares) == len(values)
    for place, (slopes, value) in enumerate(zip(shares, values, strict=True)):
        assert (slopes is None) == (place in made.switches)
        assert slopes is None or (slopes.shape == value.shape and np.isfinite(slopes).all())


@example
def test_a_small_step_of_an_input_moves_the_result_as_the_gradient_says(
    made: ops.Operation, values: list[Values], shape: tuple[int, ...]
) -> None:
    upstream = drawn(*shape)
    for place, slopes in enumerate(backwards(made, values, upstream)):
        if slopes is None:
            continue
        for cell in np.ndindex(slopes.shape):
            if values[place][cell] == -np.inf:
                assert slopes[cell] == 0, "a hidden score moves nothing"
            elif (slope := by_small_steps(made, values, place, cell, upstream)) is not None:
                assert slopes[cell] == pytest.approx(slope, rel=1e-6, abs=1e-7), (place, cell)


def by_small_steps(
    made: ops.Operation, values: list[Values], place: int, cell: tuple[int, ...], upstream: Values
) -> float | None:
    """The slope from a step to either side; None at a corner, where the two sides differ, and where there is a jump."""
    width = STEP * max(1.0, abs(float(values[place][cell])))

    def moved(by: float) -> float:
        changed = [value.copy() for value in values]
        changed[place][cell] += by
        with np.errstate(all="ignore"):
            return float((made.forward(*changed) * upstream).sum())

    after, before = (moved(width) - moved(0)) / width, (moved(0) - moved(-width)) / width
    smooth = abs(after - before) < 1e-3 * max(1, abs(after)) and abs(after) < 1e5
    return (after + before) / 2 if smooth else None


@example
def test_forwards_and_backwards_are_one_table_read_by_columns_and_by_rows(
    made: ops.Operation, values: list[Values], shape: tuple[int, ...]
) -> None:
    upstream = drawn(*shape)
    for place, slopes in enumerate(backwards(made, values, upstream)):
        if slopes is None:
            continue
        change = np.random.default_rng(place).normal(size=slopes.shape) * (values[place] != -np.inf)
        with np.errstate(all="ignore"):
            grown = made.push(values, made.forward(*values), place, change)
        assert grown.shape == shape
        assert (grown * upstream).sum() == pytest.approx((slopes * change).sum(), rel=1e-9, abs=1e-12)


def test_softmax_gives_to_one_weight_what_it_takes_from_the_others() -> None:
    scores = np.log([[4.0, 2.0, 1.0, 1.0]])  # weights 1/2, 1/4, 1/8, 1/8
    p = np.array([1 / 2, 1 / 4, 1 / 8, 1 / 8])
    by_hand = np.diag(p) - np.outer(p, p)
    assert by_hand[0].tolist() == [1 / 4, -1 / 8, -1 / 16, -1 / 16]
    for place in range(4):
        assert same(share(Softmax(), [scores], np.eye(4)[place : place + 1]), by_hand[place : place + 1], 1e-15)


def test_a_factor_of_a_product_counts_as_much_as_the_other_is_large() -> None:
    left, right = np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 6.0]])
    to_left, to_right = backwards(ops.MatMul(), [left, right], np.array([[1.0, 0.0]]))
    assert to_left is not None
    assert to_right is not None
    assert (to_left.tolist(), to_right.tolist()) == ([[3, 5]], [[1, 0], [2, 0]])


def test_division_by_hand() -> None:
    scores = np.array([[1.0, 3.0, -np.inf]])  # weights 1/4, 3/4, hidden
    assert same(share(Divide(), [scores], [[1, 0, 0]]), [[3 / 16, -1 / 16, 0]], 1e-15)


@pytest.mark.parametrize("row", [[2.0, -2.0], [0.0, 0.0], [-np.inf, -np.inf]])
def test_a_row_that_cannot_be_divided_moves_with_nothing(row: list[float]) -> None:
    assert same(share(Divide(), [[row]], [[1, 5]]), [[0, 0]], 0)


def test_a_hidden_key_gets_exactly_nothing_through_softmax() -> None:
    scores = np.array([[1.0, -np.inf, 2.0], [-np.inf] * 3])
    found = share(Softmax(), [scores], drawn(2, 3))
    assert (found[:, 1] == 0).all()
    assert (found[1] == 0).all()
    assert (found[0, [0, 2]] != 0).all()


def test_saturated_softmax_lets_nearly_nothing_through() -> None:
    even, sharp = (share(Softmax(), [[[0, top]]], [[1, 0]]) for top in (0, 30))
    assert same(even, [[1 / 4, -1 / 4]])
    assert 0 < np.abs(sharp).max() < 1e-12


@pytest.mark.parametrize(
    ("made", "values", "expected"),
    [
        (array_given([[3.0, 3.0, 1.0]]).row("max").operation, [[3.0, 3.0, 1.0]], [[1, 0, 0]]),
        (array_given([[0.0, -1.0, 2.0]]).function("relu").operation, [[0.0, -1.0, 2.0]], [[0, 0, 1]]),
    ],
)
def test_at_a_corner_one_of_the_slopes_is_taken(made: ops.Operation, values: Any, expected: Any) -> None:
    assert same(share(made, [values], np.ones_like(made.forward(np.array(values)))), expected, 0)


def test_the_chain_rule_by_hand_and_shares_of_a_number_used_twice() -> None:
    t = Trace()
    t.x = array_given([[2.0, 3.0]])
    t.y = t.x * t.x  # used twice: 2x
    t.z = t.y.row("sum") * 5
    found = gradients(t, "z", (0, 0))
    assert list(found) == ["x", "y", "z"]
    assert found["z"].tolist() == [[1]]
    assert found["y"].tolist() == [[5, 5]]
    assert found["x"].tolist() == [[20, 30]]
    grown = pushed(t.y, t.x, (0, 1))
    assert grown is not None
    assert grown.tolist() == [[0, 6]]


def test_what_leads_nowhere_near_is_left_out_and_so_is_a_mask() -> None:
    t = attention([[1, 2]], [[3, 1], [0, 1]], [[5], [6]], [[True, False]])
    assert "mask" not in gradients(t, "z", (0, 0, 0))
    assert "z" not in gradients(t, "weights", (0, 0, 0))
    assert "v" not in gradients(t, "weights", (0, 0, 0))


def test_an_edited_cell_counts_and_lets_nothing_through() -> None:
    t = Trace({"y": {(0, 1): 7.0}})
    t.x = array_given([[2.0, 3.0]])
    t.y = t.x * 4
    t.z = t.y.row("sum")
    found = gradients(t, "z", (0, 0))
    assert found["y"].tolist() == [[1, 1]]
    assert found["x"].tolist() == [[4, 0]]
    edited = pushed(t.y, t.x, (0, 1))
    assert edited is not None
    assert edited.tolist() == [[0, 0]]


def test_behind_an_edit_even_a_root_of_nothing_is_harmless() -> None:
    t = Trace({"root": {(0, 0): 2.0}})
    t.x = array_given([[0.0, 4.0]])
    t.root = t.x.function("sqrt")
    assert gradients(t, "root", (0, 0))["x"].tolist() == [[0, 0]]
    assert gradients(t, "root", (0, 1))["x"].tolist() == [[0, 0.25]]


def test_a_slope_past_all_numbers_is_refused() -> None:
    t = Trace()
    t.x = array_given([[0.0]])
    t.root = t.x.function("sqrt")
    with pytest.raises(NotFinite):
        gradients(t, "root", (0, 0))
    with pytest.raises(NotFinite):
        pushed(t.root, t.x, (0, 0))


@pytest.mark.parametrize("index", [(0, 0), (0, 0, 0, 0), (1, 0, 0), (0, -1, 0), (0, 0, 2)])
def test_a_cell_that_is_not_there_has_no_gradient(index: tuple[int, ...]) -> None:
    t = attention([[1]], [[2], [3]], [[1], [1]])
    with pytest.raises(IndexError):
        gradients(t, "scores", index)
    with pytest.raises(IndexError):
        pushed(t.scaled, t.scores, index)
    with pytest.raises(KeyError):
        gradients(t, "nothing", (0,))


def test_forwards_stops_at_the_next_step_and_a_mask_only_chooses() -> None:
    t = attention([[1, 2]], [[3, 1], [0, 1]], [[5], [6]])
    assert pushed(t.z, t.scores, (0, 0, 0)) is None  # weights stand between them
    assert pushed(t.masked, t.mask, (0, 0)) is None
    grown = pushed(t.scores, t.q, (0, 0, 1))
    assert grown is not None
    assert grown.tolist() == [[[1, 1]]]


def test_a_long_chain_needs_no_deep_recursion() -> None:
    t = Trace()
    t.x = array_given([[1.0]])
    array: Array = t.x
    for _ in range(3000):
        array = apply(ops.Multiply(1.0), array)
    t.y = array
    assert gradients(t, "y", (0, 0))["x"].tolist() == [[1]]
