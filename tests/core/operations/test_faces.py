"""Every operation writes itself: what is missing is listed by name, nothing falls back in silence."""

from dataclasses import fields

import pytest

from app.core.operations.curves import CURVES, ROWS, Curve
from app.core.operations.operation import Cellwise, Operation, fill
from tests.core.examples import EXAMPLES
from tests.core.test_contracts import every_operation

FACES = ("forward", "explain", "gradient", "push", "tex", "sign", "code")


def missing(kind: type[Operation]) -> list[str]:
    """What an operation has not said of itself; one that works cell by cell says its slopes in place of both directions."""
    lacking = [face for face in FACES if getattr(kind, face) is getattr(Operation, face)]
    if issubclass(kind, Cellwise) and kind.slopes is Cellwise.slopes:
        lacking.append("slopes")
    return [f"{kind.__name__}.{face}" for face in lacking]


def test_every_operation_has_all_its_faces() -> None:
    assert [name for kind in sorted(every_operation(), key=str) for name in missing(kind)] == []


def test_a_face_that_is_missing_is_named() -> None:
    class Squares(Cellwise):
        """Every cell times itself."""

        tex = "#1^2"

    assert missing(Squares) == ["Squares.forward", "Squares.explain", "Squares.sign", "Squares.code", "Squares.slopes"]


@pytest.mark.parametrize(("operation", "values", "shape"), EXAMPLES, ids=lambda value: type(value).__name__)
def test_templates_name_only_inputs_that_there_are(operation: Operation, values: list[object], shape: tuple[int, ...]) -> None:
    inputs = [f"<{place}>" for place, _ in enumerate(values, 1)]
    for template in (operation.tex, operation.code):
        assert template.strip()
        assert "#" not in fill(template.replace("?", ""), inputs, lambda text: False, "<0>")
    assert isinstance(operation.sign, str)
    used = fill(operation.code, inputs, lambda text: False)
    assert all(text in used for text in inputs), "an input that the code never reads"


def test_every_function_of_one_number_has_all_its_faces() -> None:
    assert len(CURVES) == len(ROWS), "two functions have one name"
    texts = ("name", "tex", "sign", "code")
    assert [f"{curve.name}.{text}" for curve in ROWS for text in texts if not getattr(curve, text)] == []
    assert all("#1" in curve.tex and "#1" in curve.code for curve in ROWS)
    assert [field.name for field in fields(Curve)][:4] == ["name", "value", "slope", "written"]


def test_a_template_puts_brackets_around_a_sum_where_it_needs_them() -> None:
    def is_sum(text: str) -> bool:
        return " + " in text

    assert fill("#1 * #2", ["a + b", "c"], is_sum) == "(a + b) * c"
    assert fill("f(#1, #2)[#1]", ["a + b", "c"], is_sum) == "f(a + b, c)[a + b]"
    assert fill(r"\frac{#1}{{#1}_{ij}}", ["a + b"], is_sum) == r"\frac{a + b}{{(a + b)}_{ij}}"
    assert fill("f(#*) / #1", ["a", "b + c", "#1"], is_sum) == "f(a, b + c, #1) / a"
    assert fill("#0: #1", ["a"], is_sum, "R") == "R: a"
