"""A written-out sum is a tree: brackets stand where they are needed, and parts end where the tree says so."""

import pytest

from app.core.operations.expression import (
    HIDDEN,
    ONE,
    Among,
    E,
    Expression,
    Group,
    Masked,
    Operand,
    Product,
    Quotient,
    Sum,
    chain,
    children_of,
    constant,
    less,
    over,
    plus,
    power,
    times,
)
from app.core.record.walk import parts_of
from tests.core.evaluate import calculate, evaluate

TWO, THREE = constant(2), constant(3)
A, B = Operand(4.0, "a", (0,)), Operand(-5.0, "b", (1,), brackets=True)


def written(tree: Expression) -> str:
    return "".join(part.text for part in parts_of(tree))


def pieces(tree: Expression) -> list[str]:
    return [part.text for part in parts_of(tree)]


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (times(plus(ONE, TWO), THREE), "(1 + 2)×3"),
        (over(ONE, times(TWO, THREE)), "1 ÷ (2×3)"),
        (over(times(ONE, TWO), THREE), "1×2 ÷ 3"),
        (power(plus(ONE, TWO), less(ONE, THREE)), "(1 + 2)^(1 − 3)"),
        (power(TWO, constant(-1)), "2^(−1)"),
        (power(constant(-2), TWO), "(−2)^2"),
        (power(TWO, Quotient(ONE, THREE, slash=True)), "2^(1/3)"),
        (times(A, B), "4×(−5)"),
        (constant(-2, brackets=True), "(−2)"),
    ],
)
def test_what_is_written_reads_as_the_tree_means_it(tree: Expression, text: str) -> None:
    assert written(tree) == text
    assert calculate(text) == pytest.approx(evaluate(tree))


def test_a_long_chain_has_a_part_for_every_term_and_every_sign() -> None:
    assert pieces(chain(Sum, [A, ONE, B], "+")) == ["4", " + ", "1", " + ", "(−5)"]
    assert chain(Product, [A], "×") == A
    assert written(chain(Sum, [], "+")) == "0"


def test_texts_that_touch_are_one_part_unless_a_seam_parts_them() -> None:
    assert pieces(plus(A, ONE)) == ["4", " + 1"]
    assert pieces(over(A, plus(ONE, power(E, A)))) == ["4", " ÷ (1 + e^", "4", ")"]
    assert pieces(Quotient(A, Group(power(E, B), "inside"), apart=True)) == ["4", " ÷ (", "e^", "(−5)", ")"]
    assert pieces(Sum((ONE, Group(A, "both")), ("+",), apart=True)) == ["1", " + ", "(", "4", ")"]


def test_a_mask_and_a_choice_say_what_comes_of_a_number() -> None:
    assert pieces(Masked("mask", ONE, HIDDEN)) == ["mask 1 → ", "−∞"]
    chosen = Masked("", Among(A, (A, B), 1, True), ONE)
    assert pieces(chosen) == ["4", " ∈ top 1 {", "4", ", ", "(−5)", "} → 1"]
    assert list(children_of(chosen.cause)) == [A, A, B]
