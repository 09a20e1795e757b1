"""The code of every single operation, run: in NumPy, and in PyTorch or its stand-in."""

from typing import Any

import numpy as np
import pytest

from app.core.operations.operation import Operation
from app.core.record.array import apply
from app.core.record.array import given as array_given
from app.exports.code.dialects import NUMPY, TORCH, Dialect
from app.exports.code.helpers import needed
from app.exports.code.writing import is_loose, tight, write
from tests.core.build import Values
from tests.core.examples import EXAMPLES
from tests.support.torch_at_hand import torch_at_hand


def computed(operation: Operation, values: list[Values], dialect: Dialect) -> Values:
    """What the code of one operation gives, with the helpers that it calls and with nothing else."""
    names = [f"input_{place}" for place, _ in enumerate(values)]
    code = write(operation, names, [array_given(value) for value in values], dialect.words)
    inputs = [f"{name} = {dialect.literal(value)}" for name, value in zip(names, values, strict=True)]
    source = "\n\n".join([dialect.head, *needed(code, dialect.helpers), "from math import nan", *inputs, f"result = {code}"])
    known: dict[str, Any] = {}
    exec(compile(source, "code", "exec"), known)
    return np.asarray(known["result"], dtype=float)


@pytest.mark.parametrize(("operation", "values"), [example[:2] for example in EXAMPLES], ids=lambda value: type(value).__name__)
def test_the_code_of_every_operation_gives_its_numbers(operation: Operation, values: list[Values]) -> None:
    expected = apply(operation, *map(array_given, values)).value
    if type(operation).__name__ == "Edit":  # its cells are written on lines of their own
        return
    with np.errstate(all="ignore"):
        assert np.allclose(computed(operation, values, NUMPY), expected, rtol=1e-9, atol=1e-12)
    with torch_at_hand():
        assert np.allclose(computed(operation, values, TORCH), expected, rtol=1e-9, atol=1e-12)


def test_code_is_put_in_brackets_where_more_code_follows() -> None:
    assert [tight(code) for code in ("a", "f(a, b)", "a[1:2, :]", "a + b")] == ["a", "f(a, b)", "a[1:2, :]", "(a + b)"]
    assert not is_loose("np.where(a != 0, b + c, 0.0)[..., None]")
