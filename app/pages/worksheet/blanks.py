"""Blanks: the cells that a worksheet leaves for the reader to work out, and where a copy of such a number would stand."""

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np

from app import limits
from app.address.presentation import Presentation, find_place
from app.core.operations.explain import Index
from app.core.operations.numbers import show
from app.drawing.picture import fits
from app.errors import refuse
from app.glossary import TOKENS
from app.run.run import Run
from app.sheet.cells import Place, find_cell, reference
from app.sheet.idle import changes_nothing

LEVELS = ("row", "step", "all", "none")
"""How much is left blank: the row of the chosen cell, the chosen step, everything that is computed, nothing."""
Ref = tuple[str, Index]


def place_to_work(run: Run, presentation: Presentation) -> Place:
    """The computed step to work on: the chosen one; for numbers that are given, the first step made from them."""
    place = find_place(run, presentation)
    step = "x" if place.step == TOKENS else place.step
    if run.is_computed(step) and place.step != TOKENS:
        return place
    readers = [name for name in run.steps if step in run.inputs(name)]
    reader = next((name for name in readers if not changes_nothing(run, name)), "")
    return find_place(run, presentation.with_(at=reader, cell=presentation.target.cell if reader else ""))


def place_at(run: Run, step: str, place: Place) -> Index:
    """The cell of another step that is about the same words and the same head."""
    return find_place(run, Presentation.of(at=step, cell=reference(place.step, place.index))).index


def choose_blanks(run: Run, level: str, place: Place, steps: Iterable[str]) -> list[Ref]:
    """The blanks of a level, or those that are listed, in the order of the computation.

    Errors: Refusal that names the field ``blanks``.
    """
    if level == "row":
        cells = [cell for cell in matrix_of(run, place.step, place.index) if cell[1][:-1] == place.index[:-1]]
    elif level == "step":
        cells = list(matrix_of(run, place.step, place.index))
    elif level in ("all", "none"):
        cells = list(_everything(run, place, steps)) if level == "all" else []
    else:
        cells = _listed(run, level)
    found = [cell for cell in cells if is_worked_out(run, *cell) and fits(run, cell[0])]
    if len(found) > limits.BLANKS:
        raise refuse("blanks", "blanks_many", count=len(found), limit=limits.BLANKS)
    return found


def matrix_of(run: Run, step: str, index: Index) -> Iterator[Ref]:
    """The cells of a step that one picture shows: those of the head of ``index``."""
    shape = run.shape(step)
    for inner in product(*map(range, shape[-2:])):
        yield step, (*index[: len(shape) - len(inner)], *inner)


def _everything(run: Run, place: Place, steps: Iterable[str]) -> Iterator[Ref]:
    """All that is worked out; a number that is merely moved is no work."""
    for step in steps:
        cells = matrix_of(run, step, place_at(run, step, place)) if fits(run, step) else ()
        yield from (cell for cell in cells if not run.explain(*cell).is_copy)


def _listed(run: Run, text: str) -> list[Ref]:
    """Cells written as ``scores[0,2,0];weights[0,2,1]``."""
    cells = list(dict.fromkeys(_read(run, item.strip()) for item in text.split(";") if item.strip()))
    order = {name: place for place, name in enumerate(run.steps)}
    return sorted(cells, key=lambda cell: (order[cell[0]], cell[1]))


def _read(run: Run, text: str) -> Ref:
    step, index = cell = find_cell(run, text, "blanks", "blanks_form")
    if not is_worked_out(run, step, index):
        raise refuse("blanks", "blanks_given", cell=text)
    if not fits(run, step):
        raise refuse("blanks", "blanks_large", step=step, limit=limits.NUMBERS_IN_CELLS)
    return cell


def is_worked_out(run: Run, step: str, index: Index) -> bool:
    """True for a number that follows from others: not given, not learned, not written by hand."""
    return run.is_computed(step) and index not in run.edited(step)


def carried_on(run: Run, blanks: Iterable[Ref]) -> dict[Ref, int]:
    """The cells that repeat a blank's number unchanged, and which blank it is: printed, they would give it away."""
    known: dict[str, dict[Index, int]] = {}
    for number, (step, index) in enumerate(blanks, start=1):
        known.setdefault(step, {})[index] = number
    asked = {step: set(cells) for step, cells in known.items()}
    carried: dict[Ref, int] = {}
    for name in run.steps:
        texts = {_text(run, step, index) for step in run.inputs(name) for index in known.get(step, ())}
        for index in np.ndindex(run.shape(name)) if texts else ():
            if index in asked.get(name, ()) or not is_worked_out(run, name, index) or _text(run, name, index) not in texts:
                continue
            if number := _repeats(run, (name, index), known):
                known.setdefault(name, {})[index] = carried[name, index] = number
    return carried


def _repeats(run: Run, cell: Ref, known: dict[str, dict[Index, int]]) -> int:
    """The blank whose number a cell is made from and shows again; 0 where there is none."""
    for term in run.explain(*cell).terms:
        number = known.get(term.step, {}).get(term.index, 0)
        if number and _text(run, term.step, term.index) == _text(run, *cell):
            return number
    return 0


def _text(run: Run, step: str, index: Index) -> str:
    return show(run.number(step, index))
