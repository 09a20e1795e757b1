"""Steps that change nothing here, as a mask that hides nothing: the map draws them faint, a worksheet leaves them out."""

import numpy as np

from app.core.operations.ops import MatMul
from app.glossary import entry_of
from app.run.run import Run
from app.sheet.steps import operation_of


def changes_nothing(run: Run, step: str) -> bool:
    """True where a step only hands its first operand on, number by number."""
    made, inputs = run.trace[step], run.inputs(step)
    if made.kind != "computed" or not inputs or isinstance(operation_of(made), MatMul):
        return False
    before = run.trace[inputs[0]].value
    return made.value.size == before.size and bool(np.array_equal(made.value.ravel(), before.ravel()))


def is_idle(run: Run, step: str) -> bool:
    """True where a step changes nothing because a choice switched it off: no scale, no mask."""
    return entry_of(step).may_be_idle and changes_nothing(run, step)
