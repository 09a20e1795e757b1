"""How an operation is written as code: its own template, filled with the code of what goes in."""

from collections.abc import Mapping, Sequence

from app.core.operations.operation import Inputs, Operation, fill

_OPENING, _CLOSING = "([{", ")]}"


def write(operation: Operation, parts: Sequence[str], inputs: Inputs, words: Mapping[str, str]) -> str:
    """The code of an operation; ``words``: what another library calls what NumPy calls otherwise."""
    template = operation.code
    for numpy, other in words.items():
        template = template.replace(numpy, other)
    for place, array in enumerate(inputs, 1):
        template = template.replace(f"#{place}?", f"#{place}" if array.value.dtype == bool else f"#{place} != 0")
    return fill(template, parts, is_loose)


def tight(code: str) -> str:
    """Code that more code can follow."""
    return f"({code})" if is_loose(code) else code


def is_loose(code: str) -> bool:
    """True for code with a sign outside of its brackets, such as ``a + b``: it needs brackets inside more code."""
    depth = 0
    for char in code:
        depth += (char in _OPENING) - (char in _CLOSING)
        if char == " " and depth == 0:
            return True
    return False
