"""Changes: what follows from the cells that were changed by hand, beside the same computation without them."""

from dataclasses import dataclass

import numpy as np

from app.core.operations.explain import Index
from app.core.operations.numbers import show
from app.core.operations.ops import NotFinite, Values
from app.core.record.trace import Trace
from app.run.assemble import assemble
from app.run.run import Run


@dataclass(frozen=True, slots=True)
class Changes:
    """The values before the edits, for the steps that have changed."""

    before: dict[str, Values]
    now: dict[str, Values]

    def was(self, step: str, index: Index) -> str:
        """The printed number of a cell before the edits, where it was another one; else nothing."""
        if step not in self.before:
            return ""
        old = float(self.before[step][index])
        return show(old) if old != float(self.now[step][index]) else ""


def find_changes(run: Run) -> Changes:
    """Compute the scenario without its edits and keep the steps that differ."""
    if not run.scenario.edits:
        return Changes({}, {})
    try:
        _, plain = assemble(run.scenario.model_copy(update={"edits": None}))
    except NotFinite:
        return Changes({}, {})
    names = [name for name in run.trace if name in plain and _differs(run.trace, plain, name)]
    return Changes({name: plain[name].value for name in names}, {name: run.trace[name].value for name in names})


def _differs(one: Trace, other: Trace, name: str) -> bool:
    return one[name].shape == other[name].shape and not np.array_equal(one[name].value, other[name].value)
