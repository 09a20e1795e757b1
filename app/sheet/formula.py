"""Formula: a step in TeX, as it is taught where the glossary says so, else as its operations write themselves."""

from app.core.operations.operation import fill
from app.core.record.array import Array
from app.glossary import entry_of


def formula_of(step: str, made: Array, inputs: list[str]) -> str:
    """The formula of a step that was made as ``made`` is, reading the steps ``inputs``; its symbol where it was given."""
    entry, operation = entry_of(step), made.operation
    details = (*inputs, getattr(operation, "name", ""))
    taught = entry.formula_for(type(operation).__name__, entry_of(inputs[0]).symbol if inputs else "", details)
    if taught or operation is None:
        return taught.replace("BASE", f"{getattr(operation, 'base', 0):.10g}") or entry.symbol
    written = _written(made, entry.symbol)
    if "#0" in operation.tex:
        return written
    index = operation.cell if len(operation.cell) < 2 else f"{{{operation.cell}}}"
    return f"{entry.symbol}_{index} = {written}" if index else f"{entry.symbol} = {written}"


def _written(array: Array, result: str = "") -> str:
    """The right-hand side: the operation's template, filled with the symbols of what goes in."""
    assert array.operation is not None
    return fill(array.operation.tex, [_symbol(part) for part in array.inputs], _is_sum, result)


def _symbol(array: Array) -> str:
    return entry_of(array.name).symbol if array.name else _written(array)


def _is_sum(tex: str) -> bool:
    """True for a sum that no bracket or brace holds together."""
    depth = 0
    for place, char in enumerate(tex):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and tex[place : place + 3] in (" + ", " - "):
            return True
    return False
