"""Cells: a number by its name, as it stands in links and fields: ``scores[0,2,1]``."""

import re
from dataclasses import dataclass

from app.core.operations.explain import Index, inside
from app.errors import refuse
from app.run.run import Run

_CELL = re.compile(r"\s*([a-z0-9_.]+)\s*\[\s*(\d{1,4}(?:\s*,\s*\d{1,4}){0,2})\s*\]\s*", re.ASCII)


def reference(step: str, index: Index) -> str:
    """Write a cell as it stands in a URL: ``scores[0,2,1]``."""
    return f"{step}[{','.join(map(str, index))}]"


def parse_cell(text: str) -> tuple[str, Index] | None:
    """Read ``scores[0,2,1]`` as a step and an index, whether they exist or not; None for a text of another form."""
    found = _CELL.fullmatch(text)
    return (found[1], tuple(int(place) for place in found[2].split(","))) if found else None


def find_cell(run: Run, text: str, field: str, form: str = "cell_form") -> tuple[str, Index]:
    """Read a cell that must exist. Errors: Refusal of ``field``, with the code ``form`` where the text names no cell."""
    cell = parse_cell(text)
    if cell is None:
        raise refuse(field, form, given=text)
    check_cell(run, *cell, field, field)
    return cell


def check_cell(run: Run, step: str, index: Index, step_field: str, index_field: str) -> None:
    """Check that a cell exists. Errors: Refusal of the field that names the step, or of the one that names the place in it."""
    if step not in run.trace:
        raise refuse(step_field, "step_unknown", step=step, steps=", ".join(run.trace))
    shape = run.trace[step].shape
    if not inside(index, shape):
        raise refuse(index_field, "index_outside", cell=reference(step, index), shape=" × ".join(map(str, shape)))


@dataclass(frozen=True, slots=True)
class Place:
    """Where the reader is: a step and a cell of it, and whether all heads are shown side by side."""

    step: str
    index: Index
    all_heads: bool
