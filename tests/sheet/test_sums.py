"""Whatever an operation or a function of one number writes can be said, set in LaTeX and worked out again."""

from collections.abc import Iterator

import numpy as np
import pytest

from app.core.operations.expression import Call, Expression, children_of
from app.core.operations.operation import Operation
from app.core.record.array import apply, given
from app.core.record.explanation import explain
from app.exports.tex_marks import formula
from app.language.words import LANGUAGES, words_of
from app.sheet.spoken import _CALLS
from tests.core.build import Values
from tests.core.evaluate import evaluate
from tests.core.examples import EXAMPLES


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
