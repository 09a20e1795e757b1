"""Whatever an operation or a function of one number writes can be said, set in LaTeX and worked out again."""

from collections.abc import Iterator

import numpy as np
import pytest

from app.core.operations.expression import ZERO, Call, Expression, children_of, constant, power
from app.core.operations.operation import Operation
from app.core.record.array import apply, given
from app.core.record.explanation import explain
from app.exports.tex_marks import formula
from app.language.words import LANGUAGES, words_of
from app.sheet.spoken import _CALLS, _Speaker, make_spoken_why
from tests.core.build import Values
from tests.core.evaluate import evaluate
from tests.core.examples import EXAMPLES
from tests.support.walking import short


def pieces(tree: Expression) -> Iterator[Expression]:
    yield tree
    for child in children_of(tree):
        yield from pieces(child)


@pytest.mark.parametrize(("operation", "values"), [example[:2] for example in EXAMPLES], ids=lambda value: type(value).__name__)
def test_every_function_in_a_sum_has_a_word_and_a_value(operation: Operation, values: list[Values]) -> None:
    inputs = [given(value) for value in values]
    for number, array in enumerate(inputs):
        array.name = f"input_{number}"
    result = apply(operation, *inputs)
    for index in list(np.ndindex(result.shape))[:6]:
        tree = explain(result, index).tree
        if tree is None:
            continue
        evaluate(tree)
        assert formula(tree).count("{") == formula(tree).count("}")
        for name in {piece.text for piece in pieces(tree) if isinstance(piece, Call)}:
            for lang in LANGUAGES:
                assert words_of(lang)(f"spoken.call.{_CALLS[name]}", of="2")


def test_a_function_that_is_raised_is_said_as_a_whole() -> None:
    squared = power(Call("max", (ZERO, constant(3))), constant(2))
    run = short("opening")
    why = make_spoken_why(run, "scores", (0, 0, 0), words_of("en"))
    assert _Speaker(run, why, words_of("en")).say(squared) == "the largest of 0 and 3, and all of it to the power of 2"
