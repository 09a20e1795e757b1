"""What can be asked of a run's steps. Only this and the sheet read the record itself; all that draws and writes asks here."""

import re
from collections.abc import KeysView
from functools import cached_property

from app.core.operations.explain import Index
from app.core.operations.ops import Values
from app.core.record.array import Array
from app.core.record.explanation import Explanation
from app.core.record.trace import Trace


class Steps:
    """The steps of a computed scenario, by name. Errors: KeyError for a name that there is not."""

    trace: Trace

    @cached_property
    def steps(self) -> KeysView[str]:
        """The names of all steps, in the order in which they were computed."""
        return dict.fromkeys(self.trace).keys()

    def values(self, step: str) -> Values:
        """The numbers of a step."""
        return self.trace[step].value

    def number(self, step: str, index: Index) -> float:
        """One number."""
        return float(self.trace[step].value[index])

    def shape(self, step: str) -> tuple[int, ...]:
        """How many numbers there are along each axis."""
        return self.trace[step].shape

    def is_computed(self, step: str) -> bool:
        """True for what is computed; false for an input and for a parameter."""
        return self.trace[step].kind == "computed"

    def inputs(self, step: str) -> list[str]:
        """The steps that a step is made from."""
        return self._inputs[step]

    def made_first_of(self, step: str) -> list[str]:
        """The steps whose first input a step is, in the order in which they were computed."""
        return self._made_first_of.get(step, [])

    @cached_property
    def _inputs(self) -> dict[str, list[str]]:
        return {name: self.trace.inputs(name) for name in self.trace}

    @cached_property
    def _made_first_of(self) -> dict[str, list[str]]:
        """Made once: a search through all steps for each of thousands of cells would take longer than all the rest."""
        made: dict[str, list[str]] = {}
        for name, (first, *_) in ((name, inputs) for name, inputs in self._inputs.items() if inputs):
            made.setdefault(first, []).append(name)
        return made

    def array(self, step: str) -> Array:
        """The step with the operation that made it, for what is told by how a step was made: signs, code."""
        return self.trace[step]

    def explain(self, step: str, index: Index) -> Explanation:
        """Write out the arithmetic of one cell. Errors: IndexError for a cell that there is not."""
        return self.trace.explain(step, index)

    def edited(self, step: str) -> frozenset[Index]:
        """The cells of a step that were replaced by hand."""
        return self.trace.edited(step)

    def weights_that_mix(self, layer: int) -> Values | None:
        """What each query takes from each key in a layer; None where no such table is made. Shape: (n_heads, n_q, n_k)."""
        names = (f"layer.{layer}.weights_cut", f"layer.{layer}.weights")
        return next((self.trace[name].value for name in names if name in self.trace), None)


def masks_of(trace: Trace) -> dict[int, Values]:
    """Who may see whom, by the number of the layer (0 where there are none), hand edits included. Shape of each: (n_q, n_k)."""
    found = {name: trace[name].value.astype(bool) for name in trace if _MASK.fullmatch(name)}
    return {int(name.split(".")[1]) if "." in name else 0: mask for name, mask in found.items()}


_MASK = re.compile(r"(layer\.\d+\.)?mask")
