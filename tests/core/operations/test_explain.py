"""Every explanation must evaluate to the value it explains."""

import math
import re
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.core import positions
from app.core.operations.explain import read
from app.core.operations.expression import Equal, Operand
from app.core.operations.numbers import show
from app.core.operations.reshape import Transpose
from app.core.record.array import apply
from app.core.record.array import given as array_given
from app.core.record.explanation import Explanation
from app.core.record.trace import Trace
from app.core.record.walk import Sign
from tests.core.build import Scene, attention, scenes
from tests.core.evaluate import calculate, evaluate
from tests.support.examples import examples

Index = tuple[int, ...]


def cells(trace: Trace) -> Iterator[tuple[str, Index, Explanation]]:
    for name in trace:
        for index in np.ndindex(trace[name].shape):
            yield name, index, trace.explain(name, index)


def close(got: float, expected: float) -> bool:
    return got == expected or math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-9)


@examples(300)
@given(scenes())
def test_every_explanation_evaluates_to_the_value_it_explains(scene: Scene) -> None:
    trace = scene.run()
    assume(np.abs(trace.weights.value).max() < 1e4)  # dividing by almost nothing magnifies the last digit
    for name, index, explanation in cells(trace):
        assert explanation.value == trace[name].value[index]
        if explanation.parts:
            assert close(evaluate(explanation.tree), explanation.value), (name, index, explanation.expression)
        else:
            given_from_outside = trace[name].kind != "computed"
            assert given_from_outside or index in trace.edited(name), (name, index)


@examples(100)
@given(scenes())
def test_every_term_carries_exactly_the_value_of_the_cell_it_points_at(scene: Scene) -> None:
    trace = scene.run()
    for name, _, explanation in cells(trace):
        for term in explanation.terms:
            assert term.value == trace[term.step].value[term.index]
            assert term.step in trace.inputs(name)


@examples(100)
@given(scenes())
def test_equal_and_nearly_equal_signs_tell_the_truth(scene: Scene) -> None:
    for name, index, explanation in cells(scene.run()):
        numbers = [(term.text, term.value) for term in explanation.terms]
        *_, printed = re.split(" [=≈→] ", explanation.expression)
        if not explanation.parts or any(sign in explanation.expression for sign in "=≈"):
            numbers.append((printed, explanation.value))
        exact = all(close_print(text, value) for text, value in numbers)
        if any(sign in explanation.expression for sign in "=≈"):
            assert explanation.relation in explanation.expression
            assert explanation.relation == ("=" if exact else "≈"), (name, index, explanation.expression)


def close_print(text: str, value: float) -> bool:
    written = calculate(text)
    return written == value or abs(written - value) <= 1e-12 * max(1, abs(value))


@examples(100)
@given(scenes(styles=["whole"]))
def test_what_is_printed_with_an_equals_sign_is_true_as_printed(scene: Scene) -> None:
    for _, _, explanation in cells(scene.run()):
        asked, *more = explanation.expression.split(" = ")
        if more and " ≈ " not in more[-1] and not isinstance(explanation.tree, Equal):
            assert close(calculate(asked), calculate(more[-1])), explanation.expression


@examples(200)
@given(scenes())
def test_what_is_worked_out_on_the_way_gives_the_printed_result_as_printed(scene: Scene) -> None:
    """A reader with a calculator who takes the printed numbers gets the printed sum, and the printed weight."""
    for _, _, explanation in cells(scene.run()):
        if not isinstance(explanation.tree, Equal):
            continue
        _, *worked, last = re.split(" [=≈] ", explanation.expression)
        assert len(explanation.tree.children) == len(worked) + 1
        assert close(evaluate(explanation.tree), explanation.value)
        for step in worked:
            assert calculate(show(calculate(step))) == calculate(last), explanation.expression
        if len(worked) == 2:
            added, whole = (calculate(step) for step in (worked[0].partition(" ÷ ")[2], worked[1].rpartition(" ÷ ")[2]))
            assert abs(added - whole) <= (5e-3 if "×10" in worked[1] else 1e-9) * whole


@examples(100)
@given(scenes())
def test_no_two_signs_stand_side_by_side(scene: Scene) -> None:
    for _, _, explanation in cells(scene.run()):
        written = explanation.expression.partition(" ≈ ")[0].partition(" = ")[0]
        assert not re.search(r"[×÷+−^] ?−", written), written


@examples(60)
@given(scenes(edited=False))
def test_no_explanation_is_wrapped_in_brackets_as_a_whole(scene: Scene) -> None:
    for _, _, explanation in cells(scene.run()):
        first, last = explanation.expression[:1], explanation.expression.rpartition(" ≈ ")[0].rpartition(" = ")[0][-1:]
        assert not (first == "(" and last == ")" and explanation.expression.count("(") == 1)


@examples(60)
@given(scenes())
def test_the_mask_bit_decides_what_follows_the_arrow(scene: Scene) -> None:
    trace = scene.run()
    for index in np.ndindex(trace.masked.shape):
        if index in trace.edited("masked"):
            continue
        bit, *rest = trace.explain("masked", index).terms
        assert bit == Operand(bool(trace.mask.value[index[1:]]), "mask", index[1:])
        if bit.value:
            assert rest == [Operand(float(trace.scaled.value[index]), "scaled", index)]
        else:
            assert rest == []
            assert trace.explain("masked", index).expression == "mask 0 → −∞"


def test_a_product_reads_as_it_is_taught() -> None:
    t = attention([[1, 0, 2]], [[2, 1, 1]], [[1]], scale="none")
    assert t.explain("scores", (0, 0, 0)).expression == "1×2 + 0×1 + 2×1 = 4"


def test_a_scale_reads_as_it_is_taught() -> None:
    def scaled(scale: str | float) -> str:
        return attention([[3, 0]], [[2, 1]], [[1]], scale=scale).explain("scaled", (0, 0, 0)).expression

    assert scaled("sqrt") == "6 ÷ √2 ≈ 4.243"
    assert scaled("none") == "6×1 = 6"
    assert scaled(0.5) == "6×0.5 = 3"
    assert scaled(-2) == "6×(−2) = −12"
    assert scaled(1.5e-7) == "6×1.5×10⁻⁷ ≈ 0.000"


def test_a_negative_operand_stands_in_brackets_where_a_sign_precedes_it() -> None:
    t = attention([[-1, -2]], [[-3, 4]], [[1]], scale="none")
    assert t.explain("scores", (0, 0, 0)).expression == "−1×(−3) + (−2)×4 = −5"


def test_softmax_reads_as_it_is_taught() -> None:
    t = attention([[1]], [[0], [1], [-2]], [[1], [1], [1]], [[True, True, False]])
    assert t.explain("weights", (0, 0, 0)).expression == "e^0 ÷ (e^0 + e^1) = 1 ÷ (1 + 2.72) = 1 ÷ 3.72 ≈ 0.269"
    assert t.explain("weights", (0, 0, 2)).value == 0
    u = attention([[1]], [[0], [-2]], [[1], [1]])
    assert u.explain("weights", (0, 0, 1)).expression == "e^(−2) ÷ (e^0 + e^(−2)) = 0.135 ÷ (1 + 0.135) = 0.135 ÷ 1.135 ≈ 0.119"


def test_a_weight_is_worked_out_in_numbers_by_hand() -> None:
    """The worked example: scores 2.309, 0 and 1.732; e^2.3094 is 10.068, e^1.7321 is 5.652, and 10.07 of 16.72 is 0.6023."""
    t = attention([[1]], [[4 / 3**0.5], [0], [3 / 3**0.5]], [[1], [1], [1]])
    asked = "e^2.309 ÷ (e^2.309 + e^0 + e^1.732)"
    assert t.explain("weights", (0, 0, 0)).expression == f"{asked} = 10.07 ÷ (10.07 + 1 + 5.65) = 10.07 ÷ 16.72 ≈ 0.602"
    same = attention([[1]], [[1], [1]], [[1], [1]]).explain("weights", (0, 0, 0))
    assert same.expression == "e^1 ÷ (e^1 + e^1) = 2.72 ÷ (2.72 + 2.72) = 2.72 ÷ 5.44 = 0.5"
    alone = attention([[1]], [[2]], [[1]]).explain("weights", (0, 0, 0))
    assert alone.expression == "e^2 ÷ (e^2) = 7.39 ÷ 7.39 = 1"


def test_softmax_of_large_scores_shows_the_shift_by_the_largest() -> None:
    t = attention([[1]], [[5000], [4999]], [[1], [1]])
    expected = "e^(4999 − 5000) ÷ (e^(5000 − 5000) + e^(4999 − 5000)) = 0.368 ÷ (1 + 0.368) = 0.368 ÷ 1.368 ≈ 0.269"
    assert t.explain("weights", (0, 0, 1)).expression == expected


def test_a_row_that_sees_nothing_reads_zero() -> None:
    for normalizer in ("softmax", "division"):
        t = attention([[1]], [[2], [3]], [[1], [1]], [[False, False]], normalizer=normalizer)
        assert t.explain("weights", (0, 0, 1)).expression == "0"


def test_division_counts_a_hidden_key_as_zero() -> None:
    t = attention([[1]], [[2], [3]], [[1], [1]], [[True, False]], scale="none", normalizer="division")
    assert t.explain("weights", (0, 0, 1)).expression == "0 ÷ (2) = 0"
    assert t.explain("weights", (0, 0, 0)).expression == "2 ÷ (2) = 1"


def test_a_projection_reads_as_a_sum_and_its_head_is_looked_through() -> None:
    scene = Scene([[1, 2]], [[1, 0, 3, 0], [0, 1, 0, -1]], np.ones((2, 4)), np.ones((2, 4)), np.eye(4), [[1]], 2, 2)
    explanation = scene.run().explain("q", (1, 0, 1))
    assert explanation.expression == "1×0 + 2×(−1) = −2"
    assert [(term.step, term.index) for term in explanation.terms] == [
        ("x", (0, 0)),
        ("w_q", (0, 3)),
        ("x", (0, 1)),
        ("w_q", (1, 3)),
    ]


def test_a_cell_that_was_only_moved_is_a_copy() -> None:
    t = attention([[1, 2]], [[3, 4]], [[5, 6]], heads=2)
    explanation = t.explain("concat", (0, 1))
    assert explanation.is_copy
    assert explanation.expression == "6"
    assert explanation.terms == (Operand(6.0, "z", (1, 0, 0)),)
    assert not t.explain("z", (1, 0, 0)).is_copy


def test_a_given_cell_has_nothing_behind_it() -> None:
    explanation = attention([[1.5]], [[3]], [[5]]).explain("q", (0, 0, 0))
    assert (explanation.parts, explanation.expression, explanation.is_copy) == ((), "1.5", False)


def test_positions_read_as_waves() -> None:
    t = Trace()
    t.pos = positions.sinusoidal(3, 5)
    assert t.explain("pos", (1, 0)).expression == "sin(1 ÷ 10000^(0/5)) ≈ 0.841"
    assert t.explain("pos", (2, 3)).expression == "cos(2 ÷ 10000^(2/5)) ≈ 0.999"
    assert t.explain("pos", (0, 4)).expression == "sin(0 ÷ 10000^(4/5)) = 0"


@pytest.mark.parametrize("index", [(0, 0), (0, 0, 0, 0), (1, 0, 0), (0, -1, 0), (0, 0, 2)])
def test_a_cell_that_is_not_there_cannot_be_explained(index: Index) -> None:
    t = attention([[1]], [[2], [3]], [[1], [1]])
    with pytest.raises(IndexError):
        t.explain("scores", index)


def test_a_name_that_is_not_there_cannot_be_explained() -> None:
    with pytest.raises(KeyError):
        attention([[1]], [[2]], [[1]]).explain("nothing", (0,))


def test_a_nameless_given_array_cannot_be_an_operand() -> None:
    with pytest.raises(ValueError, match="neither named nor computed"):
        read(array_given([[1.0]]), (0, 0))


def test_nameless_sums_inside_sums_are_put_in_brackets() -> None:
    t = Trace()
    t.a, t.b = array_given([[1.0, 2.0]]), array_given([[3.0], [4.0]])
    t.c = apply(Transpose(), t.a @ t.b) * 2
    assert t.explain("c", (0, 0)).expression == "(1×3 + 2×4)×2 = 22"
    assert t.explain("c", (0, 0)).parts[0] == Sign("(")


@given(st.integers(1, 6), st.integers(1, 7))
def test_the_position_table_evaluates_as_it_reads(n: int, d_model: int) -> None:
    t = Trace()
    t.pos = positions.sinusoidal(n, d_model)
    for _, _, explanation in cells(t):
        assert close(evaluate(explanation.tree), explanation.value)
